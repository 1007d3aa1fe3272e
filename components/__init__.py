"""What pages draw with: values in, values out, never the store."""

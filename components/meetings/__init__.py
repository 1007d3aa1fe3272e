"""What the meetings page draws."""

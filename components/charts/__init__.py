"""Charts: plain values in, what was clicked out; one file a chart."""

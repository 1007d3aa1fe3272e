"""Statistics from small tables of counts; items are resampled, never sentences."""

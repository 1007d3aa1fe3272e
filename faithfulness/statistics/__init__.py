"""Statistics from small tables of counts; intervals are over items, never sentences."""

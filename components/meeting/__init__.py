"""The meeting room: one point of an agenda at a time, read across a room and decided by key."""

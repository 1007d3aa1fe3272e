"""The reader: a labelled text beside its sources."""

"""The domain core: what is judged, by whom and how; it knows no screen and no database."""

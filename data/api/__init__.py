"""Local HTTP API: lets cli.py use the store while the app has it open.

`client` gives commands one interface to the store, opened directly or reached through the running
app (`server`). Also contains the larger commands, the health checks of `doctor`, and the warm-up of
a large store. Runs no SQL; it calls the other data packages.
"""

"""Reconnect: request the page again after a lost connection.

A browser component without visible output that the router draws on every page.
"""

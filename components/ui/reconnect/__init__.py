"""Reconnect."""

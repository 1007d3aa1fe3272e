"""Lets the browser's Back return to the address that one came from."""

"""Browser history: keep intermediate URLs out of it while another page opens.

A browser component without visible output that the router draws on every page.
"""

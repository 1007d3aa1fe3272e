"""Chips: choices that always show how much each would leave."""

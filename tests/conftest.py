"""What holds for every test."""

from hypothesis import settings

# A busy machine is not a slow function: benchmarks claim speed, the clock of a test never does.
settings.register_profile("plumbline", deadline=None)
settings.load_profile("plumbline")

"""Measurements of speed, as ratios within one run. `make bench`."""

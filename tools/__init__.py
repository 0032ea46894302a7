"""Answers to scores: option extraction, statistics, illusion metrics with their baselines, and tables.

This room reads ``meta/`` and ``results/`` and writes tables. It needs no audio, and nothing imports it.
"""

VERSION = "0.1.0"

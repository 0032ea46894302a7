"""Ramps and decays."""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from generators.common.exact import TURN, Floats, exp2, sine


@lru_cache(maxsize=64)
def raised_cosine(length: int) -> Floats:
    """Return a rising raised-cosine ramp of ``length`` samples, between 0 and 1 at neither end.

    Sampled at the centres of its steps, so that it and its reverse add to 1 in a crossfade.
    """
    phase = np.rint((2 * np.arange(length) + 1) / (8 * length) * TURN).astype(np.uint64)
    quarter = sine(phase)
    ramp = quarter * quarter
    ramp.setflags(write=False)  # shared by every caller
    return ramp


def apply_ramps(signal: Floats, rise: int, fall: int) -> Floats:
    """Multiply raised-cosine ramps of ``rise`` and ``fall`` samples onto the ends of the last axis, in place."""
    if rise + fall > signal.shape[-1]:
        raise ValueError(f"ramps of {rise} and {fall} samples do not fit {signal.shape[-1]} samples")
    if rise:
        signal[..., :rise] *= raised_cosine(rise)
    if fall:
        signal[..., -fall:] *= raised_cosine(fall)[::-1]
    return signal


def exponential_decay(length: int, half_life: int) -> Floats:
    """Return a decay from 1 that halves every ``half_life`` samples, shape (length,)."""
    return exp2(np.arange(length) / -float(half_life))

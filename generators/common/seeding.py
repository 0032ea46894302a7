"""Random words by name: the only source of randomness in a render.

SHA-256 of ``task/stimulus_id/stream`` keys a counter-based generator (Philox 4x64). Each named
stream has its own, so a draw added to one never shifts another, and nothing depends on the
order in which stimuli are rendered. Only raw words are used: NumPy promises these for
good, and distributions for one build only.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray


def random_words(task: str, stimulus_id: str, stream: str, count: int) -> NDArray[np.uint64]:
    """Return ``count`` uniform 64-bit words of a named stream; as phases, uniform turns."""
    digest = hashlib.sha256(f"{task}/{stimulus_id}/{stream}".encode()).digest()
    key = np.frombuffer(digest[:16], dtype="<u8").astype(np.uint64)
    return np.asarray(np.random.Philox(key=key).random_raw(count))

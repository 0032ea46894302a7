"""ideal-observer: answers by signal analysis of the WAV, and the question's words. Nothing else.

It proves for every stimulus that the stated ground truth can be measured in the rendered file, and is
the upper reference in every table. Each module in ``inference/observer/`` knows one kind of question.
"""

from __future__ import annotations

import importlib
import pkgutil
from typing import Any, List

import inference.observer
from inference.contract import Environment, Trial, main


def load(_environment: Environment) -> List[Any]:
    """Return the observers, one a kind of question."""
    names = [module.name for module in pkgutil.iter_modules(inference.observer.__path__)]
    modules = [importlib.import_module(f"inference.observer.{name}") for name in names]
    return [module for module in modules if hasattr(module, "QUESTION")]


def answer(observers: List[Any], trial: Trial) -> str:
    """Return the option that the signal supports."""
    fitting = [observer for observer in observers if observer.QUESTION.search(trial.text)]
    if len(fitting) != 1:
        raise ValueError(f"{len(fitting)} observers understand the question: {trial.text!r}")
    (audio,) = trial.audios
    if audio.samples.shape[1] != 1:
        raise ValueError(f"a mono recording is expected, this one has {audio.samples.shape[1]} channels")
    found = fitting[0].observe(audio.samples[:, 0].astype(float), audio.rate_hz, trial.text)
    if found not in trial.options:
        raise ValueError(f"the analysis says {found!r}, the options are {list(trial.options)}")
    return found


if __name__ == "__main__":
    main(load, answer)

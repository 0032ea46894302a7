"""random-guess: one of the options, chosen by the trial's id alone. The lower reference in every table."""

from __future__ import annotations

import hashlib

from inference.contract import Environment, Trial, main


def load(environment: Environment) -> str:
    """Return the seed from ``MODEL_ARGS``, e.g. ``seed=0``."""
    name, _, seed = environment.model_args.partition("=")
    if name != "seed":
        raise ValueError(f"MODEL_ARGS={environment.model_args!r}: seed=N is expected")
    return seed


def answer(seed: str, trial: Trial) -> str:
    """Return an option; each is as likely as the others over all ids."""
    digest = hashlib.sha256(f"{seed}/{trial.task}/{trial.stimulus_id}".encode()).digest()
    return trial.options[int.from_bytes(digest[:8], "big") % len(trial.options)]


if __name__ == "__main__":
    main(load, answer)

"""The registry of models, ``lalms_registry.tsv``: one row per model, and whether it can run here."""

from __future__ import annotations

import functools
import os
import subprocess
import sys
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Optional, Sequence

from meta import PROJECT_ROOT
from meta.csvfile import read_table
from meta.errors import InputError, at, unknown
from meta.schema import ID_PATTERN, WHOLE_NUMBER

REGISTRY = Path(__file__).resolve().parent / "lalms_registry.tsv"
COLUMNS = ("model", "runner", "environment", "gpus", "jobs", "model_id", "revision", "args", "ready", "reason")
PROJECT_ENVIRONMENT = "project"


class Model(NamedTuple):
    """A model that can be asked.

    ``runner`` is a Python file, relative to the project; ``environment`` the name of its virtual environment,
    or ``project``; ``gpus`` how many it needs; ``takes_jobs`` whether one process may be given several jobs (``jobs``
    is ``many`` in the registry, else ``one``); ``ready`` whether the runner is fit for use, else ``reason``
    says why not.
    """

    name: str
    runner: Path
    environment: str
    gpus: int
    takes_jobs: bool
    model_id: str
    revision: str
    args: str
    ready: bool
    reason: str


def load_registry(path: Path = REGISTRY) -> Dict[str, Model]:
    """Return the models by name, in the order of the file."""
    models: Dict[str, Model] = {}
    for line in read_table(path, COLUMNS, delimiter="\t").lines:
        values = line.values
        name = values["model"]
        if not name or not all(ID_PATTERN.fullmatch(part) for part in name.replace("+", ".").split(".")):
            raise InputError(
                f"{at(path, line.number, 'model')}: {name!r} is not a name of letters, digits, . _ - and +"
            )
        if name in models:
            raise InputError(f"{at(path, line.number, 'model')}: {name!r} is there twice")
        if not ID_PATTERN.fullmatch(values["environment"]):
            raise InputError(f"{at(path, line.number, 'environment')}: {values['environment']!r} is not a name")
        if not WHOLE_NUMBER.fullmatch(values["gpus"]):
            raise InputError(f"{at(path, line.number, 'gpus')}: {values['gpus']!r} is not a whole number")
        if values["jobs"] not in ("one", "many"):
            raise InputError(f"{at(path, line.number, 'jobs')}: {values['jobs']!r} is not one or many")
        if values["ready"] not in ("yes", "no"):
            raise InputError(f"{at(path, line.number, 'ready')}: {values['ready']!r} is not yes or no")
        models[name] = Model(
            name,
            PROJECT_ROOT / values["runner"],
            values["environment"],
            int(values["gpus"]),
            values["jobs"] == "many",
            values["model_id"],
            values["revision"],
            values["args"],
            values["ready"] == "yes",
            values["reason"],
        )
    return models


def find_models(names: Iterable[str], path: Path = REGISTRY) -> List[Model]:
    """Return the named models, or all of them if none is named."""
    models = load_registry(path)
    wanted = list(names)
    for name in wanted:
        if name not in models:
            raise unknown("model", name, models)
    return [model for model in models.values() if not wanted or model.name in wanted]


def python_of(model: Model) -> Path:
    """Return the Python that runs a model's runner: ``$ACOUMETER_VENVS/<environment>/bin/python`` or this one."""
    if model.environment == PROJECT_ENVIRONMENT:
        return Path(sys.executable)
    folder = os.environ.get("ACOUMETER_VENVS") or os.environ.get("AIB_VENVS") or str(PROJECT_ROOT / ".venvs")
    return Path(folder).absolute() / model.environment / "bin" / "python"  # runners are started in another folder


def why_not_ready(model: Model, gpus: Optional[Sequence[str]], gpus_here: int) -> str:
    """Return why a model cannot run here, or an empty string.

    Parameters
    ----------
    model : Model
    gpus : sequence of str, optional
        The devices that the user gave.
    gpus_here : int
        How many GPUs this machine has.
    """
    if not model.ready:
        return model.reason or "it is not marked ready in the registry"
    if not model.runner.is_file():
        return f"its runner {model.runner} is missing"
    if not python_of(model).exists():
        return f"its environment is not set up; run ./scripts/setup_env.sh {model.environment}"
    if model.gpus and not gpus:
        return f"it needs {model.gpus} GPU(s); give them with --gpus"
    if model.gpus > len(gpus or ()):
        return f"it needs {model.gpus} GPUs, --gpus gives {len(gpus or ())}"
    if model.gpus > gpus_here:
        return f"it needs {model.gpus} GPU(s), this machine has {gpus_here}"
    if model.gpus and model.gpus > len(devices_here(gpus or (), gpus_here)):
        return f"it needs {model.gpus} GPU(s); --gpus {','.join(gpus or ())} names some that this machine lacks"
    return ""


def devices_here(gpus: Sequence[str], gpus_here: int) -> List[str]:
    """Return the given devices without the numbers that this machine does not have."""
    return [gpu for gpu in gpus if not WHOLE_NUMBER.fullmatch(gpu) or int(gpu) < gpus_here]


@functools.cache  # the driver takes a second to answer
def count_gpus() -> int:
    """Return how many NVIDIA GPUs this machine has, 0 if their driver is not there."""
    try:
        listing = subprocess.run(["nvidia-smi", "-L"], capture_output=True, text=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return 0
    return sum(line.startswith("GPU ") for line in listing.stdout.splitlines())

"""What is asked of a model: a task's rows under one condition, as complete questions.

``meta/conditions.csv`` names the conditions of a family and which is the default;
``meta/prompts.csv`` holds the instruction texts, with the literal slots ``{question}`` and
``{options}``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Dict, Iterable, List, NamedTuple, Tuple

from meta import META_DIR
from meta.csvfile import read_table
from meta.errors import InputError, at, unknown
from meta.loader import load_rows
from meta.registry import Task
from meta.schema import ID_PATTERN, WHOLE_NUMBER

WORDINGS = {"base": "", "refined": "_refined", "flipped": "_flipped"}
CONDITION_COLUMNS = ("family", "condition", "default", "wording", "prompt", "k")


class Condition(NamedTuple):
    """One way of asking a family of tasks; ``k`` is the number of demonstrations, or None."""

    name: str
    is_default: bool
    wording: str
    prompt: str
    k: object


class Trial(NamedTuple):
    """One trial as it is asked and scored under a condition."""

    stimulus_id: str
    trial_class: str
    cluster_id: str
    question: str
    options: Tuple[str, ...]
    gt_label: str
    illusion_label: str
    mini: bool


def load_conditions(family: str, meta_dir: Path = META_DIR) -> Dict[str, Condition]:
    """Return the conditions of a family by name; exactly one is the default."""
    path = Path(meta_dir) / "conditions.csv"
    conditions = {}
    for line in read_table(path, CONDITION_COLUMNS).lines:
        values = line.values
        if values["family"] != family:
            continue
        if not ID_PATTERN.fullmatch(values["condition"]):
            raise InputError(f"{at(path, line.number, 'condition')}: {values['condition']!r} is not a name")
        if values["wording"] not in WORDINGS:
            raise InputError(
                f"{at(path, line.number, 'wording')}: {values['wording']!r} is not among {sorted(WORDINGS)}"
            )
        k = int(values["k"]) if WHOLE_NUMBER.fullmatch(values["k"]) else None
        condition = Condition(values["condition"], values["default"] == "1", values["wording"], values["prompt"], k)
        conditions[condition.name] = condition
    if sum(condition.is_default for condition in conditions.values()) != 1:
        raise InputError(f"{path}: the family {family!r} needs exactly one condition with default 1")
    return conditions


def find_condition(family: str, name: str = "", meta_dir: Path = META_DIR) -> Condition:
    """Return a condition of a family by name; an empty name means the default."""
    conditions = load_conditions(family, meta_dir)
    if not name:
        return next(condition for condition in conditions.values() if condition.is_default)
    if name not in conditions:
        raise unknown(f"condition of {family}", name, conditions)
    return conditions[name]


def load_prompt(name: str, meta_dir: Path = META_DIR) -> str:
    """Return an instruction text."""
    prompts = {
        line.values["prompt"]: line.values["text"]
        for line in read_table(Path(meta_dir) / "prompts.csv", ("prompt", "text")).lines
    }
    if name not in prompts:
        raise unknown("prompt", name, prompts)
    return prompts[name]


def load_trials(task: Task, condition: Condition, meta_dir: Path = META_DIR) -> List[Trial]:
    """Return every trial of a task under a condition, in file order."""
    prompt = load_prompt(condition.prompt, meta_dir)
    suffix = WORDINGS[condition.wording]
    label_suffix = suffix if condition.wording == "flipped" else ""
    return [
        Trial(
            stimulus_id=row["stimulus_id"],
            trial_class=row["trial_class"],
            cluster_id=row["cluster_id"],
            question=complete_question(prompt, row["question" + suffix], row["options"]),
            options=tuple(row["options"]),
            gt_label=row["gt_label" + label_suffix],
            illusion_label=row["illusion_label" + label_suffix],
            mini=bool(row["mini"]),
        )
        for row in load_rows(task, meta_dir)
    ]


def complete_question(prompt: str, question: str, options: Iterable[str]) -> str:
    """Fill the slots of an instruction text; a brace in a question or an option stays what it is."""
    quoted = [f'"{option}"' for option in options]
    listed = f"{', '.join(quoted[:-1])} or {quoted[-1]}"
    before, slot, after = prompt.partition("{question}")
    return before.replace("{options}", listed) + (question if slot else "") + after.replace("{options}", listed)


def fingerprint(trials: Iterable[Trial]) -> str:
    """Return a SHA-256 (hex) of what the trials ask: ids, complete questions and options, not labels."""
    digest = hashlib.sha256()
    for trial in trials:
        record = [trial.stimulus_id, trial.question, list(trial.options)]
        digest.update(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")
    return digest.hexdigest()


class Subset(NamedTuple):
    """Which trials of a task are meant: the mini set, the first ``limit``, or (neither) all."""

    mini: bool = False
    limit: int = 0

    @property
    def name(self) -> str:
        """How it is recorded: ``""`` for the whole task, ``mini``, ``limit 20``, ``mini limit 20``."""
        return " ".join(
            part for part in ("mini" if self.mini else "", f"limit {self.limit}" if self.limit else "") if part
        )

    def take(self, trials: List[Trial]) -> List[Trial]:
        """Return the trials that belong to it, in order."""
        chosen = [trial for trial in trials if trial.mini] if self.mini else list(trials)
        return chosen[: self.limit] if self.limit else chosen

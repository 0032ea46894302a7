"""The tidy table of scores: every model and baseline on every task, and their averages."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from meta.trials import Trial, fingerprint
from tools import VERSION, answers
from tools.averages import Missing, Plan, average_rows, tidy
from tools.estimates import WILSON, Estimates, ScoreRow
from tools.illusions import MOST_FREQUENT, RANDOM, Outcome, baselines, evaluate, read_outcomes
from tools.stats import N_BOOTSTRAP


@dataclass(frozen=True)
class PlannedTask:
    """A task under one condition: all its trials, and those planned to be scored.

    ``audio_sha256`` is the fingerprint of its clips by the digests of meta, empty where they are not complete.
    """

    name: str
    condition: str
    illusion_class: str
    all_trials: Sequence[Trial]
    trials: Sequence[Trial]
    audio_sha256: str = ""

    @cached_property
    def trials_sha256(self) -> str:
        """The fingerprint of what the task asks."""
        return fingerprint(self.all_trials)

    @cached_property
    def labels_sha256(self) -> str:
        """The fingerprint of what is scored and of what counts as right."""
        return labels_fingerprint(self.trials)


@dataclass(frozen=True)
class Answered:
    """One model's answers and errors on one planned task, checked."""

    model: str
    task: str
    answers: Mapping[str, str]
    errors: Mapping[str, str]
    audio_sha256: str = ""

    def outcomes(self, trials: Sequence[Trial]) -> list[Outcome]:
        """Return what became of each trial."""
        return read_outcomes(trials, self.answers, self.errors)


@dataclass
class Scores:
    """The table and the averages that are not in it for want of a task."""

    rows: list[ScoreRow] = field(default_factory=list)
    missing: list[Missing] = field(default_factory=list)


def score(
    plan: Plan,
    planned: Sequence[PlannedTask],
    answered: Iterable[Answered],
    n_bootstrap: int = N_BOOTSTRAP,
    seed: int = 0,
    ci: str = WILSON,
) -> Scores:
    """Score every model on every task of one condition.

    Parameters
    ----------
    plan : Plan
        All tasks in scope, whether or not they could be read; averages are over all of them.
    planned : sequence of PlannedTask
        Those that could be read, whether or not a model answered them.
    answered : iterable of Answered
        What there is. A model without a task gets no average that includes it.

    Returns
    -------
    scores : Scores
        Rows per task, models before baselines, then the averages.
    """
    by_model: dict[str, dict[str, Estimates]] = {}
    by_baseline: dict[str, dict[str, Estimates]] = {}
    given = sorted(answered, key=lambda item: item.model)
    scores = Scores()
    for task in planned:
        for item in given:
            if item.task == task.name:
                outcomes = item.outcomes(task.trials)
                estimates = evaluate(task.name, task.condition, task.trials, outcomes, n_bootstrap, seed, ci)
                by_model.setdefault(item.model, {})[task.name] = estimates
                scores.rows += tidy(item.model, task.name, task.condition, estimates)
        for name, estimates in baselines(task.trials).items():
            by_baseline.setdefault(name, {})[task.name] = estimates
            scores.rows += tidy(name, task.name, task.condition, estimates)
    averaged = by_model | {name: by_baseline.get(name, {}) for name in (RANDOM, MOST_FREQUENT)}
    for name, by_task in averaged.items():
        rows, missing = average_rows(name, plan, by_task, ci)
        scores.rows += rows
        scores.missing += missing
    return scores


def labels_fingerprint(trials: Iterable[Trial]) -> str:
    """Return a SHA-256 (hex) of what was asked and of what counts as right: ids, questions, options, labels."""
    digest = hashlib.sha256()
    for trial in trials:
        record = [trial.stimulus_id, trial.trial_class, trial.question, list(trial.options)]
        record += [trial.gt_label, trial.illusion_label]
        digest.update(json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n")
    return digest.hexdigest()


def signature(task: PlannedTask, audio_sha256: str, n_bootstrap: int, seed: int, ci: str = WILSON) -> str:
    """Return what two numbers must share to be comparable, in one line."""
    method = "bootstrap" if ci == WILSON else ci  # Wilson's has no settings; the others of its table are bootstrapped
    return "|".join(
        (
            f"task:{task.name}",
            f"cond:{task.condition}",
            f"n:{len(task.trials)}",
            f"meta:{task.labels_sha256[:8]}",
            f"audio:{audio_sha256[:8] or 'unknown'}",
            f"answers:{answers.VERSION}",
            "denom:all",
            f"ci:cluster-{method}-{n_bootstrap}-{seed}",
            f"acoumeter:{VERSION}",
        )
    )

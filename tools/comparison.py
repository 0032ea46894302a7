"""Is one model more human-like, more physical or more accurate than another on the same trials?

Conventions
-----------
* A difference is A - B, of HLA, RA, ISI and control accuracy, per task and averaged over tasks; every planned trial
  counts, an answer that was not read as wrong.
* The interval is that of a paired bootstrap over clusters: both models are resampled alike. It decides, by its
  p-value, corrected by Holm over all differences of one table; a sign-flip permutation over clusters and McNemar's
  exact test stand beside it, uncorrected.
* McNemar's test takes trials for independent, which trials of one cluster are not. It is not defined for ISI, which
  is no proportion, or for a macro average, which weighs trials unalike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

import numpy as np

from meta.schema import ILLUSION
from meta.trials import Trial
from tools.averages import SCOPES, Missing, Plan, macro, micro, scope_name
from tools.estimates import WILSON, Estimate, Estimates, difference
from tools.illusions import Outcome, evaluate
from tools.stats import N_BOOTSTRAP, Floats, bootstrap_p, cluster_sums, holm, mcnemar_p, sign_flip_p

COMPARED = ("hla", "ra", "isi", "control")
SIGNIFICANT = 0.05  # corrected p-value below which a difference is one


class Discordant(NamedTuple):
    """Trials that A alone and that B alone answered so."""

    only_a: int
    only_b: int


class Contrast(NamedTuple):
    """Both models on one metric: their values, the difference, and what each cluster adds to it."""

    a: Estimate
    b: Estimate
    difference: Estimate
    by_cluster: Floats
    discordant: Discordant | None


class ComparisonRow(NamedTuple):
    """One line of the table of differences."""

    model_a: str
    model_b: str
    task: str
    condition: str
    metric: str
    value_a: float | None
    value_b: float | None
    difference: float | None
    low: float | None
    high: float | None
    p: float | None
    p_holm: float | None
    p_sign_flip: float | None
    p_mcnemar: float | None
    n: int

    @property
    def higher(self) -> str:
        """The model whose value is higher by the corrected p-value, or nothing."""
        if self.p_holm is None or self.p_holm >= SIGNIFICANT or not self.difference:
            return ""
        return self.model_a if self.difference > 0 else self.model_b


def trial_scores(trials: Sequence[Trial], outcomes: Sequence[Outcome]) -> Floats:
    """Return what each trial adds to HLA, RA, ISI and control, shape (trials, 4); 0 where it is of another class."""
    scores = np.zeros((len(trials), len(COMPARED)))
    for row, (trial, outcome) in enumerate(zip(trials, outcomes, strict=True)):
        percept, truth = outcome.value == trial.illusion_label, outcome.value == trial.gt_label
        scores[row] = (percept, truth, percept - truth, 0) if trial.trial_class == ILLUSION else (0, 0, 0, truth)
    return scores


def contrasts(
    trials: Sequence[Trial], a: Sequence[Outcome], b: Sequence[Outcome], estimates_a: Estimates, estimates_b: Estimates
) -> dict[str, Contrast]:
    """Return the contrast of two models on one task by metric.

    Parameters
    ----------
    trials : sequence of Trial
    a, b : sequence of Outcome
        What became of each trial.
    estimates_a, estimates_b : dict
        The scores, resampled alike: of the same trials, under the same seed.
    """
    scores_a, scores_b = trial_scores(trials, a), trial_scores(trials, b)
    sums = cluster_sums([trial.cluster_id for trial in trials], scores_a - scores_b)
    found = {}
    for column, metric in enumerate(COMPARED):
        change = scores_a[:, column] - scores_b[:, column]
        counts = Discordant(int(np.count_nonzero(change > 0)), int(np.count_nonzero(change < 0)))
        delta = difference(estimates_a[metric], estimates_b[metric])
        by_cluster = sums[:, column] / max(1, delta.n)
        discordant = None if metric == "isi" else counts
        found[metric] = Contrast(estimates_a[metric], estimates_b[metric], delta, by_cluster, discordant)
    return found


def compare_task(
    task: str,
    condition: str,
    trials: Sequence[Trial],
    a: Sequence[Outcome],
    b: Sequence[Outcome],
    n_bootstrap: int = N_BOOTSTRAP,
    seed: int = 0,
    ci: str = WILSON,
) -> dict[str, Contrast]:
    """Score two models on one task and return their contrasts by metric; see :func:`tools.illusions.evaluate`."""
    scored = [evaluate(task, condition, trials, outcomes, n_bootstrap, seed, ci) for outcomes in (a, b)]
    return contrasts(trials, a, b, *scored)


def micro_contrast(parts: Sequence[Contrast]) -> Contrast:
    """Return the trial-weighted mean of contrasts over tasks."""
    n = max(1, sum(part.difference.n for part in parts))
    counts = [part.discordant for part in parts if part.discordant is not None]
    pooled = Discordant(sum(c.only_a for c in counts), sum(c.only_b for c in counts)) if counts else None
    return Contrast(
        micro([part.a for part in parts]),
        micro([part.b for part in parts]),
        micro([part.difference for part in parts]),
        np.concatenate([part.by_cluster * part.difference.n / n for part in parts]),
        pooled,
    )


def macro_contrast(parts: Sequence[Contrast]) -> Contrast:
    """Return the mean of contrasts over tasks."""
    return Contrast(
        macro([part.a for part in parts]),
        macro([part.b for part in parts]),
        macro([part.difference for part in parts]),
        np.concatenate([part.by_cluster / len(parts) for part in parts]),
        None,
    )


def with_averages(
    model: str, plan: Plan, by_task: Mapping[str, Mapping[str, Contrast]]
) -> tuple[dict[str, dict[str, Contrast]], list[Missing]]:
    """Return contrasts by task or scope and by metric, with averages over the scopes of which all tasks are there.

    A scope of a single task, or of the tasks of another, has no average of its own: it would be tested, and
    corrected for, twice. ``model`` names in ``Missing`` what lacks a task.
    """
    found = {task: dict(by_metric) for task, by_metric in by_task.items()}
    missing = []
    scopes = {tuple(plan.tasks(scope)): scope for scope in reversed(SCOPES)}  # of equal ones, the first stays
    for tasks, scope in reversed(scopes.items()):
        if len(tasks) < 2:
            continue
        absent = [task for task in tasks if task not in by_task]
        if absent:
            missing.append(Missing(model, plan.condition, scope, absent))
        else:
            parts = {metric: [by_task[task][metric] for task in tasks] for metric in COMPARED}
            means = {f"micro_{metric}": micro_contrast(parts[metric]) for metric in COMPARED}
            means |= {f"macro_{metric}": macro_contrast(parts[metric]) for metric in COMPARED}
            found[scope_name(scope)] = means
    return found, missing


def comparison_rows(
    model_a: str, model_b: str, condition: str, by_task: Mapping[str, Mapping[str, Contrast]], seed: int = 0
) -> list[ComparisonRow]:
    """Return the table of differences of one condition, with Holm's correction over all its rows."""
    rows = []
    for task, by_metric in by_task.items():
        for metric, (a, b, delta, by_cluster, discordant) in by_metric.items():
            is_defined = delta.value is not None
            draw = (seed, crc32(f"{task}@{condition}".encode()))
            row = ComparisonRow(
                *(model_a, model_b, task, condition, metric, a.value, b.value, delta.value, delta.low, delta.high),
                p=bootstrap_p(delta.replicates) if delta.replicates is not None else None,
                p_holm=None,
                p_sign_flip=sign_flip_p(by_cluster, seed=draw) if is_defined else None,
                p_mcnemar=mcnemar_p(*discordant) if is_defined and discordant is not None else None,
                n=delta.n,
            )
            rows.append(row)
    corrected = holm([row.p for row in rows])
    return [row._replace(p_holm=p) for row, p in zip(rows, corrected, strict=True)]

"""How human-like, how physical and how sensitive are a model's answers to auditory illusions?

A trial has a *truth* (``gt_label``: what is physically there) and a *percept* (``illusion_label``: what a
listener reports). On illusion trials the two differ. On control trials they agree, and answer as
the illusion's truth (class A) or as its percept (class P), under the same question.

Conventions
-----------
* Every planned trial is in the denominator, whatever became of its answer. An answer that was not
  read equals no label.
* ``trials`` are those planned; ``answers`` and ``errors`` map a stimulus id to a text. A trial with an
  answer counts by its answer even if an error is recorded too: it was retried.
* A *direction* is a percept that occurs among the illusion trials: one in a binary task, two in a
  ternary one. p is the rate of the direction's answer: pI over illusion trials with this percept, pP
  over P-controls with this label, pA over all A-controls.
* A value is None where it is undefined: no trials in its denominator, or (illusion index) no evidence.

Metrics
-------
* ``hla``: human-likeness, agreement with the percept on illusion trials.
* ``ra``: reality alignment, agreement with the truth on illusion trials.
* ``isi``: illusion susceptibility index, hla - ra.
* ``control``: accuracy on the controls of both classes.
* ``hla_parsed``, ``ra_parsed``, ``control_parsed``: the same counts over the trials whose answer was read
  (status ok) alone. They stand beside the others, never for them: a model chooses what it answers.
* ``d_prime``: z(pP) - z(pA), the sensitivity to the difference that the illusion mimics; mean over directions.
* ``illusion_index``: (pI - pA) / (pP - pA), unclipped; mean over directions. No evidence unless the lower
  bound of pP - pA is at least 0.1 in every direction.
* ``ok`` ... ``error``: the share of each answer status among all trials.

Intervals cover 95 %: by default Wilson's for single proportions, otherwise percentiles of a bootstrap over
clusters, drawn within each trial class; see ``tools.estimates``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple
from zlib import crc32

import numpy as np

from meta.errors import InputError
from meta.schema import CONTROL_A, CONTROL_P, ILLUSION, TRIAL_CLASSES
from meta.trials import Trial
from tools import answers as reading
from tools.estimates import BCA, WILSON, Estimate, Estimates, bootstrapped, proportion
from tools.stats import (
    EVIDENCE,
    N_BOOTSTRAP,
    Floats,
    bootstrap_sums,
    cluster_sums,
    d_prime,
    illusion_index,
    influence,
    leave_one_out_sums,
    percentile_interval,
    wilson_interval,
)

PARSED = ("hla_parsed", "ra_parsed", "control_parsed")
PROPORTIONS = ("hla", "ra", "control", *PARSED)
METRICS = ("hla", "ra", "isi", "control", "d_prime", "illusion_index", *PARSED)
ERROR = "error"
STATUSES = (*reading.STATUSES, ERROR)


class Outcome(NamedTuple):
    """What became of one planned trial: the option that was read, or None, and the status."""

    value: str | None
    status: str


def validate(
    trials: Sequence[Trial],
    answers: Mapping[str, str],
    errors: Mapping[str, str],
    planned: Sequence[Trial] | None = None,
) -> None:
    """Check that answers and errors belong to a task and leave no planned trial open.

    Parameters
    ----------
    trials : sequence of Trial
        All trials of the task.
    answers, errors : mapping
        Text by stimulus id.
    planned : sequence of Trial, optional
        The subset to be scored; all by default.

    Raises
    ------
    InputError
        An id is unknown to the task, or a planned trial has neither an answer nor an error.
    """
    known = {trial.stimulus_id for trial in trials}
    strangers = [stimulus_id for stimulus_id in (*answers, *errors) if stimulus_id not in known]
    if strangers:
        raise InputError(f"{_listed(strangers)} not in the task's meta file; was another task or version answered?")
    planned = trials if planned is None else planned
    unanswered = [t.stimulus_id for t in planned if t.stimulus_id not in answers and t.stimulus_id not in errors]
    if unanswered:
        raise InputError(
            f"{len(unanswered)} of {len(planned)} trials have no answer, the first is {unanswered[0]}: resume the run"
        )


def _listed(ids: Sequence[str]) -> str:
    shown = ", ".join(map(repr, ids[:3])) + (f" and {len(ids) - 3} more" if len(ids) > 3 else "")
    return f"{shown} {'is' if len(ids) == 1 else 'are'}"


def read_outcomes(trials: Sequence[Trial], answers: Mapping[str, str], errors: Mapping[str, str]) -> list[Outcome]:
    """Return the outcome of each trial, in the order of the trials."""
    outcomes = []
    for trial in trials:
        if trial.stimulus_id in answers:
            read = reading.extract(answers[trial.stimulus_id], reading.Choice(trial.options))
            outcomes.append(Outcome(read.value, read.status))
        elif trial.stimulus_id in errors:
            outcomes.append(Outcome(None, ERROR))
        else:
            raise InputError(f"{trial.stimulus_id}: has neither an answer nor an error")
    return outcomes


def directions(trials: Sequence[Trial]) -> tuple[str, ...]:
    """Return the percepts that occur among the illusion trials, in alphabetical order."""
    return tuple(sorted({trial.illusion_label for trial in trials if trial.trial_class == ILLUSION}))


# --- Metrics on totals ---------------------------------------------------------------------------


@dataclass(frozen=True)
class ClassTotals:
    """Counts over one trial class; every array has shape (replicates,), or (1,) for the observed counts.

    ``parsed`` counts the trials whose answer was read. ``labelled``, ``hits`` and ``answered`` hold one array
    per direction: trials with this percept, those of them answered so, and all trials answered so.
    """

    trials: Floats
    parsed: Floats
    percept: Floats
    truth: Floats
    labelled: Sequence[Floats]
    hits: Sequence[Floats]
    answered: Sequence[Floats]


Totals = Mapping[str, ClassTotals]


def over_parsed(totals: Totals) -> Totals:
    """Return the totals with the trials whose answer was read as the only ones; an unread answer hits nothing."""
    return {trial_class: replace(counts, trials=counts.parsed) for trial_class, counts in totals.items()}


def _ratio(part: Floats, whole: Floats) -> Floats:
    return np.divide(part, whole, out=np.full(np.shape(whole), np.nan), where=whole != 0.0)


def human_likeness(totals: Totals) -> Floats:
    """Return the rate of the percept on illusion trials."""
    return _ratio(totals[ILLUSION].percept, totals[ILLUSION].trials)


def reality_alignment(totals: Totals) -> Floats:
    """Return the rate of the truth on illusion trials."""
    return _ratio(totals[ILLUSION].truth, totals[ILLUSION].trials)


def control_accuracy(totals: Totals) -> Floats:
    """Return the rate of right answers on the controls of both classes."""
    a, p = totals[CONTROL_A], totals[CONTROL_P]
    return _ratio(a.truth + p.truth, a.trials + p.trials)


class DirectionRates(NamedTuple):
    """pI, pA and pP of one direction."""

    illusion: Floats
    control_a: Floats
    control_p: Floats


def direction_rates(totals: Totals, direction: int) -> DirectionRates:
    """Return the rates of one direction's answer in the three classes."""
    illusion, a, p = totals[ILLUSION], totals[CONTROL_A], totals[CONTROL_P]
    return DirectionRates(
        _ratio(illusion.hits[direction], illusion.labelled[direction]),
        _ratio(a.answered[direction], a.trials),
        _ratio(p.hits[direction], p.labelled[direction]),
    )


def sensitivity(rates: Sequence[DirectionRates], sizes: Sequence[int]) -> Floats:
    """Return d', averaged over directions; ``sizes`` holds the smaller class size of each."""
    if not rates or min(sizes) == 0:
        return np.array([np.nan])
    return np.mean([d_prime(r.control_p, r.control_a, n) for r, n in zip(rates, sizes, strict=True)], axis=0)


def mean_illusion_index(rates: Sequence[DirectionRates]) -> Floats:
    """Return the illusion index, averaged over directions."""
    return np.mean([illusion_index(*r) for r in rates], axis=0) if rates else np.array([np.nan])


def has_evidence(rates: Sequence[DirectionRates]) -> bool:
    """Tell from bootstrap replicates whether the answers tell P-controls from A-controls, in every direction."""
    intervals = [percentile_interval(r.control_p - r.control_a) for r in rates]
    return bool(intervals) and all(interval is not None and interval.low >= EVIDENCE for interval in intervals)


# --- One model on one task -----------------------------------------------------------------------


def _indicators(trials: Sequence[Trial], outcomes: Sequence[Outcome], labels: Sequence[str]) -> Floats:
    """Return the columns of a ClassTotals as 0/1 per trial, shape (trials, columns); labels are directions."""
    codes = {text: code for code, text in enumerate(dict.fromkeys([*labels, *(t.gt_label for t in trials)]))}
    percept = np.array([codes.get(t.illusion_label, -1) for t in trials], dtype=np.int64)
    truth = np.array([codes[t.gt_label] for t in trials], dtype=np.int64)
    answer = np.array([-2 if o.value is None else codes.get(o.value, -2) for o in outcomes], dtype=np.int64)
    was_read = np.array([o.status == reading.OK for o in outcomes], dtype=bool)
    places = range(len(labels))
    single = [np.ones(len(trials), dtype=bool), was_read, answer == percept, answer == truth]
    by_direction = [percept == place for place in places]
    by_direction += [(percept == place) & (answer == place) for place in places]
    by_direction += [answer == place for place in places]
    return np.stack([*single, *by_direction], axis=1).astype(np.float64)


_SINGLE_COUNTS, _DIRECTION_COUNTS = 4, 3  # fields of ClassTotals with one array, and with one per direction


def _class_totals(sums: Floats, n_directions: int) -> ClassTotals:
    columns = list(sums.T)
    single, by_direction = columns[:_SINGLE_COUNTS], columns[_SINGLE_COUNTS:]
    groups = [by_direction[group * n_directions : (group + 1) * n_directions] for group in range(_DIRECTION_COUNTS)]
    return ClassTotals(*single, *groups)


class Counts(NamedTuple):
    """Totals by trial class: as observed, resampled, and with one cluster of each class in turn left out."""

    observed: Totals
    resampled: Totals
    left_out: Sequence[Totals]


def count(trials: Sequence[Trial], outcomes: Sequence[Outcome], n_bootstrap: int, seed: tuple[int, ...]) -> Counts:
    """Return the observed totals, the bootstrapped ones and those of the jackknife over clusters."""
    labels = directions(trials)
    observed, resampled, left_out = {}, {}, {}
    for number, trial_class in enumerate(TRIAL_CLASSES):
        members = [(t, o) for t, o in zip(trials, outcomes, strict=True) if t.trial_class == trial_class]
        indicators = _indicators([t for t, _ in members], [o for _, o in members], labels)
        sums = cluster_sums([t.cluster_id for t, _ in members], indicators)
        observed[trial_class] = _class_totals(sums.sum(axis=0, keepdims=True), len(labels))
        resampled[trial_class] = _class_totals(bootstrap_sums(sums, n_bootstrap, (*seed, number)), len(labels))
        left_out[trial_class] = _class_totals(leave_one_out_sums(sums), len(labels))
    return Counts(observed, resampled, [observed | {trial_class: left_out[trial_class]} for trial_class in left_out])


def _direction_sizes(observed: Totals) -> list[int]:
    a, p = observed[CONTROL_A], observed[CONTROL_P]
    return [int(min(a.trials[0], labelled[0])) for labelled in p.labelled]


def evaluate(
    task: str,
    condition: str,
    trials: Sequence[Trial],
    outcomes: Sequence[Outcome],
    n_bootstrap: int = N_BOOTSTRAP,
    seed: int = 0,
    ci: str = WILSON,
) -> Estimates:
    """Return every metric and status rate of one model on one task.

    Parameters
    ----------
    task, condition : str
        Names; tasks and conditions are resampled independently of each other.
    trials, outcomes : sequence
        The planned trials and what became of each.
    n_bootstrap : int
        Number of replicates; 0 leaves all intervals out (for constant answerers, which have none).
    seed : int
        Seed of the bootstrap.
    ci : str
        Method of the intervals, one of ``tools.estimates.METHODS``.

    Returns
    -------
    estimates : dict
        By the names of METRICS and STATUSES.
    """
    observed, resampled, left_out = count(trials, outcomes, n_bootstrap, (seed, crc32(f"{task}@{condition}".encode())))
    sizes = _direction_sizes(observed)
    values, replicates = _metrics(observed, sizes), _metrics(resampled, sizes)
    influences = _influences(left_out, sizes) if ci == BCA else {}
    ns = _denominators(observed)
    estimates = {}
    for metric in METRICS:
        is_single = ci == WILSON and metric in PROPORTIONS
        estimates[metric] = _estimate(values[metric], replicates[metric], ns[metric], influences.get(metric), is_single)
    if not has_evidence([direction_rates(resampled, d) for d in range(len(sizes))]):
        estimates["illusion_index"] = Estimate(None, None, None, len(trials))
    return estimates | _status_rates(outcomes, with_intervals=n_bootstrap > 0)


def _denominators(observed: Totals) -> dict[str, int]:
    """Return the number of trials behind each metric."""
    illusion, *controls = (observed[trial_class] for trial_class in (ILLUSION, CONTROL_A, CONTROL_P))
    n_illusion, n_control = int(illusion.trials[0]), sum(int(counts.trials[0]) for counts in controls)
    n_illusion_parsed, n_control_parsed = int(illusion.parsed[0]), sum(int(counts.parsed[0]) for counts in controls)
    return {
        **dict.fromkeys(("hla", "ra", "isi"), n_illusion),
        **dict.fromkeys(("control", "d_prime"), n_control),
        "illusion_index": n_illusion + n_control,
        **dict.fromkeys(("hla_parsed", "ra_parsed"), n_illusion_parsed),
        "control_parsed": n_control_parsed,
    }


def _metrics(totals: Totals, sizes: Sequence[int]) -> dict[str, Floats]:
    rates = [direction_rates(totals, direction) for direction in range(len(sizes))]
    hla, ra = human_likeness(totals), reality_alignment(totals)
    parsed = over_parsed(totals)
    return {
        "hla": hla,
        "ra": ra,
        "isi": hla - ra,
        "control": control_accuracy(totals),
        "d_prime": sensitivity(rates, sizes),
        "illusion_index": mean_illusion_index(rates),
        "hla_parsed": human_likeness(parsed),
        "ra_parsed": reality_alignment(parsed),
        "control_parsed": control_accuracy(parsed),
    }


def _influences(left_out: Sequence[Totals], sizes: Sequence[int]) -> dict[str, Floats]:
    """Return what each cluster of every class adds to each metric."""
    metrics = [_metrics(totals, sizes) for totals in left_out]
    return {metric: np.concatenate([influence(by_class[metric]) for by_class in metrics]) for metric in METRICS}


def _estimate(
    observed: Floats, replicates: Floats, n: int, influences: Floats | None, is_single_proportion: bool
) -> Estimate:
    value = float(observed[0])
    if np.isnan(value):
        return Estimate(None, None, None, n)
    if replicates.size == 0:
        return Estimate(value, None, None, n)
    if is_single_proportion:
        return proportion(value, n)._replace(replicates=replicates)
    return bootstrapped(value, n, replicates, influences)


def _status_rates(outcomes: Sequence[Outcome], with_intervals: bool) -> Estimates:
    n = len(outcomes)
    counts = Counter(outcome.status for outcome in outcomes)
    rates = {}
    for status in STATUSES:
        low, high = wilson_interval(counts[status], n) if with_intervals and n else (None, None)
        rates[status] = Estimate(counts[status] / n if n else None, low, high, n)
    return rates


# --- Baselines, from meta alone ------------------------------------------------------------------

RANDOM, MOST_FREQUENT = "(random)", "(most frequent)"


def is_baseline(model: str) -> bool:
    """Tell whether a row of the table is a baseline rather than a model; no folder is named so."""
    return model.startswith("(")


def random_baseline(trials: Sequence[Trial]) -> Estimates:
    """Return the expected scores of a uniform guess among each trial's options."""

    def expected(classes: Sequence[str]) -> Estimate:
        chances = [1.0 / len(trial.options) for trial in trials if trial.trial_class in classes]
        return Estimate(sum(chances) / len(chances) if chances else None, None, None, len(chances))

    agreement, control = expected([ILLUSION]), expected([CONTROL_A, CONTROL_P])
    has_both = {CONTROL_A, CONTROL_P} <= {trial.trial_class for trial in trials}
    estimates = {
        "hla": agreement,
        "ra": agreement,
        "isi": agreement._replace(value=0.0 if agreement.n else None),
        "control": control,
        "d_prime": control._replace(value=0.0 if has_both else None),
        "illusion_index": Estimate(None, None, None, len(trials)),
        "hla_parsed": agreement,
        "ra_parsed": agreement,
        "control_parsed": control,
    }
    return estimates | _status_rates([Outcome(None, reading.OK)] * len(trials), with_intervals=False)


def constant_baseline(trials: Sequence[Trial], answer: str) -> Estimates:
    """Return the scores of giving one answer to every trial."""
    return evaluate("", "", trials, [Outcome(answer, reading.OK)] * len(trials), n_bootstrap=0)


def most_frequent_answer(trials: Sequence[Trial]) -> str:
    """Return the most frequent percept over all trials, the first in the alphabet among equals."""
    counts = Counter(trial.illusion_label for trial in trials)
    return min(counts, key=lambda label: (-counts[label], label))


def baselines(trials: Sequence[Trial]) -> dict[str, Estimates]:
    """Return the random, the most frequent and every constant answerer, by the name of their row."""
    labels = sorted({option for trial in trials for option in trial.options})
    return {
        RANDOM: random_baseline(trials),
        MOST_FREQUENT: constant_baseline(trials, most_frequent_answer(trials)),
        **{f"(always {label})": constant_baseline(trials, label) for label in labels},
    }

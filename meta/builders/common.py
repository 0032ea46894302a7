"""From the cells of a design to the rows of a CSV: ids, option order, wordings, mini set, gain.

Nothing here draws from a generator: whatever has to look random is ordered by SHA-256 of a name,
so that building again changes no byte.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from collections import Counter
from typing import Any, Callable, Dict, Iterable, List, Mapping, NamedTuple, Sequence, Tuple

from meta.csvfile import Line
from meta.loader import parse_row
from meta.schema import ILLUSION, NO_FRAME, Column, Row, illusion_columns

TARGET_LUFS = -23.0  # EBU R 128; a whole clip's integrated loudness, near -23 dBFS RMS for these spectra
Render = Callable[[Row], Any]  # a row to its Clip; handed in, because this room knows no generator


class Cell(NamedTuple):
    """One planned trial: its class, labels and parameters, and the factors that a subset must balance."""

    trial_class: str
    cluster_id: str
    gt_label: str
    illusion_label: str
    parameters: Mapping[str, str]
    factors: Tuple[object, ...]
    robust: bool = True
    human_rate: str = ""
    human_source: str = ""


class Wording(NamedTuple):
    """The questions of a task; ``{choices}`` stands for the phrases in the order of the row's options."""

    base: str
    refined: str
    flipped: str
    phrases: Mapping[str, str]
    flip: Mapping[str, str]


YES_NO = {"yes": "yes", "no": "no"}
SWAP_YES_NO = {"yes": "no", "no": "yes"}


def name_order(*names: object) -> int:
    """Return a number that orders names as if shuffled, the same on every machine."""
    return int.from_bytes(hashlib.sha256("/".join(map(str, names)).encode("utf-8")).digest()[:8], "big")


def balanced_subset(cells: Sequence[Cell], count: int, salt: str) -> List[Cell]:
    """Return ``count`` cells whose factors have levels as equally frequent as greedy choice allows.

    Each step takes the cell whose factor levels, and pairs of levels, were taken least so far;
    ties fall by name order under ``salt``.
    """
    waiting = sorted(cells, key=lambda cell: name_order(salt, cell.trial_class, *cell.factors))
    if count > len(waiting):
        raise ValueError(f"{count} cells wanted, {len(waiting)} are there")
    keys = {id(cell): _levels_and_pairs(cell.factors) for cell in waiting}
    taken: Counter = Counter()
    chosen = []
    for _ in range(count):
        best = min(range(len(waiting)), key=lambda i: sum(weight * taken[key] for key, weight in keys[id(waiting[i])]))
        cell = waiting.pop(best)
        taken.update(key for key, _ in keys[id(cell)])
        chosen.append(cell)
    return chosen


def _levels_and_pairs(factors: Tuple[object, ...]) -> List[Tuple[Tuple[object, ...], float]]:
    numbered = list(enumerate(factors))
    pairs = itertools.combinations(numbered, 2)
    return [((level,), 1.0) for level in numbered] + [(pair, 0.25) for pair in pairs]


def rows_from_cells(
    task: str, prefix: str, cells: Sequence[Cell], wording: Wording, mini: Mapping[str, int]
) -> List[Dict[str, str]]:
    """Return the rows of a task, all but its ``gain_db``, in the order of their ids.

    Parameters
    ----------
    task, prefix : str
        Name of the task, and what its ids begin with.
    cells : sequence of Cell
        Every planned trial.
    wording : Wording
        The questions.
    mini : mapping of str to int
        Size of the mini set per answer group: a trial class, or ``class/label`` where a class has several labels.
    """
    in_mini = _mini_set(task, cells, mini)
    dealt = sorted(range(len(cells)), key=lambda i: name_order(task, "deal", i))
    rows = []
    for number, index in enumerate(dealt, start=1):
        stimulus_id = f"{prefix}_{number:04d}"
        rows.append(_row(stimulus_id, cells[index], wording, index in in_mini))
    return rows


def _mini_set(task: str, cells: Sequence[Cell], mini: Mapping[str, int]) -> set:
    chosen = set()
    positions = {id(cell): i for i, cell in enumerate(cells)}
    for group, count in mini.items():
        trial_class, _, label = group.partition("/")
        members = [c for c in cells if c.trial_class == trial_class and (not label or c.illusion_label == label)]
        chosen |= {positions[id(cell)] for cell in balanced_subset(members, count, f"{task}/mini")}
    return chosen


def _row(stimulus_id: str, cell: Cell, wording: Wording, in_mini: bool) -> Dict[str, str]:
    options = _option_order(stimulus_id, tuple(wording.phrases))
    phrases = [wording.phrases[option] for option in options]
    choices = f"{', '.join(phrases[:-1])} or {phrases[-1]}"
    return {
        "stimulus_id": stimulus_id,
        "trial_class": cell.trial_class,
        "cluster_id": cell.cluster_id,
        "question": wording.base.replace("{choices}", choices),
        "question_refined": wording.refined.replace("{choices}", choices),
        "question_flipped": wording.flipped.replace("{choices}", choices),
        "options": json.dumps(list(options)),
        "gt_label": cell.gt_label,
        "illusion_label": cell.illusion_label,
        "gt_label_flipped": wording.flip[cell.gt_label],
        "illusion_label_flipped": wording.flip[cell.illusion_label],
        "mini": str(int(in_mini)),
        "human_rate": cell.human_rate if cell.trial_class == ILLUSION else "",
        "human_source": cell.human_source if cell.trial_class == ILLUSION else "",
        "robust": str(int(cell.robust)),
        **NO_FRAME,
        **cell.parameters,
    }


def _option_order(stimulus_id: str, labels: Tuple[str, ...]) -> Tuple[str, ...]:
    orders = list(itertools.permutations(labels))
    return orders[name_order(stimulus_id, "options") % len(orders)]


def typed(row: Mapping[str, str], parameters: Sequence[Column]) -> Row:
    """Return a row of text as the loader would."""
    return parse_row(Line(0, dict(row)), illusion_columns(parameters), "a built row")


def with_loudness_gain(
    rows: Iterable[Dict[str, str]], parameters: Sequence[Column], render: Render
) -> List[Dict[str, str]]:
    """Return the rows with the ``gain_db`` that brings each clip to ``TARGET_LUFS``."""
    import pyloudnorm  # build time only

    meters: Dict[int, Any] = {}
    finished = []
    for row in rows:
        clip = render(typed({**row, "gain_db": "0"}, parameters))
        meter = meters.setdefault(clip.rate_hz, pyloudnorm.Meter(clip.rate_hz))
        loudness = meter.integrated_loudness(clip.samples / 32768.0)
        finished.append({**row, "gain_db": f"{TARGET_LUFS - loudness:.2f}"})
    return finished


def root_mean_square_db(samples: Any) -> float:
    """Return the RMS level of int16 samples in dB re full scale (a full-scale square wave is 0)."""
    import numpy

    return float(10 * numpy.log10(numpy.mean(numpy.square(samples / 32768.0))))

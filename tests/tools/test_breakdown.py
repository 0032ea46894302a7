"""Rates by the values of a parameter."""

import pytest

from tests.tools.make_trials import binary_trials
from tools.breakdown import EMPTY, break_down, group_trials, shown_value
from tools.illusions import Outcome
from tools.stats import wilson_interval


def grouped(values):
    trials = binary_trials(len(values), 0, 0)
    return group_trials(trials, {t.stimulus_id: v for t, v in zip(trials, values, strict=True)})


def test_numbers_come_in_numerical_order_before_words_and_empty_cells() -> None:
    assert [group.value for group in grouped([None, 10, "a", 9.5, -1])] == ["-1", "9.5", "10", "a", EMPTY]


def test_group_holds_the_trials_with_its_value_in_their_order() -> None:
    assert grouped([2, 1, 2, 2])[1].members == [0, 2, 3]


@pytest.mark.parametrize(
    ("value", "shown"), [(3, "3"), (3.0, "3"), (99.138, "99.138"), (None, EMPTY), (["a", "é"], '["a", "é"]')]
)
def test_value_is_shown_as_the_meta_file_has_it(value, shown: str) -> None:
    assert shown_value(value) == shown


def by_half(ci: str = "wilson"):
    """Return rates of one who hears 8 of 10 illusions in one group and 2 of 10 in the other."""
    trials = binary_trials(20, 0, 4)
    values = {t.stimulus_id: i % 2 for i, t in enumerate(trials)}
    hits = {0: 8, 1: 2}
    outcomes = [Outcome("yes" if i // 2 < hits[i % 2] else "no", "ok") for i in range(20)]
    outcomes += [Outcome("yes", "ok")] * 4
    return break_down("task", "base", trials, outcomes, group_trials(trials, values), 500, 0, ci)


def test_rates_are_those_within_the_group() -> None:
    assert [by_half()[group]["hla"].value for group in ("0", "1")] == [0.8, 0.2]


def test_group_has_its_own_number_of_trials() -> None:
    assert [by_half()["0"][metric].n for metric in ("hla", "ra", "control")] == [10, 10, 2]


def test_rates_have_the_interval_of_wilson_by_default() -> None:
    assert by_half()["0"]["hla"][1:3] == wilson_interval(8, 10)


def test_rates_have_a_bootstrap_interval_on_request() -> None:
    estimate = by_half("percentile")["0"]["hla"]
    assert estimate.replicates.size == 500


def test_group_without_controls_has_no_control_accuracy() -> None:
    trials = binary_trials(4, 0, 0)
    groups = group_trials(trials, {t.stimulus_id: "x" for t in trials})
    found = break_down("task", "base", trials, [Outcome("yes", "ok")] * 4, groups)
    assert found["x"]["control"][:4] == (None, None, None, 0)

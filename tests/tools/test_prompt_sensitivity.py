"""Scores under several wordings, and the mean that a preference for one answer cannot move."""

import pytest

from meta.trials import Condition
from tests.tools.make_trials import binary_trials, ternary_trials
from tools.illusions import Outcome, evaluate
from tools.prompt_sensitivity import BIAS_FREE, SPREAD, bias_free, flipped_pair, is_binary, prompt_rows, spread

SWAP = {"yes": "no", "no": "yes"}
BASE = Condition("base", True, "base", "choice", None)
FLIPPED = Condition("flipped", False, "flipped", "choice", None)


def both_polarities(n: int = 20):
    trials = binary_trials(n)
    flipped = [t._replace(gt_label=SWAP[t.gt_label], illusion_label=SWAP[t.illusion_label]) for t in trials]
    return trials, flipped


def constant_scores(answer: str):
    return [
        evaluate("task", "", trials, [Outcome(answer, "ok")] * len(trials), n_bootstrap=200)
        for trials in both_polarities()
    ]


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_constant_answer_has_a_bias_free_isi_of_zero(answer: str) -> None:
    base, flipped = constant_scores(answer)
    assert bias_free(base["isi"], flipped["isi"])[:3] == (0.0, 0.0, 0.0)


def test_constant_answer_has_the_full_spread_of_isi() -> None:
    base, flipped = constant_scores("yes")
    assert spread([base["isi"].value, flipped["isi"].value]) == 2.0


def test_true_listener_keeps_the_score_in_the_bias_free_mean() -> None:
    scores = [
        evaluate("task", "", trials, [Outcome(t.illusion_label, "ok") for t in trials], n_bootstrap=200)
        for trials in both_polarities()
    ]
    assert bias_free(scores[0]["hla"], scores[1]["hla"])[:3] == (1.0, 1.0, 1.0)


def test_spread_without_one_of_the_conditions_is_undefined() -> None:
    assert spread([0.3, None, 0.5]) is None


def test_single_condition_has_no_spread() -> None:
    assert spread([0.3]) is None


def test_ternary_task_is_not_binary() -> None:
    assert (is_binary(binary_trials()), is_binary(ternary_trials())) == (True, False)


def test_pair_is_of_the_default_condition_and_its_flipped_wording() -> None:
    assert flipped_pair({"flipped": FLIPPED, "base": BASE}) == ("base", "flipped")


def test_wordings_under_different_prompts_are_no_pair() -> None:
    assert flipped_pair({"base": BASE, "flipped": FLIPPED._replace(prompt="reasons")}) is None


def rows_of(conditions, pair=("base", "flipped")):
    scores = dict(zip(("base", "flipped"), constant_scores("yes"), strict=True))
    given = {condition: scores[condition] for condition in conditions}
    return {(r.metric, r.condition): r for r in prompt_rows("m", "task", given, ["base", "flipped"], pair)}


def test_rows_hold_each_condition_the_spread_and_the_bias_free_mean() -> None:
    found = rows_of(["base", "flipped"])
    assert [found["hla", c].value for c in ("base", "flipped", SPREAD, BIAS_FREE)] == [1.0, 0.0, 1.0, 0.5]


def test_condition_that_was_not_asked_leaves_no_bias_free_mean() -> None:
    assert ("hla", BIAS_FREE) not in rows_of(["base"])


def test_task_without_a_pair_has_no_bias_free_mean() -> None:
    assert ("hla", BIAS_FREE) not in rows_of(["base", "flipped"], pair=None)


def test_d_prime_has_no_bias_free_mean() -> None:
    assert ("d_prime", BIAS_FREE) not in rows_of(["base", "flipped"])

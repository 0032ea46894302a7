"""Illusion metrics on small tasks with known scores, and the baselines."""

import numpy as np
import pytest
from scipy.stats import bootstrap, norm

from meta.errors import InputError
from tests.tools.make_trials import binary_trials, ternary_trials, trial
from tools.estimates import METHODS
from tools.illusions import (
    Outcome,
    baselines,
    constant_baseline,
    evaluate,
    most_frequent_answer,
    random_baseline,
    read_outcomes,
    validate,
)


def ok(values):
    return [Outcome(value, "ok" if value else "unparsed") for value in values]


def score(trials, values, **options):
    return evaluate("task", "base", trials, ok(values), **{"n_bootstrap": 1000} | options)


def test_listener_scores_isi_plus_one_and_full_controls() -> None:
    trials = binary_trials()
    estimates = score(trials, [t.illusion_label for t in trials])
    assert [estimates[m].value for m in ("hla", "ra", "isi", "control", "illusion_index")] == [1.0, 0.0, 1.0, 1.0, 1.0]


def test_observer_of_the_physics_scores_isi_minus_one_and_index_zero() -> None:
    trials = ternary_trials()
    estimates = score(trials, [t.gt_label for t in trials])
    assert [estimates[m].value for m in ("hla", "ra", "isi", "control", "illusion_index")] == [0.0, 1.0, -1.0, 1.0, 0.0]


def test_scores_agree_with_hand_calculation() -> None:
    trials = binary_trials(20, 10, 10)
    # 12 of 20 illusions, 2 of 10 A-controls and 9 of 10 P-controls are answered yes
    values = ["yes"] * 12 + ["no"] * 8 + ["yes"] * 2 + ["no"] * 8 + ["yes"] * 9 + ["no"]
    estimates = score(trials, values)
    assert estimates["hla"].value == pytest.approx(0.6)
    assert estimates["isi"].value == pytest.approx(0.2)
    assert estimates["control"].value == pytest.approx(17 / 20)
    assert estimates["d_prime"].value == pytest.approx(norm.ppf(9.5 / 11) - norm.ppf(2.5 / 11))
    assert estimates["illusion_index"].value == pytest.approx((0.6 - 0.2) / (0.9 - 0.2))


def test_ternary_scores_are_means_over_the_percept_directions() -> None:
    trials = ternary_trials(12)
    # "up" is heard right in all controls and never as an illusion, "down" in all controls and always as an illusion
    values = ["same" if t.trial_class == "illusion" and t.illusion_label == "up" else t.illusion_label for t in trials]
    estimates = score(trials, values)
    assert estimates["illusion_index"].value == pytest.approx((0.0 + 1.0) / 2)
    assert estimates["d_prime"].value == pytest.approx(2 * norm.ppf(12.5 / 13))


def test_index_needs_evidence_in_every_direction() -> None:
    trials = ternary_trials()
    values = ["same" if t.illusion_label == "up" else t.illusion_label for t in trials]
    assert score(trials, values)["illusion_index"].value is None


@pytest.mark.parametrize("trials", [binary_trials(20, 31, 30), ternary_trials()])
def test_constant_answer_has_d_prime_exactly_zero_and_no_illusion_index(trials) -> None:
    for answer in trials[0].options:
        estimates = score(trials, [answer] * len(trials))
        assert estimates["d_prime"].value == 0.0
        assert (estimates["d_prime"].low, estimates["d_prime"].high) == (0.0, 0.0)
        assert estimates["illusion_index"].value is None


def test_constant_percept_has_isi_plus_one_on_a_binary_task() -> None:
    assert constant_baseline(binary_trials(), "yes")["isi"].value == 1.0


def test_answer_that_was_not_read_stays_in_every_denominator() -> None:
    trials = binary_trials(4, 2, 2)
    estimates = score(trials, ["yes", "yes", None, None, "no", None, "yes", None])
    assert estimates["hla"].value == 0.5
    assert estimates["ra"].value == 0.0
    assert estimates["control"].value == 0.5
    assert estimates["unparsed"].value == 0.5


def test_accuracy_over_the_parsed_rows_leaves_out_what_was_not_read() -> None:
    trials = binary_trials(4, 2, 3)
    # read: 3 illusions (2 percepts, 1 truth), both A-controls (1 right) and 2 P-controls (both right)
    estimates = score(trials, ["yes", "yes", "no", None, "no", "yes", "yes", "yes", None])
    parsed = [(estimates[m].value, estimates[m].n) for m in ("hla_parsed", "ra_parsed", "control_parsed")]
    assert parsed == [(pytest.approx(2 / 3), 3), (pytest.approx(1 / 3), 3), (pytest.approx(3 / 4), 4)]


def test_accuracy_over_the_parsed_rows_has_the_interval_of_wilson_over_them() -> None:
    trials = binary_trials(30, 1, 1)
    estimate = score(trials, ["yes"] * 10 + ["no"] * 10 + [None] * 12)["hla_parsed"]
    assert (estimate.low, estimate.high) == pytest.approx((0.2993, 0.7007), abs=1e-4)  # 10 of 20


def test_accuracy_over_the_parsed_rows_is_undefined_where_none_was_read() -> None:
    estimates = score(binary_trials(2, 1, 1), ["yes", "no", None, None])
    assert estimates["control_parsed"][:4] == (None, None, None, 0)


def test_error_is_not_among_the_parsed_rows() -> None:
    trials = binary_trials(2, 1, 1)
    outcomes = [Outcome("yes", "ok"), Outcome(None, "error"), Outcome("no", "ok"), Outcome("yes", "ok")]
    assert evaluate("task", "base", trials, outcomes)["hla_parsed"].n == 1


@pytest.mark.parametrize("name", ["(random)", "(most frequent)", "(always same)"])
def test_baseline_is_the_same_over_the_parsed_rows(name: str) -> None:
    estimates = baselines(ternary_trials())[name]
    for metric in ("hla", "ra", "control"):
        assert estimates[f"{metric}_parsed"] == estimates[metric]


def test_trial_with_only_an_error_has_the_status_error() -> None:
    trials = binary_trials(1, 1, 1)
    outcomes = read_outcomes(trials, {"t_0000": "Yes.", "t_0001": "no"}, {"t_0000": "old", "t_0002": "out of memory"})
    assert outcomes == [Outcome("yes", "ok"), Outcome("no", "ok"), Outcome(None, "error")]


def test_class_without_trials_leaves_its_metrics_undefined() -> None:
    trials = binary_trials(5, 0, 0)
    estimates = score(trials, ["yes"] * 5)
    assert estimates["hla"].value == 1.0
    assert [estimates[m].value for m in ("control", "d_prime", "illusion_index")] == [None, None, None]


def test_intervals_hold_their_values() -> None:
    trials = binary_trials(40, 30, 30)
    rng = np.random.default_rng(0)
    values = [t.illusion_label if rng.random() < 0.8 else t.gt_label if rng.random() < 0.7 else None for t in trials]
    for name, estimate in score(trials, values).items():
        assert estimate.low <= estimate.value <= estimate.high, name


def test_same_seed_gives_the_same_intervals_and_another_gives_others() -> None:
    trials = binary_trials()
    values = ["yes" if i % 3 else "no" for i in range(len(trials))]
    first, again, other = (score(trials, values, seed=seed)["isi"] for seed in (0, 0, 1))
    assert np.array_equal(first.replicates, again.replicates)
    assert not np.array_equal(first.replicates, other.replicates)


def test_random_baseline_is_a_half_on_binary_and_a_third_on_ternary_tasks() -> None:
    for trials, chance in ((binary_trials(), 1 / 2), (ternary_trials(), 1 / 3)):
        estimates = random_baseline(trials)
        assert [estimates[m].value for m in ("hla", "ra", "control")] == pytest.approx([chance] * 3)
        assert (estimates["isi"].value, estimates["d_prime"].value) == (0.0, 0.0)
        assert estimates["illusion_index"].value is None


def test_random_baseline_without_a_control_class_has_no_d_prime() -> None:
    assert random_baseline(binary_trials(4, 4, 0))["d_prime"].value is None


def test_most_frequent_answer_is_the_listeners_commonest_percept() -> None:
    assert most_frequent_answer(binary_trials()) == "yes"


def test_most_frequent_answer_among_equals_is_the_first_in_the_alphabet() -> None:
    assert most_frequent_answer(ternary_trials()) == "down"


def test_baselines_hold_every_constant_answer() -> None:
    expected = ["(random)", "(most frequent)", "(always down)", "(always same)", "(always up)"]
    assert list(baselines(ternary_trials())) == expected


def test_unknown_id_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="'x_1' is not in"):
        validate(binary_trials(1, 0, 0), {"t_0000": "yes", "x_1": "no"}, {})


def test_unknown_id_among_the_errors_is_an_error_that_names_it() -> None:
    with pytest.raises(InputError, match="'x_1' is not in"):
        validate(binary_trials(1, 0, 0), {"t_0000": "yes"}, {"x_1": "out of memory"})


def test_recorded_error_of_an_answered_trial_is_none() -> None:
    validate(binary_trials(1, 0, 0), {"t_0000": "yes"}, {"t_0000": "out of memory"})


def test_unanswered_trial_is_an_error_that_counts() -> None:
    with pytest.raises(InputError, match="1 of 2 trials have no answer, the first is t_0001: resume the run"):
        validate(binary_trials(2, 0, 0), {"t_0000": "yes"}, {})


def test_only_planned_trials_need_an_answer() -> None:
    trials = binary_trials(2, 0, 0)
    validate(trials, {"t_0000": "yes"}, {}, planned=trials[:1])


def test_question_that_lists_its_options_otherwise_is_scored_alike() -> None:
    trials = [trial(0, "illusion", "no", "yes", ("no", "yes"))]
    assert score(trials, ["yes"])["hla"].value == 1.0


def half_right(trials):
    return [t.illusion_label if i % 3 else t.gt_label for i, t in enumerate(trials)]


def test_bca_interval_of_a_proportion_agrees_with_scipy() -> None:
    trials = binary_trials(60)
    values = half_right(trials)
    hits = np.array([v == t.illusion_label for v, t in zip(values, trials, strict=True) if t.trial_class == "illusion"])
    ours = score(trials, values, n_bootstrap=20_000, ci="bca")["hla"]
    theirs = bootstrap((hits,), np.mean, method="BCa", n_resamples=20_000, rng=1).confidence_interval
    assert (ours.low, ours.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


@pytest.mark.parametrize("metric", ["hla", "isi", "control", "d_prime", "illusion_index"])
@pytest.mark.parametrize("ci", ["percentile", "bca"])
def test_every_metric_has_an_interval_of_the_method_that_holds_it(metric: str, ci: str) -> None:
    trials = binary_trials(60, 40, 40)
    values = [t.gt_label if i % 4 else t.illusion_label for i, t in enumerate(trials)]
    estimate = score(trials, values, ci=ci)[metric]
    assert estimate.low <= estimate.value <= estimate.high


def test_influences_are_kept_only_for_bca_intervals() -> None:
    trials = binary_trials()
    assert [score(trials, half_right(trials), ci=ci)["hla"].influence is None for ci in METHODS] == [True, True, False]


def test_classes_that_a_metric_does_not_use_have_no_influence_on_it() -> None:
    trials = binary_trials(20)
    influences = score(trials, half_right(trials), ci="bca")["hla"].influence
    assert np.any(influences[:20]) and not np.any(influences[20:])

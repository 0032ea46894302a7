"""Paired differences between two models on small tasks with known answers."""

import numpy as np
import pytest
from scipy.stats import binomtest, bootstrap

from tests.tools.make_trials import binary_trials, ternary_trials
from tools.averages import Plan
from tools.comparison import compare_task, comparison_rows, trial_scores, with_averages
from tools.illusions import Outcome


def ok(values):
    return [Outcome(value, "ok" if value else "unparsed") for value in values]


def listener(trials):
    return ok([t.illusion_label for t in trials])


def physicist(trials):
    return ok([t.gt_label for t in trials])


def noisy(trials, seed: int, rate: float = 0.5):
    rng = np.random.default_rng(seed)
    return ok([t.illusion_label if rng.random() < rate else t.gt_label for t in trials])


def compare(trials, a, b, **options):
    return compare_task("task", "base", trials, a, b, **{"n_bootstrap": 1000} | options)


def rows(contrasts, task: str = "task"):
    return {row.metric: row for row in comparison_rows("a", "b", "base", {task: contrasts})}


def test_difference_is_that_of_the_scores() -> None:
    trials = binary_trials()
    found = rows(compare(trials, listener(trials), physicist(trials)))
    assert [found[m].difference for m in ("hla", "ra", "isi", "control")] == [1.0, -1.0, 2.0, 0.0]


def test_each_trial_scores_in_its_own_class_alone() -> None:
    trials = binary_trials(1, 1, 1)
    assert trial_scores(trials, listener(trials)).tolist() == [[1, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 1]]


def test_answer_that_was_not_read_scores_nothing() -> None:
    assert trial_scores(binary_trials(1, 1, 0), ok([None, None])).tolist() == [[0] * 4, [0] * 4]


@pytest.mark.parametrize("metric", ["hla", "ra", "isi", "control"])
def test_cluster_differences_add_up_to_the_difference(metric: str) -> None:
    trials = ternary_trials()
    contrast = compare(trials, noisy(trials, 0), ok(["same"] * len(trials)))[metric]
    assert contrast.by_cluster.sum() == pytest.approx(contrast.difference.value)


@pytest.mark.parametrize(("ci", "method"), [("wilson", "percentile"), ("bca", "BCa")])
def test_paired_interval_agrees_with_scipy(ci: str, method: str) -> None:
    trials = binary_trials(80)
    a, b = noisy(trials, 0, 0.8), noisy(trials, 1, 0.4)
    hits = [np.array([o.value == t.illusion_label for o, t in zip(x, trials, strict=True)][:80], float) for x in (a, b)]
    delta = compare(trials, a, b, n_bootstrap=20_000, ci=ci)["hla"].difference

    def gap(x, y, axis):
        return np.mean(x - y, axis=axis)

    theirs = bootstrap(hits, gap, paired=True, method=method, n_resamples=20_000, rng=1).confidence_interval
    assert (delta.low, delta.high) == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_paired_interval_is_narrower_than_that_of_models_taken_apart() -> None:
    trials = binary_trials(80)
    a = noisy(trials, 0)
    b = ok([o.value if i % 8 else "no" for i, o in enumerate(a)])  # the same answers but for one in eight
    contrast = compare(trials, a, b)["hla"]
    assert contrast.difference.high - contrast.difference.low < contrast.a.high - contrast.a.low


def test_clusters_of_several_trials_are_resampled_as_one() -> None:
    trials = [t._replace(cluster_id=f"{t.trial_class}-{i // 10}") for i, t in enumerate(binary_trials(80))]
    by_ten = ok([t.illusion_label if (i // 10) % 2 else t.gt_label for i, t in enumerate(trials)])
    by_one = [t._replace(cluster_id=str(i)) for i, t in enumerate(trials)]
    widths = []
    for given in (trials, by_one):
        delta = compare(given, by_ten, physicist(given))["hla"].difference
        widths.append(delta.high - delta.low)
    assert widths[0] > 2 * widths[1]


def test_mcnemar_counts_the_discordant_trials() -> None:
    trials = binary_trials(20)
    a, b = listener(trials), noisy(trials, 0, 0.7)
    only_a = sum(o.value != t.illusion_label for o, t in zip(b[:20], trials[:20], strict=True))
    assert rows(compare(trials, a, b))["hla"].p_mcnemar == pytest.approx(binomtest(only_a, only_a).pvalue)


def test_mcnemar_is_not_defined_for_isi() -> None:
    trials = binary_trials()
    assert rows(compare(trials, listener(trials), physicist(trials)))["isi"].p_mcnemar is None


def test_models_that_agree_have_p_one_in_every_test() -> None:
    trials = binary_trials()
    row = rows(compare(trials, listener(trials), listener(trials)))["hla"]
    assert (row.p, row.p_holm, row.p_sign_flip, row.p_mcnemar) == (1.0, 1.0, 1.0, 1.0)


def test_higher_model_is_named_where_the_corrected_p_is_small() -> None:
    trials = binary_trials()
    found = rows(compare(trials, listener(trials), physicist(trials)))
    assert [found[m].higher for m in ("hla", "ra", "control")] == ["a", "b", ""]


def test_holm_corrects_over_all_rows_of_the_table() -> None:
    trials = binary_trials(40)
    contrasts = compare(trials, noisy(trials, 0, 0.9), noisy(trials, 1, 0.5))
    one, two = rows(contrasts), comparison_rows("a", "b", "base", {"x": contrasts, "y": contrasts})
    assert two[0].p_holm > one["hla"].p_holm


def test_task_without_illusions_has_no_difference_in_hla() -> None:
    trials = binary_trials(0, 10, 10)
    row = rows(compare(trials, listener(trials), ok(["no"] * 20)))["hla"]
    assert (row.difference, row.p, row.p_holm, row.p_sign_flip, row.p_mcnemar, row.n) == (None,) * 5 + (0,)


def test_same_seed_gives_the_same_rows() -> None:
    trials = binary_trials(60)
    a, b = noisy(trials, 0), noisy(trials, 1)
    assert rows(compare(trials, a, b)) == rows(compare(trials, a, b))


PLAN = Plan("base", {"x": "P", "y": "P", "z": "K"})


def of_size(n: int, is_listener: bool):
    trials = binary_trials(n)
    return compare(trials, listener(trials) if is_listener else physicist(trials), physicist(trials))


def test_micro_difference_weighs_trials() -> None:
    found, _ = with_averages("a - b", PLAN, {"x": of_size(30, True), "y": of_size(10, False)})
    assert found["(P)"]["micro_hla"].difference.value == pytest.approx(30 / 40)


def test_macro_difference_weighs_tasks() -> None:
    found, _ = with_averages("a - b", PLAN, {"x": of_size(30, True), "y": of_size(10, False)})
    assert found["(P)"]["macro_hla"].difference.value == pytest.approx(1 / 2)


@pytest.mark.parametrize("metric", ["micro_hla", "macro_hla"])
def test_cluster_differences_of_an_average_add_up_to_it(metric: str) -> None:
    found, _ = with_averages("a - b", PLAN, {"x": of_size(30, True), "y": of_size(10, False)})
    contrast = found["(P)"][metric]
    assert contrast.by_cluster.sum() == pytest.approx(contrast.difference.value)


def test_micro_average_pools_the_discordant_trials() -> None:
    found, _ = with_averages("a - b", PLAN, {"x": of_size(30, True), "y": of_size(10, True)})
    assert found["(P)"]["micro_hla"].discordant == (40, 0)


def test_average_that_lacks_a_task_is_missing() -> None:
    _, missing = with_averages("a - b", PLAN, {"x": of_size(5, True), "y": of_size(5, True)})
    assert [(m.scope, m.tasks) for m in missing] == [("all", ["z"])]


def test_scope_of_a_single_task_is_not_tested_twice() -> None:
    found, _ = with_averages("a - b", PLAN, {task: of_size(5, True) for task in "xyz"})
    assert list(found) == ["x", "y", "z", "(P)", "(all)"]


def test_scope_of_the_tasks_of_another_is_not_tested_twice() -> None:
    plan = Plan("base", {"x": "P", "y": "P"})
    found, _ = with_averages("a - b", plan, {task: of_size(5, True) for task in "xy"})
    assert list(found) == ["x", "y", "(P)"]

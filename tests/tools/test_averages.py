"""Averages over tasks: micro and macro, complete or not given."""

import pytest

from tests.tools.make_trials import binary_trials, ternary_trials
from tools.averages import Plan, average, average_rows
from tools.estimates import METHODS
from tools.illusions import Outcome, constant_baseline, evaluate, random_baseline


def listener(task, trials):
    return evaluate(task, "base", trials, [Outcome(t.illusion_label, "ok") for t in trials], n_bootstrap=200)


def constant(task, trials, answer):
    return evaluate(task, "base", trials, [Outcome(answer, "ok")] * len(trials), n_bootstrap=200)


def readable(task, trials, answer, n_read):
    """Return the scores of one answer to the first trials, with the others not read."""
    outcomes = [Outcome(answer, "ok") if i < n_read else Outcome(None, "unparsed") for i in range(len(trials))]
    return evaluate(task, "base", trials, outcomes, n_bootstrap=200)


PLAN = Plan("base", {"zwicker": "P", "tartini": "P", "shepard": "K"})


def test_micro_weighs_trials_and_macro_weighs_tasks() -> None:
    parts = [listener("a", binary_trials(30)), constant("b", binary_trials(10), "no")]
    averaged = average(parts)
    assert averaged["micro_hla"].value == pytest.approx(30 / 40)
    assert averaged["macro_hla"].value == pytest.approx(1 / 2)
    assert averaged["micro_isi"].value == pytest.approx(0.5)
    assert averaged["macro_isi"].value == pytest.approx(0.0)


def test_macro_index_is_no_evidence_if_one_task_has_none() -> None:
    parts = [listener("a", binary_trials()), constant("b", binary_trials(), "yes")]
    assert average(parts)["macro_illusion_index"].value is None


def test_macro_index_of_full_evidence_is_the_mean() -> None:
    parts = [listener("a", binary_trials()), listener("b", ternary_trials())]
    assert average(parts)["macro_illusion_index"].value == pytest.approx(1.0)


def test_micro_proportion_has_the_interval_of_wilson() -> None:
    parts = [listener("a", binary_trials(10)), constant("b", binary_trials(10), "no")]
    micro = average(parts)["micro_hla"]
    assert (micro.low, micro.high) == pytest.approx((0.2993, 0.7007), abs=1e-4)  # 10 of 20


def test_micro_over_the_parsed_rows_is_pooled_over_those_alone() -> None:
    parts = [readable("a", binary_trials(30), "yes", 30), readable("b", binary_trials(30), "no", 10)]
    micro = average(parts)["micro_hla_parsed"]
    assert (micro.value, micro.n) == (pytest.approx(30 / 40), 40)
    assert (micro.low, micro.high) == pytest.approx((0.5981, 0.8581), abs=1e-4)  # 30 of 40


def test_macro_over_the_parsed_rows_weighs_tasks() -> None:
    parts = [readable("a", binary_trials(30), "yes", 30), readable("b", binary_trials(30), "no", 10)]
    assert average(parts)["macro_hla_parsed"].value == pytest.approx(1 / 2)


def test_task_without_parsed_rows_adds_nothing_to_micro_and_leaves_macro_undefined() -> None:
    averaged = average([readable("a", binary_trials(30), "yes", 30), readable("b", binary_trials(30), "no", 0)])
    assert (averaged["micro_hla_parsed"].value, averaged["micro_hla_parsed"].n) == (1.0, 30)
    assert averaged["macro_hla_parsed"].value is None


def test_incomplete_model_gets_only_the_averages_that_it_completed() -> None:
    rows, missing = average_rows("m", PLAN, {task: listener(task, binary_trials()) for task in ("zwicker", "tartini")})
    assert {row.task for row in rows} == {"(P)"}
    assert [(m.scope, m.tasks) for m in missing] == [("K", ["shepard"]), ("all", ["shepard"])]


def test_class_without_tasks_has_no_average_and_misses_none() -> None:
    rows, missing = average_rows("m", Plan("base", {"a": "P"}), {"a": listener("a", binary_trials())})
    assert {row.task for row in rows} == {"(P)", "(all)"}
    assert missing == []


def test_published_random_rates_follow_from_counts_and_options() -> None:
    # AIB (Kim et al. 2026): P .500, .500, .500; K with its three ternary tasks HLA .436, control .450
    ternary = [(960, 144), (1296, 518), (896, 537)]
    binary = [(1350, 540), (432, 172), (2304, 1766), (915, 349)]
    parts = [random_baseline(ternary_trials(1))] * 3 + [random_baseline(binary_trials(1, 1, 1))] * 4
    for part, (n_illusion, n_control) in zip(parts.copy(), ternary + binary, strict=True):
        part = part | {m: part[m]._replace(n=n_illusion) for m in ("hla", "ra")}
        parts.append(part | {"control": part["control"]._replace(n=n_control)})
    averaged = average(parts[7:])
    assert averaged["micro_hla"].value == pytest.approx(0.436, abs=5e-4)
    assert averaged["micro_control"].value == pytest.approx(0.450, abs=5e-4)


def test_baseline_average_has_no_interval() -> None:
    micro = average([constant_baseline(binary_trials(), "yes")] * 2)["micro_hla"]
    assert (micro.value, micro.low, micro.high) == (1.0, None, None)


def wavering(task, trials, ci):
    outcomes = [Outcome(("yes", "no", None)[i % 3], "ok") for i in range(len(trials))]
    return evaluate(task, "base", trials, outcomes, n_bootstrap=500, ci=ci)


@pytest.mark.parametrize("ci", ["percentile", "bca"])
def test_micro_average_of_one_task_has_the_interval_of_the_task(ci: str) -> None:
    estimates = wavering("a", binary_trials(30), ci)
    assert average([estimates], ci)["micro_hla"][1:3] == pytest.approx(estimates["hla"][1:3])


@pytest.mark.parametrize("ci", ["percentile", "bca"])
def test_macro_average_of_one_task_has_the_interval_of_the_task(ci: str) -> None:
    estimates = wavering("a", binary_trials(30), ci)
    assert average([estimates], ci)["macro_isi"][1:3] == pytest.approx(estimates["isi"][1:3])


def test_status_average_keeps_the_interval_of_wilson_under_every_method() -> None:
    results = [average([wavering("a", binary_trials(30), ci)], ci)["micro_ok"][:4] for ci in METHODS]
    assert results[0] == results[1] == results[2]

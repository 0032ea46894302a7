"""The lower reference: one of the options, by the trial's id alone."""

from collections import Counter

import pytest

from inference.contract import Trial as Asked
from inference.runners.random_guess import answer
from meta.registry import load_tasks
from meta.trials import find_condition, load_trials
from tests.inference.support import TASK, answers, ids, run, write_registry


def guesses(task, trials, seed="0"):
    return {t.stimulus_id: answer(seed, Asked(task.name, t.stimulus_id, (t.question,), t.options)) for t in trials}


@pytest.mark.parametrize("task", load_tasks().values(), ids=lambda task: task.name)
def test_each_option_is_about_as_frequent_as_the_others(task):
    counts = Counter(guesses(task, load_trials(task, find_condition(task.family))).values())
    expected = task.planned_rows / len(counts)
    chi_square = sum((count - expected) ** 2 / expected for count in counts.values())
    assert len(counts) == task.chance.denominator
    assert chi_square < 10.8  # the 0.1 % point with 1 degree of freedom; 13.8 with 2


def test_another_seed_guesses_otherwise():
    task = load_tasks()[TASK]
    trials = load_trials(task, find_condition(task.family))
    first, second = guesses(task, trials), guesses(task, trials, "1")
    agreement = sum(first[i] == second[i] for i in first) / len(first)
    assert 0.4 < agreement < 0.6


def test_same_id_gets_the_same_answer_in_any_subset_and_order(world, tmp_path):
    for number, arguments in enumerate(((), ("--limit", "5"), ("--mini",), ("--shards", "3"))):
        assert run(world, tmp_path / str(number), TASK, "--models", "random-guess", *arguments).status == 0
    whole, *parts = (answers(tmp_path / str(number), "random-guess") for number in range(4))
    assert list(whole) == ids(world) and set(whole.values()) == {"yes", "no"}
    assert all(part.items() <= whole.items() and part for part in parts)


def test_missing_seed_is_said(world, tmp_path):
    runner = "inference/runners/random_guess.py"
    registry = write_registry(tmp_path / "registry.tsv", {"model": "guess", "runner": runner, "args": "0"})
    outcome = run(world, tmp_path / "results", TASK, "--limit", "1", registry=registry)
    assert outcome.status == 1
    assert "seed=N is expected" in outcome.err

"""Conditions: what is asked, in which wording, and what counts as right then."""

import pytest

from meta.errors import InputError
from meta.registry import load_tasks
from meta.trials import (
    Subset,
    complete_question,
    find_condition,
    fingerprint,
    load_conditions,
    load_trials,
)
from tests.meta.support import copy_meta, edit_line

TASKS = load_tasks()


def trials(task="shepard_tone", condition=""):
    return load_trials(TASKS[task], find_condition(TASKS[task].family, condition))


def test_the_base_condition_is_the_default():
    assert find_condition("illusions").name == "base"
    assert set(load_conditions("illusions")) == {"base", "refined", "flipped"}


def test_a_complete_question_ends_with_the_options_in_the_rows_order():
    trial = trials()[0]
    listed = ", ".join(f'"{option}"' for option in trial.options[:-1]) + f' or "{trial.options[-1]}"'
    assert trial.question.endswith(f"Answer with exactly one of these words and nothing else: {listed}.")


def test_a_brace_in_a_question_stays_what_it_is():
    assert (
        complete_question("{question} Pick: {options}.", "Is {options} {x}?", ["a", "b"])
        == 'Is {options} {x}? Pick: "a" or "b".'
    )


def test_the_flipped_condition_swaps_the_labels():
    base, flipped = trials(), trials(condition="flipped")
    swap = {"up": "down", "down": "up", "same": "same"}
    assert [swap[trial.gt_label] for trial in base] == [trial.gt_label for trial in flipped]
    assert [swap[trial.illusion_label] for trial in base] == [trial.illusion_label for trial in flipped]


def test_the_refined_condition_rewords_and_keeps_the_labels():
    base, refined = trials(), trials(condition="refined")
    assert all(a.question != b.question for a, b in zip(base, refined, strict=True))
    assert [(t.gt_label, t.illusion_label) for t in base] == [(t.gt_label, t.illusion_label) for t in refined]


def test_the_fingerprint_covers_questions_and_options_but_not_labels():
    some = trials()[:3]
    assert fingerprint(some) == fingerprint(
        [t._replace(gt_label="x", illusion_label="y", cluster_id="z") for t in some]
    )
    for change in ({"question": "?"}, {"options": ("a", "b")}, {"stimulus_id": "x"}):
        assert fingerprint([some[0]._replace(**change), *some[1:]]) != fingerprint(some)
    assert fingerprint(some) != fingerprint(some[::-1])


def test_a_subset_takes_its_trials_in_order():
    whole = trials()
    assert Subset().take(whole) == whole
    assert Subset(limit=3).take(whole) == whole[:3]
    mini = Subset(mini=True).take(whole)
    assert len(mini) == 183 and Subset(mini=True, limit=5).take(whole) == mini[:5]


def test_a_subset_is_recorded_by_name():
    subsets = [Subset(), Subset(True), Subset(limit=4), Subset(True, 4)]
    assert [subset.name for subset in subsets] == ["", "mini", "limit 4", "mini limit 4"]


def test_an_unknown_condition_is_answered_with_the_nearest():
    with pytest.raises(InputError, match='unknown condition of illusions "refine": did you mean refined'):
        find_condition("illusions", "refine")


def test_a_family_needs_exactly_one_default(tmp_path):
    meta = copy_meta(tmp_path)
    edit_line(meta / "conditions.csv", 3, ",0,", ",1,")
    with pytest.raises(InputError, match="exactly one condition with default 1"):
        load_conditions("illusions", meta)

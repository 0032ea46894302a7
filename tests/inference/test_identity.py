"""Answers asked under another identity are never mixed in."""

import pytest

from tests.inference.support import (
    TASK,
    answers,
    ids,
    native_runner,
    one_clear_error,
    run,
    run_record,
    snapshot,
    write_registry,
)


@pytest.fixture
def setting(own_world, tmp_path):
    """Two of four trials answered, and a way to run the other two."""

    def again(**model):
        runner = native_runner(tmp_path / "fake.py", 'return "yes"')
        row = {"model": "fake", "runner": runner, "model_id": "org/fake", "revision": "a1", "args": "t=0"}
        registry = write_registry(tmp_path / "registry.tsv", row | model)
        return run(own_world, tmp_path / "results", TASK, "--limit", limit[0], registry=registry)

    limit = ["2"]
    assert again().status == 0
    limit[0] = "3"
    return own_world, tmp_path / "results", again


@pytest.mark.parametrize(("column", "old", "new"), [
    ("model_id", "org/fake", "org/other"), ("revision", "a1", "b2"), ("args", "t=0", "t=1"),
])  # fmt: skip
def test_changed_model_stops_the_run_naming_what_differs(setting, column, old, new):
    _, results, again = setting
    before = snapshot(results)
    outcome = again(**{column: new})
    one_clear_error(outcome, f"{column} was '{old}', is '{new}'", "another identity")
    assert snapshot(results) == before


def test_changed_prompt_stops_the_run(setting):
    world, results, again = setting
    before = snapshot(results)
    path = world.meta / "prompts.csv"
    path.write_text(path.read_text(encoding="utf-8").replace("exactly one", "only one"), encoding="utf-8")
    one_clear_error(again(), "trials_sha256 (questions, options or prompt) was", "another identity")
    assert snapshot(results) == before


def test_changed_question_stops_the_run(setting):
    world, results, again = setting
    path = world.meta / f"{TASK}.csv"
    before = snapshot(results)
    path.write_text(path.read_text(encoding="utf-8").replace("Is the first sound", "Is the tone"), encoding="utf-8")
    one_clear_error(again(), "trials_sha256 (questions, options or prompt) was")
    assert snapshot(results) == before


def test_changed_digest_stops_the_run(setting):
    world, results, again = setting
    before = snapshot(results)
    path = world.meta / "digests" / f"{TASK}.csv"
    lines = path.read_text(encoding="utf-8").splitlines()
    lines[4] = f"{ids(world)[3]},{'0' * 64}"  # a clip that this run does not play
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    one_clear_error(again(), "audio_sha256 (the digests of the clips) was")
    assert snapshot(results) == before


def test_refused_run_is_not_shown_as_answered(setting):
    _, _, again = setting
    outcome = again(revision="b2")
    assert "not run, see the error above" in outcome.out


def test_answers_without_a_run_record_are_refused(setting):
    _, results, again = setting
    (results / "fake" / f"{TASK}.run.json").unlink()
    before = snapshot(results)
    one_clear_error(again(), f"{TASK}.csv: has no {TASK}.run.json")
    assert snapshot(results) == before


def test_broken_run_record_is_one_clear_error(setting):
    _, results, again = setting
    (results / "fake" / f"{TASK}.run.json").write_text("{", encoding="utf-8")
    before = snapshot(results)
    one_clear_error(again(), "is not JSON")
    assert snapshot(results) == before


def test_labels_and_machine_are_outside_identity(setting):
    world, results, again = setting
    path = world.meta / f"{TASK}.csv"
    text = path.read_text(encoding="utf-8")
    assert ",no,yes,yes,no," in text
    path.write_text(text.replace(",no,yes,yes,no,", ",yes,no,no,yes,"), encoding="utf-8")
    assert again().status == 0
    assert len(answers(results, "fake")) == 3
    assert run_record(results, "fake")["record"]["answers"] == 3

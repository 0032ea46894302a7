"""What can run here, what cannot and why, and what the exit status says."""

import sys

import pytest

from inference.registry import Model, devices_here, load_registry, python_of, why_not_ready
from tests.inference.support import (
    TASK,
    answers,
    ids,
    make_world,
    native_runner,
    run,
    snapshot,
    write_registry,
)


@pytest.fixture(scope="module")
def two_tasks(tmp_path_factory):
    """Two tasks, only one of which has audio."""
    folder = tmp_path_factory.mktemp("two")
    return make_world(folder, {TASK: 3, "zwicker_tone": 2}, rendered={TASK: 3})


@pytest.fixture
def fake(tmp_path):
    """A row of the registry with a runner that works."""
    return {"model": "fake", "runner": native_runner(tmp_path / "fake.py", 'return "yes"')}


def no_gpus(tmp_path):
    """Return a PATH without a graphics driver."""
    (tmp_path / "bin").mkdir(exist_ok=True)
    return {"PATH": str(tmp_path / "bin")}


def test_gpu_model_is_skipped_with_the_reason_where_no_gpu_is_though_gpus_are_given(world, tmp_path, fake):
    registry = write_registry(tmp_path / "r.tsv", fake, fake | {"model": "big", "gpus": "1"})
    results = tmp_path / "results"
    outcome = run(world, results, TASK, "--gpus", "0,1", "--limit", "1", registry=registry, **no_gpus(tmp_path))
    assert "skipped big: it needs 1 GPU(s), this machine has 0" in outcome.out
    assert outcome.status == 0
    assert len(answers(results, "fake")) == 1 and not (results / "big").exists()


@pytest.mark.parametrize(("change", "reason"), [
    ({"gpus": "1"}, "it needs 1 GPU(s); give them with --gpus"),
    ({"runner": "/nowhere/runner.py"}, "its runner /nowhere/runner.py is missing"),
    ({"environment": "none-such"}, "its environment is not set up; run ./scripts/setup_env.sh none-such"),
    ({"ready": "no", "reason": "gated weights"}, "gated weights"),
    ({"ready": "no"}, "it is not marked ready in the registry"),
])  # fmt: skip
def test_model_that_cannot_run_is_skipped_with_the_reason(world, tmp_path, fake, change, reason):
    registry = write_registry(tmp_path / "r.tsv", fake, fake | {"model": "other"} | change)
    outcome = run(world, tmp_path / "results", TASK, "--limit", "1", registry=registry)
    assert f"skipped other: {reason}" in outcome.out and "Traceback" not in outcome.err
    assert outcome.status == 0  # every ready model was meant
    assert len(answers(tmp_path / "results", "fake")) == 1


def test_naming_a_model_that_cannot_run_exits_1(world, tmp_path, fake):
    registry = write_registry(tmp_path / "r.tsv", fake, fake | {"model": "other", "ready": "no", "reason": "gated"})
    arguments = (TASK, "--limit", "1", "--models", "fake,other")
    outcome = run(world, tmp_path / "results", *arguments, registry=registry)
    assert outcome.status == 1 and "skipped other: gated" in outcome.out
    assert len(answers(tmp_path / "results", "fake")) == 1


def test_nothing_that_can_run_exits_1(world, tmp_path, fake):
    registry = write_registry(tmp_path / "r.tsv", fake | {"ready": "no", "reason": "gated"})
    outcome = run(world, tmp_path / "results", TASK, registry=registry)
    assert outcome.status == 1 and "nothing to run" in outcome.out
    assert snapshot(tmp_path / "results") == {}


def test_runner_starts_in_its_own_environment(world, tmp_path, monkeypatch):
    python = tmp_path / "venvs" / "theirs" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nTHEIRS=yes exec {sys.executable} "$@"\n')
    python.chmod(0o755)
    runner = native_runner(tmp_path / "fake.py", 'return os.environ.get("THEIRS", "no")')
    row = {"model": "fake", "runner": runner, "environment": "theirs"}
    registry = write_registry(tmp_path / "r.tsv", row)
    venvs = {"ACOUMETER_VENVS": str(tmp_path / "venvs")}
    assert run(world, tmp_path / "results", TASK, "--limit", "1", registry=registry, **venvs).status == 0
    assert set(answers(tmp_path / "results", "fake").values()) == {"yes"}


def test_environments_folder_may_be_relative(tmp_path, monkeypatch, fake):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ACOUMETER_VENVS", "venvs")
    model = load_registry(write_registry(tmp_path / "r.tsv", fake | {"environment": "theirs"}))["fake"]
    assert python_of(model) == tmp_path / "venvs" / "theirs" / "bin" / "python"


def test_runner_that_cannot_be_started_is_one_clear_message(world, tmp_path, fake):
    python = tmp_path / "venvs" / "theirs" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text("not executable")
    registry = write_registry(tmp_path / "r.tsv", fake | {"environment": "theirs"})
    outcome = run(world, tmp_path / "results", TASK, registry=registry, ACOUMETER_VENVS=str(tmp_path / "venvs"))
    assert outcome.status == 1 and "Traceback" not in outcome.err
    assert "its runner cannot be started" in outcome.err and "Permission denied" in outcome.err


def test_all_names_a_task_without_audio_and_its_command_and_exits_0(two_tasks, tmp_path):
    outcome = run(two_tasks, tmp_path, "all", "--models", "random-guess")
    assert outcome.status == 0, outcome
    assert "skipped zwicker_tone: it has no audio" in outcome.out
    assert f"./scripts/generate_data.sh zwicker_tone --out {two_tasks.data}" in outcome.out
    assert list(answers(tmp_path, "random-guess")) == ids(two_tasks)


def test_naming_a_task_without_audio_exits_1_after_the_others(two_tasks, tmp_path):
    outcome = run(two_tasks, tmp_path, TASK, "zwicker_tone", "--models", "random-guess")
    assert outcome.status == 1
    assert "skipped zwicker_tone: it has no audio" in outcome.out
    assert list(answers(tmp_path, "random-guess")) == ids(two_tasks)


def test_every_condition_is_asked_with_conditions_all(two_tasks, tmp_path):
    assert run(two_tasks, tmp_path, TASK, "--models", "random-guess", "--conditions", "all").status == 0
    stems = {path.name for path in (tmp_path / "random-guess").glob("*.csv")}
    assert stems == {f"{TASK}.csv", f"{TASK}@refined.csv", f"{TASK}@flipped.csv"}


def test_condition_named_twice_is_asked_once(two_tasks, tmp_path):
    outcome = run(two_tasks, tmp_path, TASK, "--models", "random-guess", "--conditions", "base,base")
    assert outcome.status == 0, outcome


def test_summary_shows_answered_and_planned(two_tasks, tmp_path):
    outcome = run(two_tasks, tmp_path, TASK, "--models", "random-guess", "--limit", "2")
    *_, header, row = outcome.out.strip().splitlines()
    assert header.split() == ["model", "task", "answered", "planned", "errors"]
    assert row.split() == ["random-guess", TASK, "2", "2", "0"]


def test_help_lists_examples(two_tasks, tmp_path):
    outcome = run(two_tasks, tmp_path, "--help")
    assert outcome.status == 0
    assert "Examples:" in outcome.out and outcome.out.count("./scripts/run_models.sh ") >= 3


def gpu_model(tmp_path, gpus):
    (tmp_path / "runner.py").touch()
    return Model("big", tmp_path / "runner.py", "project", gpus, False, "", "", "", True, "")


@pytest.mark.parametrize(("needed", "given", "here", "reason"), [
    (1, ["0"], 1, ""),
    (2, ["0", "1"], 2, ""),
    (2, ["0"], 2, "it needs 2 GPUs, --gpus gives 1"),
    (1, [], 2, "it needs 1 GPU(s); give them with --gpus"),
    (1, ["1"], 1, "it needs 1 GPU(s); --gpus 1 names some that this machine lacks"),
    (1, ["0", "1"], 1, ""),
    (1, ["GPU-8d1c"], 1, ""),
])  # fmt: skip
def test_gpu_model_is_ready_when_enough_of_the_given_devices_are_here(tmp_path, needed, given, here, reason):
    assert why_not_ready(gpu_model(tmp_path, needed), given, here) == reason


def test_devices_that_the_machine_lacks_are_not_used():
    assert devices_here(["0", "1", "GPU-8d1c"], 1) == ["0", "GPU-8d1c"]

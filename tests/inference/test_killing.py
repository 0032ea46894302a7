"""kill -9, Ctrl-C and two schedulers at once."""

import os
import random
import signal
import time

import pytest

from meta.results import read_answers
from tests.inference.support import (
    HARD_TEXTS,
    TASK,
    alive,
    answers,
    ids,
    make_world,
    native_runner,
    run,
    snapshot,
    start,
    wait_until,
    write_registry,
)

ROWS = 160


@pytest.fixture(scope="module")
def long_world(tmp_path_factory):
    return make_world(tmp_path_factory.mktemp("long"), {TASK: ROWS})


class SlowRunner:
    """A runner that takes a few milliseconds a trial, and notes its process and what it was asked."""

    def __init__(self, folder, milliseconds=15, gate=None):
        self.asked, self.pids = folder / "asked", folder / "pids"
        waiting = f"while not os.path.exists({str(gate)!r}): time.sleep(0.01)" if gate else ""
        body = f"""
open({str(self.asked)!r}, "a").write(trial.stimulus_id + "\\n")
open({str(self.pids)!r}, "a").write(str(os.getpid()) + "\\n")
time.sleep({milliseconds / 1000})
{waiting}
texts = {HARD_TEXTS!r}
return texts[int(trial.stimulus_id[-4:]) % len(texts)]"""
        runner = native_runner(folder / "slow.py", body)
        self.registry = write_registry(folder / "registry.tsv", {"model": "slow", "runner": runner})

    def asked_ids(self):
        return self.asked.read_text().split() if self.asked.exists() else []

    def children_gone(self):
        pids = {int(pid) for pid in self.pids.read_text().split()} if self.pids.exists() else set()
        return not any(alive(pid) for pid in pids)


def kept(results):
    """Return the ids whose rows were written, whether merged or still staged."""
    found = set(answers(results, "slow"))
    for path in (results / ".staging" / "slow" / TASK).glob(f"job-*/results/slow/{TASK}.csv"):
        found |= set(read_answers(path))
    return found


def test_twenty_kills_and_resumptions_give_the_bytes_of_an_unbroken_run(long_world, tmp_path):
    unbroken = SlowRunner(tmp_path, milliseconds=0)
    assert run(long_world, tmp_path / "unbroken", TASK, registry=unbroken.registry).status == 0
    unbroken.asked.unlink()
    slow = SlowRunner(tmp_path)
    results = tmp_path / "results"
    moments = random.Random(2024)
    for _ in range(20):
        asked_before, finished = len(slow.asked_ids()), kept(results)
        process = start(long_world, results, TASK, "--shards", "2", registry=slow.registry)
        time.sleep(moments.uniform(0.05, 0.75))
        process.kill()
        process.communicate()
        wait_until(slow.children_gone)
        assert not finished & set(slow.asked_ids()[asked_before:])  # a finished trial is never asked again
    assert 0 < len(slow.asked_ids())
    assert run(long_world, results, TASK, registry=slow.registry).status == 0
    assert (results / "slow" / f"{TASK}.csv").read_bytes() == (tmp_path / "unbroken/slow" / f"{TASK}.csv").read_bytes()
    assert len(slow.asked_ids()) <= ROWS + 2 * 20  # what was on each child's lips when it died
    assert not (results / ".staging" / "slow" / TASK).exists()
    assert sorted(path.name for path in (results / "slow").iterdir()) == [f"{TASK}.csv", f"{TASK}.run.json"]


def test_children_die_with_a_killed_scheduler(long_world, tmp_path):
    slow = SlowRunner(tmp_path, milliseconds=100)
    process = start(long_world, tmp_path / "results", TASK, "--shards", "2", registry=slow.registry)
    wait_until(lambda: slow.pids.exists() and len(set(slow.pids.read_text().split())) == 2)
    process.kill()
    process.communicate()
    wait_until(slow.children_gone, seconds=2)


def test_ctrl_c_keeps_answers_ends_children_and_resumes(long_world, tmp_path):
    slow = SlowRunner(tmp_path, milliseconds=30)
    results = tmp_path / "results"
    process = start(long_world, results, TASK, "--limit", "80", "--shards", "2", registry=slow.registry)
    wait_until(lambda: len(slow.asked_ids()) > 10)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    _, err = process.communicate(timeout=20)
    assert process.returncode == 130 and "Traceback" not in err
    assert "interrupted: answered trials are kept" in err
    assert slow.children_gone()
    finished = answers(results, "slow")
    assert 8 <= len(finished) < 80
    asked_before = len(slow.asked_ids())
    resumed = run(long_world, results, TASK, "--limit", "80", "--shards", "2", registry=slow.registry)
    assert resumed.status == 0
    assert not set(finished) & set(slow.asked_ids()[asked_before:])
    assert list(answers(results, "slow")) == ids(long_world)[:80]


def test_second_scheduler_says_so_and_leaves_the_run_alone(long_world, tmp_path):
    gate = tmp_path / "go on"
    slow = SlowRunner(tmp_path, milliseconds=0, gate=gate)
    results = tmp_path / "results"
    first = start(long_world, results, TASK, "--limit", "40", registry=slow.registry)
    wait_until(lambda: slow.asked_ids())
    before = snapshot(results)
    second = run(long_world, results, TASK, "--limit", "40", registry=slow.registry)
    assert second.status == 1
    assert "another process is working on it" in second.err and "Traceback" not in second.err
    assert snapshot(results) == before
    gate.touch()
    first.communicate(timeout=20)
    assert first.returncode == 0
    assert slow.asked_ids() == ids(long_world)[:40]  # each once, by the first


def test_processes_that_a_runner_started_end_with_it(long_world, tmp_path):
    pid_file = tmp_path / "helper"
    body = f"""
import subprocess
helper = subprocess.Popen(["sleep", "60"])
open({str(pid_file)!r}, "a").write(f"{{helper.pid}} ")
return "yes\""""
    runner = native_runner(tmp_path / "forking.py", body)
    registry = write_registry(tmp_path / "registry.tsv", {"model": "forking", "runner": runner})
    assert run(long_world, tmp_path / "results", TASK, "--limit", "2", registry=registry).status == 0
    wait_until(lambda: not any(alive(int(pid)) for pid in pid_file.read_text().split()), seconds=2)

"""A runner that takes several jobs loads its model once; one that knows nothing of jobs does not notice."""

import json

import pytest

from inference.contract import read_environments
from inference.runs import begin, open_trials
from inference.scheduler import Job, Slots, group, split
from meta.errors import InputError
from tests.inference.support import TASK, answers, ids, planned_run, run, write_registry

RUNNER = """
import os
from inference.contract import main

def load(environment):
    open({log!r}, "a").write("load ")
    return environment.task

def answer(model, trial):
    open({log!r}, "a").write(trial.stimulus_id + " ")
    {action}
    return "yes"

if __name__ == "__main__":
    main(load, answer)
"""
CONDITIONS = ("--conditions", "base,refined,flipped", "--limit", "3")


def ask(world, folder, jobs, *options, action="pass"):
    """Run a runner on three runs of three trials; return the outcome and what it logged."""
    log = folder / "log"
    log.write_text("")
    runner = folder / "runner.py"
    runner.write_text(RUNNER.format(log=str(log), action=action), encoding="utf-8")
    registry = write_registry(folder / "registry.tsv", {"model": "fake", "runner": runner, "jobs": jobs})
    outcome = run(world, folder / "results", TASK, *CONDITIONS, *options, registry=registry)
    return outcome, log.read_text().split()


@pytest.mark.parametrize(("jobs", "cpus", "loads"), [("many", "1", 1), ("many", "2", 2), ("one", "2", 3)])
def test_a_model_is_loaded_once_a_process(world, tmp_path, jobs, cpus, loads):
    outcome, log = ask(world, tmp_path, jobs, "--jobs", cpus)
    assert outcome.status == 0, outcome
    assert log.count("load") == loads and len(log) == loads + 9
    for stem in (TASK, f"{TASK}@refined", f"{TASK}@flipped"):
        table = (tmp_path / "results" / "fake" / f"{stem}.csv").read_text()
        assert table == "stimulus_id,model_answer\n" + "".join(f"{name},yes\n" for name in ids(world)[:3])


def test_a_death_amid_several_jobs_loses_nothing_and_the_rest_is_asked_once_more(world, tmp_path):
    flag = tmp_path / "flag"
    action = f"os.path.exists({str(flag)!r}) or len(open({str(tmp_path / 'log')!r}).read().split()) < 6 or (open({str(flag)!r}, 'w').close(), os._exit(7))"  # fmt: skip  # noqa: E501
    outcome, log = ask(world, tmp_path, "many", "--jobs", "1", action=action)
    assert outcome.status == 0, outcome
    assert "ended with status 7, 5 trials left open" in outcome.err
    assert log.count("load") == 2
    assert len(log) == 2 + 9 + 1  # only the trial on which it died was asked twice
    assert list(answers(tmp_path / "results", "fake")) == ids(world)[:3]


def test_jobs_are_dealt_to_no_more_processes_than_slots_evenly(world, tmp_path):
    planned = planned_run(world, tmp_path / "results", limit=7, takes_jobs=True)
    begin(planned)
    jobs = split(planned, open_trials(planned), 7)
    assert [batch.size for batch in group(jobs, Slots(3, []))] == [3, 2, 2]
    assert [batch.size for batch in group(jobs, Slots(1, []))] == [7]
    large = planned._replace(model=planned.model._replace(gpus=2))
    on_gpus = [Job(large, job.trials, job.part) for job in jobs]
    assert [batch.size for batch in group(on_gpus, Slots(8, ["0", "1", "2", "3", "4"]))] == [4, 3]


def test_a_runner_without_jobs_gets_a_process_a_job(world, tmp_path):
    planned = planned_run(world, tmp_path / "results", limit=7)
    begin(planned)
    assert [batch.size for batch in group(split(planned, open_trials(planned), 3), Slots(1, []))] == [3, 2, 2]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not a JSON list of jobs"),
        ("[1]", "is not a JSON list"),
        ("[]", "it is empty"),
        ('[{"TASK": "t"}]', "lacks META_DIR, RESULTS_ROOT"),
    ],
)
def test_a_damaged_list_of_jobs_is_an_error(monkeypatch, tmp_path, content, message):
    path = tmp_path / "jobs.json"
    path.write_text(content)
    for name, value in {"JOBS": str(path), "DATA_ROOT": "d", "MODEL": "m"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match=message):
        read_environments()


def test_a_job_whose_task_leaves_its_folder_is_refused(monkeypatch, tmp_path):
    path = tmp_path / "jobs.json"
    path.write_text(json.dumps([{"TASK": "../t", "META_DIR": "m", "RESULTS_ROOT": "r"}]))
    for name, value in {"JOBS": str(path), "DATA_ROOT": "d", "MODEL": "m"}.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(InputError, match="is not a name"):
        read_environments()

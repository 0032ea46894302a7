"""The ideal observer answers from audio and question alone."""

import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter, defaultdict

import pytest

from generators.rendering import Order, render_all
from inference.contract import VIEW_COLUMNS
from meta import META_DIR, PROJECT_ROOT
from meta.csvfile import format_table
from meta.loader import load_rows, task_columns
from meta.registry import load_tasks
from meta.results import read_answers, read_errors
from meta.trials import load_conditions, load_trials

TASKS = load_tasks()
WRAPPER = """
import importlib.abc, pathlib, runpy, sys

class Blind(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("generators", "tools") or name.startswith("meta.builders"):
            raise ImportError(f"{name} is not there")

here, runner = pathlib.Path(sys.argv[1]), sys.argv[2]
sys.meta_path.insert(0, Blind())
import inference, meta
assert pathlib.Path(inference.__file__).is_relative_to(here), inference.__file__
assert pathlib.Path(meta.__file__).is_relative_to(here), meta.__file__
for hidden in ("generators", "meta.builders"):
    try:
        __import__(hidden)
    except ImportError:
        continue
    raise SystemExit(f"{hidden} can be imported")
runpy.run_path(runner, run_name="__main__")
"""


def sample(task):
    """Return rows that show, twice each, every trial class with every label, every order of the options and every
    value of the columns that list theirs."""
    listed = [column.name for column in task_columns(task) if column.choices]
    taken, seen = [], Counter()
    for row in load_rows(task):
        facts = {(row["trial_class"], row["gt_label"], row["illusion_label"]), tuple(row["options"])}
        facts |= {(name, row[name]) for name in listed}
        if any(seen[fact] < 2 for fact in facts):
            seen.update(facts)
            taken.append(row)
    return taken


@pytest.fixture(scope="module")
def foreign(tmp_path_factory):
    """A place with the inference room and meta's code, without any dataset; and clips of a sample of each task."""
    folder = tmp_path_factory.mktemp("foreign")
    skip = shutil.ignore_patterns("__pycache__", "*.tsv")
    shutil.copytree(PROJECT_ROOT / "inference", folder / "project" / "inference", ignore=skip)
    (folder / "project" / "meta").mkdir()
    for path in META_DIR.glob("*.py"):
        shutil.copy(path, folder / "project" / "meta")
    work = [(task, sample(task)) for task in TASKS.values()]
    for outcome in render_all(work, Order(out=folder / "rendered"), 1, META_DIR):
        assert not outcome.message, outcome.message
    return folder, {task.name: rows for task, rows in work}


@pytest.mark.parametrize("condition", ["base", "refined", "flipped"])
@pytest.mark.parametrize("name", TASKS)
def test_answers_follow_the_audio_when_ids_are_renamed_and_files_swapped(foreign, tmp_path, name, condition):
    folder, samples = foreign
    task, rng = TASKS[name], random.Random(f"{name}/{condition}")
    wanted = {row["stimulus_id"] for row in samples[name]}
    trials = [t for t in load_trials(task, load_conditions(task.family)[condition]) if t.stimulus_id in wanted]
    heard = list(trials)  # which trial's audio lies under each question
    for turn in range(2):  # swap files in two rings, each of one trial a label
        ring = [[n for n, trial in enumerate(trials) if trial.gt_label == label][turn] for label in trials[0].options]
        for here, there in zip(ring, ring[1:] + ring[:1], strict=True):
            heard[here] = trials[there]
    new_ids = [f"t{number}" for number in rng.sample(range(10**6), len(trials))]
    view, data, results = tmp_path / "view", tmp_path / "data", tmp_path / "results"
    view.mkdir()
    rows = []
    for new_id, trial, source in zip(new_ids, trials, heard, strict=True):
        (data / name / new_id).mkdir(parents=True)
        shutil.copy(
            folder / "rendered" / name / source.stimulus_id / f"{source.stimulus_id}.wav",
            data / name / new_id / f"{new_id}.wav",
        )
        options = json.dumps(trial.options)
        rows.append(dict.fromkeys(VIEW_COLUMNS, "") | {
            "stimulus_id": new_id, "question": trial.question, "options": options,
        })  # fmt: skip
    rng.shuffle(rows)
    (view / f"{name}.csv").write_text(format_table(VIEW_COLUMNS, rows), encoding="utf-8")
    project = folder / "project"
    done = subprocess.run(
        [sys.executable, "-c", WRAPPER, str(project), str(project / "inference" / "runners" / "ideal_observer.py")],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if name != "ILLUSION"}
        | {"TASK": name, "META_DIR": str(view), "DATA_ROOT": str(data), "RESULTS_ROOT": str(results)}
        | {"MODEL": "blind", "PYTHONPATH": str(project)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert read_errors(results / "blind" / f"{name}.errors.csv") == {}
    truth = {new_id: source.gt_label for new_id, source in zip(new_ids, heard, strict=True)}
    assert read_answers(results / "blind" / f"{name}.csv") == truth


@pytest.mark.parametrize("name", TASKS)
def test_sample_covers_every_trial_class_and_option(name):
    rows, all_rows = sample(TASKS[name]), load_rows(TASKS[name])
    for column in ("trial_class", "gt_label", "illusion_label"):
        assert {row[column] for row in rows} == {row[column] for row in all_rows}
    classes = defaultdict(set)
    for row in all_rows:
        classes[row["trial_class"]].add(row["gt_label"])
    for row in rows:
        classes[row["trial_class"]].discard(row["gt_label"])
    assert not any(classes.values())

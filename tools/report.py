"""What one call of ``compute_metrics.py`` scores, and the forms in which it is shown."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from meta.csvfile import format_record
from meta.errors import InputError, unknown
from meta.registry import Task, find_tasks, load_tasks
from meta.results import result_files
from meta.trials import Subset, find_condition, load_conditions
from tools.averages import Missing, Plan
from tools.estimates import WILSON, ScoreRow
from tools.illusions import is_baseline
from tools.results_folder import ILLUSIONS, ResultId, list_models, list_results, plan_task, read_result
from tools.scores import Answered, PlannedTask, Scores, score, signature
from tools.tables import Table, as_markdown, as_text, average_table, render, task_table

NO_AUDIO = "none"  # how a signature says that a baseline hears nothing


class Report:
    """What one call scores, and the forms in which it is shown."""

    def __init__(
        self, results_dir: Path, meta_dir: Path, subset: Subset, n_bootstrap: int, seed: int, ci: str = WILSON
    ) -> None:
        self.results_dir = results_dir
        self.meta_dir = meta_dir
        self.subset = subset
        self.n_bootstrap = n_bootstrap
        self.seed = seed
        self.ci = ci
        self.tasks: dict[str, Task] = {}
        self.plans: dict[str, Plan] = {}  # by condition, as all that follow
        self.planned: dict[str, list[PlannedTask]] = {}
        self.answered: dict[str, list[Answered]] = {}
        self.scores: dict[str, Scores] = {}
        self.problems: list[str] = []

    def collect(self, models: Sequence[str], tasks: Sequence[str], conditions: Sequence[str]) -> None:
        """Read and score everything that the options choose."""
        self.read(models, tasks, conditions)
        for condition, planned in self.planned.items():
            if self.answered[condition] or len(self.planned) == 1:
                plan, answered = self.plans[condition], self.answered[condition]
                self.scores[condition] = score(plan, planned, answered, self.n_bootstrap, self.seed, self.ci)

    def read(self, models: Sequence[str], tasks: Sequence[str], conditions: Sequence[str]) -> None:
        """Read everything that the options choose; problems of single files are kept for the end."""
        self._plan(tasks, conditions)
        for model in list_models(self.results_dir, models):
            if is_baseline(model):
                self.problems.append(
                    f"{Path(self.results_dir) / model}: names in brackets are reserved for baselines; rename the folder"
                )
                continue
            for result in list_results(self.results_dir, model):
                self._read(result)
        if not any(self.answered.values()) and not self.problems:
            raise InputError(f"{self.results_dir}: holds no results for the tasks and conditions chosen")

    def _plan(self, tasks: Sequence[str], conditions: Sequence[str]) -> None:
        self.tasks = load_tasks(self.meta_dir)
        chosen = find_tasks(tasks, self.meta_dir)
        others = [task.name for task in chosen if task.family != ILLUSIONS]
        if others and tasks and list(tasks) != ["all"]:
            raise InputError(f"{', '.join(others)}: not an illusion; this command scores the illusions")
        illusions = [task for task in chosen if task.family == ILLUSIONS]
        if not illusions:
            raise InputError(f"{Path(self.meta_dir) / 'tasks.csv'}: has no tasks of the family {ILLUSIONS}")
        names = list(conditions) or [""]
        if names == ["all"]:
            names = list(load_conditions(ILLUSIONS, self.meta_dir))
        for name in names:
            condition = find_condition(ILLUSIONS, name, self.meta_dir).name
            self.plans[condition] = Plan(condition, {task.name: task.illusion_class for task in illusions})
            plans = (self._plan_task(task, condition) for task in illusions)
            self.planned[condition] = [task for task in plans if task is not None]
            self.answered[condition] = []

    def _plan_task(self, task: Task, condition: str) -> PlannedTask | None:
        """Return a task with its trials, or None, with a problem, if meta does not hold them."""
        try:
            return plan_task(task, condition, self.subset, self.meta_dir)
        except InputError as error:
            if str(error) not in self.problems:  # the same under every condition
                self.problems.append(str(error))
            return None

    def _read(self, result: ResultId) -> None:
        try:
            task = self._task_of(result)
            if task is not None:
                self.answered[task.condition].append(read_result(self.results_dir, result, task, self.subset))
        except InputError as error:
            self.problems.append(str(error))

    def _task_of(self, result: ResultId) -> PlannedTask | None:
        """Return the planned task that a file answers, or None if it was not chosen."""
        file = result_files(self.results_dir, *result).answers
        try:
            if result.task not in self.tasks:
                raise unknown("task", result.task, self.tasks)
            if self.tasks[result.task].family != ILLUSIONS:
                return None
            condition = find_condition(ILLUSIONS, result.condition, self.meta_dir)
            if result.condition and condition.is_default:
                raise InputError(f"{condition.name} is the default condition; rename the file to {result.task}.csv")
        except InputError as error:
            raise InputError(f"{file}: {error}") from None
        return next((task for task in self.planned.get(condition.name, []) if task.name == result.task), None)

    # --- Forms -----------------------------------------------------------------------------------

    def rows(self) -> list[ScoreRow]:
        """Return the tidy table over all conditions."""
        return [row for scores in self.scores.values() for row in scores.rows]

    def missing(self) -> list[Missing]:
        """Return the averages that are not given."""
        return [missing for scores in self.scores.values() for missing in scores.missing]

    def _tables(self) -> list[Table]:
        tables = []
        for condition, scores in self.scores.items():
            planned = self.planned[condition]
            tables += [task_table(scores.rows, task, self.subset.name, self.signature_lines(task)) for task in planned]
            tables.append(average_table(scores.rows, self.plans[condition], scores.missing))
        return tables

    def signature(self, task: PlannedTask, audio_sha256: str) -> str:
        """Return the signature of scores on a task under the settings of this call."""
        return signature(task, audio_sha256, self.n_bootstrap, self.seed, self.ci)

    def signatures(self, task: PlannedTask) -> dict[str, list[str]]:
        """Return the distinct signatures of a task, with the models whose scores carry each."""
        holders: dict[str, list[str]] = {}
        for item in self.answered[task.condition]:
            if item.task == task.name:
                holders.setdefault(self.signature(task, item.audio_sha256), []).append(item.model)
        return holders

    def signature_lines(self, task: PlannedTask) -> list[str]:
        """Return a line for each distinct signature in the table of a task, with the rows for which it holds."""
        holders = self.signatures(task)
        holders.setdefault(self.signature(task, NO_AUDIO), []).append("baselines")
        return signature_notes(holders)

    def text(self) -> str:
        """Return the tables for the terminal."""
        return render(self._tables(), as_text)

    def markdown(self) -> str:
        """Return the tables in Markdown."""
        return render(self._tables(), as_markdown)

    def csv(self) -> str:
        """Return the tidy table as CSV; an undefined value is empty."""
        return as_csv(ScoreRow._fields, self.rows())

    def json(self) -> str:
        """Return scores by model, task and condition, each with its signature."""
        tasks = {(task.condition, task.name): task for planned in self.planned.values() for task in planned}
        audio = {(c, a.model, a.task): a.audio_sha256 for c, given in self.answered.items() for a in given}
        entries: dict[tuple[str, str, str], dict[str, Any]] = {}
        for row in self.rows():
            key = (row.condition, row.model, row.task)
            if key not in entries:
                entries[key] = {"model": row.model, "task": row.task, "condition": row.condition}
                task = tasks.get((row.condition, row.task))
                if task is not None:
                    heard = NO_AUDIO if is_baseline(row.model) else audio[key]
                    entries[key]["signature"] = self.signature(task, heard)
                entries[key]["scores"] = {}
            value, low, high = (None if v is None else round(v, 6) for v in (row.value, row.low, row.high))
            entries[key]["scores"][row.metric] = {"value": value, "low": low, "high": high, "n": row.n}
        missing = [m._asdict() for m in self.missing()]
        content = {"subset": self.subset.name, "scores": list(entries.values()), "missing_averages": missing}
        return json.dumps({**content, "problems": self.problems}, ensure_ascii=False, indent=1) + "\n"


def signature_notes(holders: Mapping[str, Sequence[str]]) -> list[str]:
    """Return a line for each signature, with the names for which it holds if there are several."""
    if len(holders) == 1:
        return [f"signature: {text}" for text in holders]
    return [f"signature: {text} for {', '.join(names)}" for text, names in holders.items()]


def as_csv(columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> str:
    """Return a tidy table as CSV; an undefined value is empty."""
    return "".join(map(format_record, [columns, *(tuple(map(_cell, row)) for row in rows)]))


def _cell(value: str | float | None) -> str:
    if value is None:
        return ""
    return f"{value:.6f}" if isinstance(value, float) else str(value)

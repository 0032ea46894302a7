"""Results folders for the command, and how it is run over them."""

import json
from pathlib import Path

from click.testing import CliRunner

from meta import META_DIR
from meta.csvfile import format_table
from meta.trials import fingerprint
from tools.metrics_command import main

TASK = "zwicker_tone"


def write(results: Path, model: str, answers: dict[str, str], name: str = TASK) -> Path:
    rows = [{"stimulus_id": stimulus_id, "model_answer": answer} for stimulus_id, answer in answers.items()]
    path = results / model / f"{name}.csv"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(format_table(("stimulus_id", "model_answer"), rows), newline="\n")
    return path


def write_run(results: Path, model: str, trials, subset: str = "", **identity: str) -> None:
    run = {"identity": {"trials_sha256": fingerprint(trials)} | identity, "subset": subset, "record": {}}
    (results / model / f"{TASK}.run.json").write_text(json.dumps(run))


def percepts(trials) -> dict[str, str]:
    return {t.stimulus_id: t.illusion_label for t in trials}


def run(results: Path, *options: str):
    arguments = ["--results", str(results), "--meta", str(META_DIR), "--tasks", TASK, "--bootstrap", "200", *options]
    return CliRunner(mix_stderr=False).invoke(main, arguments)


def expect_problem(result, *words: str) -> None:
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    for word in words:
        assert word in result.stderr

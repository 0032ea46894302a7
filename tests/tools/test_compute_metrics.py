"""The command over a results folder: what it prints, and how it meets bad input."""

import csv
import io
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from click.testing import CliRunner

from meta import META_DIR, PROJECT_ROOT
from meta.csvfile import format_table
from meta.registry import load_tasks
from meta.trials import find_condition, fingerprint, load_trials
from tools.metrics_command import main

TASK = "zwicker_tone"
SCRIPT = PROJECT_ROOT / "tools" / "compute_metrics.py"


@pytest.fixture(scope="module")
def trials():
    task = load_tasks()[TASK]
    return load_trials(task, find_condition(task.family))


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


def test_complete_results_are_scored_with_baselines_and_status_zero(tmp_path, trials) -> None:
    write(tmp_path, "listener", percepts(trials))
    result = run(tmp_path)
    assert result.exit_code == 0, result.output
    line = next(line for line in result.stdout.splitlines() if line.startswith("listener"))
    assert line.split()[1:5] == ["1.000", "0.000", "+1.000", "1.000"]
    assert "(most frequent)" in result.stdout and "(random)" in result.stdout


def test_table_shows_the_constant_percept_with_no_evidence(tmp_path, trials) -> None:
    write(tmp_path, "listener", percepts(trials))
    line = next(line for line in run(tmp_path).stdout.splitlines() if line.startswith("(always yes)"))
    assert line.split()[2:8] == ["1.000", "0.000", "+1.000", line.split()[5], "0.000", "no"]


def test_model_with_many_unreadable_answers_is_marked(tmp_path, trials) -> None:
    write(tmp_path, "mumbler", {t.stimulus_id: "hm" if i % 4 == 0 else "yes" for i, t in enumerate(trials)})
    assert "mumbler !" in run(tmp_path).stdout


def test_csv_holds_the_tidy_table(tmp_path, trials) -> None:
    write(tmp_path, "listener", percepts(trials))
    rows = list(csv.DictReader(io.StringIO(run(tmp_path, "--csv", "-").stdout)))
    assert list(rows[0]) == ["model", "task", "condition", "metric", "value", "low", "high", "n"]
    isi = next(r for r in rows if (r["model"], r["task"], r["metric"]) == ("listener", TASK, "isi"))
    assert (isi["condition"], isi["value"], isi["n"]) == ("base", "1.000000", "432")


def test_json_carries_a_signature(tmp_path, trials) -> None:
    write(tmp_path, "listener", percepts(trials))
    write_run(tmp_path, "listener", trials, audio_sha256="9b1c77e2ffff")
    entry = json.loads(run(tmp_path, "--json", "-").stdout)["scores"][0]
    parts = dict(part.split(":", 1) for part in entry["signature"].split("|"))
    assert len(parts.pop("meta")) == 8
    assert parts == {
        "task": TASK,
        "cond": "base",
        "n": "493",
        "audio": "9b1c77e2",
        "answers": "1",
        "denom": "all",
        "ci": "cluster-bootstrap-200-0",
        "acoumeter": "0.1.0",
    }


def test_markdown_goes_to_a_file(tmp_path, trials) -> None:
    write(tmp_path / "results", "listener", percepts(trials))
    assert run(tmp_path / "results", "--markdown", str(tmp_path / "scores.md")).exit_code == 0
    assert "| listener | 1.000 | 0.000 | +1.000 |" in (tmp_path / "scores.md").read_text()


def test_output_repeats_to_the_byte(tmp_path, trials) -> None:
    write(tmp_path, "m", {t.stimulus_id: ("yes", "no", "hm")[i % 3] for i, t in enumerate(trials)})
    assert run(tmp_path, "--json", "-").stdout == run(tmp_path, "--json", "-").stdout


def test_mini_results_are_scored_as_mini(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts([t for t in trials if t.mini]))
    write_run(tmp_path, "m", trials, subset="mini")
    result = run(tmp_path, "--mini")
    assert result.exit_code == 0, result.output
    assert "subset mini" in result.stdout


def test_whole_results_can_be_scored_as_a_subset(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    assert run(tmp_path, "--limit", "20").exit_code == 0


def test_other_condition_is_read_from_its_own_file_and_labels(tmp_path) -> None:
    task = load_tasks()[TASK]
    flipped = load_trials(task, find_condition(task.family, "flipped"))
    write(tmp_path, "m", percepts(flipped), f"{TASK}@flipped")
    result = run(tmp_path, "--conditions", "flipped", "--csv", "-")
    assert result.exit_code == 0, result.output
    assert f"m,{TASK},flipped,hla,1.000000" in result.stdout


def expect_problem(result, *words: str) -> None:
    assert result.exit_code == 1
    assert isinstance(result.exception, SystemExit)
    for word in words:
        assert word in result.stderr


def test_mini_results_scored_as_if_whole_are_an_error_that_names_the_flag(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts([t for t in trials if t.mini]))
    write_run(tmp_path, "m", trials, subset="mini")
    expect_problem(run(tmp_path), f"{TASK}.csv", "'mini'", "--mini")


def test_limited_results_scored_as_if_whole_are_an_error_that_names_the_flag(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials[:20]))
    write_run(tmp_path, "m", trials, subset="limit 20")
    expect_problem(run(tmp_path), "--limit 20")


def test_joined_subsets_name_each_flag(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials[:20]))
    write_run(tmp_path, "m", trials, subset="mini + limit 20")
    expect_problem(run(tmp_path), "score it with --mini or --limit 20,")


def test_incomplete_results_are_reported_and_the_others_scored(tmp_path, trials) -> None:
    write(tmp_path, "broken", percepts(trials[:-3]))
    write(tmp_path, "whole", percepts(trials))
    result = run(tmp_path)
    expect_problem(result, "broken", "3 of 493 trials have no answer", "resume the run")
    assert "whole " in result.stdout and "broken" not in result.stdout


def test_results_for_unknown_ids_are_an_error(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials) | {"zz_9999": "yes"})
    expect_problem(run(tmp_path), f"{TASK}.csv", "'zz_9999'")


def test_repeated_id_is_an_error_with_its_line(tmp_path, trials) -> None:
    path = write(tmp_path, "m", percepts(trials))
    with path.open("a") as file:
        file.write(f"{trials[0].stimulus_id},no\n")
    expect_problem(run(tmp_path), "line 495", trials[0].stimulus_id)


def test_stale_results_are_an_error(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write_run(tmp_path, "m", trials[:-1])
    expect_problem(run(tmp_path), "stale")


def test_byte_order_mark_is_an_error(tmp_path, trials) -> None:
    path = write(tmp_path, "m", percepts(trials))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    expect_problem(run(tmp_path), "byte-order mark")


def test_results_for_an_unknown_task_are_an_error(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials), "zwiker_tone")
    expect_problem(run(tmp_path), "zwiker_tone", "did you mean zwicker_tone")


def test_results_for_an_unknown_condition_are_an_error(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials), f"{TASK}@fliped")
    expect_problem(run(tmp_path), "fliped", "did you mean flipped")


def test_default_condition_by_name_is_an_error(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials), f"{TASK}@base")
    expect_problem(run(tmp_path), "default condition", f"{TASK}.csv")


def test_misspelt_task_option_is_an_error_with_the_nearest_name(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    expect_problem(run(tmp_path, "--tasks", "shepherd_tone"), "did you mean shepard_tone")


def test_misspelt_model_option_is_an_error(tmp_path, trials) -> None:
    write(tmp_path, "listener", percepts(trials))
    expect_problem(run(tmp_path, "--models", "listner"), "did you mean listener")


def test_empty_results_folder_is_an_error(tmp_path) -> None:
    expect_problem(run(tmp_path), "holds no results")


def test_missing_results_folder_is_an_error(tmp_path) -> None:
    expect_problem(run(tmp_path / "nowhere"), "nowhere")


def test_unwritable_output_is_an_error(tmp_path, trials) -> None:
    write(tmp_path / "results", "m", percepts(trials))
    (tmp_path / "file").write_text("")
    expect_problem(run(tmp_path / "results", "--csv", str(tmp_path / "file" / "scores.csv")), "cannot be written")


def test_trials_that_failed_are_in_the_denominator_as_errors(tmp_path, trials) -> None:
    answers = percepts(trials)
    failed = list(answers)[:100]
    write(tmp_path, "m", {i: a for i, a in answers.items() if i not in failed})
    rows = [{"stimulus_id": i, "error": "CUDA out of memory"} for i in failed]
    (tmp_path / "m" / f"{TASK}.errors.csv").write_text(format_table(("stimulus_id", "error"), rows))
    result = run(tmp_path, "--csv", "-")
    assert result.exit_code == 0, result.output
    assert f"m,{TASK},base,error,{100 / 493:.6f}" in result.stdout


def test_hidden_files_and_folders_are_ignored(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write(tmp_path, ".staging", {"zz": "yes"})
    write(tmp_path, "m", {"zz": "yes"}, f".{TASK}.part")
    assert run(tmp_path).exit_code == 0


def test_variant_is_a_model_of_its_own(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write(tmp_path, "m+int8", percepts(trials))
    assert "m+int8 " in run(tmp_path).stdout


def test_help_answers_within_half_a_second() -> None:
    start = time.perf_counter()
    subprocess.run([sys.executable, str(SCRIPT), "--help"], check=True, capture_output=True)
    assert time.perf_counter() - start < 0.5


def test_command_runs_from_another_folder(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    command = [sys.executable, str(SCRIPT), "--results", str(tmp_path), "--tasks", TASK, "--bootstrap", "100"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr

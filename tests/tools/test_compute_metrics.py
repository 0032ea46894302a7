"""The command over a results folder: what it prints, and how it meets bad input."""

import csv
import io
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from meta import META_DIR, PROJECT_ROOT
from meta.csvfile import format_table
from meta.digests import audio_fingerprint, load_digests
from meta.registry import load_tasks
from meta.trials import find_condition, load_trials
from tests.tools.make_results import TASK, expect_problem, percepts, run, write, write_run
from tools import answers
from tools.estimates import METHODS
from tools.metrics_command import main

SCRIPT = PROJECT_ROOT / "tools" / "compute_metrics.py"


@pytest.fixture(scope="module")
def trials():
    task = load_tasks()[TASK]
    return load_trials(task, find_condition(task.family))


def fingerprint_of_the_audio(trials) -> str:
    return audio_fingerprint(load_digests(TASK), [t.stimulus_id for t in trials])


def write_errors(results: Path, model: str, ids: list[str]) -> None:
    rows = [{"stimulus_id": stimulus_id, "error": "CUDA out of memory"} for stimulus_id in ids]
    (results / model / f"{TASK}.errors.csv").write_text(format_table(("stimulus_id", "error"), rows))


def copy_meta(folder: Path) -> Path:
    """Return a copy of meta's tables that a test may break; it has no digests."""
    folder.mkdir()
    for path in META_DIR.glob("*.csv"):
        shutil.copy(path, folder)
    return folder


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
    accuracy = line.split()[5]
    assert line.split()[2:9] == ["1.000", "0.000", "+1.000", accuracy, accuracy, "0.000", "no"]


def test_table_shows_control_accuracy_over_readable_answers_beside_the_full_one(tmp_path, trials) -> None:
    mute = {t.stimulus_id for t in [t for t in trials if t.trial_class != "illusion"][:10]}
    write(tmp_path, "m", {i: "hm" if i in mute else a for i, a in percepts(trials).items()})
    output = run(tmp_path).stdout
    line = next(line for line in output.splitlines() if line.startswith("m "))
    assert line.split()[4:6] == [f"{51 / 61:.3f}", "1.000"]
    assert "ctl/ok" in output.splitlines()[1]


def test_averages_have_no_column_over_readable_answers(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    lines = run(tmp_path).stdout.splitlines()
    headers = [line for line in lines if line.startswith("model ")]
    assert ["ctl/ok" in header for header in headers] == [True, False]


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
    write_run(tmp_path, "listener", trials, audio_sha256=fingerprint_of_the_audio(trials))
    entry = json.loads(run(tmp_path, "--json", "-").stdout)["scores"][0]
    parts = dict(part.split(":", 1) for part in entry["signature"].split("|"))
    assert len(parts.pop("meta")) == 8
    assert parts == {
        "task": TASK,
        "cond": "base",
        "n": "493",
        "audio": fingerprint_of_the_audio(trials)[:8],
        "answers": str(answers.VERSION),
        "denom": "all",
        "ci": "cluster-bootstrap-200-0",
        "acoumeter": "0.1.0",
    }


def signatures(output: str) -> list[str]:
    return [line for line in output.splitlines() if line.startswith("signature: ")]


def test_table_shows_one_signature_for_models_that_share_it_and_one_for_the_baselines(tmp_path, trials) -> None:
    for model in ("a", "b"):
        write(tmp_path, model, percepts(trials))
    lines = signatures(run(tmp_path).stdout)
    assert [line.rpartition(" for ")[2] for line in lines] == ["a, b", "baselines"]
    assert lines[0].startswith(f"signature: task:{TASK}|cond:base|n:493|meta:")
    assert "|audio:unknown|" in lines[0] and "|audio:none|" in lines[1]


def test_table_shows_a_signature_for_each_audio(tmp_path, trials) -> None:
    for model in ("a", "b"):
        write(tmp_path, model, percepts(trials))
    write_run(tmp_path, "b", trials, audio_sha256=fingerprint_of_the_audio(trials))
    lines = signatures(run(tmp_path).stdout)
    assert [line.rpartition(" for ")[2] for line in lines] == ["a", "b", "baselines"]


def test_signature_names_no_model_where_there_is_but_one_signature(tmp_path, trials) -> None:
    (tmp_path / "(x)").mkdir()  # a problem, so that the baselines are shown alone
    (line,) = signatures(run(tmp_path).stdout)
    assert line.endswith("|acoumeter:0.1.0")


def test_markdown_shows_the_signature_under_the_table(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    output = run(tmp_path, "--markdown", "-").stdout
    assert f"\n\nsignature: task:{TASK}|" in output


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


def test_answers_to_other_audio_than_meta_has_are_stale(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write_run(tmp_path, "m", trials, audio_sha256="9b1c77e2")
    expect_problem(run(tmp_path), f"is stale: the audio that was asked has other digests than meta/digests/{TASK}.csv;")


def test_answers_to_the_audio_that_meta_has_are_current(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write_run(tmp_path, "m", trials, audio_sha256=fingerprint_of_the_audio(trials))
    assert run(tmp_path).exit_code == 0


def test_audio_without_digests_in_meta_is_not_judged(tmp_path, trials) -> None:
    write(tmp_path / "results", "m", percepts(trials))
    write_run(tmp_path / "results", "m", trials, audio_sha256="9b1c77e2")
    assert run(tmp_path / "results", "--meta", str(copy_meta(tmp_path / "meta"))).exit_code == 0


def test_quote_left_open_among_the_answers_loses_no_rows(tmp_path, trials) -> None:
    path = write(tmp_path, "m", percepts(trials))
    ids = [t.stimulus_id for t in trials]
    path.write_text(path.read_text().replace(f"{ids[-3]},", f'{ids[-3]},"'))
    expect_problem(run(tmp_path), "line 492", "a quote is not closed")


def test_quote_left_open_among_the_errors_loses_no_rows(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    ids = [t.stimulus_id for t in trials[:2]]
    (tmp_path / "m" / f"{TASK}.errors.csv").write_text(f'stimulus_id,error\n{ids[0]},"lost\n{ids[1]},lost\n')
    expect_problem(run(tmp_path), ".errors.csv line 2", "a quote is not closed")


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
    write_errors(tmp_path, "m", failed)
    result = run(tmp_path, "--csv", "-")
    assert result.exit_code == 0, result.output
    assert f"m,{TASK},base,error,{100 / 493:.6f}" in result.stdout


def test_recorded_errors_of_answered_trials_change_nothing(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write_errors(tmp_path, "m", [t.stimulus_id for t in trials])
    result = run(tmp_path, "--csv", "-")
    assert result.exit_code == 0, result.output
    assert f"m,{TASK},base,hla,1.000000" in result.stdout


def test_recorded_error_of_an_unknown_id_is_an_error(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write_errors(tmp_path, "m", ["zz_9999"])
    expect_problem(run(tmp_path), f"{TASK}.csv", "'zz_9999'")


@pytest.mark.parametrize("name", ["(random)", "(mine"])
def test_folder_named_like_a_baseline_is_refused_and_the_others_scored(tmp_path, trials, name: str) -> None:
    write(tmp_path, name, percepts(trials))
    write(tmp_path, "m", percepts(trials))
    result = run(tmp_path)
    expect_problem(result, f"{tmp_path / name}: names in brackets are reserved")
    assert "\nm " in result.stdout


def break_missing_fundamental(tmp_path: Path, how: str) -> Path:
    meta = copy_meta(tmp_path / "meta")
    table = meta / "missing_fundamental.csv"
    if how == "missing":
        table.unlink()
    elif how == "broken":
        table.write_text("stimulus_id\n")
    else:
        registry = meta / "tasks.csv"
        registry.write_text(registry.read_text().replace("missing_fundamental", "not_built_yet"))
    return meta


@pytest.mark.parametrize("how", ["missing", "broken", "not_built_yet"])
def test_task_that_meta_does_not_hold_is_reported_and_the_others_scored(tmp_path, trials, how: str) -> None:
    meta = break_missing_fundamental(tmp_path, how)
    write(tmp_path / "results", "m", percepts(trials))
    result = run(tmp_path / "results", "--meta", str(meta), "--tasks", "all")
    expect_problem(result, "not_built_yet" if how == "not_built_yet" else str(meta / "missing_fundamental.csv"))
    assert f"{TASK}, condition base" in result.stdout and "\nm " in result.stdout
    assert "missing_fundamental, condition base" not in result.stdout


def test_average_that_needs_a_task_that_meta_does_not_hold_is_reported_missing(tmp_path, trials) -> None:
    meta = break_missing_fundamental(tmp_path, "missing")
    write(tmp_path / "results", "m", percepts(trials))
    output = run(tmp_path / "results", "--meta", str(meta), "--tasks", f"{TASK},missing_fundamental").stdout
    for name in ("m", "(random)"):
        assert f"{name}: no average over P, as it lacks missing_fundamental" in output


def test_task_that_meta_does_not_hold_is_reported_once_for_all_conditions(tmp_path, trials) -> None:
    meta = break_missing_fundamental(tmp_path, "missing")
    write(tmp_path / "results", "m", percepts(trials))
    result = run(tmp_path / "results", "--meta", str(meta), "--tasks", "all", "--conditions", "all")
    assert result.stderr.count("missing_fundamental.csv") == 1


def test_only_task_that_meta_does_not_hold_is_a_problem(tmp_path, trials) -> None:
    meta = break_missing_fundamental(tmp_path, "missing")
    write(tmp_path / "results", "m", percepts(trials))
    result = run(tmp_path / "results", "--meta", str(meta), "--tasks", "missing_fundamental")
    expect_problem(result, "missing_fundamental.csv")


@pytest.mark.parametrize("other_family", ["", "x,speech,,sound,16000,1,9,option,1/2\n"])
def test_registry_without_illusions_is_an_error(tmp_path, trials, other_family: str) -> None:
    meta = copy_meta(tmp_path / "meta")
    header = (meta / "tasks.csv").read_text().splitlines()[0]
    (meta / "tasks.csv").write_text(f"{header}\n{other_family}")
    write(tmp_path / "results", "m", percepts(trials))
    expect_problem(run(tmp_path / "results", "--meta", str(meta), "--tasks", "all"), "tasks.csv", "has no tasks")


def interval_of(result, metric: str) -> tuple[str, str]:
    row = next(r for r in csv.DictReader(io.StringIO(result.stdout)) if (r["model"], r["metric"]) == ("m", metric))
    return row["low"], row["high"]


def test_method_of_the_intervals_is_wilson_by_default(tmp_path, trials) -> None:
    write(tmp_path, "m", {t.stimulus_id: ("yes", "no")[i % 2] for i, t in enumerate(trials)})
    assert run(tmp_path, "--csv", "-").stdout == run(tmp_path, "--csv", "-", "--ci", "wilson").stdout


@pytest.mark.parametrize("method", ["percentile", "bca"])
def test_other_method_gives_proportions_other_intervals(tmp_path, trials, method: str) -> None:
    write(tmp_path, "m", {t.stimulus_id: ("yes", "no")[i % 2] for i, t in enumerate(trials)})
    results = [run(tmp_path, "--csv", "-", "--ci", name) for name in ("wilson", method)]
    assert interval_of(results[0], "hla") != interval_of(results[1], "hla")


def test_percentile_method_leaves_bootstrapped_metrics_as_they_are(tmp_path, trials) -> None:
    write(tmp_path, "m", {t.stimulus_id: ("yes", "no")[i % 2] for i, t in enumerate(trials)})
    results = [run(tmp_path, "--csv", "-", "--ci", name) for name in ("wilson", "percentile")]
    assert interval_of(results[0], "isi") == interval_of(results[1], "isi")


@pytest.mark.parametrize(("method", "shown"), [("percentile", "cluster-percentile"), ("bca", "cluster-bca")])
def test_method_of_the_intervals_is_in_the_signature(tmp_path, trials, method: str, shown: str) -> None:
    write(tmp_path, "m", percepts(trials))
    assert f"|ci:{shown}-200-0|" in run(tmp_path, "--ci", method).stdout


def test_methods_that_the_command_offers_are_all_there_are() -> None:
    option = next(parameter for parameter in main.params if parameter.name == "ci")
    assert tuple(option.type.choices) == METHODS


@pytest.mark.parametrize("replicates", ["99", "1000001"])
def test_number_of_replicates_out_of_range_is_an_error(tmp_path, trials, replicates: str) -> None:
    write(tmp_path, "m", percepts(trials))
    result = run(tmp_path, "--bootstrap", replicates)
    assert result.exit_code == 2
    assert f"'--bootstrap': {replicates} is not in the range 100<=x<=1000000" in result.stderr


def pipe(command: str, results: Path) -> subprocess.CompletedProcess[str]:
    """Run a shell command in which $SCORE is the command over a results folder."""
    score = f"{sys.executable} {SCRIPT} --results {results} --tasks {TASK} --bootstrap 100"
    bash = ["bash", "-o", "pipefail", "-c", command.replace("$SCORE", score)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    return subprocess.run(bash, capture_output=True, text=True, env=buffered)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
@pytest.mark.parametrize("option", ["", "--csv -", "--help"])
def test_full_stdout_ends_with_a_message_and_status_one(tmp_path, trials, option: str) -> None:
    write(tmp_path, "m", percepts(trials))
    done = pipe(f"$SCORE {option} > /dev/full", tmp_path)
    assert (done.returncode, done.stderr) == (1, "error: stdout: No space left on device\n")


@pytest.mark.parametrize("reader", ["head -1", "true"])
def test_reader_that_stops_early_meets_no_message(tmp_path, trials, reader: str) -> None:
    write(tmp_path, "m", percepts(trials))
    assert pipe(f"$SCORE --csv - | {reader}", tmp_path).stderr == ""


def test_problems_are_reported_to_a_reader_that_stops_early(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials[1:]))
    assert "resume the run" in pipe("$SCORE | true", tmp_path).stderr


def test_tables_are_shown_though_a_file_cannot_be_written(tmp_path, trials) -> None:
    write(tmp_path / "results", "m", percepts(trials))
    (tmp_path / "file").write_text("")
    assert "\nm " in run(tmp_path / "results", "--csv", str(tmp_path / "file" / "scores.csv")).stdout


def test_hidden_files_and_folders_are_ignored(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write(tmp_path, ".staging", {"zz": "yes"})
    write(tmp_path, "m", {"zz": "yes"}, f".{TASK}.part")
    assert run(tmp_path).exit_code == 0


def test_variant_is_a_model_of_its_own(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write(tmp_path, "m+int8", percepts(trials))
    assert "m+int8 " in run(tmp_path).stdout


def test_help_loads_none_of_the_slow_libraries() -> None:
    code = (
        f"import runpy, sys\nsys.argv = ['compute_metrics.py', '--help']\n"
        f"try:\n    runpy.run_path({str(SCRIPT)!r}, run_name='__main__')\nexcept SystemExit:\n    pass\n"
        "assert not {'numpy', 'scipy', 'pandas', 'matplotlib'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_command_runs_from_another_folder(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    command = [sys.executable, str(SCRIPT), "--results", str(tmp_path), "--tasks", TASK, "--bootstrap", "100"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_command_runs_through_a_link(tmp_path, trials) -> None:
    write(tmp_path / "results", "m", percepts(trials))
    (tmp_path / "bin").mkdir()
    link = tmp_path / "bin" / "score"
    link.symlink_to(SCRIPT)
    command = [sys.executable, str(link), "--results", str(tmp_path / "results"), "--tasks", TASK, "--bootstrap", "100"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_command_through_a_linked_folder_leaves_the_names_of_the_tools_alone(tmp_path) -> None:
    (tmp_path / "project").symlink_to(PROJECT_ROOT)
    script = tmp_path / "project" / "tools" / "compute_metrics.py"
    code = f"import sys; sys.argv = [{str(script)!r}, '--help']; sys.path.insert(0, {str(script.parent)!r})\n"
    code += f"import runpy\ntry:\n    runpy.run_path({str(script)!r}, run_name='__main__')\n"
    code += "except SystemExit:\n    import answers"
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert "No module named 'answers'" in done.stderr

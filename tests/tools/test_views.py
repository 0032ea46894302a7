"""The command's comparison, breakdown, prompt sensitivity and signatures over a results folder."""

import csv
import io
import json

import pytest

from meta.digests import audio_fingerprint, load_digests
from meta.registry import load_tasks
from meta.trials import find_condition, load_trials
from tests.tools.make_results import TASK, expect_problem, percepts, run, write, write_run


def load(condition: str = "", name: str = TASK):
    task = load_tasks()[name]
    return load_trials(task, find_condition(task.family, condition))


@pytest.fixture(scope="module")
def trials():
    return load()


def truths(trials) -> dict[str, str]:
    return {t.stimulus_id: t.gt_label for t in trials}


def mumbled(trials) -> dict[str, str]:
    return {t.stimulus_id: "hm" if i % 4 == 0 else t.illusion_label for i, t in enumerate(trials)}


@pytest.fixture
def two_models(tmp_path, trials):
    write(tmp_path, "listener", percepts(trials))
    write(tmp_path, "physicist", truths(trials))
    return tmp_path


def records(result) -> list[dict[str, str]]:
    assert result.exit_code == 0, result.output
    return list(csv.DictReader(io.StringIO(result.stdout)))


# --- Comparison ----------------------------------------------------------------------------------


def compare(results, *options: str):
    return run(results, "--compare", "listener", "physicist", *options)


def test_comparison_shows_values_difference_and_interval(two_models) -> None:
    line = next(line for line in compare(two_models).stdout.splitlines() if line.startswith(f"{TASK} "))
    assert line.split()[:7] == [TASK, "HLA", "1.000", "0.000", "+1.000", "[+1.000,", "+1.000]"]


def test_comparison_names_the_model_with_the_higher_value(two_models) -> None:
    lines = [line for line in compare(two_models).stdout.splitlines() if line.startswith(f"{TASK} ")]
    assert [line.split()[-2] for line in lines] == ["listener", "physicist", "listener", "-"]


def test_comparison_is_written_as_a_tidy_table(two_models) -> None:
    rows = records(compare(two_models, "--csv", "-"))
    assert [row["metric"] for row in rows] == ["hla", "ra", "isi", "control"]


def test_p_value_is_never_written_as_zero(two_models) -> None:
    assert 0 < float(records(compare(two_models, "--csv", "-"))[0]["p_mcnemar"]) < 1e-100


def test_comparison_shows_the_signature_that_both_share(two_models) -> None:
    lines = [line for line in compare(two_models).stdout.splitlines() if line.startswith("signature: ")]
    assert len(lines) == 1 and lines[0].endswith("|acoumeter:0.1.0")


def hear(results, model: str, trials) -> None:
    audio = audio_fingerprint(load_digests(TASK), [t.stimulus_id for t in trials])
    write_run(results, model, trials, audio_sha256=audio)


def test_comparison_of_different_signatures_says_so(two_models, trials) -> None:
    hear(two_models, "listener", trials)
    assert f"! {TASK}: the signatures differ" in compare(two_models).stdout


def test_comparison_of_equal_signatures_says_nothing(two_models, trials) -> None:
    for model in ("listener", "physicist"):
        hear(two_models, model, trials)
    assert "the signatures differ" not in compare(two_models).stdout


def test_signature_of_a_third_model_does_not_matter_to_a_comparison(two_models, trials) -> None:
    write(two_models, "third", percepts(trials))
    hear(two_models, "third", trials)
    assert "the signatures differ" not in compare(two_models).stdout


def test_comparison_with_answers_that_could_not_be_read_is_marked(tmp_path, trials) -> None:
    write(tmp_path, "listener", mumbled(trials))
    write(tmp_path, "physicist", truths(trials))
    assert f"! {TASK}: more than 20 % of the answers of listener could not be read" in compare(tmp_path).stdout


def test_comparison_with_an_unknown_model_is_an_error(two_models) -> None:
    expect_problem(run(two_models, "--compare", "listener", "physicst"), "did you mean physicist")


def test_comparison_without_a_task_in_common_is_an_error(tmp_path, trials) -> None:
    write(tmp_path, "listener", percepts(trials))
    write(tmp_path, "physicist", truths(load("flipped")), f"{TASK}@flipped")
    expect_problem(compare(tmp_path), "listener and physicist have no task that both answered")


def test_incomplete_results_are_reported_and_not_compared(two_models, trials) -> None:
    write(two_models, "physicist", truths(trials[:-3]))
    result = compare(two_models)
    expect_problem(result, "3 of 493 trials have no answer")
    assert f"\n{TASK} " not in result.stdout


def test_comparison_repeats_to_the_byte(two_models) -> None:
    assert compare(two_models, "--json", "-").stdout == compare(two_models, "--json", "-").stdout


def test_comparison_is_over_the_subset(two_models) -> None:
    assert {row["n"] for row in records(compare(two_models, "--mini", "--csv", "-"))} < {str(n) for n in range(200)}


def test_comparison_under_two_conditions_has_a_table_for_each(two_models) -> None:
    flipped = load("flipped")
    for model, answers in (("listener", percepts(flipped)), ("physicist", truths(flipped))):
        write(two_models, model, answers, f"{TASK}@flipped")
    rows = records(compare(two_models, "--conditions", "all", "--csv", "-"))
    assert [row["condition"] for row in rows if row["metric"] == "hla"] == ["base", "flipped"]


def test_model_compared_with_itself_is_an_error(two_models) -> None:
    result = run(two_models, "--compare", "listener", "listener")
    assert (result.exit_code, "needs two models" in result.stderr) == (2, True)


def test_models_named_twice_are_an_error(two_models) -> None:
    result = compare(two_models, "--models", "listener")
    assert (result.exit_code, "leave out --models" in result.stderr) == (2, True)


# --- Breakdown -----------------------------------------------------------------------------------


def test_breakdown_has_a_line_for_each_value(two_models) -> None:
    rows = records(run(two_models, "--models", "listener", "--by", "notch_width_oct", "--csv", "-"))
    assert [row["group"] for row in rows if row["metric"] == "hla"] == ["0.5", "0.75", "1", "1.25", "(empty)"]


def test_breakdown_covers_every_planned_trial(two_models) -> None:
    rows = records(run(two_models, "--models", "listener", "--by", "level_db", "--csv", "-"))
    assert sum(int(row["n"]) for row in rows if row["metric"] in ("hla", "control")) == 493


def test_breakdown_by_the_class_gives_the_scores_of_the_task(two_models) -> None:
    rows = records(run(two_models, "--models", "physicist", "--by", "trial_class", "--csv", "-"))
    assert [row["value"] for row in rows if row["group"] == "illusion"] == ["0", "1", ""]


def test_breakdown_shows_intervals_and_numbers(two_models) -> None:
    output = run(two_models, "--by", "trial_class").stdout
    assert "trial_class" in output.splitlines()[1]
    assert "1.000 [0.991, 1.000]  432" in output


def test_breakdown_by_an_unknown_column_is_an_error_with_the_nearest_name(two_models) -> None:
    expect_problem(run(two_models, "--by", "notch_width"), "did you mean notch_width_oct")


def test_breakdown_names_the_tasks_without_the_column(two_models) -> None:
    result = run(two_models, "--tasks", f"{TASK},shepard_tone", "--by", "notch_width_oct")
    assert "shepard_tone has no column notch_width_oct." in result.stdout


def test_group_of_answers_that_could_not_be_read_is_marked(tmp_path, trials) -> None:
    write(tmp_path, "m", {t.stimulus_id: "hm" if t.trial_class == "control_a" else t.gt_label for t in trials})
    lines = [line for line in run(tmp_path, "--by", "trial_class").stdout.splitlines() if line.startswith("m ")]
    assert ["m !" in line for line in lines] == [True, False, False]


# --- Prompts -------------------------------------------------------------------------------------


def answer_all(results, answer) -> None:
    for condition in ("base", "refined", "flipped"):
        name = TASK if condition == "base" else f"{TASK}@{condition}"
        write(results, "m", {t.stimulus_id: answer(t) for t in load(condition)}, name)


def prompt_values(result) -> dict[str, str]:
    return {row["condition"]: row["value"] for row in records(result) if row["metric"] == "isi"}


def test_prompts_show_every_condition_with_spread_and_bias_free_mean(tmp_path) -> None:
    answer_all(tmp_path, lambda trial: "yes")
    found = prompt_values(run(tmp_path, "--prompts", "--csv", "-"))
    assert found == {"base": "1", "refined": "1", "flipped": "-1", "spread": "2", "bias_free": "0"}


def test_prompts_stand_side_by_side(tmp_path) -> None:
    answer_all(tmp_path, lambda trial: trial.illusion_label)
    lines = run(tmp_path, "--prompts").stdout.splitlines()
    assert lines[1].split()[:6] == ["model", "metric", "base", "refined", "flipped", "spread"]
    assert lines[2].split() == ["m", "HLA", "1.000", "1.000", "1.000", "0.000", "1.000", "[1.000,", "1.000]", "432"]


def test_condition_that_was_not_asked_is_named(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    assert "m: was not asked under refined, flipped" in run(tmp_path, "--prompts").stdout


def test_ternary_task_has_no_bias_free_column(tmp_path) -> None:
    write(tmp_path, "m", percepts(load("", "shepard_tone")), "shepard_tone")
    assert "bias-free [" not in run(tmp_path, "--tasks", "shepard_tone", "--prompts").stdout


def test_condition_with_answers_that_could_not_be_read_is_marked(tmp_path, trials) -> None:
    write(tmp_path, "m", percepts(trials))
    write(tmp_path, "m", mumbled(load("refined")), f"{TASK}@refined")
    line = run(tmp_path, "--prompts").stdout.splitlines()[2]
    assert line.split()[2:5] == ["1.000", line.split()[3], "!"]


# --- Signatures ----------------------------------------------------------------------------------


def test_signatures_are_shown_alone(two_models) -> None:
    (line,) = run(two_models, "--signature").stdout.splitlines()
    assert line.startswith(f"task:{TASK}|cond:base|n:493|") and line.endswith(
        "|acoumeter:0.1.0 for listener, physicist"
    )


def test_different_signatures_have_a_line_each(two_models, trials) -> None:
    hear(two_models, "listener", trials)
    lines = run(two_models, "--signature").stdout.splitlines()
    assert [line.rpartition(" for ")[2] for line in lines] == ["listener", "physicist"]


def test_signatures_are_written_with_their_models(two_models) -> None:
    rows = json.loads(run(two_models, "--signature", "--json", "-").stdout)["rows"]
    assert [row["model"] for row in rows] == ["listener", "physicist"]


# --- All of them ---------------------------------------------------------------------------------

VIEWS = (["--compare", "listener", "physicist"], ["--by", "level_db"], ["--prompts"], ["--signature"])


@pytest.mark.parametrize("view", VIEWS)
def test_view_reports_a_broken_file_with_status_one(two_models, view: list[str]) -> None:
    write(two_models, "listener", {"zz_9999": "yes"}, f"{TASK}@refined")
    expect_problem(run(two_models, "--conditions", "all", *view), "'zz_9999'")


@pytest.mark.parametrize("view", VIEWS)
def test_view_is_written_in_markdown(two_models, tmp_path, view: list[str]) -> None:
    assert run(two_models, *view, "--markdown", str(tmp_path / "view.md")).exit_code == 0
    assert (tmp_path / "view.md").read_text()


def test_two_views_at_once_are_an_error(two_models) -> None:
    result = run(two_models, "--prompts", "--by", "level_db")
    assert (result.exit_code, "--by and --prompts cannot be shown at once" in result.stderr) == (2, True)

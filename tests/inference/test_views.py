"""What a runner gets to see."""

from inference.contract import VIEW_COLUMNS
from inference.runs import begin, open_trials, stage
from meta.csvfile import read_table
from meta.loader import load_rows
from meta.results import ANSWER_COLUMNS
from meta.trials import load_prompt
from tests.inference.support import TASK, World, ids, planned_run


def view(run, trials=None):
    return read_table(stage(run, open_trials(run) if trials is None else trials) / "meta" / f"{TASK}.csv")


def answered_first_two(world: World, results):
    run = planned_run(world, results)
    begin(run)
    first, second = ids(world)[:2]
    run.files.answers.parent.mkdir(parents=True, exist_ok=True)
    run.files.answers.write_text(f"{','.join(ANSWER_COLUMNS)}\n{first},yes\n{second},no\n", encoding="utf-8")
    return run


def test_view_holds_only_unanswered_trials(world, tmp_path):
    run = answered_first_two(world, tmp_path)
    assert [line.values["stimulus_id"] for line in view(run).lines] == ids(world)[2:]


def test_view_holds_only_planned_trials(world, tmp_path):
    run = planned_run(world, tmp_path, limit=3)
    begin(run)
    assert [line.values["stimulus_id"] for line in view(run).lines] == ids(world)[:3]


def test_view_has_no_parameter_columns_and_no_trial_class(world, tmp_path):
    assert view(planned_run(world, tmp_path)).columns == [
        "stimulus_id", "question", "options", "gt_label", "illusion_label",
    ]  # fmt: skip
    assert "trial_class" not in VIEW_COLUMNS


def test_labels_of_a_view_are_blank(world, tmp_path):
    lines = view(planned_run(world, tmp_path)).lines
    assert {line.values[column] for line in lines for column in ("gt_label", "illusion_label")} == {""}


def test_question_of_a_view_is_complete_and_lists_the_options(world, tmp_path):
    run = planned_run(world, tmp_path)
    row = load_rows(run.task, world.meta)[0]
    listed = " or ".join(f'"{option}"' for option in row["options"])
    prompt = load_prompt("choice", world.meta)
    assert view(run).lines[0].values["question"] == prompt.replace("{question}", row["question"]).replace(
        "{options}", listed
    )


def test_view_under_another_condition_keeps_the_tasks_file_name_and_has_its_wording(world, tmp_path):
    run = planned_run(world, tmp_path, condition="refined")
    row = load_rows(run.task, world.meta)[0]
    folder = stage(run, run.planned)
    assert [path.name for path in (folder / "meta").iterdir()] == [f"{TASK}.csv"]
    assert row["question_refined"] in read_table(folder / "meta" / f"{TASK}.csv").lines[0].values["question"]


def test_an_option_that_is_the_word_None_stays_that_word(world, tmp_path):
    run = planned_run(world, tmp_path)
    trial = run.planned[0]._replace(options=("None", "some"))
    assert view(run, [trial]).lines[0].values["options"] == '["None", "some"]'

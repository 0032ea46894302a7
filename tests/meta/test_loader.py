"""The loader accepts the shipped CSVs, and names whatever is wrong with a damaged one."""

import pytest

from meta.csvfile import format_table, read_table
from meta.errors import InputError
from meta.loader import load_rows
from meta.registry import find_tasks, load_tasks
from tests.meta.support import copy_meta, edit_line


@pytest.fixture
def meta(tmp_path):
    return copy_meta(tmp_path)


def load(meta, task="zwicker_tone"):
    return load_rows(load_tasks(meta)[task], meta)


def test_values_are_typed(meta):
    row = load(meta)[0]
    assert isinstance(row["options"], list)
    assert isinstance(row["gain_db"], float)
    assert isinstance(row["noise_ms"], int)
    assert row["context"] == "none" and row["tempo_bpm"] is None


def test_an_option_that_is_the_word_none_works(meta):
    path = meta / "zwicker_tone.csv"
    table = read_table(path)
    for line in table.lines:
        line.values.update({name: "None" for name, value in line.values.items() if value == "no"})
        line.values["options"] = '["yes", "None"]'
    path.write_text(format_table(table.columns, [line.values for line in table.lines]), encoding="utf-8")
    assert {row["gt_label"] for row in load(meta)} == {"None", "yes"}


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("zw_0001", "zw_0002", r"line 3, column stimulus_id: 'zw_0002' is already on line 2"),
        ("zw_0001", "../zw_0001", r"line 2, column stimulus_id: '../zw_0001' is not an id"),
        ("zw_0001", "", r"line 2, column stimulus_id: is empty"),
        (",no,yes,yes,no,", ",nope,yes,yes,no,", r"line 2, column gt_label: 'nope' is not among the options"),
        (",no,yes,yes,no,", ",yes,yes,yes,no,", r"line 2, column illusion_label: an illusion needs a percept"),
        ("illusion,", "control_a,", r"line 2, column illusion_label: a control's percept 'yes' must be its truth 'no'"),
        ("illusion,", "Illusion,", r"line 2, column trial_class: 'Illusion' is not among"),
        (",4000,", ",4 s,", r"line 2, column noise_ms: '4 s' is not a whole number"),
        (",-32,", ",loud,", r"line 2, column level_db: 'loud' is not a decimal number"),
        (",-32,", ",nan,", r"line 2, column level_db: 'nan' is not a decimal number"),
        ('"[""yes"", ""no""]"', '"[""yes""]"', r"line 2, column options: .* at least two different labels"),
        ('"[""yes"", ""no""]"', "yes", r"line 2, column options: 'yes' is not JSON"),
        (",none,", ",nothing,", r"line 2, column context: 'nothing' is not among"),
        (",,,,3.86", ",,,3.86", r"line 2: has 32 fields, the header has 33"),
    ],
)
def test_a_damaged_row_is_named(meta, old, new, message):
    edit_line(meta / "zwicker_tone.csv", 2, old, new)
    with pytest.raises(InputError, match=message):
        load(meta)


def test_a_missing_row_is_noticed(meta):
    path = meta / "zwicker_tone.csv"
    path.write_text("".join(path.read_text().splitlines(keepends=True)[:-1]))
    with pytest.raises(InputError, match="has 492 rows, tasks.csv plans 493"):
        load(meta)


def test_a_byte_order_mark_is_refused(meta):
    path = meta / "zwicker_tone.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    with pytest.raises(InputError, match="byte-order mark"):
        load(meta)


def test_a_task_without_a_builder_is_named(meta):
    path = meta / "tasks.csv"
    path.write_text(path.read_text() + "new_task,illusions,P,sound,16000,1,10,option,1/2\n")
    with pytest.raises(InputError, match="names new_task, but meta/builders/illusions/new_task.py is missing"):
        load(meta, "new_task")


def test_a_task_whose_csv_was_not_built_is_named(meta):
    (meta / "zwicker_tone.csv").unlink()
    with pytest.raises(InputError, match="is missing; build it with python -m generators meta zwicker_tone"):
        load(meta)


def test_a_registry_without_tasks_is_an_error(meta):
    path = meta / "tasks.csv"
    path.write_text(path.read_text().split("\n")[0] + "\n")
    with pytest.raises(InputError, match="has no tasks"):
        load_tasks(meta)


def test_a_misspelt_task_is_answered_with_the_nearest(meta):
    with pytest.raises(InputError, match='unknown task "shepard": did you mean shepard_tone'):
        find_tasks(["shepard"], meta)


def test_all_and_no_name_mean_every_task_in_registry_order(meta):
    names = [task.name for task in load_tasks(meta).values()]
    assert [task.name for task in find_tasks(["all"], meta)] == names
    assert [task.name for task in find_tasks([], meta)] == names
    assert [task.name for task in find_tasks(["all", names[1]], meta)] == names
    assert [task.name for task in find_tasks(reversed(names), meta)] == names


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("zwicker_tone,illusions", "../zwicker,illusions", "column task: '../zwicker' is not a name"),
        ("zwicker_tone,illusions", "zwicker_tone,../illusions", "column family"),
        ("zwicker_tone,", "shepard_tone,", "column task: 'shepard_tone' is there twice"),
        (",P,", ",X,", "column illusion_class"),
        (",493,", ",many,", "column planned_rows: 'many' is not a positive whole number"),
        (",493,", ",49³,", "column planned_rows: '49³' is not a positive whole number"),
        (",1/2", ",half", "column chance: 'half' is not a fraction"),
    ],
)
def test_a_damaged_registry_is_named(meta, old, new, message):
    edit_line(meta / "tasks.csv", 4, old, new)
    with pytest.raises(InputError, match=f"tasks.csv line 4, {message}"):
        load_tasks(meta)

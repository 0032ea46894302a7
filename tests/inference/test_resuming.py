"""Shards, torn files and subsets: the results are the same bytes whatever happened on the way."""

import pytest

from inference.runs import _merge_rows, begin, open_trials, stage
from tests.inference.support import (
    HARD_TEXTS,
    TASK,
    answers,
    ids,
    native_runner,
    planned_run,
    run,
    run_record,
    write_registry,
)

TORN_TEXT = 'naïve 日本語 🎵, he said "no"\nand\r\nleft\ralone'


def results_file(results, model, stem=TASK):
    return results / model / f"{stem}.csv"


@pytest.fixture
def hard_answers(tmp_path):
    """A registry with a runner that answers the hard texts, by the number in the trial's id."""
    body = f"""
    texts = {HARD_TEXTS!r}
    return texts[int(trial.stimulus_id[-4:]) % len(texts)]
    """
    runner = native_runner(tmp_path / "hard.py", "\n".join(line.strip() for line in body.splitlines()))
    return write_registry(tmp_path / "registry.tsv", {"model": "hard", "runner": runner})


def test_file_cut_at_every_byte_of_its_last_row_resumes_to_the_same_bytes(world, tmp_path):
    planned = planned_run(world, tmp_path, limit=3)
    begin(planned)
    first, second, last = (trial.stimulus_id for trial in planned.planned)
    _merge_rows(planned, {first: "yes", second: "no"}, {})
    before = planned.files.answers.read_bytes()
    _merge_rows(planned, {last: TORN_TEXT}, {})
    whole = planned.files.answers.read_bytes()
    assert len(whole) > len(before) + len(TORN_TEXT)
    for length in range(len(before), len(whole)):
        planned.files.answers.write_bytes(whole[:length])
        begin(planned)
        assert [trial.stimulus_id for trial in open_trials(planned)] == [last], length
        _merge_rows(planned, {last: TORN_TEXT}, {})
        assert planned.files.answers.read_bytes() == whole, length


def test_file_cut_in_its_header_is_asked_anew(world, tmp_path):
    planned = planned_run(world, tmp_path, limit=1)
    begin(planned)
    (only,) = planned.planned
    _merge_rows(planned, {only.stimulus_id: "yes"}, {})
    whole = planned.files.answers.read_bytes()
    for length in range(len("stimulus_id,model_answer\n")):
        planned.files.answers.write_bytes(whole[:length])
        assert open_trials(planned) == [only], length
        _merge_rows(planned, {only.stimulus_id: "yes"}, {})
        assert planned.files.answers.read_bytes() == whole, length


def test_staged_file_cut_at_every_byte_of_its_last_row_keeps_its_whole_rows(world, tmp_path):
    planned = planned_run(world, tmp_path, limit=2)
    begin(planned)
    first, second = (trial.stimulus_id for trial in planned.planned)
    before = "stimulus_id,model_answer\n" + f"{first},yes\n"
    whole = (before + f'{second},"naïve 日本語 ""no""\n"\n').encode()
    for length in range(len(before.encode()), len(whole)):
        planned.files.answers.unlink(missing_ok=True)
        staged = stage(planned, planned.planned) / "results" / "fake" / f"{TASK}.csv"
        staged.parent.mkdir()
        staged.write_bytes(whole[:length])
        begin(planned)
        assert [trial.stimulus_id for trial in open_trials(planned)] == [second], length


@pytest.mark.parametrize("cut", [1, 2, 7])
def test_cut_file_resumes_on_the_command_line(world, tmp_path, cut):
    results = tmp_path / "results"
    arguments = (TASK, "--models", "random-guess", "--limit", "4")
    assert run(world, results, *arguments).status == 0
    path = results_file(results, "random-guess")
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    assert run(world, results, *arguments).status == 0
    assert path.read_bytes() == whole


def test_any_number_of_shards_gives_the_same_bytes_in_meta_order(world, tmp_path, hard_answers):
    files = []
    for shards in (1, 2, 7):
        results = tmp_path / f"results{shards}"
        outcome = run(world, results, TASK, "--shards", str(shards), registry=hard_answers)
        assert outcome.status == 0, outcome
        files.append(results_file(results, "hard").read_bytes())
        assert list(answers(results, "hard")) == ids(world)
    assert files[0] == files[1] == files[2]


def test_hard_texts_come_back_as_the_model_gave_them(world, tmp_path, hard_answers):
    results = tmp_path / "results"
    assert run(world, results, TASK, registry=hard_answers).status == 0
    given = answers(results, "hard")
    for stimulus_id in ids(world):
        text = HARD_TEXTS[int(stimulus_id[-4:]) % len(HARD_TEXTS)]
        assert given[stimulus_id] == text.replace("\ud800", "\\ud800")


def test_a_second_run_asks_nothing_and_changes_no_answer(world, tmp_path):
    asked = tmp_path / "asked"
    body = f"open({str(asked)!r}, 'a').write(trial.stimulus_id + '\\n')\nreturn 'yes'"
    runner = native_runner(tmp_path / "counting.py", body)
    registry = write_registry(tmp_path / "registry.tsv", {"model": "counting", "runner": runner})
    results = tmp_path / "results"
    for _ in range(2):
        assert run(world, results, TASK, "--limit", "5", registry=registry).status == 0
    assert asked.read_text().split() == ids(world)[:5]


def test_limit_marks_the_subset_and_a_whole_run_resumes_and_clears_it(world, tmp_path):
    results = tmp_path / "results"
    assert run(world, results, TASK, "--models", "random-guess", "--limit", "3").status == 0
    assert run_record(results, "random-guess")["subset"] == "limit 3"
    first = answers(results, "random-guess")
    assert run(world, results, TASK, "--models", "random-guess").status == 0
    assert run_record(results, "random-guess")["subset"] == ""
    whole = answers(results, "random-guess")
    assert list(whole) == ids(world) and first.items() <= whole.items()


def test_mini_marks_the_subset(world, tmp_path):
    results = tmp_path / "results"
    assert run(world, results, TASK, "--models", "random-guess", "--mini").status == 0
    assert run_record(results, "random-guess")["subset"] == "mini"
    assert 0 < len(answers(results, "random-guess")) < len(ids(world))


def test_a_subset_asked_after_a_whole_run_does_not_mark_it(world, tmp_path):
    results = tmp_path / "results"
    for arguments in ((), ("--limit", "2")):
        assert run(world, results, TASK, "--models", "random-guess", *arguments).status == 0
    assert run_record(results, "random-guess")["subset"] == ""


def test_subsets_asked_in_turn_are_each_named_once(world, tmp_path):
    for limit in (2, 3, 2, 3):
        begin(planned_run(world, tmp_path, limit=limit))
    assert run_record(tmp_path, "fake")["subset"] == "limit 2 + limit 3"

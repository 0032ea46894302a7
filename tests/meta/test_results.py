"""The results folder: names, torn rows, and what is refused."""

import pytest

from meta.errors import InputError
from meta.results import read_answers, read_run, result_files, split_stem


def test_the_default_condition_has_the_plain_name(tmp_path):
    assert result_files(tmp_path, "m", "t").answers == tmp_path / "m" / "t.csv"
    assert result_files(tmp_path, "m", "t", "refined").run == tmp_path / "m" / "t@refined.run.json"
    assert split_stem("t") == ("t", "") and split_stem("t@refined") == ("t", "refined")


@pytest.mark.parametrize("tail", ["b", "b,", "b,yes", 'b,"yes', 'b,"yes\n', 'b,"a ""quoted""\n'])
def test_a_torn_last_row_is_left_out(tmp_path, tail):
    path = tmp_path / "t.csv"
    path.write_text("stimulus_id,model_answer\na,no\n" + tail)
    assert read_answers(path) == {"a": "no"}


def test_a_quote_left_open_further_up_is_an_error_and_no_torn_row(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('stimulus_id,model_answer\na,no\nb,yes"\nc,precious\n')
    with pytest.raises(InputError, match="line 3.* a quote is not closed in 'b,yes\"'"):
        read_answers(path, known_ids={"a", "b", "c"})
    path.write_text('stimulus_id,model_answer\na,no\nb,"yes\nc,precious\n')
    with pytest.raises(InputError, match="line 3.* a quote is not closed"):
        read_answers(path, known_ids={"a", "b", "c"})


def test_a_torn_answer_of_several_lines_is_left_out_whatever_its_words(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text('stimulus_id,model_answer\na,no\nb,"Well,\nmaybe, or not\n')
    assert read_answers(path, known_ids={"a", "b", "c"}) == {"a": "no"}


@pytest.mark.parametrize("content", [b"\x8f\x00junk", b"junk\nmore junk\n", b"stimulus_id,answer\n"])
def test_a_file_that_is_no_results_file_is_an_error(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_answers(path)


@pytest.mark.parametrize("content", [b"", b"stimulus", b"stimulus_id,model_answer", b"stimulus_id,model_answer\n"])
def test_a_file_torn_within_its_header_is_empty(tmp_path, content):
    path = tmp_path / "t.csv"
    path.write_bytes(content)
    assert read_answers(path) == {}


def test_a_row_torn_inside_a_character_is_left_out(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("stimulus_id,model_answer\na,no\nb,é".encode()[:-1])
    assert read_answers(path) == {"a": "no"}


def test_a_repeated_id_is_an_error(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("stimulus_id,model_answer\na,no\nb,yes\na,yes\n")
    with pytest.raises(InputError, match="line 4, column stimulus_id: 'a' is already on line 2"):
        read_answers(path)


def test_a_missing_file_is_empty(tmp_path):
    assert read_answers(tmp_path / "t.csv") == {} and read_run(tmp_path / "t.run.json") is None


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"identity": {}, "subset": "", "record": "x"}',
        '{"identity": {}}',
        '{"identity": 1, "subset": ""}',
    ],
)
def test_a_damaged_run_record_is_an_error(tmp_path, content):
    path = tmp_path / "t.run.json"
    path.write_text(content)
    with pytest.raises(InputError, match="t.run.json"):
        read_run(path)

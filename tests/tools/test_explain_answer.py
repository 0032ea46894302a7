"""The command that shows which rule reads an answer."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from hypothesis import given
from hypothesis import strategies as st

from meta import PROJECT_ROOT
from tools.answers.display import underlined
from tools.answers_command import main

TASK = "missing_fundamental"


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


def test_command_runs_as_a_script() -> None:
    script = PROJECT_ROOT / "tools" / "explain_answer.py"
    shown = subprocess.run(
        [sys.executable, script, "--options", "yes,no", "I think no"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == "no  status ok, rule explicit\n    I think no\n            ^^\n"


def test_help_has_examples() -> None:
    assert 'python tools/explain_answer.py --options yes,no "I think not"' in run("--help").output


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["--options", "yes,no", "I think not"], "-  status unparsed, rule none"),
        (["--options", "rain,wind", "--lettered", "(B)"], "wind  status ok, rule bare"),
        (["--kind", "integer", "10.0"], "10  status ok, rule bare"),
        (["--kind", "count", "each 500 ms"], "-  status unparsed, rule none"),
        (["--kind", "number", "--unit", "Hz", "0.44 kHz"], "440  status ok, rule bare"),
        (["--kind", "letters", "--alphabet", "EG", "Label: E G E"], "EGE  status ok, rule explicit"),
        (["--kind", "binary", "--options", "anomalous,normal", "not anomalous"], "normal  status ok, rule denial"),
        (["--kind", "word", "HELLO"], "hello  status ok, rule bare"),
        (["--kind", "transcript", "go\nhome"], "go\\nhome  status ok, rule whole"),
    ],
)
def test_every_kind_can_be_explained(arguments: list[str], expected: str) -> None:
    assert run(*arguments).output.splitlines()[0] == expected


def test_answer_is_read_from_stdin_whatever_its_bytes() -> None:
    result = run("--options", "yes,no", "-", stdin=b"\xff\x00 **yes**")
    assert result.exit_code == 0
    assert result.output.splitlines()[1:] == ["    \\udcff\\x00 **yes**", "                 ^^^"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["yes"], "needs --options"),
        (["--kind", "binary", "--options", "a", "a"], "PRESENT,ABSENT"),
        (["--kind", "number", "--unit", "ell", "3"], "unknown unit 'ell'"),
        ([], "either a TEXT or --results"),
        (["--results", "results"], "needs --model and --task"),
    ],
)
def test_wrong_use_is_explained(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2 and message in result.output


def results_folder(path: Path, rows: str) -> list[str]:
    (path / "m").mkdir()
    (path / "m" / f"{TASK}.csv").write_text(f"stimulus_id,model_answer\n{rows}")
    return ["--results", str(path), "--model", "m", "--task", TASK]


def first_ids(n: int) -> list[str]:
    lines = (PROJECT_ROOT / "meta" / f"{TASK}.csv").read_text().splitlines()[1 : n + 1]
    return [line.split(",")[0] for line in lines]


def test_results_are_listed_by_stimulus(tmp_path: Path) -> None:
    first, second = first_ids(2)
    result = run(*results_folder(tmp_path, f'{first},"hm\n"\n{second},Yes.\n'))
    assert result.output.splitlines() == [
        f"{first}  -  status unparsed, rule none",
        "    hm\\n",
        f"{second}  yes  status ok, rule bare",
        "    Yes.",
        "    ^^^",
    ]


def test_results_can_be_limited_to_a_status(tmp_path: Path) -> None:
    first, second = first_ids(2)
    result = run(*results_folder(tmp_path, f"{first},hm\n{second},Yes.\n"), "--status", "unparsed")
    assert first in result.output and second not in result.output


def test_missing_results_are_an_error(tmp_path: Path) -> None:
    result = run("--results", str(tmp_path), "--model", "m", "--task", TASK)
    assert result.exit_code == 1 and "there is no such file" in result.output


def test_long_answer_is_shown_around_what_was_read() -> None:
    line, mark = underlined("a" * 1000 + "yes" + "b" * 1000, (1000, 1003))
    assert len(line) < 110
    assert line[mark.index("^") : mark.index("^") + len(mark.strip())] == "yes"


def test_underline_allows_for_wide_characters() -> None:
    assert underlined("答案是B", (3, 4)) == ["答案是B", "      ^"]


@given(st.text(st.characters(exclude_categories=())), st.integers(0, 50), st.integers(1, 50))
def test_no_text_breaks_the_lines(text: str, start: int, length: int) -> None:
    span = (start, start + length) if start + length <= len(text) else None
    lines = underlined(text, span, width=20)
    assert len(lines) == (1 if span is None else 2)
    assert all(line.isprintable() for line in lines)

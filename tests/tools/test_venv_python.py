"""Tools go on in the project's own Python, whichever started them."""

import ast
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from meta import PROJECT_ROOT


def make_project(root: Path, venv_script: str | None) -> list[str]:
    """Return a command that calls use_project_python for a project whose .venv Python is a shell script."""
    if venv_script is not None:
        python = root / ".venv" / "bin" / "python"
        python.parent.mkdir(parents=True)
        python.write_text(f"#!/bin/sh\n{venv_script}\n")
        python.chmod(python.stat().st_mode | stat.S_IXUSR)
    tool = root / "tool.py"
    tool.write_text(
        f"import sys; sys.path.insert(0, {str(PROJECT_ROOT)!r})\n"
        "from tools.venv_python import use_project_python\n"
        f"use_project_python({str(root)!r})\nprint('same', *sys.argv[1:])\n"
    )
    return [sys.executable, str(tool), "--x", "a b"]


def test_project_python_takes_over_with_the_same_arguments(tmp_path) -> None:
    command = make_project(tmp_path, 'echo other "$@"')
    assert subprocess.check_output(command, text=True) == f"other {tmp_path / 'tool.py'} --x a b\n"


def test_python_that_returns_to_itself_does_not_loop(tmp_path) -> None:
    command = make_project(tmp_path, f'exec {sys.executable} "$@"')
    assert subprocess.check_output(command, text=True, timeout=20) == "same --x a b\n"


def test_without_a_virtual_environment_the_running_python_is_kept(tmp_path) -> None:
    assert subprocess.check_output(make_project(tmp_path, None), text=True) == "same --x a b\n"


def test_python_without_the_packages_ends_with_one_message(tmp_path) -> None:
    command = make_project(tmp_path, None)
    bare = [command[0], "-S", "-E", *command[1:]]  # -S: without site-packages
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(bare, capture_output=True, text=True, env=environment)
    assert done.returncode == 1
    assert "click" in done.stderr and "./scripts/quickstart.sh" in done.stderr and "Traceback" not in done.stderr


def test_project_python_without_the_packages_is_to_be_set_up_anew(tmp_path) -> None:
    command = make_project(tmp_path, None)
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / ".venv")], check=True)
    command[0] = str(tmp_path / ".venv" / "bin" / "python")
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert "click" in done.stderr and "rm -rf .venv and run ./scripts/quickstart.sh" in done.stderr


@pytest.mark.parametrize("name", ["__init__.py", "venv_python.py", "compute_metrics.py"])
def test_files_read_before_the_switch_have_no_newer_syntax(name: str) -> None:
    ast.parse((PROJECT_ROOT / "tools" / name).read_text(), feature_version=(3, 4))

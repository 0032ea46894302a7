"""The project as a whole: rooms import only to their left, foreign environments can run the shared code."""

import ast
import importlib
import subprocess
import sys

import pytest

from meta import PROJECT_ROOT

ROOMS = {"meta": {"meta"}, "generators": {"generators", "meta"}, "inference": {"inference", "meta"}}
ROOMS["tools"] = {"tools", "meta", "generators"}
EVERY_ROOM = set(ROOMS) | {"tests", "benchmarks"}


def imported_rooms(path):
    """Return the project's packages that a file imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found & EVERY_ROOM


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_from_rooms_to_its_left(room):
    for path in (PROJECT_ROOT / room).rglob("*.py"):
        assert imported_rooms(path) <= ROOMS[room], path


@pytest.mark.parametrize("room", ["meta", "inference"])
def test_rooms_that_run_in_foreign_environments_parse_as_python_3_9(room):
    for path in (PROJECT_ROOT / room).rglob("*.py"):
        ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


def test_the_metadata_room_needs_the_standard_library_alone_to_be_imported():
    modules = [
        ".".join(path.relative_to(PROJECT_ROOT).with_suffix("").parts)
        for path in (PROJECT_ROOT / "meta").rglob("*.py")
        if path.name != "__init__.py"
    ]
    imports = "".join(f"import {module}\n" for module in modules)
    code = f"import sys\n{imports}assert 'numpy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT_ROOT, check=True)


def test_every_task_has_a_builder_a_generator_and_digests():
    from meta.digests import load_digests
    from meta.registry import load_tasks

    for task in load_tasks().values():
        importlib.import_module(f"meta.builders.{task.family}.{task.name}")
        importlib.import_module(f"generators.{task.family}.{task.name}")
        assert len(load_digests(task.name)) == task.planned_rows


def test_every_pin_is_exact():
    for path in [PROJECT_ROOT / "requirements.txt", *(PROJECT_ROOT / "env_specs").glob("venv_*.txt")]:
        for line in path.read_text(encoding="utf-8").splitlines():
            requirement = line.partition("#")[0].strip()
            assert not requirement or "==" in requirement, f"{path}: {line}"


@pytest.mark.parametrize("script", ["generate_data.sh", "run_models.sh"])
def test_the_scripts_show_help_with_examples(script):
    run = subprocess.run([PROJECT_ROOT / "scripts" / script, "--help"], capture_output=True, text=True, check=True)
    assert f"./scripts/{script} " in run.stdout

"""Shared code runs inside foreign environments: Python 3.9, the standard library and numpy."""

import ast
import sys

import pytest

from meta import PROJECT_ROOT

SHARED = sorted(
    path
    for room in ("meta", "inference")
    for path in (PROJECT_ROOT / room).rglob("*.py")
    if "__pycache__" not in path.parts
)
NATIVE = [PROJECT_ROOT / "inference" / name for name in ("contract.py", "runners/random_guess.py")]
NATIVE += sorted((PROJECT_ROOT / "meta").glob("*.py")) + sorted((PROJECT_ROOT / "inference" / "observer").glob("*.py"))


def names(paths):
    return [str(path.relative_to(PROJECT_ROOT)) for path in paths]


@pytest.mark.parametrize("path", SHARED, ids=names(SHARED))
def test_shared_code_is_python_3_9(path):
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))


@pytest.mark.parametrize("path", SHARED, ids=names(SHARED))
def test_annotations_of_shared_code_are_not_evaluated(path):
    """``X | None`` in an annotation parses under 3.9 and fails there, unless annotations stay text."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    annotated = any(isinstance(node, (ast.AnnAssign, ast.FunctionDef, ast.ClassDef)) for node in ast.walk(tree))
    assert not annotated or any(alias.name == "annotations" for node in imported for alias in node.names)


@pytest.mark.parametrize("path", NATIVE, ids=names(NATIVE))
def test_native_runners_need_the_standard_library_and_numpy_alone(path):
    roots = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            roots |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0
            roots.add((node.module or "").split(".")[0])
    assert roots - set(sys.stdlib_module_names) <= {"numpy", "meta", "inference"}

"""No sample is touched by arithmetic that differs between machines: an allow-list over the generators' source.

What a generator may use is listed; whatever is not listed is refused, under any name.
"""

import ast

import pytest

from meta import PROJECT_ROOT

GENERATORS = PROJECT_ROOT / "generators"
PICTURES = {"show.py"}
STEERING = {"__init__.py", "__main__.py", "building.py", "rendering.py"}  # they hand clips on and have no arithmetic

MODULES = {"__future__", "collections.abc", "dataclasses", "functools", "math", "numpy", "numpy.typing"}
NUMPY = set(
    "abs any arange array asarray ascontiguousarray broadcast_arrays broadcast_to concatenate empty float64 frexp "
    "frombuffer full int16 int64 integer minimum multiply ndarray newaxis rint shape sqrt uint64 where zeros "
    "zeros_like".split()
)
METHODS_REFUSED = set("sum dot mean std var prod cumsum cumprod trace matmul".split())
NAMES_REFUSED = set("sum pow getattr eval exec compile globals vars __import__ __builtins__".split())
SINGLE_PRECISION = {"f4", "<f4", ">f4", "f2", "float32", "float16", "single", "half", "e", "f"}
# (file, what): each is proven exact where it stands, or decides no sample
EXCEPTIONS = {
    ("common/additive.py", "@"),  # whole multiples of 2**-50 below 2**53
    ("common/additive.py", ".sum"),  # checks a limit
    ("common/convolution.py", "import scipy.fft"),  # rounded, under a bound and a guard
    ("common/convolution.py", "np.einsum"),  # norm for the bound
    ("common/convolution.py", "np.square"),  # norm for the bound
    ("common/convolution.py", ".sum"),  # norm for the bound
    ("common/seeding.py", "import hashlib"),
    ("common/seeding.py", "np.random"),  # Philox alone: its raw words are promised for good
    ("common/clip.py", "import contextlib"),
    ("common/clip.py", "import io"),
    ("common/clip.py", "import os"),
    ("common/clip.py", "import pathlib"),
    ("common/clip.py", "import wave"),
    ("common/clip.py", "import soundfile"),  # FLAC, of the int16 samples of a Clip
}
FILES = [path.relative_to(GENERATORS).as_posix() for path in sorted(GENERATORS.rglob("*.py"))]
SAMPLE_FILES = [name for name in FILES if name not in PICTURES | STEERING]


def violations(source, name="illusions/x.py"):
    """Return what a source uses beyond the allow-list."""
    found = [what for node in ast.walk(ast.parse(source)) for what in _refused(node)]
    return sorted({what for what in found if (name, what) not in EXCEPTIONS})


def _refused(node):
    if isinstance(node, ast.Import):
        yield from _refused_import(node)
    elif isinstance(node, ast.ImportFrom):
        yield from _refused_import_from(node)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)):
        if isinstance(node.op, ast.MatMult):
            yield "@"
        if isinstance(node.op, ast.Pow) and not _is_power_of_two(node):
            yield "**"
    elif isinstance(node, ast.Attribute):
        yield from _refused_attribute(node)
    elif isinstance(node, ast.Name) and node.id in NAMES_REFUSED:
        yield node.id
    elif isinstance(node, ast.Constant) and node.value in SINGLE_PRECISION:
        yield repr(node.value)


def _refused_import(node):
    for alias in node.names:
        if alias.name not in MODULES or (alias.asname or alias.name) not in (alias.name, "np"):
            yield f"import {alias.name}"
        if alias.name == "numpy" and alias.asname != "np":
            yield f"import numpy as {alias.asname}"


def _refused_import_from(node):
    own = node.module.split(".")[0] in ("generators", "meta")
    if node.module in ("math", "numpy") or not (own or node.module in MODULES):
        yield f"import {node.module}"
    if any(alias.name == "*" for alias in node.names):
        yield "import *"


def _refused_attribute(node):
    if isinstance(node.value, ast.Name) and node.value.id == "np":
        if node.attr not in NUMPY:
            yield f"np.{node.attr}"
    elif isinstance(node.value, ast.Name) and node.value.id == "math":
        if node.attr != "sqrt":
            yield f"math.{node.attr}"
    elif node.attr in METHODS_REFUSED:
        yield f".{node.attr}"
    elif node.attr.startswith("__"):
        yield node.attr


def _is_power_of_two(node):
    """``2.0**-26`` is exact everywhere; any other power goes through a library."""
    if isinstance(node, ast.AugAssign):
        return False
    exponent = node.right.operand if isinstance(node.right, ast.UnaryOp) else node.right
    base_is_two = isinstance(node.left, ast.Constant) and node.left.value in (2, 2.0)
    return base_is_two and isinstance(exponent, ast.Constant) and isinstance(exponent.value, int)


@pytest.mark.parametrize("name", SAMPLE_FILES)
def test_a_generator_uses_only_what_is_allowed(name):
    assert violations((GENERATORS / name).read_text(encoding="utf-8"), name) == []


@pytest.mark.parametrize("name", sorted(STEERING))
def test_files_that_hand_clips_on_have_no_arithmetic_library(name):
    tree = ast.parse((GENERATORS / name).read_text(encoding="utf-8"))
    imported = {alias.name.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names}
    imported |= {n.module.split(".")[0] for n in ast.walk(tree) if isinstance(n, ast.ImportFrom) and n.module}
    assert not imported & {"numpy", "scipy", "math", "soundfile", "random"}


def test_only_philox_raw_words_are_random():
    source = (GENERATORS / "common" / "seeding.py").read_text(encoding="utf-8")
    calls = [node.attr for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute)]
    assert [
        name for name in calls if name not in ("sha256", "encode", "digest", "frombuffer", "astype", "asarray")
    ] == [name for name in calls if name in ("uint64", "random", "Philox", "random_raw")]


def test_only_int16_samples_are_written():
    source = (GENERATORS / "common" / "clip.py").read_text(encoding="utf-8")
    assert source.count("soundfile.write(") == 1
    assert "soundfile.write(buffer, clip.samples, clip.rate_hz, " in source


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.sin(x)",
        "import numpy as np\nnp.exp(x)",
        "import numpy as np\nnp.float_power(x, 2)",
        "import numpy as np\nnp.hanning(5)",
        "import numpy as np\nnp.geomspace(1, 2)",
        "import numpy as np\nnp.add.reduce(x)",
        "import numpy as np\nnp.dot(a, b)",
        "import numpy as np\nnp.fft.rfft(a)",
        "import numpy as np\nnp.linalg.norm(a)",
        "import numpy as np\nnp.random.default_rng(0).normal()",
        "import numpy as np\nx = np.float32(3)",
        "import numpy as np\nx = np.zeros(3, 'f4')",
        "import numpy as np\nf = np.sin",
        "import numpy as N\nN.sin(x)",
        "import numpy\nnumpy.sin(x)",
        "from numpy import tanh",
        "from numpy.fft import rfft",
        "from numpy.random import default_rng",
        "x ** 0.5",
        "x ** 2",
        "10 ** (level / 20)",
        "HALF = 0.5\n2.0**HALF",
        "x **= 2",
        "x @= y",
        "a @ b",
        "a.sum()",
        "a.dot(b)",
        "sum(values)",
        "pow(x, y)",
        "import math\nmath.sin(1)",
        "import math\nmath.fsum(x)",
        "import math\nmath.erf(x)",
        "from math import *",
        "from math import sin",
        "import cmath",
        "import random",
        "import scipy.signal",
        "from scipy import signal",
        "from scipy.signal import lfilter",
        "import soundfile as sf\nsf.write(path, samples, 16000)",
        "from soundfile import write",
        "import librosa",
        "import torch",
        "import importlib\nimportlib.import_module('scipy.signal')",
        "import numpy as np\ngetattr(np, 'sin')",
        "eval('1')",
        "__import__('numpy')",
        "import numpy as np\nnp.__dict__['sin']",
    ],
)
def test_the_lint_refuses(source):
    assert violations(source)


def test_an_exception_holds_for_its_own_file_only():
    assert violations("a @ b", "common/additive.py") == []
    assert violations("a @ b", "illusions/additive.py") == ["@"]


def test_the_lint_lets_exact_arithmetic_pass():
    source = "import numpy as np\nfrom generators.common.exact import exp2\ny = exp2(x) + 2.0**-26\nnp.rint(y)"
    assert violations(source) == []

"""No sample is touched by arithmetic that differs between machines: the generators' source is checked."""

import ast
from pathlib import Path

import pytest

from meta import PROJECT_ROOT

GENERATORS = PROJECT_ROOT / "generators"
COMMON = GENERATORS / "common"
NOT_SAMPLES = {GENERATORS / "show.py"}  # pictures

TRANSCENDENTAL = set(
    "sin cos tan arcsin arccos arctan arctan2 asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p "
    "power pow float_power hypot cbrt logaddexp sinc i0".split()
)
ORDER_DEPENDENT = set(
    "dot matmul convolve correlate inner outer tensordot vdot interp cumsum mean std var trapezoid".split()
)
RANDOM_ALLOWED = {"Philox"}
# (file, name): the places where each of these is proven exact, or decides no sample
ALLOWED = {
    ("additive.py", "@"),  # whole multiples of 2**-50 below 2**53
    ("additive.py", "sum"),  # checks a limit
    ("convolution.py", "scipy.fft"),  # rounded, under a proven bound and a guard
    ("convolution.py", "sum"),  # norm for the bound
    ("convolution.py", "einsum"),  # norm for the bound
    ("seeding.py", "Philox"),
    ("clip.py", "soundfile.write"),  # of the int16 samples of a Clip
}
FILES = [path for path in sorted(GENERATORS.rglob("*.py")) if path not in NOT_SAMPLES]


def dotted(node):
    """Return ``a.b.c`` of an attribute chain, or an empty string."""
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}".lstrip(".")
    return node.id if isinstance(node, ast.Name) else ""


def violations(source, file_name="x.py"):
    """Return the inexact operations in some source, each as (line, what)."""
    found = []
    own = {node.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef)}
    exact = {"sine", "cosine", "exp2", "log2"}
    for node in ast.walk(ast.parse(source)):
        found += [(getattr(node, "lineno", 0), what) for what in _inexact(node, own | exact)]
    return [(line, what) for line, what in found if (file_name, what) not in ALLOWED]


def _inexact(node, own):
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        yield "@"
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow) and not _is_power_of_two(node):
        yield "**"
    if isinstance(node, (ast.Import, ast.ImportFrom)):
        names = [f"{getattr(node, 'module', '') or ''}.{alias.name}".strip(".") for alias in node.names]
        for name in names:
            if name.startswith(("scipy", "random")):
                yield "scipy.fft" if name.startswith("scipy.fft") else name
            if name.startswith("math.") or (name.startswith("numpy.") and name != "numpy.typing.NDArray"):
                attribute = name.rpartition(".")[2]
                if attribute in TRANSCENDENTAL | ORDER_DEPENDENT or "random" in name:
                    yield attribute
    if isinstance(node, ast.Attribute):
        name, attribute = dotted(node), node.attr
        if name.startswith(("np.random.", "numpy.random.")):
            yield attribute
        elif name.startswith(("np.fft.", "numpy.fft.", "np.linalg.", "numpy.linalg.")):
            yield name
        elif name == "soundfile.write":
            yield name
        elif attribute in TRANSCENDENTAL | ORDER_DEPENDENT and attribute not in ("mean", "std", "var"):
            yield attribute
        elif attribute in ("sum", "mean", "std", "var", "einsum"):
            yield attribute
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        if node.func.id == "pow" or (node.func.id in TRANSCENDENTAL and node.func.id not in own):
            yield node.func.id


def _is_power_of_two(node):
    """``2.0**-26`` and ``value**2`` are exact or one rounding; anything else goes through libm."""
    base, exponent = node.left, node.right
    if isinstance(exponent, ast.UnaryOp):
        exponent = exponent.operand
    whole = isinstance(exponent, ast.Constant) and isinstance(exponent.value, int)
    constant = isinstance(base, ast.Constant) and base.value in (2, 2.0)
    return constant and (whole or (isinstance(exponent, ast.Name) and exponent.id.isupper()))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GENERATORS)))
def test_generators_use_no_inexact_operation(path):
    assert violations(path.read_text(encoding="utf-8"), path.name) == []


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np\nnp.sin(x)",
        "import numpy as np\nnp.exp(x)",
        "import numpy\nnumpy.power(x, 2)",
        "x ** 0.5",
        "10 ** (level / 20)",
        "x ** y",
        "pow(x, y)",
        "import math\nmath.sin(1)",
        "from math import sin\nsin(1)",
        "from numpy import tanh",
        "import scipy.signal",
        "from scipy.signal import lfilter",
        "from scipy import signal",
        "import soundfile\nsoundfile.write(path, samples, 16000)",
        "import numpy as np\nnp.random.default_rng(0).normal()",
        "import numpy as np\nnp.random.seed(0)",
        "from numpy.random import default_rng",
        "import random",
        "a @ b",
        "import numpy as np\nnp.dot(a, b)",
        "import numpy as np\nnp.sum(a)",
        "a.sum()",
        "import numpy as np\nnp.convolve(a, b)",
        "import numpy as np\nnp.cumsum(a)",
        "import numpy as np\nnp.fft.rfft(a)",
        "import numpy as np\nnp.linalg.norm(a)",
    ],
)
def test_the_lint_finds(source):
    assert violations(source)


def test_the_lint_lets_exact_arithmetic_pass():
    source = "import numpy as np\nfrom generators.common.exact import exp2\ny = exp2(x) + 2.0**-26\nnp.rint(y)"
    assert violations(source) == []


def test_only_clip_writes_audio_and_only_as_int16():
    writers = [p for p in FILES if "soundfile.write" in p.read_text(encoding="utf-8")]
    assert writers == [COMMON / "clip.py"]
    assert "soundfile.write(buffer, clip.samples," in Path(writers[0]).read_text(encoding="utf-8")

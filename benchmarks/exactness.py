"""Render under other conditions and compare with the digests: vector unit, BLAS kernel, threads, order, NumPy.

Each variation is proven to be one before it counts: a probe in the same process environment reports the
NumPy version, the vector features in use, and the BLAS kernel and its threads.

    python benchmarks/exactness.py              # all stimuli, a few minutes
    python benchmarks/exactness.py --limit 20   # the first 20 of each task
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
# OpenBLAS kernels in order of preference, and the feature that a CPU needs for each
KERNELS = {
    "x86_64": {"Haswell": "AVX2", "Sandybridge": "AVX", "Nehalem": "SSE42", "SkylakeX": "AVX512_SKX"},
    "aarch64": {"ARMV8": "NEON", "NEOVERSEN1": "ASIMDDP", "CORTEXA57": "NEON"},
}
_PROBE = """
import generators.__main__, json, numpy, threadpoolctl  # the first sets the threads as a render does
core = numpy._core if hasattr(numpy, "_core") else numpy.core
umath = core._multiarray_umath
blas = [pool for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"]
print(json.dumps({
    "numpy": numpy.__version__,
    "features": [name for name, there in umath.__cpu_features__.items() if there],
    "dispatch": list(umath.__cpu_dispatch__),
    "kernel": blas[0].get("architecture", "?") if blas else "none",
    "threads": blas[0]["num_threads"] if blas else 0,
}))
"""


@dataclass(frozen=True)
class Variation:
    """One way to render: process environment, arguments, interpreter, and the proof that it is in force."""

    name: str
    environment: dict[str, str] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()
    python: str = sys.executable
    proof: Callable[[dict], bool] = lambda probe: True


def probe(environment: dict[str, str] | None = None, python: str = sys.executable) -> dict:
    """Return what NumPy and BLAS say of themselves in a new process."""
    run = subprocess.run(
        [python, "-W", "ignore", "-c", _PROBE],
        cwd=ROOT,
        env={**os.environ, **(environment or {})},
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(run.stdout)


def second_python() -> str:
    """Return the Python of the environment with NumPy 1.26, set up if it is missing."""
    subprocess.run([ROOT / "scripts" / "setup_env.sh", "numpy126"], check=True, stdout=subprocess.DEVNULL)
    folder = os.environ.get("ACOUMETER_VENVS") or os.environ.get("AIB_VENVS") or ROOT / ".venvs"
    return str(Path(folder) / "numpy126" / "bin" / "python")


def variations() -> list[Variation]:
    """Return the variations that this machine can have."""
    here = probe()
    vector = [name for name in here["dispatch"] if name in here["features"]]
    without = {"NPY_DISABLE_CPU_FEATURES": " ".join(vector)}
    old = second_python()
    found = [
        Variation("default"),
        Variation("vector unit off", without, proof=lambda p: not set(p["features"]) & set(vector) and bool(vector)),
        *(
            Variation(f"BLAS kernel {kernel}", {"OPENBLAS_CORETYPE": kernel}, proof=_kernel_proof(kernel))
            for kernel in other_kernels(here)
        ),
        Variation("1 BLAS thread", {"OPENBLAS_NUM_THREADS": "1"}, proof=lambda p: p["threads"] == 1),
        Variation("2 BLAS threads", {"OPENBLAS_NUM_THREADS": "2"}, proof=lambda p: p["threads"] == 2),
        Variation("reverse order", arguments=("--order", "reverse")),
        Variation("1 worker", arguments=("--jobs", "1")),
        Variation("2 workers", arguments=("--jobs", "2")),
        Variation("NumPy 1.26", python=old, proof=lambda p: p["numpy"].startswith("1.26.")),
    ]
    return found


def other_kernels(here: dict) -> list[str]:
    """Return two BLAS kernels that the CPU supports and does not use by default."""
    # NumPy 2.4 names groups of features; what it lists under the group names implies the rest.
    implied = {"X86_V2": ["SSE42"], "X86_V3": ["AVX", "AVX2"], "X86_V4": ["AVX512_SKX"]}
    features = set(here["features"]).union(*(implied.get(name, []) for name in here["features"]))
    able = [kernel for kernel, need in KERNELS.get(platform.machine(), {}).items() if need in features]
    others = [kernel for kernel in able if kernel.lower() != here["kernel"].lower()]
    return others[:2]


def _kernel_proof(kernel: str) -> Callable[[dict], bool]:
    return lambda p: p["kernel"].lower() == kernel.lower()


def verify(variation: Variation, arguments: tuple[str, ...] = ()) -> tuple[bool, str]:
    """Prove a variation, then verify under it; return whether all is equal, and what was found."""
    found = probe(variation.environment, variation.python)
    if not variation.proof(found):
        return False, f"not in force: {found}"
    run = subprocess.run(
        [variation.python, "-W", "ignore", "-m", "generators", "render", "--verify", *variation.arguments, *arguments],
        env={**os.environ, **variation.environment},
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    last = run.stdout.strip().splitlines()[-1] if run.stdout.strip() else run.stderr.strip()
    vector = [name for name in found["dispatch"] if name in found["features"]]
    setting = f"NumPy {found['numpy']}, vector {vector[-1] if vector else 'none'}, BLAS {found['kernel']}"
    return run.returncode == 0, f"{last}  ({setting}, {found['threads']} thread(s))"


def main() -> int:
    """Run every variation and print a line each."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--limit", type=int, help="only the first N stimuli of each task")
    limit = parser.parse_args().limit
    failed = False
    for variation in variations():
        good, text = verify(variation, ("--limit", str(limit)) if limit else ())
        failed = failed or not good
        print(f"{variation.name:<24} {'equal' if good else 'DIFFERS'}  {text}", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())

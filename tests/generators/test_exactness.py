"""A sample of every task renders to the same bits whatever the machine does below."""

import pytest

from benchmarks.exactness import other_kernels, probe, second_python, variations, verify


@pytest.fixture(scope="session")
def all_variations():
    return {variation.name: variation for variation in variations()}


@pytest.mark.parametrize(
    "name",
    [
        "default",
        "vector unit off",
        "1 BLAS thread",
        "2 BLAS threads",
        "reverse order",
        "1 worker",
        "2 workers",
        "NumPy 1.26",
    ],
)
def test_the_bits_do_not_depend_on(all_variations, name):
    equal, found = verify(all_variations[name], ("--limit", "15"))
    assert equal, found


def test_the_bits_do_not_depend_on_the_blas_kernel(all_variations):
    kernels = [name for name in all_variations if name.startswith("BLAS kernel")]
    assert len(kernels) == len(other_kernels(probe()))
    for name in kernels:
        equal, found = verify(all_variations[name], ("--limit", "15"))
        assert equal, found


def test_a_variation_that_is_not_in_force_does_not_count(all_variations):
    off = all_variations["vector unit off"]
    without_switch = type(off)("not off", {}, proof=off.proof)
    assert verify(without_switch)[0] is False


def test_the_second_environment_has_another_numpy():
    assert probe(python=second_python())["numpy"] != probe()["numpy"]

"""Sums and differences of scores."""

import numpy as np
import pytest

from tools.estimates import Estimate, bootstrapped, difference, proportion, weighted_sum


def estimate(value: float, seed: int, with_influence: bool = False) -> Estimate:
    rng = np.random.default_rng(seed)
    influence = rng.normal(0, 0.01, size=20) if with_influence else None
    return bootstrapped(value, 50, value + rng.normal(0, 0.1, size=500), influence)


def test_proportion_has_the_interval_of_wilson() -> None:
    assert proportion(0.5, 20)[1:3] == pytest.approx((0.2993, 0.7007), abs=1e-4)


def test_difference_of_a_model_from_itself_has_no_width() -> None:
    a = estimate(0.4, 0)
    assert difference(a, a)[:3] == (0.0, 0.0, 0.0)


def test_difference_is_paired_by_replicates() -> None:
    a = estimate(0.4, 0)
    b = a._replace(value=0.3, replicates=a.replicates - 0.1)
    assert difference(a, b)[:3] == pytest.approx((0.1, 0.1, 0.1))


def test_sum_without_one_of_its_parts_is_undefined() -> None:
    assert weighted_sum([(1, estimate(0.4, 0)), (1, Estimate(None, None, None, 0))], 50, False)[:3] == (None,) * 3


def test_sum_of_parts_without_replicates_has_no_interval() -> None:
    assert weighted_sum([(1, Estimate(0.4, None, None, 9)), (1, estimate(0.2, 0))], 59, False)[1:3] == (None, None)


def test_influences_of_paired_parts_add_up() -> None:
    a, b = estimate(0.4, 0, True), estimate(0.2, 1, True)
    assert difference(a, b).influence == pytest.approx(a.influence - b.influence)


def test_influences_of_independent_parts_stand_side_by_side() -> None:
    parts = [(0.5, estimate(0.4, 0, True)), (0.5, estimate(0.2, 1, True))]
    assert weighted_sum(parts, 100, is_paired=False).influence.size == 40

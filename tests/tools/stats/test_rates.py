"""Sensitivity, criterion and illusion index against hand calculation and published formulas."""

import numpy as np
import pytest
from scipy.stats import norm

from tools.stats import criterion, d_prime, d_prime_2afc, illusion_index, shrunk_rate


def test_shrunk_rate_is_the_log_linear_rule() -> None:
    assert float(shrunk_rate(7 / 10, 10)) == pytest.approx((7 + 0.5) / (10 + 1))


def test_rate_over_no_trials_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 trials"):
        shrunk_rate(0.5, 0)


def test_d_prime_of_equal_class_sizes_is_that_of_hautus_1995() -> None:
    expected = norm.ppf((18 + 0.5) / 21) - norm.ppf((4 + 0.5) / 21)
    assert float(d_prime(18 / 20, 4 / 20, 20)) == pytest.approx(expected)


@pytest.mark.parametrize("rate", [0.0, 1 / 3, 0.7, 1.0])
def test_equal_rates_have_a_d_prime_of_exactly_zero(rate: float) -> None:
    assert float(d_prime(rate, rate, 31)) == 0.0


def test_perfect_d_prime_is_finite() -> None:
    assert float(d_prime(1.0, 0.0, 30)) == pytest.approx(2 * norm.ppf(30.5 / 31))


def test_d_prime_of_two_intervals_is_smaller_by_the_root_of_two() -> None:
    assert float(d_prime_2afc(0.9, 0.2, 20)) == pytest.approx(float(d_prime(0.9, 0.2, 20)) / np.sqrt(2))


def test_criterion_agrees_with_hand_calculation() -> None:
    expected = -(norm.ppf((18 + 0.5) / 21) + norm.ppf((10 + 0.5) / 21)) / 2
    assert float(criterion(18 / 20, 10 / 20, 20)) == pytest.approx(expected)


def test_criterion_of_rates_that_mirror_each_other_is_zero() -> None:
    assert float(criterion(0.8, 0.2, 20)) == pytest.approx(0.0, abs=1e-15)


def test_criterion_of_an_answer_that_is_avoided_is_positive() -> None:
    assert float(criterion(0.3, 0.1, 20)) > 0


def test_illusion_index_is_not_clipped() -> None:
    assert float(illusion_index(0.9, 0.1, 0.6)) == pytest.approx(1.6)


def test_illusion_index_without_a_span_is_undefined() -> None:
    assert np.isnan(illusion_index(0.9, 0.5, 0.5))

"""Statistics against hand calculation and published values."""

import numpy as np
import pytest
from scipy.stats import bootstrap, norm

from tools.stats import (
    bootstrap_sums,
    cluster_sums,
    d_prime,
    illusion_index,
    percentile_interval,
    shrunk_rate,
    wilson_interval,
)


@pytest.mark.parametrize(
    ("hits", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_interval_agrees_with_newcombe_1998_table_1(hits: int, n: int, low: float, high: float) -> None:
    assert wilson_interval(hits, n) == pytest.approx((low, high), abs=5e-5)


def test_wilson_interval_ends_at_one_when_all_hit() -> None:
    assert wilson_interval(20, 20).high == 1.0


def test_wilson_interval_of_no_trials_is_an_error() -> None:
    with pytest.raises(ValueError, match="0 of 0"):
        wilson_interval(0, 0)


def test_shrunk_rate_is_the_log_linear_rule() -> None:
    assert float(shrunk_rate(7 / 10, 10)) == pytest.approx((7 + 0.5) / (10 + 1))


def test_d_prime_of_equal_class_sizes_is_that_of_hautus_1995() -> None:
    expected = norm.ppf((18 + 0.5) / 21) - norm.ppf((4 + 0.5) / 21)
    assert float(d_prime(18 / 20, 4 / 20, 20)) == pytest.approx(expected)


@pytest.mark.parametrize("rate", [0.0, 1 / 3, 0.7, 1.0])
def test_equal_rates_have_a_d_prime_of_exactly_zero(rate: float) -> None:
    assert float(d_prime(rate, rate, 31)) == 0.0


def test_perfect_d_prime_is_finite() -> None:
    assert float(d_prime(1.0, 0.0, 30)) == pytest.approx(2 * norm.ppf(30.5 / 31))


def test_illusion_index_is_not_clipped() -> None:
    assert float(illusion_index(0.9, 0.1, 0.6)) == pytest.approx(1.6)


def test_illusion_index_without_a_span_is_undefined() -> None:
    assert np.isnan(illusion_index(0.9, 0.5, 0.5))


def test_cluster_sums_keep_the_order_of_first_appearance() -> None:
    assert cluster_sums(["b", "a", "b"], [[1.0], [2.0], [4.0]]).tolist() == [[5.0], [2.0]]


def test_bootstrap_draws_as_many_clusters_as_there_are() -> None:
    assert np.all(bootstrap_sums(np.ones((7, 1)), 500, (0,)) == 7.0)


def test_bootstrap_interval_agrees_with_scipy() -> None:
    values = np.random.default_rng(5).normal(size=60)
    ours = percentile_interval(bootstrap_sums(values[:, None], 10_000, (0,))[:, 0] / 60)
    theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, random_state=1).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_interval_over_clusters_is_wider_than_over_trials() -> None:
    values = np.repeat(np.arange(20) % 2, 10)[:, None].astype(float)
    by_cluster = bootstrap_sums(cluster_sums([str(i // 10) for i in range(200)], values), 2000, (0,))
    assert by_cluster.std() > 2 * bootstrap_sums(values, 2000, (0,)).std()


def test_seed_zero_is_a_seed() -> None:
    sums = np.arange(9.0)[:, None]
    first = bootstrap_sums(sums, 200, (0,))
    assert np.array_equal(first, bootstrap_sums(sums, 200, (0,)))
    assert not np.array_equal(first, bootstrap_sums(sums, 200, (1,)))


def test_undefined_replicates_are_left_out_of_an_interval() -> None:
    assert percentile_interval(np.array([np.nan, 1.0, 1.0, np.inf])) == (1.0, 1.0)
    assert percentile_interval(np.array([np.nan])) is None

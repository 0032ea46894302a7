"""Sums over clusters, resampled and with one left out."""

import numpy as np
import pytest
from scipy.stats import bootstrap

from tools.stats import bootstrap_sums, cluster_sums, influence, leave_one_out_sums, percentile_interval


def test_cluster_sums_keep_the_order_of_first_appearance() -> None:
    assert cluster_sums(["b", "a", "b"], [[1.0], [2.0], [4.0]]).tolist() == [[5.0], [2.0]]


def test_bootstrap_draws_as_many_clusters_as_there_are() -> None:
    assert np.all(bootstrap_sums(np.ones((7, 1)), 500, (0,)) == 7.0)


def test_bootstrap_interval_agrees_with_scipy() -> None:
    values = np.random.default_rng(5).normal(size=60)
    ours = percentile_interval(bootstrap_sums(values[:, None], 10_000, (0,))[:, 0] / 60)
    theirs = bootstrap((values,), np.mean, method="percentile", n_resamples=10_000, rng=1).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_interval_over_clusters_is_wider_than_over_trials() -> None:
    values = np.repeat(np.arange(20) % 2, 10)[:, None].astype(float)
    by_cluster = bootstrap_sums(cluster_sums([str(i // 10) for i in range(200)], values), 2000, (0,))
    assert by_cluster.std() > 2 * bootstrap_sums(values, 2000, (0,)).std()


def test_seed_zero_repeats() -> None:
    sums = np.arange(9.0)[:, None]
    assert np.array_equal(bootstrap_sums(sums, 200, (0,)), bootstrap_sums(sums.copy(), 200, (0,)))


def test_seed_zero_is_another_than_one() -> None:
    sums = np.arange(9.0)[:, None]
    assert not np.array_equal(bootstrap_sums(sums, 200, (0,)), bootstrap_sums(sums, 200, (1,)))


def test_models_are_resampled_alike() -> None:
    sums = np.arange(9.0)[:, None]
    assert np.array_equal(bootstrap_sums(2 * sums, 200, (0,)), 2 * bootstrap_sums(sums, 200, (0,)))


def test_sums_without_one_cluster_are_those_of_the_others() -> None:
    assert leave_one_out_sums(np.array([[1.0], [2.0], [4.0]])).tolist() == [[6.0], [5.0], [3.0]]


def test_influences_add_up_to_nothing() -> None:
    assert influence(np.array([0.2, 0.5, 0.3])).sum() == pytest.approx(0.0, abs=1e-15)


def test_influence_on_a_mean_is_the_deviation_of_a_cluster_over_their_number() -> None:
    values = np.array([1.0, 2.0, 6.0])
    left_out = leave_one_out_sums(values[:, None])[:, 0] / 2
    assert influence(left_out) == pytest.approx((values - 3.0) / 3)

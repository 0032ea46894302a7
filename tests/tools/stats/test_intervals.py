"""Intervals against published values and scipy."""

import numpy as np
import pytest
from scipy.stats import binom, bootstrap, skew

from tools.stats import (
    bca_interval,
    bootstrap_sums,
    influence,
    leave_one_out_sums,
    percentile_interval,
    wilson_interval,
)
from tools.stats.intervals import acceleration


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


def half_width_of_300(hits: int) -> float:
    """Return half the width of the percentile interval over 300 episodes, in percent."""
    episodes = (np.arange(300) < hits).astype(float)[:, None]
    interval = percentile_interval(bootstrap_sums(episodes, 10_000, (0,))[:, 0] / 300)
    return 100 * (interval.high - interval.low) / 2


# Table II of the in-context paper, 95 % bootstrap over 300 episodes. Its half-widths are those of the percentile
# interval, whose limit for many resamples are quantiles of a binomial: the normal interval would give 0.7 at 99.7 %,
# Wilson's 0.9, and 0.6 at 0.0 %.
PUBLISHED = [(205, 5.3), (299, 0.5), (0, 0.0), (89, 5.2), (179, 5.7), (40, 3.8), (296, 1.2)]
EPISODE = 100 / 300


@pytest.mark.parametrize(("hits", "published"), PUBLISHED)
def test_published_half_width_over_300_episodes_is_the_limit_of_the_percentile_interval(hits, published) -> None:
    low, high = binom.ppf([0.025, 0.975], 300, hits / 300)
    assert round(EPISODE * (high - low) / 2, 1) == published


@pytest.mark.parametrize(("hits", "published"), PUBLISHED)
def test_half_width_over_300_episodes_is_the_published_one_but_for_resampling(hits: int, published: float) -> None:
    assert half_width_of_300(hits) == pytest.approx(published, abs=EPISODE + 0.05)  # half an episode at either end


@pytest.mark.parametrize(("hits", "published"), [(299, 0.5), (296, 1.2), (0, 0.0)])
def test_half_width_near_the_bounds_is_the_published_one(hits: int, published: float) -> None:
    assert round(half_width_of_300(hits), 1) == published


def test_undefined_replicates_are_left_out_of_an_interval() -> None:
    assert percentile_interval(np.array([np.nan, 1.0, 1.0, np.inf])) == (1.0, 1.0)


def test_replicates_that_are_all_undefined_have_no_interval() -> None:
    assert percentile_interval(np.array([np.nan])) is None


def skewed_mean(n_bootstrap: int = 50_000):
    """Return a skewed sample with replicates of its mean and their influences."""
    values = np.random.default_rng(3).exponential(size=40)
    replicates = bootstrap_sums(values[:, None], n_bootstrap, (0,))[:, 0] / values.size
    left_out = leave_one_out_sums(values[:, None])[:, 0] / (values.size - 1)
    return values, replicates, influence(left_out)


def test_bca_interval_agrees_with_scipy() -> None:
    values, replicates, influences = skewed_mean()
    ours = bca_interval(replicates, values.mean(), influences)
    theirs = bootstrap((values,), np.mean, method="BCa", n_resamples=50_000, rng=1).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.01)


def test_bca_interval_of_a_skewed_mean_differs_from_the_percentile_interval() -> None:
    values, replicates, influences = skewed_mean()
    assert bca_interval(replicates, values.mean(), influences).high > percentile_interval(replicates).high + 0.02


def test_bca_interval_of_two_samples_agrees_with_scipy() -> None:
    rng = np.random.default_rng(8)
    a, b = rng.exponential(size=30), rng.exponential(size=50)
    draws = [bootstrap_sums(v[:, None], 50_000, (0, k))[:, 0] / v.size for k, v in enumerate((a, b))]
    left_out = [leave_one_out_sums(v[:, None])[:, 0] / (v.size - 1) for v in (a, b)]
    influences = np.concatenate([influence(left_out[0] - b.mean()), influence(a.mean() - left_out[1])])
    ours = bca_interval(draws[0] - draws[1], a.mean() - b.mean(), influences)

    def gap(x, y, axis):
        return np.mean(x, axis=axis) - np.mean(y, axis=axis)

    theirs = bootstrap((a, b), gap, method="BCa", n_resamples=50_000, rng=1).confidence_interval
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.02)


def test_acceleration_of_a_mean_is_a_sixth_of_its_skewness_over_the_root_of_n() -> None:
    values, _, influences = skewed_mean(1)
    assert acceleration(influences) == pytest.approx(skew(values) / 6 / np.sqrt(values.size))  # Efron 1987


def test_bca_interval_of_a_value_that_never_changes_is_that_value() -> None:
    assert bca_interval(np.ones(100), 1.0, np.zeros(9)) == (1.0, 1.0)


def test_value_beyond_all_replicates_has_no_bca_interval() -> None:
    assert bca_interval(np.array([0.1, 0.2, 0.3]), 0.4, np.array([0.1, -0.1])) is None


def test_undefined_influence_leaves_no_bca_interval() -> None:
    assert bca_interval(np.array([0.1, 0.2, 0.3]), 0.2, np.array([0.1, np.nan])) is None

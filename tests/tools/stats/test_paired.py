"""Paired tests against scipy, published examples and enumeration."""

import numpy as np
import pytest
from scipy.stats import binomtest, permutation_test

from tools.stats import bootstrap_p, holm, mcnemar_p, sign_flip_p


def scipy_sign_flip(differences, n_resamples=np.inf) -> float:
    done = permutation_test(
        (differences,), np.sum, permutation_type="samples", vectorized=False, n_resamples=n_resamples, rng=1
    )
    return float(done.pvalue)


def test_sign_flip_of_few_clusters_agrees_with_the_exact_test_of_scipy() -> None:
    differences = np.array([3.0, 1.0, -1.0, 2.0, 4.0, -2.0, 1.0, 5.0])
    assert sign_flip_p(differences) == pytest.approx(scipy_sign_flip(differences))


def test_sign_flip_of_fractions_counts_ties_as_extreme() -> None:
    differences = np.array([0.1, 0.2, 0.3, -0.1, 0.6])  # 0.1 + 0.2 is not 0.3
    whole = np.rint(10 * differences)
    assert sign_flip_p(differences) == sign_flip_p(whole)


def test_sign_flip_of_many_clusters_agrees_with_scipy() -> None:
    differences = np.random.default_rng(2).normal(0.25, 1, size=60)
    assert sign_flip_p(differences) == pytest.approx(scipy_sign_flip(differences, 50_000), abs=0.01)


def test_sign_flip_of_fishers_darwin_data_is_the_published_p() -> None:
    # Darwin's 15 pairs of maize in eighths of an inch; Fisher (1935, section 21): 863 of 32,768 on one side
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert sign_flip_p(differences, n_permutations=2**15) == pytest.approx(2 * 863 / 2**15)


def test_drawn_sign_flips_are_near_the_exact_p() -> None:
    differences = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]
    assert sign_flip_p(differences, n_permutations=20_000) == pytest.approx(2 * 863 / 2**15, abs=0.005)


def test_drawn_sign_flips_never_give_zero() -> None:
    assert sign_flip_p(np.ones(100), n_permutations=999) == 1 / 1000


def test_sign_flip_repeats_with_its_seed() -> None:
    differences = np.random.default_rng(4).normal(size=40)
    assert sign_flip_p(differences, seed=(0,)) == sign_flip_p(differences, seed=(0,))


def test_sign_flip_with_another_seed_draws_others() -> None:
    differences = np.random.default_rng(4).normal(size=40)
    assert sign_flip_p(differences, seed=(0,)) != sign_flip_p(differences, seed=(1,))


def test_clusters_without_a_difference_change_no_p() -> None:
    assert sign_flip_p([1.0, 1.0, -1.0, *[0.0] * 500]) == sign_flip_p([1.0, 1.0, -1.0])


def test_no_difference_at_all_has_a_sign_flip_p_of_one() -> None:
    assert sign_flip_p(np.zeros(12)) == 1.0


def test_mcnemar_agrees_with_fay_2010() -> None:
    assert mcnemar_p(2, 9) == pytest.approx(0.06543, abs=5e-6)  # the example of mcnemar.exact in exact2x2


@pytest.mark.parametrize(("a", "b"), [(0, 1), (4, 4), (12, 30), (100, 60)])
def test_mcnemar_agrees_with_the_binomial_test_of_scipy(a: int, b: int) -> None:
    assert mcnemar_p(a, b) == pytest.approx(binomtest(a, a + b).pvalue)


def test_mcnemar_without_discordant_trials_is_one() -> None:
    assert mcnemar_p(0, 0) == 1.0


def test_mcnemar_of_negative_counts_is_an_error() -> None:
    with pytest.raises(ValueError, match="-1 and 3"):
        mcnemar_p(-1, 3)


def test_bootstrap_p_agrees_with_hand_calculation() -> None:
    assert bootstrap_p(np.array([-1.0, *[1.0] * 98])) == pytest.approx(2 * 2 / 100)


def test_bootstrap_p_of_replicates_that_are_all_zero_is_one() -> None:
    assert bootstrap_p(np.zeros(100)) == 1.0


def test_bootstrap_p_agrees_with_the_percentile_interval() -> None:
    replicates = np.random.default_rng(0).normal(2.0, 1.0, size=20_000)
    assert bootstrap_p(replicates) == pytest.approx(0.0455, abs=0.005)  # two-sided, at two standard errors


def test_bootstrap_p_without_replicates_is_none() -> None:
    assert bootstrap_p(np.array([np.nan])) is None


def test_holm_agrees_with_multtest() -> None:
    # the example with which statsmodels checks its Holm against the R package multtest
    raw = [0.838541367553, 0.642193923795, 0.680845947633, 0.967833824309, 0.71626938238]
    raw += [0.177096952723, 5.23656777208e-05, 0.0202732688798, 0.00028140506198, 0.0149877310796]
    expected = [1, 1, 1, 1, 1, 1, 5.23656777208e-04, 1.419128821586e-01, 2.53264555782e-03, 1.199018486368e-01]
    assert holm(raw) == pytest.approx(expected)


def test_holm_never_makes_a_larger_p_the_smaller() -> None:
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_does_not_count_what_is_undefined() -> None:
    assert holm([None, 0.02, None, 0.5]) == [None, 0.04, None, 0.5]

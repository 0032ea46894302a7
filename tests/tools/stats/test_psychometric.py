"""Psychometric fits against published generalised linear models and scipy."""

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.stats import norm

from tools.stats.psychometric import GAUSSIAN, LOGISTIC, NoFit, Shape, bootstrap_fit, fit

# Bliss (1935): beetles exposed to carbon disulphide, log10 dose; fits as in Dobson (2002), section 7.3
DOSE = np.array([1.6907, 1.7242, 1.7552, 1.7842, 1.8113, 1.8369, 1.8610, 1.8839])
EXPOSED = np.array([59, 60, 62, 56, 63, 59, 62, 60])
KILLED = np.array([6, 13, 18, 28, 52, 53, 61, 60])


def as_trials(x, hits, n):
    levels = np.repeat(x, n)
    answered = np.concatenate([np.arange(total) < given for given, total in zip(hits, n, strict=True)])
    return levels, answered


def test_logistic_fit_agrees_with_dobson_2002() -> None:
    found = fit(DOSE, KILLED, EXPOSED)
    assert (found.intercept, found.gain) == pytest.approx((-60.717, 34.270), abs=1e-3)


def test_gaussian_fit_agrees_with_dobson_2002() -> None:
    found = fit(DOSE, KILLED, EXPOSED, Shape(GAUSSIAN))
    assert (found.intercept, found.gain) == pytest.approx((-34.935, 19.728), abs=1e-3)


def test_pse_is_where_half_the_answers_are_given() -> None:
    assert fit(DOSE, KILLED, EXPOSED).pse == pytest.approx(60.717 / 34.270, abs=1e-4)


def test_slope_is_the_derivative_at_the_pse() -> None:
    found, shape = fit(DOSE, KILLED, EXPOSED, Shape(GAUSSIAN)), Shape(GAUSSIAN)
    near = np.array([found.pse - 1e-5, found.pse + 1e-5])
    low, high = shape.rate(found.intercept + found.gain * near)
    assert found.slope == pytest.approx((high - low) / 2e-5, rel=1e-5)


def test_logistic_fit_of_single_trials_agrees_with_the_challenger_analysis() -> None:
    # Dalal, Fowlkes & Hoadley (1989): thermal distress of O-rings by temperature in degrees Fahrenheit, 23 flights
    temperature = [66, 70, 69, 68, 67, 72, 73, 70, 57, 63, 70, 78, 67, 53, 67, 75, 70, 81, 76, 79, 75, 76, 58]
    distress = [0, 1, 0, 0, 0, 0, 0, 0, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]
    found = fit(temperature, distress, np.ones(23))
    assert (found.intercept, found.gain) == pytest.approx((15.043, -0.232), abs=1e-3)


def test_fit_with_guesses_and_lapses_agrees_with_a_direct_search() -> None:
    x, n = np.arange(1.0, 8.0), np.full(7, 80)
    hits = np.array([41, 39, 47, 55, 71, 77, 78])

    def loss(parameters):
        rate = 0.5 + 0.48 * norm.cdf((x - parameters[0]) / parameters[1])
        return -np.sum(hits * np.log(rate) + (n - hits) * np.log(1 - rate))

    expected = minimize(loss, (4.0, 1.0), method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-9})
    found = fit(x, hits, n, Shape(GAUSSIAN, guess=0.5, lapse=0.02))
    assert (found.pse, 1 / found.gain) == pytest.approx(tuple(expected.x), rel=1e-4)


def test_falling_rates_have_a_negative_slope() -> None:
    assert fit(-DOSE, KILLED, EXPOSED).slope < 0


def test_unit_of_the_parameter_scales_the_pse() -> None:
    assert fit(1000 * DOSE + 7, KILLED, EXPOSED).pse == pytest.approx(1000 * fit(DOSE, KILLED, EXPOSED).pse + 7)


@pytest.mark.parametrize("hits", [[0, 0, 10, 10], [10, 10, 0, 0], [0, 4, 10, 10]])
def test_answer_that_changes_at_once_is_refused(hits: list[int]) -> None:
    with pytest.raises(NoFit, match="separable"):
        fit([1, 2, 3, 4], hits, [10] * 4)


@pytest.mark.parametrize("distribution", [LOGISTIC, GAUSSIAN])
def test_step_from_guessing_to_certainty_is_refused(distribution: str) -> None:
    with pytest.raises(NoFit, match="separable"):
        fit([1, 2, 3, 4], [20, 21, 40, 40], [40] * 4, Shape(distribution, guess=0.5))


@pytest.mark.parametrize(("hits", "what"), [([0, 0, 0], "never"), ([9, 9, 9], "always")])
def test_answer_that_is_never_or_always_given_is_refused(hits: list[int], what: str) -> None:
    with pytest.raises(NoFit, match=f"flat: the answer is {what}"):
        fit([1, 2, 3], hits, [9, 9, 9])


def test_answer_that_does_not_change_is_refused() -> None:
    with pytest.raises(NoFit, match="flat: the rate"):
        fit([1, 2, 3, 4], [10, 11, 9, 10], [20] * 4)


def test_one_level_is_refused() -> None:
    with pytest.raises(NoFit, match="1 level"):
        fit([3, 3], [4, 5], [9, 9])


def test_levels_without_trials_are_left_out() -> None:
    assert fit([*DOSE, 9.0], [*KILLED, 0], [*EXPOSED, 0]) == fit(DOSE, KILLED, EXPOSED)


def test_more_hits_than_trials_is_an_error() -> None:
    with pytest.raises(ValueError, match="hits between 0 and n"):
        fit([1, 2], [3, 1], [2, 2])


@pytest.mark.parametrize("rates", [{"guess": -0.1}, {"guess": 0.5, "lapse": 0.5}, {"distribution": "cauchy"}])
def test_shape_that_is_none_is_an_error(rates) -> None:
    with pytest.raises(ValueError, match="neither|no room"):
        Shape(**rates)


def standard_error_of_the_pse(found) -> float:
    """Return the standard error by the delta method, from the information of a logistic fit."""
    rate = 1 / (1 + np.exp(-(found.intercept + found.gain * DOSE)))
    design = np.stack([np.ones(DOSE.size), DOSE])
    covariance = np.linalg.inv((design * EXPOSED * rate * (1 - rate)) @ design.T)
    gradient = np.array([-1.0, found.intercept / found.gain]) / found.gain
    return float(np.sqrt(gradient @ covariance @ gradient))


def test_bootstrap_interval_of_the_pse_is_near_that_of_the_delta_method() -> None:
    levels, killed = as_trials(DOSE, KILLED, EXPOSED)
    found, intervals = bootstrap_fit(levels, killed, [str(i) for i in range(levels.size)])
    margin = 1.96 * standard_error_of_the_pse(found)
    assert intervals.pse == pytest.approx((found.pse - margin, found.pse + margin), abs=0.001)


def test_bootstrap_interval_of_the_slope_holds_the_slope() -> None:
    levels, killed = as_trials(DOSE, KILLED, EXPOSED)
    found, intervals = bootstrap_fit(levels, killed, [str(i) for i in range(levels.size)], n_refits=200)
    assert intervals.slope.low < found.slope < intervals.slope.high


def test_bootstrap_over_clusters_is_wider_than_over_trials() -> None:
    levels, killed = as_trials(DOSE, KILLED, EXPOSED)
    levels, killed = np.repeat(levels, 4), np.repeat(killed, 4)  # every beetle four times
    clusters = [str(i // 4) for i in range(levels.size)]
    _, by_cluster = bootstrap_fit(levels, killed, clusters, n_refits=200)
    _, by_trial = bootstrap_fit(levels, killed, [str(i) for i in range(levels.size)], n_refits=200)
    width = by_trial.pse.high - by_trial.pse.low
    assert by_cluster.pse.high - by_cluster.pse.low > 1.6 * width


def test_bootstrapped_fit_repeats_with_its_seed() -> None:
    levels, killed = as_trials(DOSE, KILLED, EXPOSED)
    clusters = [str(i) for i in range(levels.size)]
    assert bootstrap_fit(levels, killed, clusters, n_refits=50) == bootstrap_fit(levels, killed, clusters, n_refits=50)


def test_resamples_without_a_fit_are_counted() -> None:
    x, answered = [1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4], [0, 0, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1]
    _, intervals = bootstrap_fit(x, answered, [str(i) for i in range(12)], n_refits=200)
    assert 0 < intervals.unfitted < 1

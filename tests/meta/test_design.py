"""The shipped CSVs hold the design: counts, grids, control classes, mini flags, wordings, no shortcut."""

import re
from collections import Counter

import numpy as np
import pytest
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from generators.building import build_csv
from generators.rendering import renderer
from meta import META_DIR
from meta.digests import load_digests
from meta.loader import load_rows
from meta.registry import load_tasks

TASKS = load_tasks()
ROWS = {name: load_rows(task) for name, task in TASKS.items()}
# illusions, controls A, controls P; the same in the mini set (Kim et al. 2026 publish illusions and controls)
COUNTS = {
    "missing_fundamental": ((1080, 89, 89), (108, 44, 44)),
    "shepard_tone": ((1296, 172, 346), (127, 18, 38)),
    "zwicker_tone": ((432, 31, 30), (43, 22, 21)),
}
LEAKS = re.compile(r"illusi|actual|real(ly|ity)|trick|physical|percei", re.IGNORECASE)


@pytest.mark.parametrize("name", TASKS)
def test_building_again_changes_no_byte(name):
    assert build_csv(TASKS[name]) == (META_DIR / f"{name}.csv").read_bytes()


@pytest.mark.parametrize("name", COUNTS)
def test_the_counts_are_the_published_ones(name):
    for mini, expected in zip((False, True), COUNTS[name], strict=True):
        counts = Counter(row["trial_class"] for row in ROWS[name] if not mini or row["mini"])
        assert (counts["illusion"], counts["control_a"], counts["control_p"]) == expected


@pytest.mark.parametrize(
    ("name", "factors", "levels"),
    [
        (
            "missing_fundamental",
            ("f0_hz", "lowest_harmonic", "highest_harmonic", "tilt_db_per_octave", "phase"),
            72 * 5 * 3,
        ),
        (
            "shepard_tone",
            ("start_class", "contour", "step_st", "tone_ms", "envelope", "sigma_oct", "articulation"),
            1296,
        ),
        ("zwicker_tone", ("notch_centre_hz", "notch_width_oct", "noise_ms", "level_db", "slope_db_per_octave"), 432),
    ],
)
def test_the_illusions_fill_their_grid_once(name, factors, levels):
    cells = Counter(tuple(row[f] for f in factors) for row in ROWS[name] if row["trial_class"] == "illusion")
    assert len(cells) == levels and set(cells.values()) == {1}


def test_shepard_controls_have_all_three_answers():
    controls = Counter(row["gt_label"] for row in ROWS["shepard_tone"] if row["trial_class"] != "illusion")
    assert controls == {"up": 173, "down": 173, "same": 172}


@pytest.mark.parametrize("name", TASKS)
def test_control_a_answers_as_the_truth_and_control_p_as_the_percept(name):
    illusions = [row for row in ROWS[name] if row["trial_class"] == "illusion"]
    truths, percepts = {row["gt_label"] for row in illusions}, {row["illusion_label"] for row in illusions}
    assert {row["gt_label"] for row in ROWS[name] if row["trial_class"] == "control_a"} == truths
    assert {row["gt_label"] for row in ROWS[name] if row["trial_class"] == "control_p"} == percepts


@pytest.mark.parametrize(
    ("name", "factors"),
    [
        ("missing_fundamental", ("phase", "tilt_db_per_octave", "tuning_cents")),
        ("shepard_tone", ("start_class", "step_st", "tone_ms", "envelope", "articulation")),
        ("zwicker_tone", ("noise_ms", "level_db", "rest_ms")),
    ],
)
def test_controls_use_the_levels_of_the_illusions_about_as_often(name, factors):
    for factor in factors:
        shares = {}
        for trial_class in ("illusion", "control_a", "control_p"):
            values = [row[factor] for row in ROWS[name] if row["trial_class"] == trial_class]
            shares[trial_class] = {value: count / len(values) for value, count in Counter(values).items()}
        for trial_class in ("control_a", "control_p"):
            assert shares[trial_class] == pytest.approx(shares["illusion"], abs=0.1), factor


@pytest.mark.parametrize("name", TASKS)
def test_no_two_rows_have_the_same_audio(name):
    digests = load_digests(name)
    assert len(set(digests.values())) == len(digests) == len(ROWS[name])


def test_the_tuning_of_the_reference_alone_tells_no_class():
    """Distance from equal temperament; a reference off by 2.5 st must not stand out without the second sound."""
    seen = {}
    for row in ROWS["missing_fundamental"]:
        cents = round(1200 * np.log2(row["reference_hz"] / 440)) % 100
        seen.setdefault(row["trial_class"], Counter())[cents] += 1
    assert {tuple(sorted(counts)) for counts in seen.values()} == {(20, 70)}
    for counts in seen.values():
        assert abs(counts[20] / sum(counts.values()) - 0.5) < 0.1


@pytest.mark.parametrize("name", TASKS)
def test_neither_id_nor_order_gives_the_class_away(name):
    is_control = np.array([row["trial_class"] != "illusion" for row in ROWS[name]], dtype=float)
    numbers = [int(row["stimulus_id"].rpartition("_")[2]) for row in ROWS[name]]
    assert numbers == list(range(1, len(numbers) + 1))
    # three standard errors of a correlation under independence
    assert abs(np.corrcoef(numbers, is_control)[0, 1]) < 3 / np.sqrt(len(numbers))


@pytest.mark.parametrize("name", TASKS)
def test_every_order_of_options_is_about_equally_frequent_whatever_the_label(name):
    by_label = {}
    for row in ROWS[name]:
        by_label.setdefault(row["gt_label"], Counter())[tuple(row["options"])] += 1
    for orders in by_label.values():
        total, kinds = sum(orders.values()), len({tuple(row["options"]) for row in ROWS[name]})
        expected = total / kinds
        assert all(abs(count - expected) < 4 * np.sqrt(expected) for count in orders.values())


def test_a_question_that_lists_its_choices_does_so_in_the_order_of_the_options():
    phrases = {"up": "gone up", "down": "gone down", "same": "stayed the same"}
    for row in ROWS["shepard_tone"]:
        for column in ("question", "question_refined", "question_flipped"):
            places = [row[column].find(phrases[option]) for option in row["options"]]
            assert places == sorted(places) and min(places) >= 0


@pytest.mark.parametrize("name", TASKS)
def test_no_wording_leaks(name):
    for column in ("question", "question_refined", "question_flipped"):
        assert not [row[column] for row in ROWS[name] if LEAKS.search(row[column])]
        by_label = {
            label: {row[column] for row in ROWS[name] if row["gt_label"] == label} for label in ROWS[name][0]["options"]
        }
        assert len(set(map(frozenset, by_label.values()))) == 1  # every label is asked for in every wording


@pytest.mark.parametrize(
    ("name", "judged"),
    [
        ("missing_fundamental", ("lowest_harmonic", "highest_harmonic", "phase", "reference_offset_st")),
        ("shepard_tone", ("scale", "contour", "step_st", "tone_ms", "envelope", "sigma_oct", "articulation")),
        ("zwicker_tone", ("notch_centre_hz", "notch_width_oct", "noise_ms", "level_db")),
    ],
)
def test_a_cluster_lies_within_a_class_and_differs_by_nuisance_factors_only(name, judged):
    clusters = {}
    for row in ROWS[name]:
        key = (row["trial_class"], row["gt_label"], *(row[factor] for factor in judged))
        assert clusters.setdefault(row["cluster_id"], key) == key
    assert len(clusters) < len(ROWS[name])


@pytest.mark.parametrize("name", TASKS)
def test_a_human_rate_is_given_with_its_source_or_not_at_all(name):
    for row in ROWS[name]:
        assert (row["human_rate"] is None) == (row["human_source"] is None)
        assert row["human_rate"] is None or row["trial_class"] == "illusion"


@pytest.mark.parametrize("name", TASKS)
def test_no_shortcut_separates_the_classes(name):
    """A depth-2 tree on duration, RMS, peak and spectral centroid stays at a cross-validated AUC of 0.6 or below."""
    render = renderer(TASKS[name])
    features = np.array([_features(render(row)) for row in ROWS[name]])
    classes = np.array([row["trial_class"] for row in ROWS[name]])
    for pair in (("illusion", "control_a"), ("illusion", "control_p"), ("control_a", "control_p")):
        chosen = np.isin(classes, pair)
        tree = DecisionTreeClassifier(max_depth=2, class_weight="balanced", random_state=0)
        folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=10, random_state=0)
        auc = cross_val_score(tree, features[chosen], classes[chosen] == pair[1], cv=folds, scoring="roc_auc").mean()
        assert auc <= 0.6, (pair, auc)


def _features(clip):
    signal = clip.samples[:, 0] / 32768.0
    power = np.abs(np.fft.rfft(signal)) ** 2
    centroid_hz = np.sum(power * np.arange(power.size)) / np.sum(power) * clip.rate_hz / signal.size
    return len(signal), np.sqrt(np.mean(signal**2)), np.abs(signal).max(), centroid_hz

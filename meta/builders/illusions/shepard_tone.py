"""shepard_tone: 1,814 rows.

Illusion: 12 start classes x 2 directions x 3 steps x 3 durations x 3 envelopes x 2 articulations = 1,296; one
whole octave in steps of a Shepard scale, so the last tone is the first. Controls: real scales of the
same tones, whose envelope moves with the pitch. P: an octave up (173) or down (173). A (172): half an
octave away and back, up first or down first, so that number, step and duration of the tones
match the other classes.
"""

from __future__ import annotations

from typing import Dict, List, Tuple

from meta.builders.common import Cell, Render, Wording, balanced_subset, name_order, rows_from_cells, with_loudness_gain
from meta.schema import CONTROL_A, CONTROL_P, ILLUSION, Column

TASK = "shepard_tone"
PARAMETERS = (
    Column(
        "scale", "text", "circular: Shepard scale; linear: the envelope moves with the pitch", ("circular", "linear")
    ),
    Column("contour", "text", "course of the steps", ("up", "down", "up_down", "down_up")),
    Column("start_class", "integer", "pitch class of the first tone, 0 = C"),
    Column("step_st", "integer", "size of a step"),
    Column("tone_count", "integer", "number of tones"),
    Column("shift_st", "integer", "last tone re first tone, octave-spaced components counted as they move"),
    Column("tone_ms", "integer", "duration of a tone"),
    Column("gap_ms", "integer", "silence between tones; negative: overlap of a crossfade"),
    Column("articulation", "text", "separated or legato", ("separated", "legato")),
    Column("envelope", "text", "bell over log frequency", ("shepard_1964", "gaussian")),
    Column("sigma_oct", "decimal", "standard deviation of a Gaussian bell", optional=True),
    Column("centre_re_c4_st", "decimal", "centre of the bell re middle C; a nuisance factor"),
    Column("gain_db", "decimal", "gain of the whole clip"),
)
WORDING = Wording(
    base="The recording is a series of tones. From the first tone to the last tone, has the pitch {choices}?",
    refined="Listen to the first tone and to the last tone of the series. "
    "Taking the first tone as the reference, has the pitch of the last tone {choices}?",
    flipped="The recording is a series of tones. "
    "Going back from the last tone to the first tone, has the pitch {choices}?",
    phrases={"up": "gone up", "down": "gone down", "same": "stayed the same"},
    flip={"up": "down", "down": "up", "same": "same"},
)
MINI = {
    f"{ILLUSION}/up": 64,
    f"{ILLUSION}/down": 63,
    f"{CONTROL_P}/up": 19,
    f"{CONTROL_P}/down": 19,
    f"{CONTROL_A}/same": 18,
}

STEPS_ST = (1, 2, 3)  # 5 to 7 st depend on the listener (tritone paradox)
TONES_MS = (120, 250, 500)
GAPS_MS = {"separated": 100, "legato": -20}
# Shepard's (1964) cosine and two Gaussians; sigma >= 1 octave keeps the log-centroid still. The bell's centre is
# roved, else the controls' moving bells show in the spectral centroid: upwards as far as every component stays
# below 7.2 kHz half an octave further up, downwards as far as little is lost below 20 Hz. Shepard's own centre is
# -9 st: ten components from 4.863 Hz.
ENVELOPES: Tuple[Tuple[str, str, int, int], ...] = (
    ("shepard_1964", "", -15, -9),
    ("gaussian", "1", -9, 9),
    ("gaussian", "1.25", -9, 3),
)  # name, sigma, lowest and highest centre in semitones re middle C


def build(render: Render) -> List[Dict[str, str]]:
    """Return the rows of the task as text."""
    return with_loudness_gain(rows_from_cells(TASK, "sh", cells(), WORDING, MINI), PARAMETERS, render)


def cells() -> List[Cell]:
    """Return the 1,814 planned trials."""

    def design(scale: str, contour: str) -> List[Cell]:
        return [
            _cell(scale, contour, start_class, step, tone_ms, envelope, articulation)
            for start_class in range(12)
            for step in STEPS_ST
            for tone_ms in TONES_MS
            for envelope in ENVELOPES
            for articulation in GAPS_MS
        ]

    away_and_back = design("linear", "up_down") + design("linear", "down_up")
    return (
        design("circular", "up")
        + design("circular", "down")
        + balanced_subset(design("linear", "up"), 173, TASK)
        + balanced_subset(design("linear", "down"), 173, TASK)
        + balanced_subset(away_and_back, 172, TASK)
    )


def _cell(scale, contour, start_class, step, tone_ms, envelope, articulation) -> Cell:
    name, sigma_oct, lowest_centre_st, highest_centre_st = envelope
    places = 10 * (highest_centre_st - lowest_centre_st) + 1
    rove = name_order(TASK, scale, contour, start_class, step, tone_ms, envelope, articulation) % places
    if contour in ("up_down", "down_up"):
        trial_class, truth, percept, shift = CONTROL_A, "same", "same", 0
    elif scale == "linear":
        trial_class, truth, percept, shift = CONTROL_P, contour, contour, 12 if contour == "up" else -12
    else:
        trial_class, truth, percept, shift = ILLUSION, "same", contour, 0
    return Cell(
        trial_class=trial_class,
        cluster_id=f"{scale}-{contour}-{step}-{tone_ms}-{name}{sigma_oct}-{articulation}".replace(".", "_"),
        gt_label=truth,
        illusion_label=percept,
        parameters={
            "scale": scale,
            "contour": contour,
            "start_class": str(start_class),
            "step_st": str(step),
            "tone_count": str(12 // step + 1),
            "shift_st": str(shift),
            "tone_ms": str(tone_ms),
            "gap_ms": str(GAPS_MS[articulation]),
            "articulation": articulation,
            "envelope": name,
            "sigma_oct": sigma_oct,
            "centre_re_c4_st": f"{highest_centre_st - rove / 10:.1f}",
        },
        factors=(start_class, step, tone_ms, envelope, articulation, contour),
    )

"""zwicker_tone: 493 rows.

Illusion: 6 notch centres x 4 widths x 3 durations x 3 levels x 2 spectral slopes = 432; notched noise, then
digital silence, in which about half of listeners hear a faint tone. Control A (31): noise
without a notch, its slope chosen so that its spectral centroid is that of the notched noise it
replaces. Control P (30): notched noise followed by a real decaying tone.
"""

from __future__ import annotations

import math
from typing import Dict, List, Optional

from meta.builders.common import (
    SWAP_YES_NO,
    YES_NO,
    Cell,
    Render,
    Wording,
    balanced_subset,
    root_mean_square_db,
    rows_from_cells,
    typed,
)
from meta.schema import CONTROL_A, CONTROL_P, ILLUSION, Column

TASK = "zwicker_tone"
PARAMETERS = (
    Column("low_hz", "integer", "lower edge of the noise"),
    Column("high_hz", "integer", "upper edge of the noise"),
    Column("notch_centre_hz", "integer", "geometric centre of the notch", optional=True),
    Column("notch_width_oct", "decimal", "width of the notch", optional=True),
    Column("slope_db_per_octave", "decimal", "slope of the noise's power spectrum, in steps of 1/6 octave"),
    Column("noise_ms", "integer", "duration of the noise"),
    Column("rest_ms", "integer", "from the end of the noise to the end of the recording"),
    Column("level_db", "decimal", "RMS level of the noise re full scale"),
    Column("tone_hz", "decimal", "frequency of the real tone", optional=True),
    Column("tone_level_db", "decimal", "initial RMS level of the real tone re the noise", optional=True),
    Column("tone_half_life_ms", "integer", "time in which the tone's amplitude halves", optional=True),
    Column("gain_db", "decimal", "gain of the noise that gives level_db"),
)
WORDING = Wording(
    base="The recording begins with noise. After the noise stops, is there a tone in the rest of the recording?",
    refined="A noise is played and then ends. Does the part of the recording after the noise contain a tone?",
    flipped="The recording begins with noise. After the noise stops, is the rest of the recording free of any tone?",
    phrases=YES_NO,
    flip=SWAP_YES_NO,
)
MINI = {ILLUSION: 43, CONTROL_A: 22, CONTROL_P: 21}

LOW_HZ, HIGH_HZ = 100, 7160  # the filter's skirt ends 35 Hz further up, below 7.2 kHz
# Up to 4 kHz: a notch of 1.25 octaves at 4.5 kHz would leave hardly any noise above it.
CENTRES_HZ = (1500, 1850, 2250, 2750, 3350, 4000)
WIDTHS_OCT = ("0.5", "0.75", "1", "1.25")
DURATIONS_MS = (2000, 4000, 6000)
LEVELS_DB = (-32, -26, -20)
SLOPES_DB = (0, -3)  # white and pink
RESTS_MS = (2000, 2500, 3000)
TONE_LEVEL_DB = -40
TONE_HALF_LIFE_MS = 400
HUMAN_RATE = "0.5"
HUMAN_SOURCE = "Barker et al. 2025 (Front. Neurosci.): 30-100 % over 16 studies, about half of listeners"


def build(render: Render) -> List[Dict[str, str]]:
    """Return the rows of the task as text."""
    finished = []
    for row in rows_from_cells(TASK, "zw", cells(), WORDING, MINI):
        clip = render(typed({**row, "gain_db": "0"}, PARAMETERS))
        start, stop = clip.markers["noise"]
        measured_db = root_mean_square_db(clip.samples[start:stop])
        finished.append({**row, "gain_db": f"{float(row['level_db']) - measured_db:.2f}"})
    return finished


def cells() -> List[Cell]:
    """Return the 493 planned trials."""

    def design(trial_class: str) -> List[Cell]:
        return [
            _cell(trial_class, centre, width, duration, level, slope)
            for centre in range(len(CENTRES_HZ))
            for width in range(len(WIDTHS_OCT))
            for duration in range(len(DURATIONS_MS))
            for level in range(len(LEVELS_DB))
            for slope in range(len(SLOPES_DB))
        ]

    return (
        design(ILLUSION) + balanced_subset(design(CONTROL_A), 31, TASK) + balanced_subset(design(CONTROL_P), 30, TASK)
    )


def _cell(trial_class: str, centre: int, width: int, duration: int, level: int, slope: int) -> Cell:
    centre_hz, width_oct = CENTRES_HZ[centre], WIDTHS_OCT[width]
    notched = trial_class != CONTROL_A
    has_tone = trial_class == CONTROL_P
    slope_db = f"{SLOPES_DB[slope]}" if notched else matched_slope_db(centre_hz, float(width_oct), SLOPES_DB[slope])
    heard = {ILLUSION: ("no", "yes"), CONTROL_A: ("no", "no"), CONTROL_P: ("yes", "yes")}[trial_class]
    return Cell(
        trial_class=trial_class,
        cluster_id=f"{trial_class}-{centre_hz}-{width_oct}-{DURATIONS_MS[duration]}-{-LEVELS_DB[level]}".replace(
            ".", "_"
        ),
        gt_label=heard[0],
        illusion_label=heard[1],
        parameters={
            "low_hz": str(LOW_HZ),
            "high_hz": str(HIGH_HZ),
            "notch_centre_hz": str(centre_hz) if notched else "",
            "notch_width_oct": width_oct if notched else "",
            "slope_db_per_octave": slope_db,
            "noise_ms": str(DURATIONS_MS[duration]),
            "rest_ms": str(RESTS_MS[(centre + width + duration + level + slope) % len(RESTS_MS)]),
            "level_db": str(LEVELS_DB[level]),
            "tone_hz": str(centre_hz) if has_tone else "",
            "tone_level_db": str(TONE_LEVEL_DB) if has_tone else "",
            "tone_half_life_ms": str(TONE_HALF_LIFE_MS) if has_tone else "",
        },
        factors=(centre, width, duration, level, slope),
        robust=trial_class != ILLUSION,  # heard by half of listeners
        human_rate=HUMAN_RATE,
        human_source=HUMAN_SOURCE,
    )


def matched_slope_db(centre_hz: float, width_oct: float, slope_db: float) -> str:
    """Return the slope at which noise without a notch has the spectral centroid of the notched one."""
    target_hz = centroid_hz(slope_db, centre_hz, width_oct)
    low, high = -12.0, 12.0
    for _ in range(40):
        middle = (low + high) / 2
        low, high = (middle, high) if centroid_hz(middle) < target_hz else (low, middle)
    return f"{low:.2f}"


def centroid_hz(slope_db: float, centre_hz: Optional[float] = None, width_oct: float = 0.0) -> float:
    """Return the power-weighted mean frequency of noise with a slope and, if a centre is given, a notch."""
    bands = 400
    ratio = HIGH_HZ / LOW_HZ
    weight = moment = 0.0
    for band in range(bands):
        frequency = LOW_HZ * ratio ** ((band + 0.5) / bands)
        if centre_hz and abs(math.log2(frequency / centre_hz)) < width_oct / 2:
            continue
        power = frequency * 10 ** (slope_db * math.log2(frequency / 1000) / 10)  # bands widen with frequency
        weight += power
        moment += power * frequency
    return moment / weight

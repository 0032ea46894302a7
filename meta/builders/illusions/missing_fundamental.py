"""missing_fundamental: 1,258 rows.

Illusion: 12 pitch classes x 3 octaves x 5 harmonic sets x 3 spectra x 2 tunings = 1,080; the complex lacks
its fundamental, the reference is a sine at it. Control P (89): the complex holds harmonics 1 to n, so
the reference is truly in it. Control A (89): the reference is mistuned by 2.5 semitones, so it is neither
in the complex nor heard there; half of its complexes hold their fundamental, so that low
partials alone do not give the answer away.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Dict, List

from meta.builders.common import (
    SWAP_YES_NO,
    YES_NO,
    Cell,
    Render,
    Wording,
    balanced_subset,
    rows_from_cells,
    with_loudness_gain,
)
from meta.schema import CONTROL_A, CONTROL_P, ILLUSION, Column

TASK = "missing_fundamental"
PARAMETERS = (
    Column("f0_hz", "decimal", "fundamental frequency of the complex"),
    Column("tuning_cents", "integer", "offset of f0 from equal temperament (A4 = 440 Hz); a nuisance factor"),
    Column("lowest_harmonic", "integer", "rank of the lowest harmonic of the complex"),
    Column("highest_harmonic", "integer", "rank of the highest harmonic of the complex"),
    Column("tilt_db_per_octave", "decimal", "slope of the partials' levels"),
    Column("phase", "text", "starting phases of the partials", ("sine", "random")),
    Column("reference_hz", "decimal", "frequency of the reference sine"),
    Column("reference_offset_st", "decimal", "reference re f0"),
    Column("reference_ms", "integer", "duration of the reference"),
    Column("silence_ms", "integer", "silence between reference and complex"),
    Column("complex_ms", "integer", "duration of the complex"),
    Column("gain_db", "decimal", "gain of the whole clip"),
)
WORDING = Wording(
    base="The recording has two sounds: first a pure tone, then a complex tone. "
    "Is the first sound one of the frequency components of the second sound?",
    refined="Listen to the two sounds one after the other. "
    "Does the spectrum of the second sound contain a component at the frequency of the first sound?",
    flipped="The recording has two sounds: first a pure tone, then a complex tone. "
    "Is the first sound absent from the frequency components of the second sound?",
    phrases=YES_NO,
    flip=SWAP_YES_NO,
)
MINI = {ILLUSION: 108, CONTROL_A: 44, CONTROL_P: 44}

NOTES = range(36, 72)  # MIDI C2 to B4, 65 to 494 Hz
# Half a semitone apart, so that a reference mistuned by 2.5 semitones lies on the same grid as the others.
TUNINGS_CENTS = (-30, 20)
SPECTRA = ((0, "sine"), (0, "random"), (-3, "random"))  # dB per octave, phases
# At least three consecutive harmonics from rank 5 or below: the residue pitch is firm. Beside each, the top
# rank n of a complex 1..n, between the same top rank (same crest factor) and the same mean rank (same spectral
# centroid), so that neither tells a control from an illusion.
HARMONIC_SETS = {(3, 5): 6, (3, 8): 9, (4, 8): 9, (4, 10): 11, (5, 9): 10}
TOP_PARTIAL_HZ = 5000  # beyond, there is no musical pitch
MISTUNING_ST = (Decimal("-2.5"), Decimal("2.5"))


def build(render: Render) -> List[Dict[str, str]]:
    """Return the rows of the task as text."""
    return with_loudness_gain(rows_from_cells(TASK, "mf", cells(), WORDING, MINI), PARAMETERS, render)


def cells() -> List[Cell]:
    """Return the 1,258 planned trials."""
    design = [
        (note, tuning, harmonics, spectrum)
        for note in NOTES
        for harmonics in HARMONIC_SETS
        for spectrum in SPECTRA
        for tuning in TUNINGS_CENTS
    ]
    illusions = [_cell(ILLUSION, *point) for point in design]
    present = _distinct([_cell(CONTROL_P, *point) for point in design])
    mistuned = [_cell(CONTROL_A, *point, offset_st=offset) for point in design for offset in MISTUNING_ST]
    mistuned_full = _distinct(
        [
            _cell(CONTROL_A, *point, offset_st=offset, with_fundamental=True)
            for point in design
            for offset in MISTUNING_ST
        ]
    )
    return (
        illusions
        + balanced_subset(mistuned, 45, TASK)
        + balanced_subset(mistuned_full, 44, TASK)
        + balanced_subset(present, 89, TASK)
    )


def _distinct(cells: List[Cell]) -> List[Cell]:
    """Return the cells without those that the cap at 5 kHz has made equal to an earlier one."""
    return list({tuple(cell.parameters.items()): cell for cell in reversed(cells)}.values())[::-1]


def _cell(trial_class, note, tuning, harmonics, spectrum, offset_st=Decimal(0), with_fundamental=False) -> Cell:
    f0_hz = 440 * 2 ** ((note - 69) / 12 + tuning / 1200)
    lowest, highest = harmonics
    if with_fundamental or trial_class == CONTROL_P:
        lowest, highest = 1, min(HARMONIC_SETS[harmonics], int(TOP_PARTIAL_HZ / f0_hz))
    tilt, phase = spectrum
    heard = {ILLUSION: ("no", "yes"), CONTROL_A: ("no", "no"), CONTROL_P: ("yes", "yes")}[trial_class]
    return Cell(
        trial_class=trial_class,
        cluster_id=f"{trial_class}-{note}-{lowest}-{highest}-{-tilt}-{phase}-{offset_st}".replace(".", "_"),
        gt_label=heard[0],
        illusion_label=heard[1],
        parameters={
            "f0_hz": f"{f0_hz:.3f}",
            "tuning_cents": str(tuning),
            "lowest_harmonic": str(lowest),
            "highest_harmonic": str(highest),
            "tilt_db_per_octave": str(tilt),
            "phase": phase,
            "reference_hz": f"{f0_hz * 2 ** (float(offset_st) / 12):.3f}",
            "reference_offset_st": str(offset_st),
            "reference_ms": "500",
            "silence_ms": "500",
            "complex_ms": "1000",
        },
        factors=(note % 12, note // 12, harmonics, spectrum, tuning, offset_st),
    )

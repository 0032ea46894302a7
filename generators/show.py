"""A picture of one stimulus: waveform, spectrogram, and the facts of its row. Nothing here makes samples."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from generators.rendering import renderer
from meta.registry import Task
from meta.schema import FRAME, IDENTITY, Row

_FLOOR_DB = -90.0
_WINDOW_S = 0.064  # 15.6 Hz resolution: partials of a 65 Hz fundamental stand apart
_SHADES = ("#4477AA", "#EE6677")  # colour-blind safe (Tol 2021, bright)


def draw(task: Task, row: Row, path: Path) -> Path:
    """Render a row, write its picture as PNG, and return the path."""
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    clip = renderer(task)(row)
    signal = clip.samples[:, 0] / 32768.0
    seconds = np.arange(len(signal)) / clip.rate_hz
    figure, (wave_axes, spectrum_axes) = pyplot.subplots(
        2, 1, figsize=(10, 6), sharex=True, height_ratios=(1, 3), constrained_layout=True
    )
    wave_axes.plot(seconds, signal, linewidth=0.5, color="0.2")
    wave_axes.set_ylabel("amplitude\n(full scale)")
    for index, (name, (start, stop)) in enumerate(clip.markers.items()):
        shade = _SHADES[index % 2]
        wave_axes.axvspan(start / clip.rate_hz, stop / clip.rate_hz, color=shade, alpha=0.15, linewidth=0)
        if len(clip.markers) <= 8:
            wave_axes.annotate(name, (start / clip.rate_hz, 1), (2, -9), xycoords=("data", "axes fraction"),
                               textcoords="offset points", color=shade, fontsize=8)  # fmt: skip
    _spectrogram(spectrum_axes, signal, clip.rate_hz)
    truth, percept = row["gt_label"], row["illusion_label"]
    figure.suptitle(f"{row['stimulus_id']}  ({row['trial_class']})   there: {truth}   heard: {percept}", fontsize=11)
    spectrum_axes.set_xlabel(f"time (s)\n{_facts(row)}", fontsize=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    pyplot.close(figure)
    return path


def _spectrogram(axes, signal: np.ndarray, rate_hz: int) -> None:
    size = int(_WINDOW_S * rate_hz)
    hop = size // 8
    padded = np.pad(signal, size // 2)
    frames = np.lib.stride_tricks.sliding_window_view(padded, size)[::hop] * np.hanning(size)
    level_db = 20 * np.log10(np.abs(np.fft.rfft(frames, 4 * size, axis=1)) / (size / 4) + 1e-9)
    extent = (0, len(signal) / rate_hz, 0, rate_hz / 2)
    image = axes.imshow(
        level_db.T, origin="lower", aspect="auto", extent=extent, vmin=_FLOOR_DB, vmax=-10, cmap="magma"
    )
    axes.set_yscale("function", functions=(lambda f: np.sqrt(np.maximum(f, 0)), np.square))
    axes.set_yticks([50, 200, 500, 1000, 2000, 4000, 8000])
    axes.set_ylabel("frequency (Hz)")
    axes.figure.colorbar(image, ax=axes, label="level (dB re full scale)", pad=0.01)


def _facts(row: Row) -> str:
    """Return the task's own parameters, a few a line."""
    general = {column.name for column in IDENTITY + FRAME}
    facts = [f"{name} {value}" for name, value in row.items() if name not in general and value is not None]
    return "\n".join("   ".join(facts[start : start + 6]) for start in range(0, len(facts), 6))

"""``python -m generators render``: what a user types, what lies on disk after it, what is said when it goes wrong."""

import os
import random
import resource
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from generators.common.clip import clip_path, file_digest
from meta import PROJECT_ROOT
from meta.digests import load_digests
from tests.meta.support import copy_meta, edit_line

COMMAND = [sys.executable, "-m", "generators", "render"]
TASK = "missing_fundamental"
DIGESTS = load_digests(TASK)


def render(*arguments, **options):
    """Run the command and return the finished process."""
    return subprocess.run([*COMMAND, *map(str, arguments)], cwd=PROJECT_ROOT, capture_output=True, text=True, **options)


def start(*arguments):
    """Start the command in a process group of its own."""
    return subprocess.Popen(
        [*COMMAND, *arguments],
        cwd=PROJECT_ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )


def right(out, ids, audio_format="wav"):
    """Tell whether exactly these clips are there, whole and right, and nothing else."""
    found = sorted(path for path in (out / TASK).rglob("*") if path.is_file())
    assert found == sorted(clip_path(out, TASK, name, audio_format) for name in ids)
    return all(file_digest(path, 16000) == DIGESTS[path.stem] for path in found)


IDS = list(DIGESTS)


@pytest.mark.parametrize("audio_format", ["wav", "flac"])
def test_it_writes_the_clips_of_the_rows_asked_for(tmp_path, audio_format):
    run = render(TASK, "--limit", 5, "--out", tmp_path, "--format", audio_format)
    assert run.returncode == 0, run.stderr
    assert right(tmp_path, IDS[:5], audio_format)


def test_it_leaves_right_files_alone_and_mends_wrong_ones(tmp_path):
    render(TASK, "--limit", 4, "--out", tmp_path)
    paths = [clip_path(tmp_path, TASK, name, "wav") for name in IDS[:4]]
    before = [path.stat().st_mtime_ns for path in paths]
    data = bytearray(paths[1].read_bytes())
    data[20_000] ^= 1
    paths[1].write_bytes(data)
    paths[2].write_bytes(b"")
    run = render(TASK, "--limit", 4, "--out", tmp_path)
    assert "2 rendered, 2 already right of 4" in run.stdout
    assert right(tmp_path, IDS[:4])
    assert [path.stat().st_mtime_ns for path in (paths[0], paths[3])] == [before[0], before[3]]


def test_shards_are_disjoint_and_together_the_whole(tmp_path):
    for index in (1, 2, 3):
        render(TASK, "--limit", 7, "--shard", f"{index}/3", "--out", tmp_path / str(index))
    parts = [{path.stem for path in (tmp_path / str(index)).rglob("*.wav")} for index in (1, 2, 3)]
    assert sorted(sum(map(list, parts), [])) == IDS[:7]


def test_ids_may_be_named(tmp_path):
    assert render(TASK, "--ids", f"{IDS[7]}, {IDS[3]}", "--out", tmp_path).returncode == 0
    assert right(tmp_path, [IDS[3], IDS[7]])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["shepard"], 'unknown task "shepard": did you mean shepard_tone?'),
        ([TASK, "--ids", "mf_9999"], 'no stimulus "mf_9999"'),
        ([TASK, "--ids", "../x"], 'no stimulus "../x"'),
        ([TASK, "--shard", "3/2"], "is not a shard such as 2/7"),
        ([TASK, "--shard", "²/3"], "is not a shard such as 2/7"),
        ([TASK, "--meta", "/nowhere"], "/nowhere/tasks.csv: cannot be read"),
    ],
)
def test_a_wrong_argument_is_one_clear_message(tmp_path, arguments, message):
    run = render(*arguments, "--out", tmp_path)
    assert run.returncode != 0 and message in run.stderr and "Traceback" not in run.stderr
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_folder_that_cannot_be_written_is_one_clear_message(tmp_path, jobs):
    (tmp_path / "file").write_text("in the way")
    run = render(TASK, "--limit", 40, "--jobs", jobs, "--out", tmp_path / "file")
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert run.stderr.count("cannot be written (Not a directory)") == 1


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_full_disk_is_one_clear_message_and_leaves_nothing_half_written(tmp_path, jobs):
    def small_files():
        resource.setrlimit(resource.RLIMIT_FSIZE, (50_000, 50_000))

    run = render(TASK, "--limit", 40, "--jobs", jobs, "--out", tmp_path, preexec_fn=small_files)
    assert run.returncode == 1 and "Traceback" not in run.stderr
    assert run.stderr.count("cannot be written (File too large)") == 1
    assert not list(tmp_path.rglob("*.wav"))
    assert render(TASK, "--limit", 40, "--out", tmp_path).returncode == 0
    assert right(tmp_path, IDS[:40])


def test_a_clip_that_differs_from_its_digest_is_named_and_not_written(tmp_path):
    meta = copy_meta(tmp_path)
    edit_line(meta / "digests" / f"{TASK}.csv", 3, DIGESTS[IDS[1]], "0" * 64)
    run = render(TASK, "--limit", 3, "--out", tmp_path / "data", "--meta", meta)
    assert run.returncode == 1 and f"{TASK} {IDS[1]}: renders to" in run.stdout + run.stderr
    assert right(tmp_path / "data", [IDS[0], IDS[2]])


def test_verify_writes_nothing_and_names_what_differs(tmp_path):
    meta = copy_meta(tmp_path)
    edit_line(meta / "digests" / f"{TASK}.csv", 3, DIGESTS[IDS[1]], "0" * 64)
    run = render(TASK, "--limit", 3, "--verify", "--meta", meta, "--out", tmp_path / "data")
    assert run.returncode == 1 and "2 of 3 equal" in run.stdout and IDS[1] in run.stdout + run.stderr
    assert not (tmp_path / "data").exists()


def test_verify_counts_a_clip_without_a_digest_as_not_equal(tmp_path):
    meta = copy_meta(tmp_path)
    path = meta / "digests" / f"{TASK}.csv"
    path.write_text("\n".join(path.read_text().split("\n")[:-2]) + "\n")
    run = render(TASK, "--ids", IDS[-1], "--verify", "--meta", meta)
    assert run.returncode == 1 and "all: 0 of 1 equal" in run.stdout


def test_a_killed_run_leaves_only_whole_files_and_is_resumed(tmp_path):
    dice = random.Random(0)
    for _ in range(6):
        process = start(TASK, "--limit", "300", "--out", str(tmp_path))
        time.sleep(dice.uniform(0.3, 1.2))
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        for path in tmp_path.rglob("*.wav"):
            assert file_digest(path, 16000) == DIGESTS[path.stem]
    assert render(TASK, "--limit", 300, "--out", tmp_path).returncode == 0
    assert right(tmp_path, IDS[:300])


def test_two_renders_into_one_folder_do_not_disturb_each_other(tmp_path):
    processes = [start(TASK, "--limit", "200", "--out", str(tmp_path)) for _ in range(2)]
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
    assert right(tmp_path, IDS[:200])


def test_what_a_killed_render_left_half_written_is_removed_by_the_next(tmp_path):
    path = clip_path(tmp_path, TASK, IDS[0], "wav")
    path.parent.mkdir(parents=True)
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    Path(f"{path}.{dead.pid}.part").write_bytes(b"half")
    assert render(TASK, "--limit", 1, "--out", tmp_path).returncode == 0
    assert right(tmp_path, IDS[:1])


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="needs /proc to see processes")
def test_the_workers_of_a_killed_render_end_too(tmp_path):
    process = start("--out", str(tmp_path), "--jobs", "2")
    while not list(tmp_path.rglob("*.wav")):
        time.sleep(0.02)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    assert len(children) >= 2
    process.kill()
    process.communicate()
    deadline = time.monotonic() + 20
    while any(Path(f"/proc/{child}").is_dir() for child in children):
        assert time.monotonic() < deadline, "a worker outlived the command"
        time.sleep(0.05)


def test_ctrl_c_ends_at_once_and_says_how_to_go_on(tmp_path):
    process = start("--out", str(tmp_path))
    while not list(tmp_path.rglob("*.wav")):
        assert process.poll() is None
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to every process of the group
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130 and "the same command goes on from there" in errors and "Traceback" not in errors
    assert all(file_digest(path, 16000) for path in tmp_path.rglob("*.wav"))


def test_help_has_examples():
    assert "./scripts/generate_data.sh shepard_tone" in render("--help").stdout

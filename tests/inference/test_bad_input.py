"""Bad input: one clear error, a non-zero exit, nothing lost."""

import os
import random
import shutil
import subprocess
import sys
import wave

import pytest

from meta import PROJECT_ROOT
from tests.inference.support import (
    SHIPPED_REGISTRY,
    TASK,
    World,
    answers,
    clip,
    ids,
    make_world,
    one_clear_error,
    run,
    snapshot,
    write_registry,
)


@pytest.fixture(scope="module")
def template(tmp_path_factory):
    """A task of four rows with two answers."""
    folder = tmp_path_factory.mktemp("template")
    world = make_world(folder, {TASK: 4})
    assert run(world, folder / "results", TASK, "--models", "random-guess", "--limit", "2").status == 0
    return folder


@pytest.fixture
def answered(template, tmp_path):
    """A copy of the template, to be damaged."""
    copy = tmp_path / "copy"
    shutil.copytree(template, copy)
    return World(copy / "meta", copy / "data"), copy / "results"


def refused(world, results, *words, arguments=(TASK, "--models", "random-guess"), registry=SHIPPED_REGISTRY):
    """Check that a run fails with one explanation and leaves the results as they are."""
    before = snapshot(results)
    outcome = run(world, results, *arguments, registry=registry)
    one_clear_error(outcome, *words)
    assert outcome.err.count("rror:") == 1, outcome.err
    assert snapshot(results) == before


def test_misspelt_task_gets_a_suggestion(answered):
    refused(*answered, "did you mean missing_fundamental?", arguments=("missing_fundamentel",))


def test_misspelt_model_gets_a_suggestion(answered):
    refused(*answered, "did you mean ideal-observer?", arguments=(TASK, "--models", "ideal_observer"))


def test_unknown_condition_is_named(answered):
    refused(*answered, '"refinde": did you mean refined?', arguments=(TASK, "--conditions", "base,refinde"))


def test_no_task_at_all_is_a_usage_error(answered):
    world, results = answered
    outcome = run(world, results)
    assert outcome.status == 2 and "name tasks, or all" in outcome.err


def garbage(path):
    path.write_bytes(random.Random(1).randbytes(5000))


def truncated(path):
    path.write_bytes(path.read_bytes()[:-1001])


def at_another_rate(path):
    with wave.open(str(path), "rb") as file:
        pcm = file.readframes(file.getnframes())
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 22050, 0, "NONE", ""))
        file.writeframes(pcm)


def eight_bit(path):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 1, 16000, 0, "NONE", ""))
        file.writeframes(bytes(1000))


def without_samples(path):
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 2, 16000, 0, "NONE", ""))


def impossible_chunk(path):
    path.write_bytes(b"RIFF\x04\x01\x00\x00WAVELIST\xff\xff\xff\x7f" + bytes(300))


def a_folder(path):
    path.unlink()
    path.mkdir()


DAMAGES = {
    "random bytes": (garbage, "is not a readable WAV file"),
    "0 bytes": (lambda path: path.write_bytes(b""), "is not a readable WAV file (it ends too early)"),
    "cut short": (truncated, "is cut short"),
    "another rate": (at_another_rate, "has 22050 Hz"),
    "8 bit": (eight_bit, "8-bit samples"),
    "no samples": (without_samples, "holds no samples"),
    "impossible chunk": (impossible_chunk, "is not a readable WAV file"),
    "a folder": (a_folder, "is not a readable WAV file"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_clip_is_named_with_the_command_that_renders_it(answered, damage):
    world, results = answered
    spoil, found = DAMAGES[damage]
    path = clip(world, ids(world)[2])
    spoil(path)
    refused(world, results, str(path), found, "1 of 4 clips are not right", f"./scripts/generate_data.sh {TASK}")


def test_missing_clips_are_counted_and_the_first_is_named(answered):
    world, results = answered
    for name in ids(world)[1:3]:
        clip(world, name).unlink()
    refused(
        world, results, f"2 of 4 clips are missing, the first is {ids(world)[1]}", f"./scripts/generate_data.sh {TASK}"
    )


def test_command_that_renders_missing_clips_names_the_folder_and_the_limit(answered):
    world, results = answered
    clip(world, ids(world)[1]).unlink()
    outcome = run(world, results, TASK, "--models", "random-guess", "--limit", "2")
    assert f"generate_data.sh {TASK} --limit 2 --out {world.data} --meta {world.meta}" in outcome.err


def test_swapped_clips_are_noticed(answered):
    world, results = answered
    one, two = (clip(world, stimulus_id) for stimulus_id in ids(world)[2:])
    first, second = one.read_bytes(), two.read_bytes()
    one.write_bytes(second)
    two.write_bytes(first)
    refused(world, results, "2 of 4 clips are not right", str(one), str(two), "holds other samples than its digest")


def test_damaged_clip_that_is_not_planned_does_not_matter(answered):
    world, results = answered
    clip(world, ids(world)[3]).unlink()
    assert run(world, results, TASK, "--models", "random-guess", "--limit", "3").status == 0


def append(results, text):
    path = results / "random-guess" / f"{TASK}.csv"
    path.write_bytes(path.read_bytes() + text)


def test_results_for_unknown_ids_are_refused(answered):
    world, results = answered
    append(results, b"mf_9999,yes\n")
    refused(world, results, "'mf_9999'", f"are not in meta/{TASK}.csv")


def test_results_for_unknown_ids_are_refused_when_nothing_is_left_to_ask(answered):
    world, results = answered
    append(results, b"mf_9999,yes\n")
    refused(world, results, "'mf_9999'", arguments=(TASK, "--models", "random-guess", "--limit", "2"))


def test_results_with_an_id_twice_are_refused(answered):
    world, results = answered
    append(results, f"{ids(world)[0]},yes\n".encode())
    refused(world, results, "line 4, column stimulus_id", "is already on line 2", "remove one of the two")


def test_results_with_a_byte_order_mark_are_refused(answered):
    world, results = answered
    path = results / "random-guess" / f"{TASK}.csv"
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    refused(world, results, str(path), "byte-order mark")


def test_results_with_other_columns_are_refused(answered):
    world, results = answered
    path = results / "random-guess" / f"{TASK}.csv"
    path.write_bytes(path.read_bytes().replace(b"model_answer", b"answer"))
    refused(world, results, str(path), "missing model_answer")


def test_ragged_registry_is_refused(answered, tmp_path):
    registry = tmp_path / "registry.tsv"
    registry.write_text(SHIPPED_REGISTRY.read_text(encoding="utf-8") + "more\tinference/x.py\n", encoding="utf-8")
    refused(*answered, "registry.tsv line 4", "has 2 fields, the header has 10", registry=registry)


@pytest.mark.parametrize(("column", "value"), [
    ("gpus", "two"), ("jobs", "some"), ("ready", "maybe"), ("model", "../up"), ("environment", "../../tmp"),
])  # fmt: skip
def test_registry_with_a_bad_value_is_refused(answered, tmp_path, column, value):
    row = {"model": "fake", "runner": "inference/runners/random_guess.py"} | {column: value}
    refused(*answered, f"line 2, column {column}", value, registry=write_registry(tmp_path / "r.tsv", row),
            arguments=(TASK,))  # fmt: skip


def test_missing_registry_is_refused(answered, tmp_path):
    refused(*answered, "none.tsv: cannot be read", registry=tmp_path / "none.tsv")


def test_results_below_a_regular_file_are_one_clear_error(own_world, tmp_path):
    (tmp_path / "file").write_text("kept")
    outcome = run(own_world, tmp_path / "file" / "results", TASK, "--models", "random-guess")
    one_clear_error(outcome, "cannot be written", "choose another --results")
    assert (tmp_path / "file").read_text() == "kept"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_results_are_one_clear_error(own_world, tmp_path):
    results = tmp_path / "results"
    results.mkdir(mode=0o555)
    one_clear_error(run(own_world, results, TASK, "--models", "random-guess"), "cannot be written")


def direct(tmp_path, view, **variables):
    """Start a native runner with a hand-made view."""
    (tmp_path / "view").mkdir()
    (tmp_path / "view" / f"{TASK}.csv").write_text(view, encoding="utf-8")
    contract = {"TASK": TASK, "META_DIR": str(tmp_path / "view"), "DATA_ROOT": str(tmp_path), "MODEL": "m",
                "RESULTS_ROOT": str(tmp_path / "results"), "MODEL_ARGS": "seed=0"}  # fmt: skip
    return subprocess.run(
        [sys.executable, str(PROJECT_ROOT / "inference" / "runners" / "random_guess.py")],
        env={**os.environ, **contract, **variables, "PYTHONPATH": str(PROJECT_ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


HEADER = "stimulus_id,question,options,gt_label,illusion_label\n"


def test_native_runner_refuses_an_id_that_would_leave_its_folder(tmp_path):
    done = direct(tmp_path, HEADER + '../up,Well?,"[""yes"", ""no""]",,\n')
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert f"{TASK}.csv line 2: '../up' is not an id" in done.stderr
    assert not (tmp_path / "results").exists()


def test_native_runner_refuses_a_task_that_would_leave_its_folder(tmp_path):
    done = direct(tmp_path, HEADER, TASK="../up")
    assert done.returncode == 1 and "TASK='../up' is not a name" in done.stderr


def test_native_runner_started_by_hand_says_what_it_lacks(tmp_path):
    done = direct(tmp_path, HEADER, META_DIR="", MODEL="")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "the environment lacks META_DIR, MODEL" in done.stderr


def test_native_runner_makes_a_missing_clip_an_error_row(tmp_path):
    done = direct(tmp_path, HEADER + 'mf_0001,Well?,"[""yes"", ""no""]",,\n')
    assert done.returncode == 0
    assert answers(tmp_path / "results", "m") == {}
    assert "mf_0001.wav: is missing" in (tmp_path / "results" / "m" / f"{TASK}.errors.csv").read_text(encoding="utf-8")

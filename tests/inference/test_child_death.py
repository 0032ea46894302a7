"""Runners that die, stop early, fail on a trial or write nonsense."""

import pytest

from tests.inference.support import TASK, answers, errors, ids, native_runner, run, snapshot, write_registry

LIMIT = 5
DEATHS = {
    "non-zero exit": ('print("out of memory"); os._exit(3)', "ended with status 3"),
    "SIGKILL": (
        'print("out of memory", flush=True); os.kill(os.getpid(), signal.SIGKILL)',
        "was killed by SIGKILL",
    ),
    "exit 0": ('print("out of memory", flush=True); os._exit(0)', "ended with status 0"),
    "sys.exit": ('print("out of memory"); sys.exit("bye")', "ended with status 1"),
}


def registry_of(folder, body):
    runner = native_runner(folder / "runner.py", body)
    return write_registry(folder / "registry.tsv", {"model": "fake", "runner": runner})


def run_five(world, folder, body):
    """Run a native runner on five trials."""
    return run(world, folder / "results", TASK, "--limit", str(LIMIT), registry=registry_of(folder, body))


def once(folder, action):
    """Return a line that does something at the third trial, the first time only."""
    flag = str(folder / "flag")
    return f"""
if trial.stimulus_id.endswith("3") and not os.path.exists({flag!r}):
    open({flag!r}, "w").close()
    {action}
return "yes\""""


@pytest.mark.parametrize("death", DEATHS)
def test_death_is_reported_with_last_lines_and_a_second_attempt_that_succeeds_exits_0(world, tmp_path, death):
    action, what = DEATHS[death]
    outcome = run_five(world, tmp_path, once(tmp_path, action))
    assert outcome.status == 0, outcome
    assert what in outcome.err and "3 trials left open" in outcome.err and "    out of memory" in outcome.err
    assert "trying 3 trials once more" in outcome.err and "Traceback" not in outcome.err
    assert list(answers(tmp_path / "results", "fake")) == ids(world)[:LIMIT]


def test_trial_on_which_it_dies_goes_last_and_the_others_are_answered(world, tmp_path):
    poison = ids(world)[1]
    asked = tmp_path / "asked"
    body = f"""
open({str(asked)!r}, "a").write(trial.stimulus_id + " ")
if trial.stimulus_id == {poison!r}:
    os._exit(9)
return "yes\""""
    outcome = run_five(world, tmp_path, body)
    assert outcome.status == 1
    first, second, *others = ids(world)[:LIMIT]
    assert asked.read_text().split() == [first, poison, *others, poison]
    assert list(answers(tmp_path / "results", "fake")) == [first, *others]
    assert errors(tmp_path / "results", "fake") == {}
    assert "run again to resume" in outcome.out


def test_job_is_retried_once_only(world, tmp_path):
    starts = tmp_path / "starts"
    outcome = run_five(world, tmp_path, f"open({str(starts)!r}, 'a').write('x'); os._exit(1)")
    assert outcome.status == 1
    assert starts.read_text() == "xx"
    assert outcome.err.count("left open") == 2 and outcome.err.count("once more") == 1


def test_runner_that_cannot_load_its_model_shows_why(world, tmp_path):
    runner = tmp_path / "runner.py"
    runner.write_text("raise RuntimeError('no weights in /models')\n", encoding="utf-8")
    registry = write_registry(tmp_path / "registry.tsv", {"model": "fake", "runner": runner})
    outcome = run(world, tmp_path / "results", TASK, "--limit", "2", registry=registry)
    assert outcome.status == 1
    assert "    RuntimeError: no weights in /models" in outcome.err


def test_trial_that_raises_is_an_error_row_and_never_an_answer(world, tmp_path):
    outcome = run_five(
        world, tmp_path, 'if trial.stimulus_id.endswith("3"): raise ValueError("too, long")\nreturn "no"'
    )
    assert outcome.status == 1
    results, third = tmp_path / "results", ids(world)[2]
    assert errors(results, "fake") == {third: "ValueError: too, long"}
    assert third not in answers(results, "fake") and len(answers(results, "fake")) == LIMIT - 1
    assert "fake/missing_fundamental.errors.csv" in outcome.out


def test_error_row_is_retried_on_the_next_run_alone_and_disappears_once_answered(world, tmp_path):
    asked = tmp_path / "asked"
    body = f"open({str(asked)!r}, 'a').write(trial.stimulus_id + ' ')" + once(tmp_path, 'raise ValueError("once")')
    assert run_five(world, tmp_path, body).status == 1
    asked.unlink()
    assert run_five(world, tmp_path, body).status == 0
    assert asked.read_text().split() == [ids(world)[2]]
    assert list(answers(tmp_path / "results", "fake")) == ids(world)[:LIMIT]
    assert not (tmp_path / "results" / "fake" / f"{TASK}.errors.csv").exists()


def test_trial_with_an_old_error_row_is_asked_again_when_the_runner_dies_before_it(world, tmp_path):
    state = tmp_path / "state"
    body = f"""
turn = open({str(state)!r}).read()
if trial.stimulus_id.endswith(("2", "3")) and turn == "fail":
    raise ValueError("first run")
if turn == "die":
    open({str(state)!r}, "w").write("fine")
    os._exit(1)
return "yes\""""
    state.write_text("fail")
    assert run_five(world, tmp_path, body).status == 1
    state.write_text("die")
    outcome = run_five(world, tmp_path, body)
    assert "2 trials left open" in outcome.err
    assert outcome.status == 0


def test_answer_that_is_no_text_is_an_error_row(world, tmp_path):
    assert run_five(world, tmp_path, "return None").status == 1
    given = errors(tmp_path / "results", "fake")
    assert set(given.values()) == {"TypeError: answer() returned NoneType, a string is expected"}


ANSWER_ALL = """
import csv, os
illusion = os.environ["ILLUSION"]
ids = [row["stimulus_id"] for row in csv.DictReader(open(os.environ["META_DIR"] + f"/{illusion}.csv"))]
os.makedirs(os.environ["RESULTS_ROOT"] + "/fake")
out = open(os.environ["RESULTS_ROOT"] + f"/fake/{illusion}.csv", "w", newline="")
"""
NONSENSE = {
    "unknown ids": (
        'out.write("stimulus_id,model_answer\\n" + "".join(f"{i},yes\\n" for i in ids) + "mf_9999,yes\\n")',
        "mf_9999",
    ),
    "another trial twice": (
        'out.write("stimulus_id,model_answer\\n" + f"{ids[0]},yes\\n{ids[0]},no\\n")',
        "already on line 2",
    ),
    "other columns": ('out.write("id,answer\\n" + f"{ids[0]},yes\\n")', "missing stimulus_id, model_answer"),
    "a ragged row": ('out.write("stimulus_id,model_answer\\n" + f"{ids[0]},yes, or no\\n")', "line 2: has 3 fields"),
    "two files": (
        "other = os.path.join(os.environ['RESULTS_ROOT'], 'another')\n"
        "os.makedirs(other)\n"
        "text = 'stimulus_id,model_answer\\n' + f'{ids[0]},yes\\n'\n"
        "out.write(text)\n"
        "open(os.path.join(other, os.environ['TASK'] + '.csv'), 'w').write(text)",
        "is a second missing_fundamental.csv beside",
    ),
}


@pytest.mark.parametrize("nonsense", NONSENSE)
def test_nonsense_is_refused_and_kept_aside_and_nothing_of_it_is_merged(world, tmp_path, nonsense):
    results = tmp_path / "results"
    good = registry_of(tmp_path, 'return "yes"')
    assert run(world, results, TASK, "--limit", "2", registry=good).status == 0
    before = (results / "fake" / f"{TASK}.csv").read_bytes()
    writing, found = NONSENSE[nonsense]
    (tmp_path / "runner.py").write_text(ANSWER_ALL + writing + "\n", encoding="utf-8")
    outcome = run(world, results, TASK, "--limit", "4", registry=good)
    assert outcome.status == 1 and "Traceback" not in outcome.err
    assert found in outcome.err and "is refused and kept" in outcome.err
    assert (results / "fake" / f"{TASK}.csv").read_bytes() == before
    kept = list((results / ".staging").glob(f"fake/{TASK}/rejected-*/results/fake/{TASK}.csv"))
    assert len(kept) == 2  # both attempts
    native_runner(tmp_path / "runner.py", 'return "yes"')
    assert run(world, results, TASK, "--limit", "4", registry=good).status == 0
    assert len(answers(results, "fake")) == 4 and all(path.exists() for path in kept)


def test_answers_for_trials_of_another_shard_do_not_replace_theirs(world, tmp_path):
    """A runner may know ids that it was not asked; what is answered already stays."""
    results = tmp_path / "results"
    registry = registry_of(tmp_path, 'return "first"')
    assert run(world, results, TASK, "--limit", "1", registry=registry).status == 0
    first = ids(world)[0]
    writing = f'out.write("stimulus_id,model_answer\\n{first},second\\n" + "".join(f"{{i}},second\\n" for i in ids))'
    (tmp_path / "runner.py").write_text(ANSWER_ALL + writing + "\n", encoding="utf-8")
    run(world, results, TASK, "--limit", "2", registry=registry)
    assert answers(results, "fake")[first] == "first"
    assert snapshot(results)

"""Programs that know the AIB contract alone: no import of this project, their own model name, two columns."""

import pytest

from tests.inference.support import TASK, answers, csv_rows, errors, ids, run, write_registry

AIB = """
import csv, os, wave

MODEL = "Own-Name-7B"  # hard-coded, as in the wild
illusion = os.environ["ILLUSION"]
with open(os.path.join(os.environ["META_DIR"], illusion + ".csv"), newline="") as file:
    trials = [(row["stimulus_id"], row["question"]) for row in csv.DictReader(file)]


def ask(stimulus_id, question):
    path = os.path.join(os.environ["DATA_ROOT"], illusion, stimulus_id, stimulus_id + ".wav")
    with wave.open(path) as audio:
        frames = audio.getnframes()
    return f'{stimulus_id}, asked "{question}"\\nabout {frames} frames'


os.makedirs(os.path.join(os.environ["RESULTS_ROOT"], MODEL), exist_ok=True)
out = os.path.join(os.environ["RESULTS_ROOT"], MODEL, illusion + ".csv")
"""
WRITERS = {
    "csv.writer row by row": """
with open(out, "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["stimulus_id", "model_answer"])
    for stimulus_id, question in trials:
        writer.writerow([stimulus_id, ask(stimulus_id, question)])
        file.flush()
""",
    "csv.DictWriter at the end, backwards": """
rows = [{"stimulus_id": s, "model_answer": ask(s, q)} for s, q in reversed(trials)]
with open(out, "w") as file:
    writer = csv.DictWriter(file, ["stimulus_id", "model_answer"], quoting=csv.QUOTE_ALL)
    writer.writeheader()
    writer.writerows(rows)
""",
    "pandas at the end": """
import pandas
rows = [(s, ask(s, q)) for s, q in trials]
pandas.DataFrame(rows, columns=["stimulus_id", "model_answer"]).to_csv(out, index=False)
""",
    "pandas, reading the view too": """
import pandas
frame = pandas.read_csv(os.path.join(os.environ["META_DIR"], illusion + ".csv"))
frame["model_answer"] = [ask(row.stimulus_id, row.question) for row in frame.itertuples()]
frame[["stimulus_id", "model_answer"]].to_csv(out, index=False)
""",
    "no line end after the last row": """
rows = ["stimulus_id,model_answer"]
rows += [s + ',"' + ask(s, q).replace('"', '""') + '"' for s, q in trials]
with open(out, "w") as file:
    file.write("\\n".join(rows))
""",
}


@pytest.mark.parametrize("writer", WRITERS)
def test_aib_runner_runs_unmodified_under_base_and_refined(world, tmp_path, writer):
    runner = tmp_path / "aib.py"
    runner.write_text(AIB + WRITERS[writer], encoding="utf-8")
    registry = write_registry(tmp_path / "registry.tsv", {"model": "aib", "runner": runner})
    results = tmp_path / "results"
    outcome = run(world, results, TASK, "--conditions", "base,refined", "--limit", "4", registry=registry)
    assert outcome.status == 0, outcome
    assert sorted(path.name for path in results.iterdir() if not path.name.startswith(".")) == ["aib"]
    header, *rows = csv_rows((world.meta / f"{TASK}.csv").read_text(encoding="utf-8"))
    meta = {row[0]: dict(zip(header, row, strict=True)) for row in rows}
    for stem, column in ((TASK, "question"), (f"{TASK}@refined", "question_refined")):
        given = answers(results, "aib", stem)
        assert list(given) == ids(world)[:4]
        assert all(meta[stimulus_id][column] in text for stimulus_id, text in given.items())
        assert all(text.startswith(f"{stimulus_id}, asked") for stimulus_id, text in given.items())


def test_aib_runner_resumes_with_what_is_open(world, tmp_path):
    runner = tmp_path / "aib.py"
    runner.write_text(AIB + WRITERS["pandas at the end"], encoding="utf-8")
    registry = write_registry(tmp_path / "registry.tsv", {"model": "aib", "runner": runner})
    results = tmp_path / "results"
    for limit in ("2", "5"):
        assert run(world, results, TASK, "--limit", limit, registry=registry).status == 0
    assert list(answers(results, "aib")) == ids(world)[:5]


def test_last_row_torn_by_a_dying_runner_is_asked_again(world, tmp_path):
    once = tmp_path / "died"
    torn = f"""
if not os.path.exists({str(once)!r}):
    open({str(once)!r}, "w").close()
    with open(out, "w") as file:
        file.write("stimulus_id,model_answer\\n" + trials[0][0] + ",yes\\n" + trials[1][0] + ",ye")
    os._exit(1)
with open(out, "w") as file:
    file.write("stimulus_id,model_answer\\n" + "".join(s + ",no\\n" for s, _ in trials))
"""
    runner = tmp_path / "aib.py"
    runner.write_text(AIB + torn, encoding="utf-8")
    registry = write_registry(tmp_path / "registry.tsv", {"model": "aib", "runner": runner})
    results = tmp_path / "results"
    assert run(world, results, TASK, "--limit", "3", registry=registry).status == 0
    assert list(answers(results, "aib").values()) == ["yes", "no", "no"]
    assert errors(results, "aib") == {}

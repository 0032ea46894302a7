"""Jobs and the devices that they may use at once."""

from inference.runs import begin, finish, open_trials
from inference.scheduler import Scheduler, Slots, split
from tests.inference.support import answers, ids, native_runner, planned_run

BODY = """
with open({log!r}, "a") as log:
    log.write(f"{{os.getpid()}} {{os.environ['CUDA_VISIBLE_DEVICES'] or '-'}} {{time.monotonic()}}\\n")
time.sleep(0.1)
return "yes\""""


def schedule(world, folder, slots, models, shards=2):
    """Run models that need (name, GPUs), and return each process's devices, begin and end."""
    log = folder / "log"
    runner = native_runner(folder / "fake.py", BODY.format(log=str(log)))
    runs = [planned_run(world, folder / "results", limit=6, name=n, runner=runner, gpus=gpus) for n, gpus in models]
    jobs = []
    for run in runs:
        begin(run)
        jobs += split(run, open_trials(run), shards)
    reports, counted = [], []
    Scheduler(slots, reports.append, counted.append).run_all(jobs)
    for run in runs:
        finish(run, 0)
        assert list(answers(folder / "results", run.model.name)) == ids(world)[:6]
    assert reports == [] and sum(counted) == 6 * len(runs)
    processes = {}
    for line in log.read_text().splitlines():
        pid, devices, moment = line.split()
        _, begun, _ = processes.setdefault(pid, (devices, float(moment), None))
        processes[pid] = (devices, begun, float(moment))
    return list(processes.values())


def overlapping(processes):
    return [
        (one, other)
        for n, one in enumerate(processes)
        for other in processes[n + 1 :]
        if one[1] <= other[2] and other[1] <= one[2]
    ]


def test_two_jobs_never_share_a_gpu_at_once(world, tmp_path):
    processes = schedule(world, tmp_path, Slots(1, ["0", "1"]), [("one", 1), ("other", 1)])
    assert len(processes) == 4
    assert {devices for devices, _, _ in processes} == {"0", "1"}
    together = overlapping(processes)
    assert together  # both devices were in use at once
    assert all(one[0] != other[0] for one, other in together)


def test_model_that_needs_two_gpus_gets_both_and_alone(world, tmp_path):
    processes = schedule(world, tmp_path, Slots(1, ["3", "5"]), [("large", 2), ("small", 1)], shards=1)
    devices = {frozenset(process[0].split(",")) for process in processes}
    assert frozenset({"3", "5"}) in devices and len(processes) == 2
    assert overlapping(processes) == []


def test_cpu_runner_sees_no_gpu_and_runs_beside_gpu_jobs(world, tmp_path):
    processes = schedule(world, tmp_path, Slots(1, ["0"]), [("cpu", 0), ("gpu", 1)], shards=1)
    assert sorted(devices for devices, _, _ in processes) == ["-", "0"]
    assert overlapping(processes)


def test_cpu_slots_bound_the_cpu_runners(world, tmp_path):
    assert overlapping(schedule(world, tmp_path, Slots(1, []), [("cpu", 0)])) == []

"""Small tasks with known scores."""

from meta.trials import Trial


def trial(number: int, trial_class: str, truth: str, percept: str, options: tuple[str, ...]) -> Trial:
    """Return one trial, a cluster of its own."""
    name = f"t_{number:04d}"
    return Trial(name, trial_class, f"{trial_class}-{number}", "Question?", options, truth, percept, number % 2 == 0)


def binary_trials(n_illusion: int = 20, n_a: int = 10, n_p: int = 10) -> list[Trial]:
    """Return a task whose percept is yes."""
    rows = [("illusion", "no", "yes")] * n_illusion + [("control_a", "no", "no")] * n_a
    rows += [("control_p", "yes", "yes")] * n_p
    return [trial(number, *row, ("yes", "no")) for number, row in enumerate(rows)]


def ternary_trials(n: int = 12) -> list[Trial]:
    """Return a task with the percepts up and down and the truth same."""
    rows = [("illusion", "same", "up"), ("illusion", "same", "down"), ("control_a", "same", "same")]
    rows += [("control_p", "up", "up"), ("control_p", "down", "down")]
    return [trial(number, *row, ("up", "down", "same")) for number, row in enumerate(rows * n)]

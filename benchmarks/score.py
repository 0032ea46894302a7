"""How fast scoring is: answers read a second on one core, from bare options to long sentences.

Each figure is the median over repeats with its range; the answers of a repeat are read in random order.
Sentences have 8 to 30 words; the mix has 60 % bare answers and 40 % sentences. The goal is 50,000 answers of
the mix a second.

    python benchmarks/score.py                        # half a minute
    python benchmarks/score.py --answers 100000 --repeats 9
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time

from tools.answers import Binary, Choice, Integer, Kind, Letters, Number, Transcript, Word, extract

GOAL = 50_000  # answers of the mix a second
BARE_SHARE = 0.6

Question = tuple[str, Kind]

OPTIONS = {
    "yes or no": (Choice(("yes", "no")), ("yes", "no")),
    "up, down or same": (Choice(("up", "down", "same")), ("up", "down", "same")),
    "four lettered": (
        Choice(("dog barking", "cat meowing", "rain", "engine"), lettered=True),
        ("A", "B", "cat meowing", "(D)", "rain"),
    ),
}
BARE = ("{}", "{}", "{}", "{}.", "**{}**", " {}\n", '"{}"')
OPENINGS = (
    "After listening carefully to the whole recording,",
    "Based on the audio that was provided,",
    "In this clip a soft tone is followed by a burst of noise, and",
    "The sound seems to change over time, however subtly, so",
    "There are two segments with a short pause between them, and",
)
STATEMENTS = (
    "the answer is {}.",
    "I would say {}.",
    "it is best described as {}.",
    "what I hear is {}, not anything else.",
    "nothing can be heard that would settle the question.",
)
CLOSINGS = (
    "",
    "The level stays about constant throughout.",
    "This is what the spectrum suggests as well, although the noise makes it hard to be exact.",
)
OTHER_KINDS: dict[str, tuple[Kind, tuple[str, ...]]] = {
    "binary": (
        Binary("anomalous", "normal", ("anomaly",)),
        ("normal", "The machine is not anomalous as far as I hear."),
    ),
    "count": (Integer(count=True), ("3", "I hear 3 tones in this clip, each about 500 ms long.")),
    "number": (Number("Hz"), ("440 Hz", "The frequency of the first tone is about 0.44 kHz.")),
    "letters": (Letters("EG", 3), ("EGE", "The label of the last clip should be E-G-E.")),
    "word": (Word(), ("hello", "The Morse code in this recording spells the word HELLO.")),
    "transcript": (Transcript(), ("a dog barked twice", 'The speaker says: "a dog barked twice".')),
}


def bare(rng: random.Random, n: int) -> list[Question]:
    """Return answers that are an option and little else."""
    drawn = [rng.choice(list(OPTIONS.values())) for _ in range(n)]
    return [(rng.choice(BARE).format(_cased(rng, rng.choice(values))), kind) for kind, values in drawn]


def sentences(rng: random.Random, n: int) -> list[Question]:
    """Return answers of 8 to 30 words."""
    found: list[Question] = []
    while len(found) < n:
        kind, values = rng.choice(list(OPTIONS.values()))
        parts = (rng.choice(OPENINGS), rng.choice(STATEMENTS).format(rng.choice(values)), rng.choice(CLOSINGS))
        text = " ".join(part for part in parts if part)
        if 8 <= len(text.split()) <= 30:
            found.append((text, kind))
    return found


def mix(rng: random.Random, n: int) -> list[Question]:
    """Return bare answers and sentences in the proportion of a typical results file."""
    n_bare = round(n * BARE_SHARE)
    questions = bare(rng, n_bare) + sentences(rng, n - n_bare)
    rng.shuffle(questions)
    return questions


def _cased(rng: random.Random, value: str) -> str:
    return value.capitalize() if rng.random() < 0.5 else value


def answers_a_second(questions: list[Question]) -> float:
    """Return how many answers are read in a second of CPU time."""
    before = time.process_time()
    for text, kind in questions:
        extract(text, kind)
    return len(questions) / (time.process_time() - before)


def measure(name: str, questions: list[Question], repeats: int) -> float:
    """Print the median and the range of the speed over the repeats; return the median."""
    rates = [answers_a_second(questions) for _ in range(repeats)]
    median = statistics.median(rates)
    print(f"{name:<12} {median:>10,.0f} answers/s  ({min(rates):,.0f} to {max(rates):,.0f})", flush=True)
    return median


def measure_extraction(n: int, repeats: int, seed: int) -> bool:
    """Print the speed of extraction; return whether the goal is met."""
    print(f"Extraction, one core, {n} answers, {repeats} repeats, median (range)")
    rng = random.Random(seed)
    measure("bare", bare(rng, n), repeats)
    measure("sentences", sentences(rng, n), repeats)
    rate = measure("mix", mix(rng, n), repeats)
    for name, (kind, texts) in OTHER_KINDS.items():
        measure(name, [(rng.choice(texts), kind) for _ in range(n // 4)], repeats)
    print(f"goal for the mix: {GOAL:,} answers/s, {'met' if rate >= GOAL else 'MISSED'}")
    return rate >= GOAL


def main() -> int:
    """Run every section and return 1 if a goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--answers", type=int, default=20_000, help="answers in a repeat (default %(default)s)")
    parser.add_argument("--repeats", type=int, default=7, help="repeats (default %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the answers (default %(default)s)")
    arguments = parser.parse_args()
    sections = [measure_extraction(arguments.answers, arguments.repeats, arguments.seed)]
    return 0 if all(sections) else 1


if __name__ == "__main__":
    sys.exit(main())

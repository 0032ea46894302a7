"""Does the clause around a mention deny it, or leave it open?"""

from __future__ import annotations

import re

_CLAUSE_BREAK = re.compile(
    r"[.,;:!?\n—–]|\b(?:but|and|so|because|since|then|thus|therefore|hence|although|though|while|however)\b"
)
_NEGATOR = re.compile(
    r"\b(?:not|never|neither|nor|cannot|without|whether|if|unless|rather than|instead of|as opposed to|other than|"
    r"unlike|rul(?:e|es|ed|ing) out|exclud\w+|eliminat\w+)\b|n't\b|\bno\s+(?:\w+\s+){0,2}$"
)
_DENIED = re.compile(
    r"\s+(?:(?:is|are|was|were|seems?|looks?|sounds?)\s+(?:\w+\s+)?(?:not|never|incorrect|wrong|unlikely|absent|impossible)\b|"
    r"\w+n't\b|(?:does|did|do|can|could|would)\s+not\b|cannot\b)"
)
_REST_OF_QUESTION = re.compile(r"[^.!?\n]{0,300}\?")  # bounded: a model stuck in a loop writes without end
_REACH = 120


def clause_before(lower: str, start: int) -> str:
    """Return what stands before a position in its clause, at most 120 characters."""
    clause = lower[max(0, start - _REACH) : start]
    cut = 0
    for stop in _CLAUSE_BREAK.finditer(clause):
        cut = stop.end()
    return clause[cut:]


def is_denied_after(lower: str, end: int) -> bool:
    """Tell whether what follows denies the mention: "A is wrong"."""
    return bool(_DENIED.match(lower, end))


def is_negated(lower: str, start: int, end: int) -> bool:
    """Tell whether the clause around a mention denies it or leaves it open."""
    return bool(_NEGATOR.search(clause_before(lower, start))) or is_denied_after(lower, end)


def is_asked(lower: str, end: int) -> bool:
    """Tell whether the sentence goes on to a question mark."""
    return "?" in lower and bool(_REST_OF_QUESTION.match(lower, end))

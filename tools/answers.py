"""Which option does a free-text answer name?

Conventions
-----------
* An answer is read as it stands or not at all: nothing is inferred from what an option would
  imply ("nothing was heard" is not "no"), and the nearest option is never taken.
* ``Reading.value`` is the option's own text; it is there exactly when ``status`` is ``ok``.
* ``Reading.span`` counts characters of the text as given.
* Letter case, Markdown, quotes and full-width forms do not matter. An option inside another word
  ("no" in "notice") is not named.
* Reasoning in ``<think>`` tags is not part of the answer; without its end tag the answer is truncated.
* Letters (A for the first option) are read only where the prompt showed them: ``Choice.lettered``.

Rules, in the order in which they are tried
-------------------------------------------
``bare``            the text is one option, give or take punctuation around it
``empty``           there is no text
``reasoning``       a reasoning block has no end: truncated
``final``           an answer marked as final: "Final answer: X", a LaTeX box, ``<answer>`` tags
``explicit``        an answer marked as such: "the answer is X", ``{"answer": "X"}``, "I choose X",
                    "X is correct"; a leading "X, ..." that differs makes it ambiguous
``refusal``         the text says that it cannot answer
``mention``         the options named anywhere, other than negated, in a question or in an idiom:
                    one is the answer, several are ambiguous
``apology``         nothing is named and the text says sorry: refusal
``none``            nothing applies: unparsed
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

VERSION = 1
OK, UNPARSED, REFUSAL, TRUNCATED, AMBIGUOUS, EMPTY = "ok", "unparsed", "refusal", "truncated", "ambiguous", "empty"
STATUSES = (OK, UNPARSED, REFUSAL, TRUNCATED, AMBIGUOUS, EMPTY)
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Choice:
    """A question with one right option; ``lettered`` says that the prompt named them A, B, C, ..."""

    options: tuple[str, ...]
    lettered: bool = False


class Reading(NamedTuple):
    """What was read: the option's text or None, the status, where it stands, and the rule that read it."""

    value: str | None
    status: str
    span: tuple[int, int] | None
    rule: str


class Mention(NamedTuple):
    """One option named in a text."""

    start: int
    end: int
    option: int


def extract(text: str, kind: Choice) -> Reading:
    """Read the answer to a choice question.

    Parameters
    ----------
    text : str
        The model's answer, unchanged.
    kind : Choice
        The options and whether they were lettered.

    Raises
    ------
    ValueError
        Two options differ in nothing but case or markup, so no answer can tell them apart.

    Examples
    --------
    >>> extract("**Yes**, there is a tone.", Choice(("yes", "no")))
    Reading(value='yes', status='ok', span=(2, 5), rule='mention')
    >>> extract("There is no tone.", Choice(("yes", "no"))).status
    'unparsed'
    """
    patterns = _patterns(kind)
    answer = _Answer(text)
    for rule in RULES:
        reading = rule(answer, patterns)
        if reading is not None:
            return reading
    return Reading(None, UNPARSED, None, "none")


# --- The text, made plain without moving a character ---------------------------------------------

_SAME_LENGTH = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛′ʼ", "'"),
        **dict.fromkeys("“”„‟«»「」『』″", '"'),
        **dict.fromkeys("\u2010\u2011\u2212", "-"),
        **dict.fromkeys("。｡", "."),
        **dict.fromkeys("【〔", "["),
        **dict.fromkeys("】〕", "]"),
        "、": ",",
    }
)
_MARKUP = re.compile(r"[*`\"]+|(?<!\w)['_]+|['_]+(?!\w)|^[ \t]*#+(?=\s)", re.MULTILINE)
_REASONING_TAG = re.compile(r"<(/?)(?:think|thinking|thought|reasoning)>", re.IGNORECASE)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match.group())


@lru_cache(maxsize=4096)
def _plain_character(character: str) -> str:
    plain = unicodedata.normalize("NFKC", character)
    return plain if len(plain) == 1 else character


def _level(text: str) -> str:
    """Return the text with ASCII forms and without markup, each character in its place."""
    if not text.isascii():
        text = "".join(map(_plain_character, text.translate(_SAME_LENGTH))).translate(_SAME_LENGTH)
    return _MARKUP.sub(_blank, text)


def _lower(text: str) -> str:
    lowered = text.lower()
    if len(lowered) == len(text):
        return lowered
    return "".join(c.lower() if len(c.lower()) == 1 else c for c in text)


def _without_reasoning(text: str) -> tuple[str, bool]:
    """Return the text with its reasoning blanked, and whether the last block has no end."""
    start: int | None = None
    for tag in _REASONING_TAG.finditer(text):
        if not tag.group(1):
            start = tag.start() if start is None else start
            continue
        first = start or 0  # an end without a start: some chat templates open the block in the prompt
        text = text[:first] + " " * (tag.end() - first) + text[tag.end() :]
        start = None
    return text, start is not None


class _Answer:
    """One answer in the forms that the rules read; all have the length of the text."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def visible(self) -> str:
        return self._without_reasoning[0]

    @cached_property
    def ends_in_reasoning(self) -> bool:
        return self._without_reasoning[1]

    @cached_property
    def _without_reasoning(self) -> tuple[str, bool]:
        return _without_reasoning(self.text) if "<" in self.text else (self.text, False)

    @cached_property
    def level(self) -> str:
        return _level(self.visible)

    @cached_property
    def lower(self) -> str:
        return _lower(self.level)


# --- The options, compiled once ------------------------------------------------------------------

_WORD = "0-9A-Za-z_À-ÖØ-öø-ʯͰ-ϿЀ-ӿ"  # no CJK: "答案是B" has no spaces, and B is a word of its own there
_BEFORE = rf"(?<![{_WORD}'])(?<![{_WORD}]-)(?<!\d[.,])"
_AFTER = rf"(?![{_WORD}'])(?!-[{_WORD}])(?![.,]\d)"
_IS_WORD = re.compile(f"[{_WORD}]")
_GAP = r"(?:\s+(?!(?:not|no|never|and|or|but)\b)\w+){0,2}\s+"  # "cat is meowing" names "cat meowing"
_EDGE = " \t\r\n\f\v\"'()[]{}<>.,;:!?*_`#$|/\\-–—…"


class _Patterns(NamedTuple):
    """What the rules need to know of a question."""

    kind: Choice
    bare: dict[str, int | None]  # None: two options could be meant
    text: re.Pattern[str]
    order: tuple[int, ...]  # option of each group of ``text``
    letter: re.Pattern[str] | None

    def text_mention(self, match: re.Match[str] | None) -> Mention | None:
        return Mention(*match.span(), self.order[(match.lastindex or 1) - 1]) if match else None


@lru_cache(maxsize=4096)
def _patterns(kind: Choice) -> _Patterns:
    keys = [" ".join(_lower(_level(option)).split()) or option for option in kind.options]
    if len(set(keys)) < len(keys):
        raise ValueError(f"options that no answer can tell apart: {list(kind.options)}")
    if kind.lettered and len(keys) > len(LETTERS):
        raise ValueError(f"{len(keys)} options, but only {len(LETTERS)} letters")
    bare: dict[str, int | None] = {key: index for index, key in enumerate(keys)}
    letters = LETTERS[: len(keys)] if kind.lettered else ""
    for index, letter in enumerate(letters.lower()):
        bare[letter] = index if bare.get(letter, index) == index else None
    order = sorted(range(len(keys)), key=lambda index: -len(keys[index]))  # "car horn" before "car"
    text = re.compile("|".join(f"({_option_pattern(keys[index])})" for index in order))
    letter_pattern = re.compile(f"{_BEFORE}[{letters}{letters.lower()}]{_AFTER}") if letters else None
    return _Patterns(kind, bare, text, tuple(order), letter_pattern)


def _option_pattern(key: str) -> str:
    body = _GAP.join(map(re.escape, key.split())) or re.escape(key)
    before = _BEFORE if _IS_WORD.match(key[0]) else ""
    return before + body + (_AFTER if _IS_WORD.match(key[-1]) else "")


# --- Does a word that looks like an option name it? ----------------------------------------------

# Words that can follow the answer "no" or the letter A; before any other word, they are a determiner or an article.
_FUNCTION_WORDS = frozenset(
    "after although and are as at based because but by does due during either for from given he however i i'm if in is "
    "it it's its nor not of on or seems she since so that that's the then there there's therefore these they this "
    "those though thus to unless was we were when where while with would yes yet you".split()
)
_NEXT_WORD = re.compile(r"[ \t]+([^\W\d_][\w']*)")
_NUMBER_SIGN = re.compile(r"\.?[ \t]*\d")  # "No. 5"
_IDIOM_BEFORE = {
    "up": re.compile(
        r"\b(?:made|makes?|making|ends?|ended|ending|winds?|wound|sets?|setting|picks?|picked|sums?|summed|summing|builds?|built|"
        r"building|speeds?|sped|speeding|starts?|started|warms?|backs?|opens?|opened|brings?|brought|shows?|showed|takes?|"
        r"taken|tun(?:e|es|ed|ing)|mix(?:ed|es)?|lin(?:e|ed|es)|adds?|added|adding|wraps?|wrapping)\s+$"
    ),
    "down": re.compile(
        r"\b(?:breaks?|broken?|breaking|slow(?:s|ed|ing)?|writ(?:e|ten|es)|wrote|settl(?:e|es|ed)|calm(?:s|ed)?)\s+$"
    ),
    "same": re.compile(r"\bat\s+the\s+$"),
}
_IDIOM_AFTER = {
    "up": re.compile(r"\s+(?:to\b(?!\s+(?:the\s+)?(?:end|higher|a\s+higher))|until\b|and\s+running\b)"),
    "same": re.compile(r"\s+time\b"),
    "yes": re.compile(r"\s+man\b"),
}
_NONE_OF = re.compile(r"\s+of\b")


def _is_other_use(lower: str, start: int, end: int) -> bool:
    """Tell whether an option's word is there in another sense: a determiner, an idiom."""
    word = lower[start:end]
    if word == "no":
        following = _NEXT_WORD.match(lower, end)
        return bool(following and following.group(1) not in _FUNCTION_WORDS) or bool(_NUMBER_SIGN.match(lower, end))
    if word == "none":
        return bool(_NONE_OF.match(lower, end))
    before, after = _IDIOM_BEFORE.get(word), _IDIOM_AFTER.get(word)
    return bool(before and before.search(lower, max(0, start - 20), start)) or bool(after and after.match(lower, end))


def _is_article(level: str, start: int, end: int) -> bool:
    """Tell whether a letter that looks like an option's is the article A or the pronoun I."""
    if level[start] not in "AaIi":
        return False
    following = _NEXT_WORD.match(level, end)
    return bool(following and following.group(1).lower() not in _FUNCTION_WORDS)


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


def _is_negated(lower: str, start: int, end: int) -> bool:
    """Tell whether the clause around a mention denies it or leaves it open."""
    clause = lower[max(0, start - 120) : start]
    for stop in _CLAUSE_BREAK.finditer(clause):
        cut = stop.end()
        clause = " " * cut + clause[cut:]
    return bool(_NEGATOR.search(clause)) or bool(_DENIED.match(lower, end))


def _mentions(answer: _Answer, patterns: _Patterns) -> list[Mention]:
    """Return the options that the text names and does not deny."""
    found = [mention for match in patterns.text.finditer(answer.lower) if (mention := patterns.text_mention(match))]
    named = [m for m in found if not _is_other_use(answer.lower, m.start, m.end)]
    covered = {position for m in found for position in range(m.start, m.end)}  # the C of an option "vitamin C"
    named += [m for m in _letter_mentions(answer, patterns) if m.start not in covered]
    return [
        m
        for m in sorted(named)
        if not _is_negated(answer.lower, m.start, m.end) and not _REST_OF_QUESTION.match(answer.lower, m.end)
    ]


_LABEL_END = re.compile(r"\s*[).:\]]")


def _letter_mentions(answer: _Answer, patterns: _Patterns) -> Iterator[Mention]:
    """Yield the capital letters that stand for options; a small one only as a label at the very start."""
    if patterns.letter is None:
        return
    for match in patterns.letter.finditer(answer.level):
        start, end = match.span()
        is_label = start < 20 and not answer.level[:start].strip(_EDGE) and _LABEL_END.match(answer.level, end)
        if (match.group().isupper() or is_label) and not _is_article(answer.level, start, end):
            yield Mention(start, end, LETTERS.index(match.group().upper()))


# --- Answers behind a cue ------------------------------------------------------------------------

_LINK = r"(?:\s*(?:(?:would|should|must|will)\s+be\b|is\b|was\b|[:=]|-+>|→|—|–))"
_FINAL_CUE = re.compile(rf"\bfinal[ _-]*(?:answer|choice|decision){_LINK}*|\\boxed\s*\{{\s*(?:\\\w+\s*\{{)?|<answer>")
_CUE = re.compile(
    rf"(?<![a-z])(?:answer|choice|selection|prediction|response|option|label|verdict|conclusion)"
    rf"(?:\s+(?:to\s+(?:the|this|your)\s+question|here))?{_LINK}+|"
    r"^[ \t]*answer(?=\s+\S+\s*$)|"
    r"\b(?:choose|choosing|chose|select|selected|pick|picked|(?:go|going)\s+with|opt\s+for|"
    r"i(?:'d|\s+would)\s+(?:say|guess|answer)|my\s+guess\s+is|i\s+(?:think|believe|guess))\b|"
    r"(?:答案|答え|正解|选择|選擇|选|정답|답)(?:\s*(?:应该|應該|应|是|为|為|は|은|는|:))*|"
    r"\b(?:antwort|respuesta|réponse|reponse|resposta|risposta|antwoord|odpowiedź|svaret|svar|ответ|cevap|jawaban)\b"
    r"(?:\s+(?:correcta|correta|corretta|correcte|final))?"
    r"(?:\s*(?:(?:lautet|ist|es|est|é|è|is|är|er|это|adalah|to)\b|[:=]|-|—|–))*",
    re.MULTILINE,
)
_GLUE = re.compile(
    r"[\s(\[{<:=>$,-]*(?:(?:option|choice|letter|clearly|definitely|probably|likely|most|that|it\s+is|it's|simply|just)\b\s*)*"
    r"[\s(\[{<:$]*(?:\\\w+\s*\{\s*)?"
)
_ARTICLE = re.compile(r"(?:an?|the)\s+")
_LABEL_GAP = re.compile(r"[\s).:\]\-,–—=]*")
_OPEN_BEFORE = re.compile(r"(?:\b(?:if|whether|unless|when|not|never)|n't)\s+(?:\w+\s+){0,2}$")
_AND_OR = re.compile(r"\s*[)\]}]?\s*(?:,\s*(?:and|or)?\b|/|&|;|\band\b|\bor\b)\s*[(\[{]?")
_STOPS_AFTER = re.compile(r"\s*(?:$|[.,;/&!\n)\]}<]|and\b|or\b)")
_AFFIRMED = re.compile(r"\s*(?:is|are|was)\s+(?:the\s+)?(?:most\s+)?(?:correct|right|best|accurate|answer)\b")


def _values_at(answer: _Answer, patterns: _Patterns, position: int) -> list[Mention]:
    """Return what stands right here: a text, a letter, or a letter with its text."""
    glue = _GLUE.match(answer.lower, position)
    start = glue.end() if glue else position
    values = []
    letter = patterns.letter.match(answer.level, start) if patterns.letter else None
    if letter and not _is_article(answer.level, *letter.span()):
        values.append(Mention(*letter.span(), LETTERS.index(letter.group().upper())))
        gap = _LABEL_GAP.match(answer.lower, letter.end())
        start = gap.end() if gap else letter.end()
    text = patterns.text_mention(patterns.text.match(answer.lower, start))
    article = _ARTICLE.match(answer.lower, start)
    if text is None and article:
        text = patterns.text_mention(patterns.text.match(answer.lower, article.end()))
    if text and not _is_other_use(answer.lower, text.start, text.end):
        values.append(text)
    return values


def _values_behind(cue: re.Pattern[str], answer: _Answer, patterns: _Patterns) -> list[Mention]:
    """Return every option given behind a cue, with those that "and", "or" or a comma add to it."""
    values: list[Mention] = []
    for match in cue.finditer(answer.lower):
        if _OPEN_BEFORE.search(answer.lower, max(0, match.start() - 60), match.start()):
            continue
        found = _values_at(answer, patterns, match.end())
        while found:
            values += found
            more = _AND_OR.match(answer.lower, found[-1].end)
            found = _values_at(answer, patterns, more.end()) if more else []
            if found and not _STOPS_AFTER.match(answer.lower, found[-1].end):
                found = []  # "the answer is B, A is too quiet" goes on about A
    return values


_PAUSE = re.compile(r"[ \t]*[.,;:!\n—–]")


def _leading(answer: _Answer, patterns: _Patterns) -> list[Mention]:
    """Return the option with which the text begins, if punctuation or a line end follows."""
    start = len(answer.lower) - len(answer.lower.lstrip(_EDGE))
    match = patterns.text.match(answer.lower, start)
    mention = patterns.text_mention(match)
    if mention is None or _is_other_use(answer.lower, mention.start, mention.end):
        return []
    return [mention] if _PAUSE.match(answer.lower, mention.end) else []


# --- The rules -----------------------------------------------------------------------------------


def _decide(values: list[Mention], patterns: _Patterns, rule: str) -> Reading | None:
    """Return one option as the answer, several as ambiguous, none as no reading."""
    if not values:
        return None
    if len({mention.option for mention in values}) > 1:
        return Reading(None, AMBIGUOUS, None, rule)
    last = values[-1]
    return Reading(patterns.kind.options[last.option], OK, (last.start, last.end), rule)


def _bare(answer: _Answer, patterns: _Patterns) -> Reading | None:
    for text in (answer.text, answer.level) if len(answer.text) <= 400 else ():
        for edge in (None, _EDGE):
            core = text.strip(edge)
            key = " ".join(_lower(core).split())
            if key not in patterns.bare:
                continue
            option = patterns.bare[key]
            if option is None:
                return Reading(None, AMBIGUOUS, None, "bare")
            start = text.index(core)
            return Reading(patterns.kind.options[option], OK, (start, start + len(core)), "bare")
    return None


def _empty(answer: _Answer, patterns: _Patterns) -> Reading | None:
    return None if answer.visible.strip() else Reading(None, EMPTY, None, "empty")


def _open_reasoning(answer: _Answer, patterns: _Patterns) -> Reading | None:
    return Reading(None, TRUNCATED, None, "reasoning") if answer.ends_in_reasoning else None


def _bare_beside_reasoning(answer: _Answer, patterns: _Patterns) -> Reading | None:
    if answer.visible is answer.text:
        return None
    return _bare(_Answer(answer.visible), patterns)


def _final(answer: _Answer, patterns: _Patterns) -> Reading | None:
    return _decide(_values_behind(_FINAL_CUE, answer, patterns), patterns, "final")


def _explicit(answer: _Answer, patterns: _Patterns) -> Reading | None:
    values = _values_behind(_CUE, answer, patterns)
    values += [m for m in _mentions(answer, patterns) if _AFFIRMED.match(answer.lower, m.end)]
    if not values:
        return None
    return _decide(_leading(answer, patterns) + values, patterns, "explicit")


_DO = (
    r"(?:determine|tell|answer|say|identify|discern|distinguish|listen|process|analy[sz]e|access|provide|give|help|assist|"
    r"decide|judge|assess|confirm|comply|fulfil|be\s+(?:sure|certain)|hear\s+(?:the\s+)?audio|play|make\s+a)"
)
_REFUSAL = re.compile(
    rf"(?:\bcan(?:no|')t|\bcan\s+not|\bcould\s*(?:not|n't)|\bunable\s+to|\bnot\s+able\s+to|\b(?:im|not\s+)possible\s+to|"
    rf"\b(?:hard|difficult)\s+to)\s+(?:\w+ly\s+)?{_DO}\b(?!\s+(?:a|any|the|much)\s+(?:\w+\s+)?(?:difference|change))|"
    r"\b(?:not\s+(?:entirely\s+|really\s+)?(?:sure|certain)|unsure|uncertain|no\s+idea|(?:don't|do\s+not)\s+know)\b|"
    r"\b(?:don't|do\s+not)\s+have\s+(?:enough|sufficient|access|the\s+(?:ability|capability)|any\s+(?:information|audio))|"
    r"\b(?:insufficient|not\s+enough)\s+(?:information|audio|data|context)|\bas\s+an?\s+(?:ai|text|language|large)\b|"
    r"\bno\s+(?:audio|sound|recording)(?:\s+(?:file|clip))?\s+(?:\w+\s+){0,2}(?:provided|attached|given|included|uploaded)|"
    r"\bplease\s+(?:provide|upload|share|attach|send)\b|无法|無法|不能确定|不知道|不确定|わかりません|알\s*수\s*없"
)
_APOLOGY = re.compile(r"\b(?:sorry|apologi[sz]e|apologies)\b|抱歉|对不起|申し訳|죄송")


def _refusal(answer: _Answer, patterns: _Patterns) -> Reading | None:
    match = _REFUSAL.search(answer.lower)
    return Reading(None, REFUSAL, match.span(), "refusal") if match else None


def _mention(answer: _Answer, patterns: _Patterns) -> Reading | None:
    return _decide(_mentions(answer, patterns), patterns, "mention")


def _apology(answer: _Answer, patterns: _Patterns) -> Reading | None:
    match = _APOLOGY.search(answer.lower)
    return Reading(None, REFUSAL, match.span(), "apology") if match else None


RULES: tuple[Callable[[_Answer, _Patterns], Reading | None], ...] = (
    _bare,
    _empty,
    _open_reasoning,
    _bare_beside_reasoning,
    _final,
    _explicit,
    _refusal,
    _mention,
    _apology,
)

"""Options named by their text or, where the prompt showed letters, by their letter."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tools.answers import cues
from tools.answers.kinds import Choice
from tools.answers.negation import is_asked, is_negated
from tools.answers.plain import AFTER, BEFORE, EDGE, WORD, Answer, level, lower
from tools.answers.reader import Reader
from tools.answers.reading import AMBIGUOUS, OK, Mention, Reading, held

LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_IS_WORD = re.compile(f"[{WORD}]")
_GAP = r"(?:\s+(?!(?:not|no|never|and|or|but)\b)\w+){0,2}\s+"  # "cat is meowing" names "cat meowing"


def option_key(option: str) -> str:
    """Return an option as it is looked for: plain, in lower case, single spaces."""
    return " ".join(lower(level(option)).split()) or option


class OptionTexts:
    """Texts to look for, each with the option that it names; longer ones first ("car horn" before "car")."""

    def __init__(self, options: dict[str, str]) -> None:
        keys = sorted(options, key=lambda key: -len(key))
        self._options = [options[key] for key in keys]
        self._pattern = re.compile("|".join(f"({_option_pattern(key)})" for key in keys))
        self._heads: list[str] = []  # every match begins with one of these
        for head in sorted({key.split()[0] if key.split() else key for key in keys}, key=len):
            if not head.startswith(tuple(self._heads)):
                self._heads.append(head)

    def match(self, text: str, position: int) -> Mention[str] | None:
        """Return the option named right at a position."""
        match = self._pattern.match(text, position)
        return Mention(*match.span(), self._options[(match.lastindex or 1) - 1]) if match else None

    def find(self, text: str) -> list[Mention[str]]:
        """Return the options named anywhere, without overlap."""
        found: list[Mention[str]] = []
        end = 0
        for position in self._positions(text):
            if position >= end and (mention := self.match(text, position)):
                found.append(mention)
                end = mention.end
        return found

    def _positions(self, text: str) -> list[int]:
        """Return where an option may begin; far faster than to try the pattern everywhere."""
        positions = []
        for head in self._heads:
            position = text.find(head)
            while position >= 0:
                positions.append(position)
                position = text.find(head, position + 1)
        positions.sort()
        return positions


def _option_pattern(key: str) -> str:
    body = _GAP.join(map(re.escape, key.split())) or re.escape(key)
    before = BEFORE if _IS_WORD.match(key[0]) else ""
    return before + body + (AFTER if _IS_WORD.match(key[-1]) else "")


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


def is_other_use(lower_text: str, start: int, end: int) -> bool:
    """Tell whether an option's word is there in another sense: a determiner, an idiom."""
    word = lower_text[start:end]
    if word == "no":
        following = _NEXT_WORD.match(lower_text, end)
        is_determiner = bool(following and following.group(1) not in _FUNCTION_WORDS)
        return is_determiner or bool(_NUMBER_SIGN.match(lower_text, end))
    if word == "none":
        return bool(_NONE_OF.match(lower_text, end))
    before, after = _IDIOM_BEFORE.get(word), _IDIOM_AFTER.get(word)
    if before and before.search(lower_text, max(0, start - 20), start):
        return True
    return bool(after and after.match(lower_text, end))


def _is_article(level_text: str, start: int, end: int) -> bool:
    """Tell whether a letter that looks like an option's is the article A or the pronoun I."""
    if level_text[start] not in "AaIi":
        return False
    following = _NEXT_WORD.match(level_text, end)
    return bool(following and following.group(1).lower() not in _FUNCTION_WORDS)


# --- The reader ----------------------------------------------------------------------------------

_ARTICLE = re.compile(r"(?:an?|the)\s+")
_LABEL_GAP = re.compile(r"[\s).:\]\-,–—=]*")
_IS_SUBJECT = re.compile(r"\s+(?:(?:would|could|might|should|is|was|are|were|does|did|has|had)\b|\w+n't\b)")
_LABEL_END = re.compile(r"\s*[).:\]]")


class ChoiceReader(Reader[str]):
    """Reads one of several options."""

    def __init__(self, kind: Choice) -> None:
        keys = [option_key(option) for option in kind.options]
        if len(set(keys)) < len(keys):
            raise ValueError(f"options that no answer can tell apart: {list(kind.options)}")
        if kind.lettered and len(keys) > len(LETTERS):
            raise ValueError(f"{len(keys)} options, but only {len(LETTERS)} letters")
        self.options = kind.options
        self.bare_texts: dict[str, str | None] = dict(zip(keys, kind.options, strict=True))
        letters = LETTERS[: len(keys)] if kind.lettered else ""
        for letter, option in zip(letters.lower(), kind.options, strict=False):  # None: two options could be meant
            self.bare_texts[letter] = option if self.bare_texts.get(letter, option) == option else None
        self.texts = OptionTexts(dict(zip(keys, kind.options, strict=True)))
        self.letter = re.compile(f"{BEFORE}[{letters}{letters.lower()}]{AFTER}") if letters else None

    def read(self, text: str) -> Reading[str]:
        """Return the reading of the first rule that applies; a text that is an option needs none of the machinery."""
        core = text.strip()
        option = self.bare_texts.get(core.lower())
        if option is not None:
            start = len(text) - len(text.lstrip())
            return Reading(option, OK, (start, start + len(core)), "bare")
        return super().read(text)

    def bare(self, answer: Answer) -> Reading[str] | None:
        """Read a text that is an option, give or take punctuation around it."""
        for text in (answer.text,) if answer.level is answer.text else (answer.text, answer.level):
            for edge in (None, EDGE):
                core = text.strip(edge)
                if len(core) > 400:
                    continue
                key = " ".join(lower(core).split())
                if key not in self.bare_texts:
                    continue
                option = self.bare_texts[key]
                if option is None:
                    return held(AMBIGUOUS, "bare")
                start = text.index(core)
                return Reading(option, OK, (start, start + len(core)), "bare")
        return None

    def mentions(self, answer: Answer) -> list[Mention[str]]:
        """Return the options that the text names and does not deny."""
        found = self.texts.find(answer.lower)
        named = [m for m in found if not is_other_use(answer.lower, m.start, m.end)]
        if self.letter is not None:
            covered = {position for m in found for position in range(m.start, m.end)}  # the C of an option "vitamin C"
            named = sorted(named + [m for m in self._letter_mentions(answer) if m.start not in covered])
        return [m for m in named if not is_negated(answer.lower, m.start, m.end) and not is_asked(answer.lower, m.end)]

    def _letter_mentions(self, answer: Answer) -> Iterator[Mention[str]]:
        """Yield the capital letters that stand for options; a small one only as a label at the very start."""
        for match in self.letter.finditer(answer.level) if self.letter else ():
            start, end = match.span()
            is_label = start < 20 and not answer.level[:start].strip(EDGE) and _LABEL_END.match(answer.level, end)
            if (match.group().isupper() or is_label) and not _is_article(answer.level, start, end):
                yield Mention(start, end, self._lettered(match))

    def _lettered(self, match: re.Match[str]) -> str:
        return self.options[LETTERS.index(match.group().upper())]

    def values_at(self, answer: Answer, position: int) -> list[Mention[str]]:
        """Return what stands right here: a text, a letter, or a letter with its text."""
        start, values = position, []
        letter = self.letter.match(answer.level, start) if self.letter else None
        if letter and not _is_article(answer.level, *letter.span()):
            values.append(Mention(*letter.span(), self._lettered(letter)))
            gap = _LABEL_GAP.match(answer.lower, letter.end())
            start = gap.end() if gap else letter.end()
        text = self.texts.match(answer.lower, start)
        article = _ARTICLE.match(answer.lower, start)
        if text is None and article:
            text = self.texts.match(answer.lower, article.end())
        if text and not is_other_use(answer.lower, text.start, text.end):
            values.append(text)
        return values

    def is_new_answer(self, line: str, end: int) -> bool:
        """Tell whether an option that begins a later line is an answer, not the subject of "down would fall"."""
        return not _IS_SUBJECT.match(line, end)

    def leading(self, answer: Answer) -> list[Mention[str]]:
        """Return the option with which the text begins, if punctuation or a line end follows."""
        start = len(answer.lower) - len(answer.lower.lstrip(EDGE))
        mention = self.texts.match(answer.lower, start)
        if mention is None or is_other_use(answer.lower, mention.start, mention.end):
            return []
        return [mention] if cues.PAUSE.match(answer.lower, mention.end) else []

"""Phrases that announce an answer, refuse one, or take one back."""

from __future__ import annotations

import re

LINK = r"(?:\s*(?:(?:would|should|must|will)\s+be\b|is\b|was\b|[:=]|-+>|→|—|–))"


def may_hold(lower: str, words: tuple[str, ...]) -> bool:
    """Tell whether one of the words is there, if only inside another."""
    for word in words:  # a loop, since any() costs more than most searches
        if word in lower:
            return True
    return False


class Cue:
    """A pattern that is slow to search for, behind the words of which one must be there."""

    def __init__(self, pattern: str, words: str) -> None:
        self.pattern = re.compile(pattern, re.MULTILINE)
        self.words = tuple(words.split())

    def extended(self, pattern: str, words: str) -> Cue:
        """Return a cue that also finds another pattern."""
        return Cue(f"{self.pattern.pattern}|{pattern}", " ".join((*self.words, words)))

    def find(self, lower: str) -> list[re.Match[str]]:
        """Return all matches."""
        return list(self.pattern.finditer(lower)) if may_hold(lower, self.words) else []

    def search(self, lower: str) -> re.Match[str] | None:
        """Return the first match."""
        return self.pattern.search(lower) if may_hold(lower, self.words) else None


FINAL = Cue(
    rf"\bfinal[ _-]*(?:answer|choice|decision){LINK}*|\\boxed\s*\{{\s*(?:\\\w+\s*\{{)?|<answer>",
    r"final \boxed <answer>",
)
EXPLICIT = Cue(
    rf"(?<![a-z])(?:answer|choice|selection|prediction|response|option|label|verdict|conclusion)"
    rf"(?:\s+(?:to\s+(?:the|this|your)\s+question|here))?{LINK}+|"
    r"^[ \t]*answer(?=\s+\S+\s*$)|"
    r"\b(?:choose|choosing|chose|select|selected|pick|picked|(?:go|going)\s+with|opt\s+for|"
    r"i(?:'d|\s+would)\s+(?:say|guess|answer)|my\s+guess\s+is|i\s+(?:think|believe|guess))\b|"
    r"(?:答案|答え|正解|选择|選擇|选|정답|답)(?:\s*(?:应该|應該|应|是|为|為|は|은|는|:))*|"
    r"\b(?:antwort|respuesta|réponse|reponse|resposta|risposta|antwoord|odpowiedź|svaret|svar|ответ|cevap|jawaban)\b"
    r"(?:\s+(?:correcta|correta|corretta|correcte|final))?"
    r"(?:\s*(?:(?:lautet|ist|es|est|é|è|is|är|er|это|adalah|to)\b|[:=]|-|—|–))*",
    "answer choice select predict respon option label verdict conclusion choos chose pick with opt say guess think "
    "believe 答 正解 选 選擇 정답 답 antwo respuesta répon repon respost rispost odpowied svar ответ cevap jawaban",
)


def glue(words: str) -> str:
    """Return the pattern of what may stand between a cue and a value: brackets, adverbs and the words of a kind."""
    return (
        rf"[\s(\[{{<:=>$,-]*(?:(?:{words}|clearly|definitely|probably|likely|most|that|it\s+is|it's|simply|just)\b\s*)*"
        r"[\s(\[{<:$]*(?:\\\w+\s*\{\s*)?"
    )


OPEN_BEFORE = re.compile(r"(?:\b(?:if|whether|unless|when|not|never)|n't)\s+(?:\w+\s+){0,2}$")
AND_OR = re.compile(r"\s*(?:[)\]}]\s*)?(?:,\s*(?:and|or)?\b|/|&|;|\band\b|\bor\b)\s*[(\[{]?")
STOPS_AFTER = re.compile(r"\s*(?:$|[.,;/&!\n)\]}<]|and\b|or\b)")
AFFIRMED = re.compile(r"\s*(?:is|are|was)\s+(?:the\s+)?(?:most\s+)?(?:correct|right|best|accurate|answer)\b")
AFFIRMING = ("correct", "right", "best", "accurate", "answer")
PAUSE = re.compile(r"[ \t]*[.,;:!\n—–]")
REVISION = re.compile(r"\b(?:wait|actually|correction|second\s+thoughts?|rather|instead|scratch\s+that|my\s+mistake)\b")

_DO = (
    r"(?:determine|tell|answer|say|identify|discern|distinguish|listen|process|analy[sz]e|access|provide|give|help|assist|"
    r"decide|judge|assess|confirm|comply|fulfil|be\s+(?:sure|certain)|hear\s+(?:the\s+)?audio|play|make\s+a)"
)
REFUSAL = Cue(
    rf"(?:\bcan(?:no|')t|\bcan\s+not|\bcould\s*(?:not|n't)|\bunable\s+to|\bnot\s+able\s+to|\b(?:im|not\s+)possible\s+to|"
    rf"\b(?:hard|difficult)\s+to)\s+(?:\w+ly\s+)?{_DO}\b(?!\s+(?:a|any|the|much)\s+(?:\w+\s+)?(?:difference|change))|"
    r"\b(?:not\s+(?:entirely\s+|really\s+)?(?:sure|certain)|unsure|uncertain|no\s+idea|(?:don't|do\s+not)\s+know)\b|"
    r"\b(?:don't|do\s+not)\s+have\s+(?:enough|sufficient|access|the\s+(?:ability|capability)|any\s+(?:information|audio))|"
    r"\b(?:insufficient|not\s+enough)\s+(?:information|audio|data|context)|\bas\s+an?\s+(?:ai|text|language|large)\b|"
    r"\bno\s+(?:audio|sound|recording)(?:\s+(?:file|clip))?\s+(?:\w+\s+){0,2}(?:provided|attached|given|included|uploaded)|"
    r"\bplease\s+(?:provide|upload|share|attach|send)\b|无法|無法|不能确定|不知道|不确定|わかりません|알\s*수\s*없",
    "can' cannot not n't unable impossible hard difficult unsure uncertain idea know insufficient as provided attached "
    "given included uploaded please 无法 無法 不 わかりません 알",
)
APOLOGY = Cue(r"\b(?:sorry|apologi[sz]e|apologies)\b|抱歉|对不起|申し訳|죄송", "sorry apolog 抱歉 对不起 申し訳 죄송")

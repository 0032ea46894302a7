"""Extraction of numbers, sequences, words, denials and transcripts: adversarial answers with their right readings."""

import pytest

from tools.answers import Binary, Choice, Integer, Kind, Letters, Number, Transcript, Word, extract

INTEGER, COUNT, HERTZ, REMAP = Integer(), Integer(count=True), Number("Hz"), Letters("EG", 3)
ANOMALY = Binary("anomalous", "normal", also_present=("anomaly", "anomalies", "abnormal"))
COMPLEMENTARY = Binary("anomalous", "normal", complementary=True)
YES_NO, PITCH = Choice(("yes", "no")), Choice(("up", "down", "same"))
SOUNDS = Choice(("dog barking", "cat meowing", "rain", "engine"), lettered=True)


def read(text: str, kind: Kind) -> object:
    """Return the value that was read, else the status."""
    reading = extract(text, kind)
    return reading.status if reading.value is None else reading.value


INTEGER_CASES = [
    ("72", 72),
    ("The answer is 72.", 72),
    ("1,000", 1000),
    ("There are 1,234,567 beeps", 1234567),
    ("-3", -3),
    ("It drops by -3 dB", -3),
    ("−5", -5),
    ("three", 3),
    ("I hear 3 tones, each 500 ms long.", 3),
    ("The first tone is 440 Hz; the answer is 2", 2),
    ("3.0", 3),
    ("**7**", 7),
    ("3 4", "ambiguous"),
    ("No tones: 0", 0),
    ("５", 5),
    ("12:30", "unparsed"),
    ("5-3", "ambiguous"),
    ("3-5", "ambiguous"),
    ("10.0", 10),
    ("10.5", "unparsed"),
    ("The answer is 10.5", "unparsed"),
    ("The answer is 5-3", "ambiguous"),
    ("The answer is 3 or 4", "ambiguous"),
    ("between 3 and 5", "ambiguous"),
    ("I hear 3 beeps: at 0:01, 0:03 and 0:05.", 3),
    ("4 (four)", 4),
    ("3, no: 4", "ambiguous"),
    ("5 - 3 = 2", 2),
    ("5 * 3 = 15", 15),
    ("5 minus 3 is 2", 2),
    (r"$5 \times 3 = 15$", 15),
    ("The answer is 5. 2 + 4 = 6", "ambiguous"),
    ("more than 3", "unparsed"),
    ("3 or more", "unparsed"),
    ("at least 3 tones", "unparsed"),
    ("not 3 but 4", 4),
    ("Is it 3? It is 4.", 4),
    ("twenty-one tones", 21),
    ("one hundred and five", 105),
    ("minus four", -4),
    ("There is one tone", 1),
    ("No one can tell", "unparsed"),
    ("The one is 4", 4),
    ("three and a half", "unparsed"),
    ("3½", "unparsed"),
    ("5²", "unparsed"),
    ("3/4", "unparsed"),
    ("3,5", "unparsed"),
    ("A4", "unparsed"),
    ("2nd", "unparsed"),
    ("9" * 40, "unparsed"),
    ("Final answer: −7", -7),
    ("Answer: –5", -5),
    (r"\boxed{-3}", -3),
    (r"\boxed{\text{12}}", 12),
    ('{"answer": 4}', 4),
    ('{"answer": "4", "unit": "tones"}', 4),
    ("<answer>3</answer>", 3),
    ("答案是３", 3),
    ("Respuesta: 4", 4),
    ("<think>5 or 6</think>4", 4),
    ("<think>It may be 4", "truncated"),
    ("3\n\nI hear 5 clicks and 3 tones.", 3),
    ("3\n1. a beep\n2. a click\n3. a hiss", 3),
    ("3\n4", "ambiguous"),
    ("3\nActually, I hear 4.", "ambiguous"),
    ("I cannot determine the number.", "refusal"),
    ("nothing", "unparsed"),
    ("", "empty"),
]


@pytest.mark.parametrize(("text", "expected"), INTEGER_CASES)
def test_integer_is_read_as_it_stands(text: str, expected: object) -> None:
    assert read(text, INTEGER) == expected


def test_measurement_is_no_count() -> None:
    assert read("Each lasts 500 ms", COUNT) == "unparsed"
    assert read("I hear 3 tones, each 500 ms long.", COUNT) == 3


NUMBER_CASES = [
    ("440", 440.0),
    ("440 Hz", 440.0),
    ("440Hz.", 440.0),
    ("about 0.44 kHz", 440.0),
    ("The answer is 1,000 Hz", 1000.0),
    ("0.1 hertz", 0.1),
    ("Tone 2 is at 440 Hz", 440.0),
    ("440 Hz (0.44 kHz)", 440.0),
    (r"\boxed{440\text{ Hz}}", 440.0),
    ("440-880 Hz", "ambiguous"),
    ("440 or 880 Hz", "ambiguous"),
    ("440 ± 5 Hz", "ambiguous"),
    ("500 ms", "unparsed"),
    ("3,5 kHz", "unparsed"),
    ("above 440 Hz", "unparsed"),
]


@pytest.mark.parametrize(("text", "expected"), NUMBER_CASES)
def test_number_is_read_in_its_unit(text: str, expected: object) -> None:
    assert read(text, HERTZ) == expected


@pytest.mark.parametrize(
    ("text", "unit", "expected"),
    [
        ("250 ms", "s", 0.25),
        ("1.5 min", "s", 90.0),
        ("90 s", "min", 1.5),
        ("100 s", "min", "unparsed"),
        ("2 st", "cents", 200),
    ],
)
def test_unit_is_converted_only_where_it_is_exact(text: str, unit: str, expected: object) -> None:
    assert read(text, Number(unit)) == expected


def test_unknown_unit_is_an_error_that_names_the_known_ones() -> None:
    with pytest.raises(ValueError, match="'furlong'; known are Hz"):
        extract("3", Number("furlong"))


LETTERS_CASES = [
    ("EGE", "EGE"),
    ("ege", "EGE"),
    ("Label: EGE", "EGE"),
    ("E G E", "EGE"),
    ("E-G-E", "EGE"),
    ("E, G, E", "EGE"),
    ("E→G→E", "EGE"),
    ("**E**-**G**-**E**", "EGE"),
    ("Ｅ Ｇ Ｅ", "EGE"),
    ('["E", "G", "E"]', "EGE"),
    ("E, then G, then E", "EGE"),
    ("The label is ege.", "EGE"),
    ("I hear EGE.", "EGE"),
    ("The sequence is G E E because E lasts", "GEE"),
    (r"\boxed{EGE}", "EGE"),
    ('{"answer": "EGE"}', "EGE"),
    ("答案：EGE", "EGE"),
    ("EGE\n\nGGG would be lower.", "EGE"),
    ("EG", "unparsed"),
    ("EGEG", "unparsed"),
    ("Label: E G E G", "unparsed"),
    ("EGX", "unparsed"),
    ("not EGE but GEE", "GEE"),
    ("EGE or GEE", "ambiguous"),
    ("I cannot tell.", "refusal"),
]


@pytest.mark.parametrize(("text", "expected"), LETTERS_CASES)
def test_letter_sequence_is_read_with_or_without_separators(text: str, expected: str) -> None:
    assert read(text, REMAP) == expected


@pytest.mark.parametrize("kind", [Letters("EE", 3), Letters("e", 3), Letters("", 3), Letters("EG", 0)])
def test_alphabet_that_is_none_is_an_error(kind: Letters) -> None:
    with pytest.raises(ValueError, match="capital letters"):
        extract("EGE", kind)


WORD_CASES = [
    ("HELLO", "hello"),
    ("**hello**.", "hello"),
    ("H E L L O", "hello"),
    ("h-e-l-l-o", "hello"),
    ("The word is hello.", "hello"),
    ('It spells "hello".', "hello"),
    ("The Morse code spells out HELLO", "hello"),
    ("the answer is: **river** because", "river"),
    ('{"word": "hello"}', "hello"),
    (r"\boxed{\text{hello}}", "hello"),
    ("Antwort: fluss", "fluss"),
    ("hello\n\nThe dots are short.", "hello"),
    ("The answer is hello or help", "ambiguous"),
    ("The answer is not clear", "unparsed"),
    ("I think so.", "unparsed"),
    ("I hear dots and dashes.", "unparsed"),
    ("unintelligible", "refusal"),
]


@pytest.mark.parametrize(("text", "expected"), WORD_CASES)
def test_word_is_read_in_lower_case(text: str, expected: str) -> None:
    assert read(text, Word()) == expected


BINARY_CASES = [
    ("Anomalous", "anomalous"),
    ("not anomalous", "normal"),
    ("no anomaly", "normal"),
    ("There is no sign of an anomaly", "normal"),
    ("The sound is not anomalous.", "normal"),
    ("I don't think it is anomalous", "normal"),
    ("non-anomalous", "normal"),
    ("The answer is not anomalous", "normal"),
    ("It is abnormal.", "anomalous"),
    ("It is normal, not anomalous", "normal"),
    ("The machine sounds normal and there are no anomalies.", "normal"),
    ("Is it anomalous? It is normal.", "normal"),
    ("It isn't normal", "unparsed"),
    ("neither normal nor anomalous", "unparsed"),
    ("not without anomalies", "unparsed"),
    ("not very anomalous", "unparsed"),
    ("normal or anomalous", "ambiguous"),
    ("not sure if anomalous", "refusal"),
    ("normal\n\nAnomalous would be a rattle.", "normal"),
]


@pytest.mark.parametrize(("text", "expected"), BINARY_CASES)
def test_denial_of_presence_is_absence(text: str, expected: str) -> None:
    assert read(text, ANOMALY) == expected


def test_denial_of_absence_is_presence_only_without_a_third_state() -> None:
    assert read("It isn't normal", COMPLEMENTARY) == "anomalous"
    assert read("It isn't normal", ANOMALY) == "unparsed"


def test_word_for_both_sides_is_an_error() -> None:
    with pytest.raises(ValueError, match="would name both"):
        extract("odd", Binary("odd", "even", also_absent=("Odd",)))


TRANSCRIPT_CASES = [
    ("hello there", "hello there"),
    ('"hello there"', "hello there"),
    ('The speaker says: "hello there"', "hello there"),
    ('The speaker says "yes". The voice is calm.', "yes"),
    ("**Transcription:** hello there", "hello there"),
    ("Transcription: **hello** there", "**hello** there"),
    ("Here is the transcription of the audio: go", "go"),
    ("'it's fine'", "it's fine"),
    ('"Stop," she said, "now"', '"Stop," she said, "now"'),
    ("The man says hello", "The man says hello"),
    ("sorry for the delay", "sorry for the delay"),
    ('{"text": "a \\"b\\" c"}', 'a "b" c'),
    ("<think>hm</think>go home", "go home"),
    ("<think>go home", "truncated"),
    ("The speaker says:", "unparsed"),
    ("...", "unparsed"),
    ("I'm sorry, I can't listen to audio files.", "refusal"),
    (" ", "empty"),
]


@pytest.mark.parametrize(("text", "expected"), TRANSCRIPT_CASES)
def test_transcript_is_freed_of_lead_in_and_quotes_only(text: str, expected: str) -> None:
    assert read(text, Transcript()) == expected


FIRST_LINE_CASES = [
    ("no\n\nBecause yes would need a tone.", YES_NO, "no"),
    ("Up.\nThe pitch does not go down.", PITCH, "up"),
    ("**Up**\n\nIt rises, whereas down would fall.", PITCH, "up"),
    ("B) cat meowing\nA dog barking would be louder than rain.", SOUNDS, "cat meowing"),
    ("up\ndown would sound lower", PITCH, "up"),
    ("yes\nno", YES_NO, "ambiguous"),
    ("no\nYes there is a tone.", YES_NO, "ambiguous"),
    ("up\nActually it goes down", PITCH, "ambiguous"),
    ("A) dog barking\nB) cat meowing\nC) rain", SOUNDS, "ambiguous"),
    ("up\nThe answer is down", PITCH, "ambiguous"),
    ("up\nFinal answer: down", PITCH, "down"),
]


@pytest.mark.parametrize(("text", "kind", "expected"), FIRST_LINE_CASES)
def test_first_line_counts_unless_a_later_one_contradicts(text: str, kind: Choice, expected: str) -> None:
    assert read(text, kind) == expected


RULES = [
    ("yes", YES_NO, "bare"),
    ("Final answer: yes", YES_NO, "final"),
    ("I choose yes", YES_NO, "explicit"),
    ("no\nNot a yes.", YES_NO, "first_line"),
    ("Yes there is", YES_NO, "mention"),
    ("It drops by 3 dB", INTEGER, "measured"),
    ("It is 440", HERTZ, "unitless"),
    ("It is not anomalous", ANOMALY, "denial"),
    ("There was 'hello'", Word(), "quoted"),
    ("Text: hello there", Transcript(), "lead_in"),
    ("hello there", Transcript(), "whole"),
    ('{"text": "hello there"}', Transcript(), "json"),
    ("<answer>hello there</answer>", Transcript(), "tag"),
    ("```\nhello there\n```", Transcript(), "fence"),
]


@pytest.mark.parametrize(("text", "kind", "rule"), RULES)
def test_reading_names_its_rule(text: str, kind: Kind, rule: str) -> None:
    assert extract(text, kind).rule == rule

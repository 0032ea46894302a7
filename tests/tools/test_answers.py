"""Option extraction: adversarial answers with their right readings, and properties of any answer."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tools.answers import STATUSES, Choice, extract

SOUNDS = Choice(("dog barking", "cat meowing", "rain", "engine"), lettered=True)
YES_NO = Choice(("yes", "no"))
PITCH = Choice(("up", "down", "same"))


def read(text: str, kind: Choice) -> str:
    """Return the option that was read, else the status."""
    reading = extract(text, kind)
    return reading.value if reading.value is not None else reading.status


LETTERED_CASES = [
    ("B", "B"),
    ("b", "B"),
    ("(B)", "B"),
    ("B.", "B"),
    ("**B**", "B"),
    ("B) cat meowing", "B"),
    ("A cat is meowing.", "B"),
    ("A cat meowing can be heard, so the answer is B.", "B"),
    ("I choose option B because A is too quiet.", "B"),
    ("<think>Maybe A. Option A fits.</think>B", "B"),
    ("<think>Maybe A, since the answer is A", "truncated"),
    ("Both A and B are possible.", "ambiguous"),
    ("Sorry, I can't determine the answer from the audio.", "refusal"),
    ("Definitely not sure.", "refusal"),
    ("", "empty"),
    ("None of the above", "unparsed"),
    ("Based on the audio, the correct answer is (C).", "C"),
    ("The sound is rain", "C"),
    ("答案是B", "B"),
    (r"\boxed{B}", "B"),
    ("ANSWER: B,", "B"),
    ("The answer is: **B. cat meowing**", "B"),
]


@pytest.mark.parametrize(("text", "expected"), LETTERED_CASES)
def test_lettered_answer_is_read_as_the_option_of_its_letter(text: str, expected: str) -> None:
    option = SOUNDS.options["ABCD".index(expected)] if len(expected) == 1 else expected
    assert read(text, SOUNDS) == option


@pytest.mark.parametrize("text", ["ANSWER: AB", "ROCK", "A dog is heard", "A", "There is no rain.", "raining"])
def test_letters_and_words_inside_other_words_name_nothing(text: str) -> None:
    expected = "dog barking" if text == "A" else "unparsed"
    assert read(text, SOUNDS) == expected


@pytest.mark.parametrize("text", ["Ｂ", "（Ｂ）", "Answer: Ｂ。", "$\\boxed{\\text{B}}$", "<answer>B</answer>", "«b»"])
def test_full_width_and_latex_letters_are_read(text: str) -> None:
    assert read(text, SOUNDS) == "cat meowing"


@pytest.mark.parametrize("text", ["B) dog barking", "b) dog barking", "Answer: A. cat meowing"])
def test_letter_that_contradicts_its_text_is_ambiguous(text: str) -> None:
    assert read(text, SOUNDS) == "ambiguous"


@pytest.mark.parametrize(
    "text", ["The answer is B, A is too quiet", "A is wrong, B is correct", "The answer could be A or B, I choose B"]
)
def test_rejected_letter_beside_the_answer_does_not_count(text: str) -> None:
    assert read(text, SOUNDS) == "cat meowing"


def test_article_before_an_option_is_not_the_letter_a() -> None:
    assert read("The answer is a cat meowing", SOUNDS) == "cat meowing"


def test_letters_are_not_read_where_the_prompt_had_none() -> None:
    assert read("B", YES_NO) == "unparsed"


def test_option_that_contains_another_is_read_whole() -> None:
    assert read("I hear a car horn.", Choice(("car", "car horn"))) == "car horn"


def test_number_inside_another_number_is_not_an_option() -> None:
    assert read("It lasts 3.5 s", Choice(("3", "5"))) == "unparsed"


YES_NO_CASES = [
    ("Yes, there is a tone.", "yes"),
    ("Yes there is.", "yes"),
    ("No.", "no"),
    ("No, there is no tone.", "no"),
    ("No there isn't", "no"),
    ("The answer is no.", "no"),
    ("There is no tone, so the answer is no.", "no"),
    ("I'd say yes", "yes"),
    ("I am not sure, but I think yes.", "yes"),
    ("ｙｅｓ", "yes"),
    ("“Yes”", "yes"),
    ('{"answer": "yes"}', "yes"),
    ('```json\n{"answer": "no", "confidence": 0.9}\n```', "no"),
    ("## Answer\n\n**no**", "no"),
    (r"\boxed{\text{no}}", "no"),
    ("答案是：no", "no"),
    ("Antwort: yes", "yes"),
    ("La respuesta es no.", "no"),
    ("La réponse est « yes »", "yes"),
    ("Ответ: no", "no"),
    ("hmm, yes?</think>no", "no"),
    ("<think>yes or no</think> **No**", "no"),
    ("There is no tone.", "unparsed"),
    ("The answer is no tone.", "unparsed"),
    ("No tone", "unparsed"),
    ("No. 5", "unparsed"),
    ("no-one", "unparsed"),
    ("I notice a noise; I know it is noisy.", "unparsed"),
    ("Definitely not.", "unparsed"),
    ("...", "unparsed"),
    ("Yes and no", "ambiguous"),
    ("yes/no", "ambiguous"),
    ("yes\nno", "ambiguous"),
    ("Yes. The answer is no.", "ambiguous"),
    ("No, I cannot determine that.", "refusal"),
    ("Please provide the audio file.", "refusal"),
    ("<think>yes</think>", "empty"),
    (" \n\t", "empty"),
    ("<think>yes</think><think>no", "truncated"),
]


@pytest.mark.parametrize(("text", "expected"), YES_NO_CASES)
def test_yes_no_answer_is_read_as_it_stands(text: str, expected: str) -> None:
    assert read(text, YES_NO) == expected


PITCH_CASES = [
    ("The pitch has gone up.", "up"),
    ("It stayed the same.", "same"),
    ("up rather than down", "up"),
    ("The pitch went up, not down.", "up"),
    ("It isn't up, it's down.", "down"),
    ("down is incorrect, up.", "up"),
    ("I can't tell any difference, so the same", "same"),
    ("The correct option is 'same'.", "same"),
    ("Has the pitch gone up, gone down or stayed the same? It has gone up.", "up"),
    ("It goes up, then down. Final answer: up", "up"),
    ("It seems the answer is down. Wait. Final answer: up", "up"),
    ("Sorry, up.", "up"),
    ("The pitch has not gone up.", "unparsed"),
    ("The answer is not up", "unparsed"),
    ("neither up nor down", "unparsed"),
    ("The sound is made up of tones that play at the same time.", "unparsed"),
    ("The upper tone is downbeat and unsame.", "unparsed"),
    ("It goes up and then down", "ambiguous"),
    ("The answer is up. Answer: down", "ambiguous"),
    ("Answer: up or down", "ambiguous"),
    ('{"answer": ["up", "down"]}', "ambiguous"),
    ("I'm not sure whether it is up.", "refusal"),
    ("I'm sorry.", "refusal"),
]


@pytest.mark.parametrize(("text", "expected"), PITCH_CASES)
def test_ternary_answer_is_read_as_it_stands(text: str, expected: str) -> None:
    assert read(text, PITCH) == expected


def test_option_that_is_the_word_none_is_read() -> None:
    assert read("None.", Choice(("None", "one"))) == "None"


def test_none_of_the_above_is_not_the_option_none() -> None:
    assert read("None of the above", Choice(("None", "one"))) == "unparsed"


def test_span_points_at_the_option_in_the_text_as_given() -> None:
    text = "<think>no</think>Ｔhe answer is **ｙes**."
    reading = extract(text, YES_NO)
    assert reading.span is not None and text[slice(*reading.span)] == "ｙes"


def test_options_that_no_answer_can_tell_apart_are_an_error() -> None:
    with pytest.raises(ValueError, match="tell apart"):
        extract("up", Choice(("Up", "up")))


def test_answer_of_many_thousand_words_is_read() -> None:
    assert read("up and down " * 20_000, PITCH) == "ambiguous"


WORDS = st.text(string.ascii_letters, min_size=2, max_size=9)
KINDS = st.builds(
    Choice, st.lists(WORDS, min_size=2, max_size=5, unique_by=str.lower).map(tuple), lettered=st.booleans()
)
PIECES = ["yes", "no", "up", "A", "<think>", "</think>", "answer is ", "not ", "**", "\\boxed{", '"', "İ", "ﬁ", "Ｂ"]
PIECES += ["B", " ", ".", "\n", ", "]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES) | st.text(max_size=3)).map("".join))


@given(TEXTS, KINDS | st.just(YES_NO))
def test_any_text_has_a_reading_among_the_options_or_none(text: str, kind: Choice) -> None:
    reading = extract(text, kind)
    assert reading.status in STATUSES
    assert (reading.status == "ok") == (reading.value is not None)
    assert reading.value is None or reading.value in kind.options
    assert reading.value is None or reading.span is not None


@given(TEXTS, KINDS)
def test_span_lies_in_the_text(text: str, kind: Choice) -> None:
    span = extract(text, kind).span
    assert span is None or 0 <= span[0] < span[1] <= len(text)


@given(
    KINDS,
    st.data(),
    st.sampled_from([str, str.upper, str.lower]),
    st.sampled_from(["{}", "**{}**", " {}\n", "`{}`", '"{}".', "__{}__"]),
)
def test_case_space_and_markup_keep_the_reading_of_a_bare_option(kind, data, letter_case, frame) -> None:
    option = data.draw(st.sampled_from(kind.options))
    assert extract(frame.format(letter_case(option)), kind).value == option

"""Like messages are one line with a count; what is over says so and fades; the time is passed."""

from dataclasses import replace

import pytest

from app.message_list import MOST_LINES, OVER_S, PASSING_S, MessageList
from app.messages import Message
from telemetry.base.finding import Level

LOW = Message(
    "Battery low, 10.4 V",
    Level.WARNING,
    topic="battery/low",
    about="red",
    title="Battery low",
    lasts=True,
)
OVER = replace(LOW, text="", lasts=False, is_over=True)


def texts(messages: MessageList, about: str = "") -> list[tuple[str, int]]:
    return [(line.message.text, line.count) for line in messages.lines(about)]


def test_like_messages_are_one_line_with_the_newest_words_and_time() -> None:
    messages = MessageList()
    messages.put(LOW, 1.0)
    messages.put(Message("Saved."), 2.0)
    line = messages.put(replace(LOW, text="Battery low, 10.1 V"), 31.0)
    assert texts(messages) == [("Battery low, 10.1 V", 2), ("Saved.", 1)]
    assert line is not None
    assert (line.number, line.told_s) == (1, 31.0)


def test_of_two_aircraft_each_has_its_line() -> None:
    """Negative control of merging: the same words of another aircraft are something else."""
    messages = MessageList()
    messages.put(LOW, 1.0)
    messages.put(replace(LOW, about="blue"), 2.0)
    messages.put(Message("Saved."), 3.0)
    assert len(messages.lines()) == 3
    assert [text for text, _ in texts(messages, "red")] == [LOW.text, "Saved."]


def test_a_condition_stays_until_it_is_over_and_then_fades() -> None:
    messages = MessageList()
    messages.put(LOW, 1.0)
    messages.poll(10_000.0)
    assert messages.conditions("red") == (LOW,)
    assert messages.conditions("blue") == ()
    assert messages.put(OVER, 10_000.0) is None, "nothing is to be shown of it"
    (line,) = messages.lines()
    assert (line.is_over, line.message.text, line.message.level) == (True, LOW.text, Level.INFO)
    assert messages.conditions("red") == ()
    messages.poll(10_000.0 + OVER_S)
    assert messages.lines() == (line,)
    messages.poll(10_000.1 + OVER_S)
    assert messages.lines() == ()


def test_the_end_has_words_of_its_own_where_it_is_told() -> None:
    messages = MessageList()
    messages.put(LOW, 1.0)
    line = messages.put(replace(OVER, text="Battery changed"), 2.0)
    assert line is not None
    assert texts(messages) == [("Battery changed", 1)]


def test_what_begins_again_is_a_new_line() -> None:
    messages = MessageList()
    messages.put(LOW, 1.0)
    messages.put(Message("Saved."), 2.0)
    messages.put(OVER, 3.0)
    messages.put(LOW, 4.0)
    assert texts(messages) == [("Saved.", 1), (LOW.text, 1)]
    assert [line.number for line in messages.lines()] == [2, 3]


def test_the_end_of_what_was_not_told_is_nothing() -> None:
    messages = MessageList()
    assert messages.put(OVER, 1.0) is None
    assert messages.put(replace(OVER, text="All is well"), 1.0) is None
    assert messages.lines() == ()


def test_a_closed_condition_comes_back_only_if_it_gets_worse_or_begins_anew() -> None:
    messages = MessageList()
    messages.put(LOW, 1.0)
    messages.close(1)
    assert messages.put(LOW, 30.0) is None
    assert messages.lines() == ()
    assert messages.conditions("red") == (LOW,), "it lasts all the same"
    assert messages.put(replace(LOW, level=Level.ERROR), 31.0) is not None
    messages.close_all()
    messages.put(OVER, 40.0)
    assert messages.conditions("red") == ()
    assert messages.put(LOW, 50.0) is not None


def test_an_instant_that_was_closed_is_told_again_when_it_happens_again() -> None:
    messages = MessageList()
    torn = Message("The link was torn.", Level.ERROR)
    messages.put(torn, 1.0)
    messages.close(1)
    assert messages.put(torn, 2.0) is not None


@pytest.mark.parametrize(
    ("message", "stays"),
    [
        (Message("Saved."), False),
        (Message("Saved.", details="where"), True),
        (Message("Deleted.", remedy_title="Undo", remedy=lambda: None), True),
        (Message("Torn.", Level.WARNING), True),
    ],
)
def test_only_what_was_said_in_passing_fades(message: Message, stays: bool) -> None:
    messages = MessageList()
    messages.put(message, 0.0)
    messages.poll(PASSING_S + 0.1)
    assert bool(messages.lines()) is stays


def test_closing_all_leaves_other_aircraft_and_what_waits_for_an_answer() -> None:
    messages = MessageList()
    question = Message("It is armed.", Level.ERROR, remedy_title="Close", refusal_title="Stay")
    for message in (LOW, replace(LOW, about="blue"), question):
        messages.put(message, 1.0)
    messages.close_all("red")
    assert [line.message.about for line in messages.lines()] == ["blue", ""]


def test_there_is_an_end_to_the_list() -> None:
    messages = MessageList()
    for number in range(MOST_LINES + 7):
        messages.put(Message(f"Event {number}", Level.WARNING), float(number))
    assert len(messages.lines()) == MOST_LINES
    assert messages.lines()[0].message.text == "Event 7"


def test_what_lasts_or_is_asked_outlives_all_that_is_told_after_it() -> None:
    messages = MessageList()
    question = Message("Closing while armed?", Level.ERROR, refusal_title="Stay")
    messages.put(LOW, 0.0)
    messages.put(question, 1.0)
    for number in range(2 * MOST_LINES):
        messages.put(Message(f"It happened, {number}."), 2.0)
    assert len(messages.lines()) == MOST_LINES
    assert [line.message for line in messages.lines()[:2]] == [LOW, question]
    assert messages.conditions(LOW.about) == (LOW,)

"""The Replay menu: the time line by keys."""

from collections.abc import Callable, Iterator
from functools import partial

from app.window.commands import Command
from telemetry.review.flights.marker import CATEGORIES
from widgets.transport import Transport


def replay_menu(move: Transport, ask_note: Callable[[], None]) -> tuple[Command, ...]:
    """Everything that moves the cursor, chooses a stretch or sets a marker. `ask_note` has a note
    written to the marker at the cursor."""

    def replay(
        name: str, title: str, run: Callable[[], object], *keys: str, repeats: bool = False
    ) -> Command:
        return Command(name, title, run, keys, "Replay", repeats)

    return (
        replay("play", "Play or pause", move.toggle, "Space"),
        replay("backward", "Play backwards, again: faster", lambda: move.play(-1), "J"),
        replay("pause", "Pause", move.pause, "K"),
        replay("forward", "Play forwards, again: faster", lambda: move.play(1), "L"),
        replay("back-fine", "Back 0.1 s", lambda: move.step_s(-0.1), "Left", repeats=True),
        replay("on-fine", "On 0.1 s", lambda: move.step_s(0.1), "Right", repeats=True),
        replay("back", "Back 1 s", lambda: move.step_s(-1), "Shift+Left", repeats=True),
        replay("on", "On 1 s", lambda: move.step_s(1), "Shift+Right", repeats=True),
        replay("back-one", "Back one sample", lambda: move.step_sample(-1), ",", repeats=True),
        replay("on-one", "On one sample", lambda: move.step_sample(1), ".", repeats=True),
        replay("start", "Go to the start", move.go_to_start, "Home"),
        replay("end", "Go to the end, or live", move.go_to_end, "End"),
        replay("loop-in", "In point here", move.set_in, "I"),
        replay("loop-out", "Out point here", move.set_out, "O"),
        replay("no-loop", "No in and out points", move.clear_selection, "Shift+O"),
        replay("loop", "Repeat between in and out, or not", move.toggle_loop, "R"),
        replay("faster", "Faster", lambda: move.change_speed(1), "]"),
        replay("slower", "Slower", lambda: move.change_speed(-1), "["),
        replay("marker", "Set a marker", move.add_marker, "M"),
        replay("note", "Write a note here", ask_note, "N"),
        replay("last-marker", "Previous marker", move.go_to_previous_marker, "Shift+M"),
        replay("delete-marker", "Delete the marker here", move.delete_marker),
        replay("undo-marker", "Undo the last change of markers", move.undo_marking),
        *_categories(move),
    )


def _categories(move: Transport) -> Iterator[Command]:
    """A number key for each of the usual reasons to mark something."""
    for number, category in enumerate(CATEGORIES, 1):
        title = f"Set a marker: {category}"
        yield Command(f"marker-{number}", title, partial(move.add_marker, category), (str(number),))

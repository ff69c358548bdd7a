"""A hang of the window is told with its time and cause."""

import threading

from app.diagnostics.hang_watch import Hang, HangWatch, where


class Window:
    """A clock that stands still unless told, and a watch whose thread the test is."""

    def __init__(self) -> None:
        self.now = 100.0
        self.hangs: list[Hang] = []
        self.watch = HangWatch(lambda: self.now, self.hangs.append)

    def wait(self, seconds: float, waited_s: float = 0.016) -> None:
        self.now += seconds
        self.watch.beat(waited_s)


def test_ticks_that_come_in_time_are_no_hang() -> None:
    window = Window()
    for seconds, waited_s in ((0.016, 0.016), (0.2, 0.2), (0.3, 0.016), (0.45, 0.2)):
        window.wait(seconds, waited_s)
    assert window.hangs == []


def test_a_window_that_is_late_by_over_0_3_s_hangs() -> None:
    window = Window()
    window.wait(0.0)
    window.wait(0.35)
    (hang,) = window.hangs
    assert hang.started_s == 100.0
    assert round(hang.length_s, 3) == 0.35
    assert "outside Lapwing" in hang.cause
    window.wait(0.016)
    assert len(window.hangs) == 1


def test_the_cause_is_where_the_window_stood_meanwhile() -> None:
    """The real stack of this thread, seen from another one while a function of ours runs."""
    window = Window()
    window.watch.beat(0.016)

    def busy() -> float:
        looker = threading.Thread(target=window.watch.look)
        looker.start()
        looker.join()
        return window.now

    window.now += 0.4
    nested = HangWatch(busy, lambda _hang: None)
    nested.beat(0.0)  # calls its clock, which takes so long
    window.watch.beat(0.016)
    (hang,) = window.hangs
    assert hang.cause == "app/diagnostics/hang_watch.py: beat"
    assert "busy" in hang.details


def test_while_nobody_minds_nothing_is_a_hang() -> None:
    window = Window()
    window.wait(0.0)
    window.watch.rest()
    window.wait(60.0)
    assert window.hangs == []
    window.wait(0.35)
    assert len(window.hangs) == 1, "an aircraft is there again"


def test_without_a_function_of_ours_nobody_is_blamed() -> None:
    assert "outside Lapwing" in where(None)


def test_its_thread_ends() -> None:
    window = Window()
    window.watch.start()
    window.watch.stop()
    window.watch.stop()
    assert not any(t.name == "lapwing-hang-watch" for t in threading.enumerate())

"""Robot action: one thing a robot was asked to do, waited for by threads or coroutines."""

import concurrent.futures
from collections.abc import Generator
from typing import Any, Literal

from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.passing_time import PassingTime, RealTime


class RobotAction:
    """One thing that was asked for; it is under way from the beginning.

    `wait` blocks; `await action` does not. Whatever is asked for next ends it. `title` names it,
    `state` is what has become of it and `text` a sentence about that.
    """

    def __init__(self, title: str, time: PassingTime | None = None) -> None:
        self.title = title
        self.state: Literal["under way", "done", "failed"] = "under way"
        self.text = ""
        self._time = time or RealTime()
        self._future: concurrent.futures.Future[None] = concurrent.futures.Future()

    @property
    def is_finished(self) -> bool:
        """Whether the outcome is final."""
        return self.state != "under way"

    def wait(self, timeout_s: float | None = None) -> None:
        """Wait until it is done. Raises RobotError if it failed, something else was asked for in
        its place, or it takes longer than `timeout_s`; then it goes on."""
        self._time.wait_for(self._future, timeout_s)
        if not self._future.done():
            raise RobotError(f"{self.title}: not done within {timeout_s:g} s.")
        self._future.result()

    def __await__(self) -> Generator[Any, None, None]:
        """As `wait`, in a coroutine. One that is cancelled leaves the robot at it."""
        return self._time.wait_in_turn(self._future).__await__()

    def finish(self, problem: str = "") -> None:
        """End it, because of a `problem` if there is one. Only the first call counts."""
        if self.is_finished:
            return
        self.state, self.text = ("failed", problem) if problem else ("done", "")
        if problem:
            self._future.set_exception(RobotError(f"{self.title}: {problem}"))
        else:
            self._future.set_result(None)

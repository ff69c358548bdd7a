"""Board restart from afar, step by step, without ever waiting: `poll` moves it on.

That it has restarted shows as SystemStats.FlightTime falling back.
"""

from collections.abc import Callable
from enum import Enum

from telemetry.configuration.board.restart_commands import RestartCommands, why_not
from telemetry.configuration.board.restart_purpose import Purpose
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.vehicle.commands import RESTART_S, Ticket
from telemetry.vehicle.vehicle import LinkState, Vehicle

_NOTICED_S = 6.0
"""A board that still talks on after that much has not understood."""
_SETTLE_S = 0.5
"""The station needs a moment to notice that it has to fetch everything again."""
_FALL_MS = 1000
_LEFT_S = 5.0
"""Nobody wants a board to restart long after having asked for it."""
_UNPLUG = "Unplug it and plug it in again."


class Stage(Enum):
    """How far it has come."""

    ERASING = "Erasing"
    COMMANDING = "Asking the board to restart"
    WAITING = "Waiting for the board"
    FETCHING = "Fetching everything again"
    DONE = "Done"
    FAILED = "Failed"


class Restart:
    """One restart, from the erasure that may come before it until everything is fetched again."""

    def __init__(self, vehicle: Vehicle, purpose: Purpose, clock: Callable[[], float]) -> None:
        """Begin. Raises RuntimeError with the reason if it cannot be done now."""
        reason = why_not(vehicle)
        if reason:
            raise RuntimeError(reason)
        self.purpose = purpose
        self.stage = Stage.COMMANDING
        self.text = ""
        """What came of it, once it is finished."""
        self._vehicle = vehicle
        self._aircraft = Aircraft(vehicle)
        self._clock = clock
        self._polled_s = clock()
        self._commands = RestartCommands(vehicle, clock)
        self._asked_s = self._noticed_s = 0.0
        self._was_away = False
        self._flight_time_ms = 0
        self._erasing: Ticket | None = None
        erasure = purpose.erasure
        if erasure is not None:
            self.stage = Stage.ERASING
            self._erasing = vehicle.commands.persist(erasure.operation, erasure.name)

    @property
    def is_finished(self) -> bool:
        return self.stage in (Stage.DONE, Stage.FAILED)

    @property
    def words(self) -> str:
        """How it stands, as a sentence."""
        if self.is_finished:
            return self.text
        waited_s = self._clock() - self._asked_s
        if self.stage is Stage.WAITING and waited_s > 2 * _NOTICED_S:
            return (
                f"{self.stage.value}, {waited_s:.0f} s. A board on USB may stay in its bootloader: "
                "start it on the page Firmware, or unplug it and plug it in again."
            )
        return f"{self.stage.value}."

    def poll(self) -> None:
        """Move on; a few times a second will do."""
        now = self._clock()
        was_left = now - self._polled_s > _LEFT_S
        self._polled_s = now
        if was_left and self.stage in (Stage.ERASING, Stage.COMMANDING):
            self._fail(f"{self._so_far}Not restarted: the station had turned to other things.")
        elif self.stage is Stage.ERASING:
            self._erase()
        elif self.stage is Stage.COMMANDING:
            self._command()
        elif self.stage is Stage.WAITING:
            self._wait()
        elif self.stage is Stage.FETCHING:
            self._fetch()

    # Inside

    def _erase(self) -> None:
        ticket = self._erasing
        if ticket is None or not ticket.is_finished:
            return
        if ticket.state == "failed":
            self._fail(f"{ticket.text} The board was not restarted.")
        else:
            self.stage = Stage.COMMANDING

    def _command(self) -> None:
        commands = self._commands
        commands.poll()
        if commands.failure:
            self._fail(f"{self._so_far}Not restarted: {commands.failure}")
        elif commands.asked_s is not None:
            self.stage = Stage.WAITING
            self._asked_s = commands.asked_s
            self._was_away = False
            self._flight_time_ms = self._uptime_ms()

    def _wait(self) -> None:
        """For the board to be heard again with a new clock. Its last acknowledgement may be lost:
        it has better things to do by then."""
        now = self._clock()
        self._was_away |= self._vehicle.status.state is not LinkState.CONNECTED
        uptime_ms = self._uptime_ms()
        if self._flight_time_ms - uptime_ms > _FALL_MS:
            self.stage = Stage.FETCHING
            self._noticed_s = now
        elif now - self._asked_s > RESTART_S:
            self._fail(f"{self._so_far}The board has not come back within a minute. {_UNPLUG}")
        elif now - self._asked_s > _NOTICED_S and (
            not self._was_away and uptime_ms > self._flight_time_ms
        ):
            self.stage = Stage.COMMANDING
            self._commands.begin_again("the board goes on without a restart")

    @property
    def has_erased(self) -> bool:
        """Whether something is gone from the board's memory by now."""
        return self._erasing is not None and self._erasing.state == "done"

    @property
    def _so_far(self) -> str:
        return "Erased, in force after the next start. " if self.has_erased else ""

    def _fetch(self) -> None:
        now = self._clock()
        is_back = self._vehicle.status.state is LinkState.CONNECTED
        if is_back and now - self._noticed_s >= _SETTLE_S:
            took_s = max(1.0, self._noticed_s - self._asked_s)
            self.stage = Stage.DONE
            self.text = f"{self.purpose.done}, {took_s:.0f} s."
        elif now - self._noticed_s > RESTART_S:
            self._fail("Restarted, but not everything could be fetched again. Check the link.")

    def _fail(self, text: str) -> None:
        self.stage = Stage.FAILED
        self.text = text

    def _uptime_ms(self) -> int:
        stats = self._aircraft.sample("SystemStats")
        if stats is None or not stats.definition.has_field("FlightTime"):
            return 0
        return int(stats["FlightTime"])

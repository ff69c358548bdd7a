"""A simulated twin of an aircraft: it gets the aircraft's settings, follows its sticks as they were
received, and is compared with it.

What cannot be followed is in CANNOT_FOLLOW and is shown. Nothing is sent to the real aircraft but
how often it shall say its sticks and what is compared, for as long as it is followed, as any view
may ask; the same is asked of the twin, so that a difference is no matter of two rates.
"""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from plugins.simulator.twin_comparison import TwinDifference, compare
from plugins.simulator.twin_feed import COMMAND, TwinFeed
from telemetry.base.unused_names import unused_name
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.flight_settings import says_how_it_is_flown
from telemetry.configuration.settings.snapshot import Address, Snapshot
from telemetry.review.flights.flight import FlightLog, flight_of
from telemetry.review.flights.sync import Piece, Sync
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.update_rates import UpdateRates
from telemetry.vehicle.vehicle import LinkState, Vehicle

PERIODS_MS: Final = {COMMAND: 50, "FlightStatus": 200, "AttitudeState": 100, "GyroState": 100}
_POSITIONS: Final = "FlightModeNumber"
_HOME: Final = "HomeLocation"
CANNOT_FOLLOW: Final = (
    "It follows sticks, the flight mode switch and arming; not what is written into the aircraft "
    "(places to go to, missions), wind, load, or a start in the air. Begin on the ground."
)
LOG_NAME: Final = "simulated twin"


class TwinStage(Enum):
    """How far a twin is, as the word that is shown."""

    STARTING = "The simulator is starting."
    APPLYING = "It gets the aircraft's settings."
    FOLLOWING = "It follows the aircraft's sticks."
    ENDED = "It follows no more."


def settings_for_twin(real: Configuration) -> tuple[Snapshot, set[tuple[Address, str]]]:
    """The aircraft's settings, and which of them its twin takes."""
    snapshot = real.snapshot("the real aircraft")
    chosen = {
        (address, path)
        for address, values in snapshot.objects.items()
        for path in values.values
        if _is_taken(address[0], path)
    }
    return snapshot, chosen


def _is_taken(name: str, path: str) -> bool:
    return path == _POSITIONS or name == _HOME or says_how_it_is_flown(name, path)


@dataclass(frozen=True, slots=True)
class TwinStatus:
    """What a panel shows. `lag_s` is how old the sticks are that the twin was given last."""

    stage: TwinStage
    told: str = ""
    lag_s: float | None = None
    difference: TwinDifference | None = None


class Twin:
    """One twin and the aircraft it follows. For the GUI thread: call `poll` a few times a second;
    the sticks are `feed`'s, which has a thread of its own."""

    def __init__(self, real: Vehicle, twin: Vehicle, feed: TwinFeed | None = None) -> None:
        self.real = real
        self.twin = twin
        self.feed = feed or TwinFeed(real, twin)
        self.status = TwinStatus(TwinStage.STARTING)
        self._rates = tuple(UpdateRates(vehicle.commands) for vehicle in (real, twin))
        self._since_s = (0.0, 0.0)

    def poll(self) -> None:
        """Go one step on, and see how it follows."""
        stage = self.status.stage
        if stage is TwinStage.STARTING and self.twin.status.state is LinkState.CONNECTED:
            self._give_settings()
        elif stage is TwinStage.APPLYING and not configuration_of(self.twin).is_busy:
            self._begin()
        elif stage is TwinStage.FOLLOWING:
            self._follow()

    def end(self) -> None:
        """Follow no more; the twin's failsafe acts. Ending twice is fine."""
        if self.status.stage is TwinStage.ENDED:
            return
        self.feed.stop()
        for rates in self._rates:
            rates.restore()
        exclusive_of(self.twin).free(self)
        self.status = TwinStatus(TwinStage.ENDED)

    def _give_settings(self) -> None:
        settings = configuration_of(self.twin)
        settings.poll()
        snapshot, chosen = settings_for_twin(configuration_of(self.real))
        with settings.staging_from("Twin"):
            skipped = settings.stage_snapshot(snapshot, chosen)
        settings.apply(f"Settings of {self.real.name}")
        told = f"{len(skipped)} settings have no counterpart." if skipped else ""
        self.status = TwinStatus(TwinStage.APPLYING, told)

    def _begin(self) -> None:
        exclusive_of(self.twin).take(self, f"Following {self.real.name}", self.end)
        self._since_s = self.real.end_s, self.twin.end_s
        self._join_plots()
        self.feed.start()
        self.status = TwinStatus(TwinStage.FOLLOWING, self.status.told)

    def _join_plots(self) -> None:
        """Have plots of the aircraft draw the twin's curves beside its own."""
        flight = flight_of(self.real)
        name = unused_name(LOG_NAME, [log.name for log in flight.logs])
        sync = Sync((Piece(self._since_s[1] - self._since_s[0]),), method="clock")
        path = Path(self.twin.status.recording_file or name)
        log = FlightLog(name, path, self.twin.recording, sync, is_other_flight=True)
        flight.logs = (*flight.logs, log)

    def _follow(self) -> None:
        real = self.real
        if self.feed.has_ended:
            self.end()
            return
        for rates, vehicle in zip(self._rates, (real, self.twin), strict=True):
            rates.want(PERIODS_MS, vehicle.end_s)
        difference = compare(real, self.twin, self._since_s)
        if difference.moved_m is None:  # one of them does not know its place yet
            self._since_s = real.end_s, self.twin.end_s
        fed = self.feed.last
        self.status = TwinStatus(TwinStage.FOLLOWING, fed.why_none, fed.lag_s, difference)

"""Preflight checklist: whether an aircraft is ready to fly.

It is judged by what the aircraft says of itself, what the station knows, and what somebody has
looked at.

`telemetry_checks` is a table of small judgements, each with its cause and remedy. The list of what
is looked at by hand is each aircraft's own, kept by its board; ticks last for one flight.
"""

import math
import os
import shutil
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from telemetry.base.board_store import BoardStore
from telemetry.base.finding import Finding, Level, error
from telemetry.base.folders import Folders
from telemetry.base.safe_files import Json
from telemetry.configuration.airframe.airframe import is_multirotor
from telemetry.configuration.arming.by_sticks import AUTO_TAKEOFF, values_of
from telemetry.configuration.arming.checklist import (
    Checklist,
    Read,
    arming_checklist,
    blocks,
    ok,
    unknown,
)
from telemetry.configuration.flight_modes.failsafe_check import check_failsafe
from telemetry.configuration.flight_modes.failsafe_text import (
    POSITION,
    RECEIVER,
    FailsafeOffer,
    failsafe_offers,
    failsafe_text,
)
from telemetry.configuration.flight_modes.modes import Need, flight_mode
from telemetry.configuration.flight_modes.setup import read_setup
from telemetry.configuration.receiver.check import comes_from_station
from telemetry.configuration.settings.aircraft import Aircraft
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.lift_off import asked_per_metre_deg, check_lift_off
from telemetry.recording.sample import ReadValues
from telemetry.vehicle.vehicle import QUALITY_SPAN_S, LinkState, LinkStatus, Vehicle

HAND_ITEMS: Final = (
    "Propellers are whole and tight",
    "Battery is strapped in and plugged",
    "Nobody stands where it flies",
)
FULL_PERCENT: Final = 90.0
LOW_PERCENT: Final = 50.0
LEAST_SATELLITES: Final = 7
LEAST_QUALITY_PERCENT: Final = 80
MOST_OFF_HOME_M: Final = 2.0
"""What may be asked for begins at so much above home (`telemetry.missions.guided_actions`)."""
LEAST_FREE_BYTES: Final = 200_000_000
"""An hour of flight at full rates takes about 100 MB."""
_STALE_S: Final = 5.0
_LOOK_EVERY_S: Final = 0.5
_DISK_EVERY_S: Final = 10.0
_TAKES_OFF_BY: Final = ("SystemSettings", "FlightModeSettings", "VtolPathFollowerSettings")
BY_HAND: Final = "hand "
"""What the codes of findings begin with that somebody looks at."""
_NEVER: Final = (-math.inf, Checklist((), ""))


@dataclass(frozen=True, slots=True)
class StationFacts:
    """What the station knows by itself. `free_bytes` is None while it records nothing."""

    link: LinkStatus
    free_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class _Seen:
    read: Read
    values: ReadValues
    flight: FlightState
    facts: StationFacts

    @property
    def needs_position(self) -> bool:
        """Whether a mode on the switch flies by GPS."""
        positions = read_setup(self.values).used
        return any(Need.POSITION in flight_mode(position.mode).needs for position in positions)


Check = Callable[[_Seen], Finding]


def telemetry_checks(read: Read, flight: FlightState, facts: StationFacts) -> tuple[Finding, ...]:
    """All that can be judged without looking at the aircraft, in a fixed order."""
    seen = _Seen(read, values_of(read), flight, facts)
    return tuple(replace(check(seen), code=code, title=title) for code, title, check in _CHECKS)


def _link(seen: _Seen) -> Finding:
    status = seen.facts.link
    if status.state is not LinkState.CONNECTED or status.is_late:
        return blocks(f"{status.word}.", "Wait until all objects have arrived, or connect again.")
    quality = status.quality_percent
    if quality is not None and quality < LEAST_QUALITY_PERCENT:
        remedy = "Turn the aerials, move nearer, or choose a slower rate of the telemetry."
        return blocks(f"Only {quality} % of what arrives is whole.", remedy, Level.WARNING)
    return ok(
        "Connected."
        if quality is None
        else f"Connected, {quality} % arrived whole in the last {QUALITY_SPAN_S:g} s."
    )


def _battery(seen: _Seen) -> Finding:
    flight = seen.flight
    if flight.battery_v is None:
        return blocks(
            "The aircraft measures no battery.",
            "Look at its voltage by hand, or set the battery module up in Hardware.",
            Level.WARNING,
        )
    percent, volts = flight.battery_percent, f"{flight.battery_v:.1f} V"
    if percent is None:
        return ok(f"{volts}.")
    if percent < LOW_PERCENT:
        return blocks(f"{volts}, {percent:.0f} % left.", "Plug a full battery in.")
    if percent < FULL_PERCENT:
        return blocks(f"{volts}, {percent:.0f} % left: not full.", "Fly shorter.", Level.WARNING)
    return ok(f"{volts}, {percent:.0f} %.")


def _gps(seen: _Seen) -> Finding:
    flight, needed = seen.flight, seen.needs_position
    level = Level.ERROR if needed else Level.INFO
    why = "The switch selects modes that fly by GPS." if needed else "No mode needs it."
    if not flight.has_fix or (flight.gps_age_s or 0.0) > _STALE_S:
        return blocks(f"No position by GPS. {why}", "Stand under a free sky, and wait.", level)
    count = flight.gps_satellites or 0
    if count < LEAST_SATELLITES:
        remedy = f"Wait for {LEAST_SATELLITES} satellites."
        return blocks(f"{count} satellites only. {why}", remedy, level)
    kind = "3D" if "3D" in str(flight.gps_fix) else "2D"
    return ok(f"{kind} fix, {count} satellites.")


def _home(seen: _Seen) -> Finding:
    home = seen.values("HomeLocation")
    level = Level.ERROR if seen.needs_position else Level.INFO
    if not home:
        return unknown()
    if str(home.get("Set", "True")) != "True":
        return blocks(
            "Home is not set.",
            "Set it on the map, or wait for the first fix.",
            level,
            ("HomeLocation.Set",),
        )
    away_m = seen.flight.distance_home_m
    if away_m is not None and away_m > 1000.0:
        return blocks(
            f"Home is {away_m / 1000.0:.1f} km away.", "Set home where you stand.", Level.WARNING
        )
    return _height_on_ground(seen) or ok("Set.")


def _height_on_ground(seen: _Seen) -> Finding | None:
    """What heights above home mean where it stands, if they are far from those above the ground.

    Home's altitude is that of one GPS fix, where nobody has set another (flight/modules/GPS/GPS.c,
    setHomeLocation), and heights count from it (StateEstimation/filterlla.c, filterbaro.c).
    """
    flight = seen.flight
    height_m, age_s = flight.height_m, flight.position_age_s
    if height_m is None or abs(height_m) < MOST_OFF_HOME_M or (age_s or 0.0) > _STALE_S:
        return None
    if flight.armed != "Disarmed" or not seen.needs_position:
        return None
    side = "above" if height_m > 0.0 else "below"
    return blocks(
        f"By its own height it stands {abs(height_m):.1f} m {side} home: 10 m above home are "
        f"{10.0 - height_m:.1f} m above where it stands.",
        "Reckon with that, or set home again where it stands: one GPS fix is some metres too high "
        "or too low.",
        Level.WARNING,
    )


def _failsafe(seen: _Seen) -> Finding:
    if not seen.values("ManualControlSettings"):
        return unknown()
    found = list(check_failsafe(read_setup(seen.values), seen.values))
    worst = max(found, key=lambda finding: finding.level, default=None)
    if worst is None or worst.level <= Level.INFO:
        return replace(ok(failsafe_text(seen.values)), settings=(f"{RECEIVER}.{POSITION}",))
    return replace(worst, text=f"{worst.text} {failsafe_text(seen.values)}")


def _lift_off(seen: _Seen) -> Finding:
    """Whether it may tip over when it takes off by itself."""
    if not all(map(seen.values, _TAKES_OFF_BY)):
        return unknown()
    takes_off = any(p.mode == AUTO_TAKEOFF for p in read_setup(seen.values).used)
    if not takes_off or not is_multirotor(seen.values("SystemSettings").get("AirframeType")):
        return ok("No multirotor that takes off by itself.")

    def read(name: str, path: str) -> object:
        return seen.values(name).get(path)

    asked = asked_per_metre_deg(read)
    if asked is None:
        return check_lift_off(read) or unknown()
    said = f"By itself: it asks for {asked:.0f} degrees of tilt per metre that its estimate is off."
    return check_lift_off(read) or ok(said)


def _arming(seen: _Seen) -> Finding:
    """Alarms, sticks, throttle and arming switch, by firmware's rules."""
    checklist = arming_checklist(seen.read)
    if checklist.is_armed:
        return ok(checklist.summary)
    causes = [found for found in checklist.blocking if not _is_stations_own(found, seen)]
    if not causes:
        return ok("Nothing forbids arming.")
    first, more = causes[0], len(causes) - 1
    others = f" {more} more stand on the Flight modes page." if more else ""
    title = f"{first.title}: " if first.title else ""
    return blocks(f"{title}{first.text}", f"{first.remedy}{others}", settings=first.settings)


def _is_stations_own(found: Finding, seen: _Seen) -> bool:
    """Sticks that come from this station are there as soon as somebody flies."""
    return found.code in {"receiver", "alarm Receiver"} and comes_from_station(seen.values)


def _recording(seen: _Seen) -> Finding:
    status = seen.facts.link
    if status.recording_error:
        return blocks(f"Not recorded: {status.recording_error}", "Choose a folder in Preferences.")
    if not status.recording_file:
        return blocks("This flight is not recorded.", "Choose a folder in Preferences.")
    return ok("On.")


def _disk(seen: _Seen) -> Finding:
    free = seen.facts.free_bytes
    if free is None:
        return unknown("Nothing is recorded.")
    text = f"{free / 1e9:.1f} GB free."
    if free < LEAST_FREE_BYTES:
        return blocks(text, "Make room where flights are recorded.")
    return ok(text)


_CHECKS: Final[tuple[tuple[str, str, Check], ...]] = (
    ("link", "Link", _link),
    ("battery", "Battery", _battery),
    ("gps", "GPS", _gps),
    ("home", "Home", _home),
    ("failsafe", "Failsafe", _failsafe),
    ("lift-off", "Taking off", _lift_off),
    ("arming", "Alarms and sticks", _arming),
    ("recording", "Recording", _recording),
    ("disk", "Disk", _disk),
)


def hand_checks(items: Iterable[str], done: frozenset[str]) -> tuple[Finding, ...]:
    """What somebody has to look at, and has or has not."""
    return tuple(
        Finding(Level.OK, f"{BY_HAND}{item}", "Done.", title=item)
        if item in done
        else error(f"{BY_HAND}{item}", "Not looked at yet.", "Look, and tick it.", title=item)
        for item in items
    )


def readiness(checks: tuple[Finding, ...], *, is_armed: bool) -> Checklist:
    """*Ready* or *Not ready* over all checks."""
    if is_armed:
        return Checklist(checks, "Armed. Motors may turn.", is_armed=True)
    missing = [check for check in checks if check.level in (Level.ERROR, Level.UNKNOWN)]
    if not missing:
        return Checklist(checks, "Ready")
    first, more = missing[0].title, len(missing) - 1
    return Checklist(checks, f"Not ready: {first}" + (f" and {more} more" if more else ""))


class Preflight:
    """The checklist of one aircraft. `ticked` are the items that were looked at since the last
    flight; `items` is changed by `keep_items`, which stays with the board.
    """

    def __init__(self, vehicle: Vehicle, store: BoardStore[tuple[str, ...]]) -> None:
        self.ticked: frozenset[str] = frozenset()
        self.problem = ""
        """Why the items could not be kept, as a sentence; empty if they were."""
        self._vehicle = vehicle
        self._store = store
        self._aircraft = Aircraft(vehicle)
        self._board = ""
        self._items: tuple[str, ...] = HAND_ITEMS
        self._was_armed = False
        self._disk = (-math.inf, 0)
        self._looked = _NEVER

    @property
    def items(self) -> tuple[str, ...]:
        """What is looked at by hand."""
        return self._items

    def keep_items(self, items: Iterable[str]) -> None:
        """Look at these by hand from now on, with this aircraft."""
        self._items = tuple(dict.fromkeys(text for item in items if (text := item.strip())))
        self.ticked &= frozenset(self._items)
        self._looked = _NEVER
        if self._board:
            self._store.put(self._board, self._items)
            self.problem = self._store.problem
        else:
            self.problem = "Not kept: it is not known yet which board this is."

    def tick(self, item: str, *, is_done: bool) -> None:
        """Somebody has looked at an item, or has to again."""
        self.ticked = self.ticked | {item} if is_done else self.ticked - {item}
        self._looked = _NEVER

    def look(self) -> Checklist:
        """All checks now; those of telemetry are worked out twice a second at most."""
        vehicle = self._vehicle
        now = vehicle.end_s
        looked_s, checklist = self._looked
        if now - looked_s < _LOOK_EVERY_S:
            return checklist
        self._notice_board()
        flight = read_flight_state(vehicle.recording, now)
        if self._was_armed and not flight.is_armed:
            self.ticked = frozenset()  # the next flight is looked at anew
        self._was_armed = flight.is_armed
        facts = StationFacts(vehicle.status, self._free_bytes(now))
        checks = telemetry_checks(lambda name: vehicle.recording.latest(name, now), flight, facts)
        checks += hand_checks(self._items, self.ticked)
        checklist = readiness(checks, is_armed=flight.is_armed)
        self._looked = (now, checklist)
        return checklist

    def failsafe_offers(self) -> tuple[FailsafeOffer, ...]:
        """Positions that its failsafe could go to with less harm."""
        recording, now = self._vehicle.recording, self._vehicle.end_s
        return failsafe_offers(values_of(lambda name: recording.latest(name, now)))

    def _notice_board(self) -> None:
        board = self._aircraft.board_key
        if board == self._board or not self._aircraft.serial:
            return
        if self._board:  # what was looked at was another one
            self._items, self.ticked = HAND_ITEMS, frozenset()
        self._board = board
        kept = self._store.get(board)
        self._items = self._items if kept is None else kept

    def _free_bytes(self, now: float) -> int | None:
        file = self._vehicle.status.recording_file
        if not file:
            return None
        if now - self._disk[0] > _DISK_EVERY_S:
            try:
                self._disk = (now, shutil.disk_usage(Path(file).parent).free)
            except OSError:
                self._disk = (now, 0)
        return self._disk[1]


def preflight_of(vehicle: Vehicle) -> Preflight:
    """The one checklist of an aircraft."""

    def begin() -> Preflight:
        return Preflight(vehicle, store_in(Folders.of_user(os.environ).checklists))

    return vehicle.attachment("preflight", begin)


def store_in(folder: Path | None) -> BoardStore[tuple[str, ...]]:
    """Where the lists of boards are; in memory without a folder."""
    return BoardStore(folder, _pack, _parse)


def _pack(items: tuple[str, ...]) -> Json:
    return {"items": list(items)}


def _parse(stored: Json) -> tuple[str, ...]:
    items = stored["items"]
    if not isinstance(items, list):
        raise TypeError("items is no list")
    return tuple(str(item) for item in items)

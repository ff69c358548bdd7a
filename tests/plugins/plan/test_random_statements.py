"""What is said of the plans on two boards through random sequences, beside what the boards hold.

The oracle is the memory of the simulated boards, and what of it was told. A sentence that says
when it was read may be overtaken by what nobody could hear (another station's upload: PathPlan is
sent on request only, pathplan.xml); it may not outlive what was heard, a lost link, a restart, an
edit or the choice of another aircraft.
"""

import os
import random
import re
from collections.abc import Callable, Iterator
from itertools import count

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from plugins.plan import board_statement, shared_plan, transfer
from plugins.plan.board_bar import BoardBar
from plugins.plan.board_statement import BoardKnowledge, board_knowledge_of
from plugins.plan.flown_aircraft import FlownAircraft
from plugins.plan.simulated_flight import FlightWish, PredictedFlight
from telemetry.missions.board.encoding import encode
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.board.plan_reading import PlanReading
from telemetry.missions.edits import deleted, inserted, offset
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.timeline import parse_time
from telemetry.vehicle.vehicle import LinkState
from tests.plugins.plan.shared_plan_bench import PlanBench
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.made import square, waypoint
from tests.telemetry.missions.plan_bench import plan_bench, plan_board, put_values

SEQUENCES = 500 if "LAPWING_ALL_WAYS" in os.environ else 40
"""The first say each likely sentence, and find each withdrawal that is missing."""
STEPS = 14
UP = (LinkState.FETCHING, LinkState.CONNECTED)
TENTH_S = 0.11
"""Times are said in tenths of a second."""

Rows = tuple[tuple[float, ...], ...]


class Aircraft:
    """A simulated board with its link, and what has happened to it."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.bench: Bench = plan_bench(catalogue, plan_board(catalogue))
        self.vehicle = self.bench.vehicle
        self.told: list[float] = []
        """When its link was lost, or it said that it restarted or that its plan is another one."""
        self.has_unheard = False
        """Whether its memory was changed and nobody could hear it."""
        self.was_up = True
        self.before: Rows = ()
        self.bench.put("SystemStats", "FlightTime", 500_000)
        self.vehicle.commands.request("HomeLocation")
        self.bench.pass_time(0.5)

    def step(self) -> None:
        """A round of its worker."""
        self.bench.step()
        self.look()

    def look(self) -> None:
        """Note that the link was lost."""
        is_up = self.vehicle.status.state in UP
        if self.was_up and not is_up:
            self.note()
        self.was_up = is_up

    def note(self) -> None:
        """Something was heard that ends what was known."""
        self.told.append(self.vehicle.end_s)
        self.has_unheard = False

    def has_told_since(self, t: float) -> bool:
        """Whether that happened after an instant for sure."""
        return any(told > t + TENTH_S for told in self.told)

    def may_have_told_since(self, t: float) -> bool:
        """Whether it happened then or later, or is happening."""
        return self.has_unheard or any(told > t - TENTH_S for told in self.told)

    @property
    def is_reached(self) -> bool:
        """Whether what it says arrives."""
        return self.was_up and not self.bench.aircraft.is_silent

    @property
    def count(self) -> int:
        """How many waypoints its memory holds."""
        found = self.bench.on_board("PathPlan", "WaypointCount")
        assert isinstance(found, int)
        return found

    @property
    def rows(self) -> Rows:
        """North, east, down and velocity of each waypoint in its memory."""
        definition, values = self.bench.named("Waypoint"), self.bench.board.values
        return tuple(
            _numbers(definition, values[definition.object_id, i]) for i in range(self.count)
        )

    def rows_of(self, mission: Mission) -> Rows:
        """The same of a plan, counted from the home in its memory."""
        home = {
            name: self.bench.on_board("HomeLocation", name) for name in ("Latitude", "Longitude")
        }
        altitude = self.bench.on_board("HomeLocation", "Altitude")
        place = MissionHome(home["Latitude"] * 1e-7, home["Longitude"] * 1e-7, altitude)  # type: ignore
        names = ("Waypoint", "PathAction", "PathPlan")
        definitions = PlanDefinitions(*(self.bench.named(name) for name in names), DEFAULT_RELEASE)
        image = encode(mission, definitions, place)
        return tuple(_numbers(definitions.waypoint, row) for row in image.waypoints)

    def holds(self, mission: Mission) -> bool:
        """Whether its memory holds this plan."""
        return _are_same(self.rows, self.rows_of(mission))

    def forget_plan(self) -> None:
        """What a restart does to the memory."""
        put_values(self.bench.board, "PathPlan")


def _numbers(definition, packed: bytes) -> tuple[float, ...]:  # type: ignore[no-untyped-def]
    row = row_of(definition, packed)
    return (*(float(value) for value in row["Position"]), float(row["Velocity"]))


def _are_same(a: Rows, b: Rows) -> bool:
    return len(a) == len(b) and (not a or bool(np.allclose(a, b, atol=0.06)))


class Sequence:
    """One random sequence. `false` are the sentences that are not so."""

    def __init__(self, bench: PlanBench, catalogue: Catalogue, seed: int) -> None:
        self.chance = random.Random(seed)
        self.plan = bench.plan
        self.fleet = bench.fleet
        self.aircraft = [Aircraft(catalogue), Aircraft(catalogue)]
        for one in self.aircraft:
            self.fleet.add(one.vehicle)
        self.resting = QWidget()
        self.bar = BoardBar(self.plan, self.resting)
        self.plan.draft.edit("Draw", square())
        self.flown: FlightWish | None = None
        self.done: list[str] = []
        self.false: list[str] = []
        self.said: set[str] = set()

    def run(self) -> None:
        """Do it all; close everything at the end."""
        steps: tuple[Callable[[], object], ...] = (
            self.switch, self.switch, self.edit, self.edit, self.undo, self.upload, self.upload,
            self.upload, self.compare, self.download, self.lose, self.resume, self.stall,
            self.restart, self.write_elsewhere, self.move_home, self.close, self.fly, self.wait,
            self.refuse,
        )  # fmt: skip
        for _ in range(STEPS):
            step = self.chance.choice(steps)
            self.done.append(step.__name__)
            step()
            self.check()
        self.plan.carrying.close()
        self.bar.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)

    @property
    def active(self) -> Aircraft:
        return next(one for one in self.aircraft if one.vehicle is self.fleet.active)

    # What is done

    def switch(self) -> None:
        other = next(one for one in self.aircraft if one.vehicle is not self.fleet.active)
        assert not self.fleet.choose(other.vehicle)

    def edit(self) -> None:
        draft, at = self.plan.draft, self.chance.randrange(100)
        mission = draft.mission
        if at < 40 or len(mission.waypoints) < 2:
            draft.edit("Add", inserted(mission, 0, [waypoint(at + 1.0, 5.0)]))
        elif at < 60:
            draft.edit("Delete", deleted(mission, [0]))
        else:
            draft.edit("Move", offset(mission, 2.0, 0.0, indices=[0]))

    def undo(self) -> None:
        self.plan.draft.undo()

    def upload(self) -> None:
        self.active.before = self.active.rows
        self._press(self.bar.upload.click)

    def compare(self) -> None:
        self._press(self.bar.compare)

    def download(self) -> None:
        self._press(self.bar.download.click)

    def _press(self, click: Callable[[], None]) -> None:
        """Press a button; mostly until it has come to its end."""
        self.look()
        click()
        self.check()
        self._go_on(self.chance.choice((3, 25, 300, 300, 300)))

    def _go_on(self, rounds: int) -> None:
        carrying = self.plan.carrying
        for number in range(rounds):
            for one in self.aircraft:
                one.step()
            carrying.poll()
            if number % 40 == 0:
                self.check()
            if rounds > 100 and not (carrying.is_busy and self.active.is_reached):
                break

    def lose(self) -> None:
        """Its link falls silent until it is taken for lost."""
        self.active.bench.aircraft.is_silent = True
        self._go_on(90)

    def stall(self) -> None:
        """It falls silent for a moment."""
        self.active.bench.aircraft.is_silent = True
        self._go_on(5)
        self.active.bench.aircraft.is_silent = False
        self._go_on(5)

    def resume(self) -> None:
        for one in self.aircraft:
            one.bench.aircraft.is_silent = False
        self._go_on(60)

    def restart(self) -> None:
        """Its plan is gone; it says so with its flight time, if it is heard."""
        one = self.active
        one.forget_plan()
        put_values(one.bench.board, "SystemStats", FlightTime=self.chance.randrange(1000))
        self._tell(one, "SystemStats")
        put_values(one.bench.board, "SystemStats", FlightTime=500_000 + 1000 * len(self.done))
        if one.is_reached:
            one.bench.aircraft.flight.publish(one.bench.named("SystemStats").object_id)
            self._go_on(5)

    def write_elsewhere(self) -> None:
        """Another station changes a waypoint, which the board sends now and then, or the plan's
        length, which it does not."""
        one = self.active
        definition = one.bench.named("Waypoint")
        if self.chance.random() < 0.3:
            put_values(one.bench.board, "PathPlan", WaypointCount=1)
            one.has_unheard = True
        elif one.count:
            values = {"Position": (self.chance.uniform(100.0, 200.0), 3.0, -20.0), "Velocity": 3.0}
            one.bench.board.values[definition.object_id, 0] = pack_values(definition, values)
            self._tell(one, "Waypoint")

    def _tell(self, one: Aircraft, name: str) -> None:
        if one.has_unheard or not one.is_reached:  # what was not heard before is not heard by this
            one.has_unheard = True
            return
        one.has_unheard = True  # until it has arrived
        one.bench.aircraft.flight.publish(one.bench.named(name).object_id)
        self._go_on(5)
        one.note()

    def move_home(self) -> None:
        one = self.active
        if one.is_reached:
            latitude = one.bench.on_board("HomeLocation", "Latitude")
            assert isinstance(latitude, int)
            moved = latitude + self.chance.choice((-500, 500))
            one.bench.put("HomeLocation", "Latitude", moved)
            one.look()

    def close(self) -> None:
        """The last view of the plan is closed, and opened again."""
        self.plan.opened()()

    def fly(self) -> None:
        """The plan has been flown in simulation."""
        mission, flying = self.plan.draft.mission, self.plan.flying
        self.flown = FlightWish(mission, FlownAircraft("ar100b", "ar100b"), flying.air_mps)
        flying.take(PredictedFlight(self.flown, "ar100b: 20 s."))

    def refuse(self) -> None:
        """Its board takes no waypoints any more, or does again."""
        one = self.active
        one.bench.board.refused ^= {one.bench.named("Waypoint").object_id}

    def wait(self) -> None:
        self._go_on(30)

    # What is so

    def look(self) -> None:
        """As the panel does it at each tick."""
        self.plan.poll()
        self.plan.poll()
        self.bar.take()

    def check(self) -> None:
        """Note what is said and not so."""
        self.look()
        statement = self.bar.status.statement
        text = statement.text if statement is not None else ""
        for pattern, is_so in _SENTENCES:
            found = re.search(pattern, text)
            if found is not None:
                self.said.add(pattern)
                if not is_so(self, found):
                    self._note_false(text)
        self._check_compared()
        self._check_flown()

    def _note_false(self, text: str) -> None:
        self.false.append(f"{text!r} after {', '.join(self.done)}")

    def _check_compared(self) -> None:
        compared, one = self.plan.compared, self.active
        if compared is None or one.has_unheard:
            return
        if (compared == ()) is not one.holds(self.plan.draft.mission):
            self._note_false(f"compared: {compared}")

    def _check_flown(self) -> None:
        said = self.plan.flown
        if said is None or self.flown is None:
            return
        is_past = self.flown.mission.waypoints != self.plan.draft.mission.waypoints
        if is_past is not ("the plan" in said.text.lower().partition("changed since")[0]):
            self._note_false(said.text)

    def named(self, name: str) -> Aircraft:
        return next(one for one in self.aircraft if one.vehicle.name == name)


def _is_same(sequence: Sequence, found: re.Match[str]) -> bool:
    one = sequence.active
    if found["name"] != one.vehicle.name or one.has_told_since(parse_time(found["t"])):
        return False
    holds = one.holds(sequence.plan.draft.mission) and one.count == int(found["count"])
    return holds or one.has_unheard


def _differs(sequence: Sequence, found: re.Match[str]) -> bool:
    one = sequence.active
    if found["name"] != one.vehicle.name or one.has_told_since(parse_time(found["t"])):
        return False
    return one.has_unheard or not one.holds(sequence.plan.draft.mission)


def _had_none(sequence: Sequence, found: re.Match[str]) -> bool:
    one = sequence.active
    is_known = not one.has_told_since(parse_time(found["t"]))
    is_none = one.count == 0 or one.has_unheard
    return found["name"] == one.vehicle.name and is_known and is_none


def _was_overtaken(sequence: Sequence, found: re.Match[str]) -> bool:
    one = sequence.active
    is_it = found["name"] == one.vehicle.name
    return is_it and one.may_have_told_since(parse_time(found["t"]))


def _is_carried(sequence: Sequence, found: re.Match[str]) -> bool:
    return sequence.plan.carrying.is_busy and bool(sequence.named(found["name"]))


def _has_none_now(sequence: Sequence, _found: re.Match[str]) -> bool:
    return sequence.active.count == 0 or sequence.active.has_unheard


def _is_given_back(sequence: Sequence, _found: re.Match[str]) -> bool:
    one = sequence.active
    return _are_same(one.rows, one.before) or one.has_unheard


def _is_not_reached(sequence: Sequence, _found: re.Match[str]) -> bool:
    return sequence.active.vehicle.status.state not in UP


_AT = r"(?P<t>[\d:.]+\d)"
_SENTENCES: tuple[tuple[str, Callable[[Sequence, re.Match[str]], bool]], ...] = (
    (
        rf"(?P<count>\d+) waypoints on board of (?P<name>.+) as here, read back at {_AT}",
        _is_same,
    ),
    (rf"differs from that on board of (?P<name>.+), read back at {_AT}", _differs),
    (rf"(?P<name>bench.*) had no plan when it was read at {_AT}", _had_none),
    (rf"The plan of (?P<name>.+) was read back at {_AT}, before its link", _was_overtaken),
    (rf"The plan of (?P<name>.+) was changed after it was read back at {_AT}", _was_overtaken),
    (r"^(?P<name>bench[^:]*): .+ …", _is_carried),
    (r"There is no plan on board now|there is none on board now", _has_none_now),
    (r"The old plan is on board again", _is_given_back),
    (r"Not sent: no link", _is_not_reached),
)


@pytest.fixture
def sequences(
    qtbot: QtBot, tmp_path: object, monkeypatch: pytest.MonkeyPatch, catalogue: Catalogue
) -> Callable[[int], Iterator[Sequence]]:
    """Plays so many; each reads its aircraft anew at every look."""
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path))
    seconds = count(0.0, 10.0)
    monkeypatch.setattr(shared_plan, "monotonic_s", lambda: next(seconds))

    def play(number: int) -> Iterator[Sequence]:
        for seed in range(number):
            sequence = Sequence(PlanBench(qtbot), catalogue, seed)
            sequence.run()
            yield sequence

    return play


@pytest.mark.long
@pytest.mark.slow
def test_nothing_is_said_of_a_plan_on_board_that_is_not_so(
    sequences: Callable[[int], Iterator[Sequence]],
) -> None:
    said: set[str] = set()
    for sequence in sequences(SEQUENCES):
        assert sequence.false == []
        said |= sequence.said
    likely = {pattern for pattern, _ in _SENTENCES} - {"The old plan is on board again"}
    assert said >= likely, "each sentence was said, or the sequences prove nothing of it"


def _never_withdrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (board_statement, transfer):
        monkeypatch.setattr(module, "board_session", lambda _vehicle: (0, 0))


def _never_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlanReading, "is_heard_otherwise", lambda _reading, _vehicle: False)


def _never_different(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(PlanReading, "differences", lambda *_of: ())


def _one_for_all(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[BoardKnowledge] = []

    def first(vehicle: object) -> BoardKnowledge:
        kept.append(kept[0] if kept else board_knowledge_of(vehicle))  # type: ignore[arg-type]
        return kept[0]

    for module in (shared_plan, transfer):
        monkeypatch.setattr(module, "board_knowledge_of", first)


@pytest.mark.slow
@pytest.mark.parametrize(
    "broken", [_never_withdrawn, _never_changed, _never_different, _one_for_all]
)
def test_a_withdrawal_that_is_missing_would_be_found(
    sequences: Callable[[int], Iterator[Sequence]],
    monkeypatch: pytest.MonkeyPatch,
    broken: Callable[[pytest.MonkeyPatch], None],
) -> None:
    broken(monkeypatch)
    assert any(sequence.false for sequence in sequences(SEQUENCES))

"""Behaviours fly the simulated aircraft by its sticks, through the controls and the transmitter.

Where it is, is the truth of the simulation; what they know of it is telemetry.
"""

import subprocess
import sys
import threading
from itertools import pairwise
from pathlib import Path

import pytest

from telemetry.base.child_process import end_process
from telemetry.base.clock import monotonic_s
from telemetry.base.installation import ROOT
from telemetry.flying.behaviours.follow import Follow, FollowOffset
from telemetry.flying.behaviours.pose import PilotPose
from telemetry.flying.behaviours.routes import Orbit, Waypoints, WorldPoint, hold
from telemetry.flying.behaviours.script_behaviour import ScriptBehaviour
from telemetry.flying.behaviours.steering import Course, Steering, StickFeel, turn
from telemetry.flying.inputs.behaviour_slot import BehaviourSlot
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.lost_sticks import HOLDS_HEIGHT
from telemetry.flying.transmitter.release import HOLD_AFTER_S
from telemetry.missions.local_coordinates import moved
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.sticks import Sticks
from tests.telemetry.flying.guided_cockpit import GuidedCockpit
from tests.waiting import PATIENCE_S, wait_until

HOME = (48.946, 9.43)
EXAMPLE = ROOT / "examples" / "behaviour" / "stay_at_home.py"


def point(north_m: float, east_m: float, height_m: float) -> WorldPoint:
    return WorldPoint(*moved(*HOME, north_m, east_m), height_m)


def aloft() -> GuidedCockpit:
    cockpit = GuidedCockpit("ar200")
    cockpit.vehicle.commands.request("HomeLocation")
    cockpit.vehicle.commands.request("StabilizationBank")
    cockpit.fly_up()
    return cockpit


@pytest.fixture(scope="module")
def flights() -> list[GuidedCockpit]:
    return []


@pytest.fixture
def cockpit(flights: list[GuidedCockpit]) -> GuidedCockpit:
    """In the air, holding: the flight of the test before, unless that has ended it."""
    if not flights or not flights[-1].look()[0].is_armed:
        flights.append(aloft())
    cockpit = flights[-1]
    cockpit.plugged, cockpit.is_watching = None, True
    cockpit.controls.drag({"roll": 0.0, "pitch": 0.0})
    cockpit.controls.press(frozenset())
    cockpit.behaviour.end()
    cockpit.controls.take_source("screen")
    cockpit.guided.hold()
    cockpit.stay(3.0)
    cockpit.messages.clear()
    assert cockpit.look()[0].flight_mode == "PositionHold"
    assert cockpit.behaviour.why_not(cockpit.look()[1]) is None
    return cockpit


@pytest.mark.slow
def test_flies_waypoints_in_world_coordinates_orbits_and_gives_way_to_a_stick(
    cockpit: GuidedCockpit,
) -> None:
    route = Waypoints((point(15.0, 0.0, 5.0), point(15.0, 12.0, 5.0)), 4.0)
    cockpit.behaviour.fly(route, cockpit.look()[1])
    assert [n.title for n in notices_of(cockpit.vehicle).all] == []
    cockpit.stay(1.0)
    shown = [n.title for n in notices_of(cockpit.vehicle).all]
    assert "Behaviour flies: waypoints" in shown
    cockpit.stay(9.0)
    assert route.index == 1
    cockpit.stay(8.0)
    assert cockpit.distance_m(15.0, 12.0) < 2.0
    assert cockpit.height_m() == pytest.approx(5.0, abs=0.8)
    assert cockpit.look()[0].flight_mode == "Stabilized2", "flown by hand, by its sticks"

    assert cockpit.behaviour.add(point(0.0, 12.0, 5.0))
    cockpit.stay(10.0)
    assert cockpit.distance_m(0.0, 12.0) < 2.0

    cockpit.behaviour.fly(Orbit(point(0.0, 0.0, 5.0), 10.0, 3.0), cockpit.look()[1])
    cockpit.stay(8.0)
    bearings = []
    for _ in range(5):
        assert cockpit.distance_m(0.0, 0.0) == pytest.approx(10.0, abs=2.5)
        bearings.append(cockpit.bearing_deg(0.0, 0.0))
        cockpit.stay(1.0)
    turned = [(b - a + 180.0) % 360.0 - 180.0 for a, b in pairwise(bearings)]
    assert all(5.0 < step < 40.0 for step in turned), "clockwise, at about 3 m/s"

    cockpit.controls.drag({"roll": 0.0, "pitch": 0.3})
    assert cockpit.behaviour.flying is None
    cockpit.stay(0.2)
    assert cockpit.controls.state.sticks.pitch == pytest.approx(0.3)
    assert cockpit.controls.state.stopped == ""
    assert "a stick was touched" in cockpit.messages[-1]
    assert notices_of(cockpit.vehicle).all == ()


@pytest.mark.slow
def test_a_device_that_is_touched_takes_over_in_the_same_step(
    cockpit: GuidedCockpit,
) -> None:
    rest = Sticks(throttle=0.7)
    cockpit.plugged = DeviceInput(rest, "Transmitter", 0.0)
    route = hold(cockpit.behaviour.pose() or pytest.fail("no pose"))
    assert route is not None
    cockpit.behaviour.fly(route, cockpit.look()[1])
    cockpit.stay(2.0)
    assert cockpit.behaviour.flying is not None, "a throttle that lies elsewhere is no touch"
    cockpit.plugged = DeviceInput(Sticks(roll=0.4, throttle=0.7), "Transmitter", 0.0)
    cockpit.run()
    assert cockpit.behaviour.flying is None
    assert cockpit.controls.state.sticks.roll == pytest.approx(0.4)


@pytest.mark.slow
def test_follows_another_aircraft_and_stays_where_it_was_last_seen() -> None:
    cockpit = aloft()  # its barometer drifts, and heights are judged
    other: list[PilotPose | None] = [PilotPose(10.0, 0.0, 4.0, 0.0, 0.0, 0.0, HOME)]
    offset = FollowOffset(ahead_m=-5.0, up_m=1.0)
    cockpit.behaviour.fly(Follow(lambda: other[0], offset, 4.0), cockpit.look()[1])
    cockpit.stay(10.0)
    assert cockpit.distance_m(5.0, 0.0) < 2.0
    assert cockpit.height_m() == pytest.approx(5.0, abs=0.8)
    other[0] = PilotPose(10.0, 15.0, 4.0, 0.0, 0.0, 0.0, HOME)
    cockpit.stay(12.0)
    assert cockpit.distance_m(5.0, 15.0) < 2.0
    other[0] = None
    cockpit.stay(4.0)
    assert cockpit.distance_m(5.0, 15.0) < 2.0


@pytest.mark.slow
def test_without_a_sign_of_life_from_the_window_the_stream_stops_and_the_failsafe_acts(
    cockpit: GuidedCockpit,
) -> None:
    """modules/Receiver/receiver.c: what its settings say happens."""
    route = hold(cockpit.behaviour.pose() or pytest.fail("no pose"))
    assert route is not None
    cockpit.behaviour.fly(route, cockpit.look()[1])
    cockpit.stay(2.0)
    assert cockpit.controls.state.stopped == "", (
        "the negative control: it flies while it is watched"
    )
    cockpit.is_watching = False
    cockpit.stay(1.1 + HOLDS_HEIGHT.for_s)
    assert cockpit.controls.state.stopped
    assert cockpit.bench.sticks is None


class DyingBehaviour:
    """Says sticks until it dies."""

    name = "dying"
    is_dead = False

    def read(self, now_s: float) -> DeviceInput | None:
        return None if self.is_dead else DeviceInput(Sticks(throttle=0.5), self.name, now_s)

    def close(self) -> None:
        pass


@pytest.mark.slow
def test_what_dies_leaves_the_aircraft_to_its_failsafe_and_says_so(
    cockpit: GuidedCockpit,
) -> None:
    """modules/Receiver/receiver.c: FailsafeFlightModeSwitchPosition of this aircraft lands it."""
    dying = DyingBehaviour()
    cockpit.controls.act("Fly by hand", cockpit.look()[1])
    cockpit.controls.begin_behaviour(dying)
    cockpit.stay(2.0)
    assert cockpit.controls.state.stopped == ""
    dying.is_dead = True
    cockpit.stay(0.2)
    assert cockpit.bench.sticks == Sticks(throttle=0.5, flight_mode_position=1, arm=True)
    cockpit.stay(HOLDS_HEIGHT.for_s)
    assert cockpit.bench.sticks is None
    assert cockpit.messages[-1].startswith("Behaviour dying: It says nothing.")
    cockpit.wait(lambda flight: flight.flight_mode == "Land", 3.0)


@pytest.mark.slow
def test_turns_its_nose_while_it_holds(
    cockpit: GuidedCockpit,
) -> None:
    """modules/PathFollower/vtolflycontroller.cpp, UpdateStabilizationDesired: without a velocity
    asked for, the yaw stick turns it (AxisLock), whatever else PositionHold does.
    """
    before = cockpit.place()
    cockpit.behaviour.turn(120.0)
    cockpit.stay(12.0)
    assert cockpit.look()[0].yaw_deg == pytest.approx(120.0, abs=8.0)
    assert cockpit.messages[-1] == "Turned to 120°."
    assert cockpit.behaviour.flying is None
    assert cockpit.look()[0].flight_mode == "PositionHold"
    assert cockpit.distance_m(*before) < 1.5
    assert cockpit.controls.state.stopped == ""


@pytest.mark.slow
def test_a_key_and_the_emergency_stop_end_it_and_it_begins_nothing(
    cockpit: GuidedCockpit,
) -> None:
    route = hold(cockpit.behaviour.pose() or pytest.fail("no pose"))
    assert route is not None
    cockpit.controls.take_source("keyboard")
    cockpit.behaviour.fly(route, cockpit.look()[1])
    cockpit.stay(1.0)
    cockpit.controls.press(frozenset())
    assert cockpit.behaviour.flying is not None, "letting go is no touch"
    cockpit.controls.press(frozenset({"W"}))
    assert cockpit.behaviour.flying is None
    assert cockpit.controls.request.source == "keyboard"
    cockpit.behaviour.fly(route, cockpit.look()[1])
    cockpit.stay(1.0)
    cockpit.controls.disarm(cockpit.look()[1])
    assert cockpit.behaviour.flying is None
    cockpit.wait(lambda flight: flight.armed == "Disarmed", 5.0)
    cockpit.behaviour.turn(90.0)
    cockpit.stay(0.2)
    assert cockpit.behaviour.flying is None, "on the ground nothing flies"


SCRIPT = """\
import json, sys
for line in sys.stdin:
    state = json.loads(line)
    pitch = max(-0.2, min(0.2, 0.05 * (state["north_m"] - 8.0) + 0.1 * state["north_mps"]))
    print(json.dumps({"axes": [0.0, pitch, 0.0, 0.0]}), flush=True)
"""
LIES = "print('no JSON', flush=True)\nimport sys\nsys.stdin.read()\n"
DEAF = (
    "import signal\n"
    "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    "print('{\"axes\": [0, 0, 0, 0]}', flush=True)\n"
    "while True: signal.pause()\n"
)
DIES = "print('{\"axes\": [0, 0, 0, 0]}', flush=True)\n"


@pytest.fixture
def script(tmp_path: Path) -> Path:
    return tmp_path / "mine.py"


@pytest.mark.slow
def test_a_script_is_told_where_it_is_and_says_sticks(script: Path) -> None:
    script.write_text(SCRIPT)
    pose = PilotPose(2.0, 0.0, 5.0, 0.0, 0.0, 0.0, HOME)
    behaviour = ScriptBehaviour(script, lambda: pose)
    try:
        wait_until(lambda: behaviour.read(monotonic_s()) is not None)
        read = behaviour.read(monotonic_s())
        assert read is not None
        assert read.sticks.pitch == pytest.approx(-0.2, abs=0.01)
        assert read.name == "script mine.py"
    finally:
        behaviour.close()
    assert behaviour.read(monotonic_s()) is None
    wait_until(lambda: not behaviour.is_running)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is asked to end there")
def test_who_touches_a_stick_does_not_wait_for_a_script_that_does_not_listen(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transmitter's thread ends it, and sends nothing meanwhile."""
    may_end = threading.Event()

    def end_when_it_may(process: "subprocess.Popen[bytes]") -> None:
        assert may_end.wait(PATIENCE_S)
        end_process(process, patience_s=0.0)

    monkeypatch.setattr("telemetry.flying.inputs.stick_process.end_process", end_when_it_may)
    script.write_text(DEAF)
    slot = BehaviourSlot()
    behaviour = ScriptBehaviour(script, lambda: None)
    wait_until(lambda: behaviour.read(monotonic_s()) is not None)
    slot.begin(behaviour)
    slot.read(0.0, DeviceInput(Sticks(), "Pad", 0.0))
    touched = DeviceInput(Sticks(roll=0.5), "Pad", 0.0)
    assert slot.read(0.02, touched) is touched
    assert behaviour.is_running
    may_end.set()
    wait_until(lambda: not behaviour.is_running)


@pytest.mark.slow
def test_the_example_comes_down_upon_its_place() -> None:
    """The script that ships as an example, asked for its sticks at four places."""
    pose = [PilotPose(6.0, 0.0, 10.0, 0.0, 0.0, 0.0, HOME)]
    behaviour = ScriptBehaviour(EXAMPLE, lambda: pose[0])
    try:
        for north_m, sign in ((6.0, 1.0), (-6.0, -1.0)):
            pose[0] = PilotPose(north_m, 0.0, 10.0, 0.0, 0.0, 0.0, HOME)

            def is_right(sign: float = sign) -> bool:
                read = behaviour.read(monotonic_s())
                return read is not None and sign * read.sticks.pitch > 0.05

            wait_until(is_right)
    finally:
        behaviour.close()


@pytest.mark.slow
@pytest.mark.parametrize("text", [DIES, "raise SystemExit(3)\n", "nonsense ("])
def test_a_script_that_dies_flies_nothing(script: Path, text: str) -> None:
    script.write_text(text)
    behaviour = ScriptBehaviour(script, lambda: None)
    wait_until(lambda: not behaviour.is_running)
    assert behaviour.read(0.0) is None
    behaviour.close()


@pytest.mark.slow
def test_a_script_that_says_something_else_flies_nothing(script: Path) -> None:
    script.write_text(LIES)
    behaviour = ScriptBehaviour(script, lambda: None)
    wait_until(lambda: behaviour.problem)
    assert behaviour.problem.startswith("no JSON: ")
    assert behaviour.read(0.0) is None
    behaviour.close()


ONCE = "print('{\"axes\": [0, 0, 0, 0]}', flush=True)\nimport sys\nsys.stdin.read()\n"


@pytest.mark.slow
def test_a_script_may_think_between_two_lines(
    script: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told where it is 20 times a second; a device speaks 50 times."""
    monkeypatch.setattr("telemetry.flying.inputs.stick_process.monotonic_s", lambda: 100.0)
    script.write_text(ONCE)
    behaviour = ScriptBehaviour(script, lambda: None)
    try:
        wait_until(lambda: behaviour.has_spoken)
        for now_s, is_good in ((100.0, True), (100.2, True), (100.3, False)):
            read = behaviour.read(now_s)
            assert read is not None
            assert (now_s - read.read_s <= HOLD_AFTER_S) is is_good
    finally:
        behaviour.close()


LATE = """\
import pathlib, sys, time
while not pathlib.Path("go").exists():
    time.sleep(0.01)
for line in sys.stdin:
    print('{"axes": [0, -0.1, 0, 0]}', flush=True)
"""


@pytest.mark.slow
def test_a_script_has_the_sticks_from_its_first_ones_on(
    cockpit: GuidedCockpit, script: Path
) -> None:
    """However long it starts, the aircraft goes on with what was asked for before."""
    script.write_text(LATE)
    assert cockpit.behaviour.run(script, cockpit.look()[1]) == ""
    cockpit.stay(3.0)
    assert cockpit.controls.state.stopped == ""
    assert cockpit.look()[0].flight_mode == "PositionHold"
    assert cockpit.behaviour.flying is not None, "shown, so that it can be ended"
    script.with_name("go").touch()
    wait_until(lambda: cockpit.run()[0].flight_mode == "Stabilized2")
    cockpit.wait(lambda _flight: cockpit.speed_mps() > 0.3, 5.0)
    assert cockpit.controls.state.stopped == ""
    assert cockpit.controls.state.device == "script mine.py"
    cockpit.controls.drag({"roll": 0.3, "pitch": 0.0})
    cockpit.stay(0.2)
    assert cockpit.behaviour.flying is None
    assert cockpit.controls.state.sticks.roll == pytest.approx(0.3)
    assert "a stick was touched" in cockpit.messages[-1]


@pytest.mark.slow
def test_a_script_that_never_flies_leaves_the_aircraft_to_what_it_does(
    cockpit: GuidedCockpit, script: Path
) -> None:
    script.write_text("raise SystemExit(3)\n")
    assert cockpit.behaviour.run(script, cockpit.look()[1]) == ""
    wait_until(lambda: cockpit.run() and cockpit.behaviour.flying is None)
    assert cockpit.messages[-1] == "Behaviour script mine.py was not begun: The script has ended."
    assert cockpit.look()[0].flight_mode == "PositionHold"
    assert cockpit.controls.state.stopped == ""


@pytest.mark.slow
def test_a_script_that_is_late_does_not_undo_what_the_pilot_asks_for(
    cockpit: GuidedCockpit, script: Path
) -> None:
    script.write_text(LATE)
    assert cockpit.behaviour.run(script, cockpit.look()[1]) == ""
    cockpit.act("Land")
    script.with_name("go").touch()
    cockpit.wait(lambda flight: flight.flight_mode == "Land", 3.0)
    assert cockpit.behaviour.flying is None
    assert "asked for something else" in cockpit.messages[-1]


def test_the_stick_asks_for_the_bank_by_the_settings_on_board() -> None:
    """stabilizedhandler.c: 4 ** (expo / 100) is the power, RollMax the bank at full stick."""
    pose = PilotPose(0.0, 0.0, 5.0, 0.0, 0.0, 0.0)
    east = Course(0.0, 2.0, 5.0)
    straight = Steering().sticks(east, pose, StickFeel((40.0, 40.0)), 0.0)
    assert straight.roll == pytest.approx(10.0 / 40.0)
    assert straight.pitch == pytest.approx(0.0)
    curved = Steering().sticks(east, pose, StickFeel((40.0, 40.0), (50.0, 50.0)), 0.0)
    assert curved.roll == pytest.approx(0.25 ** (1 / 2.0))
    forward = Steering().sticks(Course(2.0, 0.0, 5.0), pose, StickFeel(), 0.0)
    assert forward.pitch < 0.0, "the nose goes down to fly north"


def test_the_nose_turns_the_shorter_way() -> None:
    assert turn(10.0, 350.0) > 0.0
    assert turn(350.0, 10.0) < 0.0
    assert turn(None, 10.0) == 0.0

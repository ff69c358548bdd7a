"""A stick device dies in every mode on the simulated board, at many phases of its receiver.

The bars: what the board hears is neutral within 0.2 s; where a mode levels, roll and pitch are less
than a tenth of what they were within 0.9 s; guided modes stand; nothing spins up on the ground;
then the board's failsafe acts (receiver.c, pios_gcsrcvr.c).
"""

import math
import os
from dataclasses import dataclass, field, replace

import pytest

from telemetry.configuration.flight_modes.modes import FLIGHT_MODES, Need
from telemetry.flying.actions import why_not
from telemetry.flying.inputs.device_input import DeviceInput
from telemetry.flying.transmitter.board_word import BoardWord, GroundWatch
from telemetry.flying.transmitter.lost_sticks import (
    AUTO_TAKEOFF,
    DISARMED,
    GROUND_VEHICLE,
    GUIDED,
    HOLDS_HEIGHT,
    LEVELS,
    ON_THE_GROUND,
    ROWS,
    TURNS,
    WING_LEVELS,
    WING_TURNS,
    LostSticksRow,
    LostSticksTable,
)
from telemetry.flying.transmitter.release import FADE_S
from telemetry.vehicle.sticks import ARM_SWITCH, FLIGHT_MODE, PITCH, ROLL, THROTTLE, YAW, Sticks
from tests.telemetry.flying.cockpit import LOOP_S, Cockpit

ALL_WAYS = "LAPWING_ALL_WAYS" in os.environ
DEATHS = range(20) if ALL_WAYS else (1, 2, 3)
"""Of each row: with roll and with pitch by falling silent, which holds the stick, and one by being
unplugged, to both sides, at three phases; 20 of each were flown when the table was made."""
ENDS = DEATHS if ALL_WAYS else (1, 2)
"""Where the stick lies the same in all of them: by falling silent, and by being unplugged."""
NEUTRAL_S, LEVEL_S, FAILSAFE_S = 0.2, 0.9, 0.77
NEUTRAL_US = 1500
ENOUGH_M = 6.0
BY_HAND = 0
RECEIVER, RETURNS = "ManualControlSettings", 3
SETS = {1: {"Roll": "Attitude", "Pitch": "Attitude", "Yaw": "Rate", "Thrust": "Manual"}}


def table(**axes: str) -> LostSticksTable:
    return LostSticksTable(("Stabilized1",), sets={1: {**SETS[1], **axes}})


@pytest.mark.parametrize(
    ("axes", "row"),
    [
        ({}, LEVELS),
        ({"Roll": "Rattitude", "Pitch": "Rattitude"}, LEVELS),
        ({"Thrust": "CruiseControl"}, LEVELS),
        ({"Thrust": "AltitudeHold"}, HOLDS_HEIGHT),
        ({"Thrust": "AltitudeVario"}, HOLDS_HEIGHT),
        *(({"Roll": mode, "Pitch": mode}, TURNS) for mode in ("Rate", "Acro+", "AxisLock")),
        *(({"Roll": mode, "Pitch": mode}, TURNS) for mode in ("WeakLeveling", "VirtualBar")),
        ({"Roll": "Manual", "Pitch": "Manual"}, TURNS),
        ({"Pitch": "Rate"}, TURNS),
        ({"Roll": "Rate", "Pitch": "Rate", "Thrust": "AltitudeVario"}, TURNS),
    ],
)
def test_a_set_of_axis_modes_has_its_row(axes: dict[str, str], row: LostSticksRow) -> None:
    found = table(**axes)
    assert found.row("Stabilized1") is row
    wing = replace(found, is_fixed_wing=True)
    assert wing.row("Stabilized1") is (WING_TURNS if row is TURNS else WING_LEVELS)
    assert replace(found, is_ground_vehicle=True).row("Stabilized1") is GROUND_VEHICLE


@pytest.mark.parametrize("mode", FLIGHT_MODES)
def test_what_flies_by_a_position_goes_on_and_nothing_else_does(mode: str) -> None:
    row = table().row(mode)
    flies_by_itself = Need.POSITION in FLIGHT_MODES[mode].needs and mode != "AutoCruise"
    assert row.is_lasting == flies_by_itself
    assert (row is AUTO_TAKEOFF) == (mode == "AutoTakeoff")
    assert (row is HOLDS_HEIGHT) == (mode in ("AltitudeHold", "AltitudeVario"))


def test_where_the_stick_is_the_thrust_a_guided_mode_keeps_it() -> None:
    """vtolflycontroller.cpp, UpdateStabilizationDesired."""
    by_stick = replace(table(), is_thrust_by_stick=True)
    assert by_stick.row("PositionHold").throttle == "kept"
    assert table().row("PositionHold").throttle == "middle"


def test_what_gps_assists_goes_on_with_the_throttle_as_it_was() -> None:
    """manualcontrol.c: a change of the thrust ends braking and holding."""
    for thrust, throttle in (("Manual", "kept"), ("AltitudeVario", "middle")):
        assisted = replace(table(Thrust=thrust), assisted=frozenset({0}))
        assert assisted.row_at(0).is_lasting
        assert assisted.row_at(0).throttle == throttle
        assert not table(Thrust=thrust).row_at(0).is_lasting


def test_no_row_lowers_the_throttle_of_what_flies_or_touches_a_switch() -> None:
    asked = Sticks(0.3, -0.4, 0.5, 0.7, 3, arm=True)
    for row in ROWS:
        sent = row.sticks(asked, 0.4)
        assert (sent.roll, sent.pitch, sent.yaw) == (0.0, 0.0, 0.0)
        assert (sent.flight_mode_position, sent.arm) == (3, True)
        assert sent.throttle == {"kept": 0.4, "middle": 0.5, "low": 0.0}[row.throttle]
    assert [row for row in ROWS if row.throttle == "low"] == [DISARMED, ON_THE_GROUND]


@dataclass
class Death:
    """What the board heard and did from a device's death on, loop by loop; the first is before."""

    channels: list[tuple[int, ...]] = field(default_factory=list)
    tilts: list[float] = field(default_factory=list)
    hears: list[bool] = field(default_factory=list)
    rotors: list[float] = field(default_factory=list)
    modes: list[str] = field(default_factory=list)

    def first(self, reached: list[bool]) -> float:
        """Seconds until something is so for the first time; infinite if it never is."""
        return next((i * LOOP_S for i, is_so in enumerate(reached) if is_so), math.inf)

    @property
    def neutral_s(self) -> float:
        axes = (ROLL, PITCH, YAW)
        return self.first([all(c[axis] == NEUTRAL_US for axis in axes) for c in self.channels])

    @property
    def level_s(self) -> float:
        return self.first([tilt < self.tilts[0] / 10.0 for tilt in self.tilts])

    @property
    def failsafe_s(self) -> float:
        return self.first([not hears for hears in self.hears])


class DyingDevice(Cockpit):
    """Flown by a device on which the pilot holds the stick aside."""

    def __init__(self, aircraft: str = "ar100b") -> None:
        super().__init__(aircraft)
        self.stick = Sticks(throttle=0.5)
        self.device = self.held
        self.controls.take_source("gamepad")

    def held(self) -> DeviceInput:
        return DeviceInput(self.stick, "Pad", self.bench.now_s)

    def set_axes(self, **axes: str) -> None:
        modes = {**SETS[1], **axes}
        name = "FlightModeSettings"
        self.bench.write(name, {"Stabilization1Settings": list(modes.values())})
        definition = self.bench.definition(name)
        written = self.bench.latest[(definition.object_id, 0)]
        self.recording.append(self.bench.now_s, definition, 0, written)
        self.stay(0.2)

    def climb(self) -> None:
        """To some height, and there by itself."""
        self.device = self.held
        self.stick = Sticks(throttle=0.5)
        self.act("Fly by hand")
        self.stick = Sticks(throttle=0.9)
        self.wait(lambda flight: (flight.height_m or 0.0) > ENOUGH_M, 30.0)
        self.hold()

    def hold(self) -> None:
        self.stick = Sticks(throttle=0.5)
        self.device = self.held
        self.act("Hold")
        self.wait(lambda flight: flight.flight_mode == "PositionHold", 3.0)
        self.stay(3.0)

    def by_hand(self, stick: Sticks, seconds: float) -> None:
        """In Stabilized1, with the throttle that hovers and then with the stick aside."""
        throttle = self.hover_throttle()
        self.stick = replace(stick, throttle=throttle)
        self.controls.fly_position(BY_HAND, self.look()[1])
        self.wait(lambda flight: flight.flight_mode == "Stabilized1", 3.0)
        self.stay(seconds)

    def hover_throttle(self) -> float:
        return float(self.bench.autopilot.board["ActuatorDesired"].row["Thrust"])

    def die(self, number: int, seconds: float) -> Death:
        """By falling silent or by being unplugged, at another phase of the receiver each time."""
        self.stay(LOOP_S * (number % 13))
        death = Death()
        self.note(death)
        if number % 2:
            last = self.held()
            self.device = lambda: last
        else:
            self.device = lambda: None
        for _ in range(round(seconds / LOOP_S)):
            self.run()
            self.note(death)
        return death

    def note(self, death: Death) -> None:
        board = self.bench.autopilot.board
        death.channels.append(tuple(board["GCSReceiver"].fields["Channel"].tolist()))
        death.hears.append(bool(board["ManualControlCommand"].fields["Connected"]))
        death.modes.append(board["FlightStatus"].option("FlightMode"))
        output = self.bench.autopilot.simulator.output
        _, x, y, _ = output["true_quaternion"]
        death.tilts.append(math.degrees(math.acos(1.0 - 2.0 * (x * x + y * y))))
        death.rotors.append(float(max(output["rotor_speed"])))


@pytest.fixture(scope="module")
def flown() -> DyingDevice:
    """One flight for all, which all rows make longer than a battery lasts."""
    cockpit = DyingDevice()
    cockpit.bench.autopilot.simulator.record["parameters"]["capacity_as"] = 1e12
    cockpit.take_off()
    cockpit.wait(lambda flight: (flight.height_m or 0.0) > 2.0, 30.0)
    return cockpit


@pytest.fixture(scope="module")
def standing() -> DyingDevice:
    """On the ground, and ready to be armed."""
    cockpit = DyingDevice()
    cockpit.stay(8.0)  # until its filter knows where it is
    return cockpit


def check_heard(death: Death, row: LostSticksRow) -> None:
    """Neutral soon, switches as they were, and the throttle as the table says, to the end."""
    assert death.neutral_s <= NEUTRAL_S
    before = death.channels[0]
    for channel in (FLIGHT_MODE, ARM_SWITCH):
        assert {heard[channel] for heard in death.channels} == {before[channel]}
    wanted = NEUTRAL_US if row.throttle == "middle" else before[THROTTLE]
    assert {heard[THROTTLE] for heard in death.channels} <= {before[THROTTLE], wanted}
    assert death.channels[-1][THROTTLE] == wanted


@pytest.mark.slow
@pytest.mark.parametrize("number", DEATHS)
@pytest.mark.parametrize(
    ("axes", "row"),
    [
        ({}, LEVELS),
        ({"Roll": "Rattitude", "Pitch": "Rattitude"}, LEVELS),
        ({"Thrust": "AltitudeVario"}, HOLDS_HEIGHT),
        ({"Thrust": "AltitudeHold"}, HOLDS_HEIGHT),
    ],
)
def test_a_mode_that_levels_is_level_before_the_failsafe_acts(
    flown: DyingDevice, axes: dict[str, str], row: LostSticksRow, number: int
) -> None:
    flown.climb()
    flown.set_axes(**axes)
    side = 0.6 if number % 4 < 2 else -0.6
    flown.by_hand(Sticks(roll=side) if number % 3 else Sticks(pitch=side), 0.8)
    death = flown.die(number, 2.5)
    assert death.tilts[0] > 12.0, "it was banked"
    check_heard(death, row)
    assert death.level_s <= LEVEL_S
    begins_s = 0.15 if number % 2 else 0.0
    assert row.for_s <= death.failsafe_s - begins_s <= row.for_s + FAILSAFE_S + 3 * LOOP_S
    assert death.modes[-1] == "Land"


@pytest.mark.slow
@pytest.mark.parametrize("number", DEATHS)
@pytest.mark.parametrize("mode", ["Rate", "Acro+", "AxisLock", "WeakLeveling"])
def test_a_mode_that_turns_stops_turning_and_is_left_to_the_failsafe_soon(
    flown: DyingDevice, mode: str, number: int
) -> None:
    flown.climb()
    flown.set_axes(Roll=mode, Pitch=mode)
    side = 0.25 if number % 4 < 2 else -0.25
    flown.by_hand(Sticks(roll=side) if number % 3 else Sticks(pitch=side), 0.3)
    death = flown.die(number, 2.0)
    check_heard(death, TURNS)
    begins_s = 0.15 if number % 2 else 0.0
    assert death.failsafe_s - begins_s <= TURNS.for_s + FAILSAFE_S + 3 * LOOP_S
    assert death.modes[-1] == "Land"
    assert not flown.bench.autopilot.simulator.output["crashed"]


@pytest.mark.slow
@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("action", ["Hold", "Land"])
def test_a_guided_mode_stands(flown: DyingDevice, action: str, number: int) -> None:
    flown.climb()
    flown.stick = Sticks(roll=0.6, pitch=-0.5, throttle=0.2)
    flown.act(action)
    mode = "PositionHold" if action == "Hold" else "Land"
    flown.wait(lambda flight: flight.flight_mode == mode, 3.0)
    death = flown.die(number, 3.0)
    check_heard(death, GUIDED)
    assert death.hears == [True] * len(death.hears)
    assert set(death.modes) == {mode}
    assert flown.controls.state.stopped == ""
    assert flown.controls.state.held
    flown.hold()


@pytest.mark.slow
@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("thrust", ["Manual", "AltitudeVario", "AltitudeHold"])
def test_nothing_on_the_ground_spins_up(standing: DyingDevice, thrust: str, number: int) -> None:
    standing.device, standing.stick = standing.held, Sticks()
    standing.set_axes()
    standing.controls.arm(standing.look()[1])
    standing.wait(lambda flight: flight.is_armed, 5.0)
    standing.set_axes(Thrust=thrust)
    standing.controls.fly_position(BY_HAND, standing.look()[1])
    standing.stay(1.0)
    standing.stick = Sticks(roll=0.4)
    standing.stay(0.3)
    standing.bench.write(RECEIVER, {"FailsafeFlightModeSwitchPosition": RETURNS})
    death = standing.die(number, 4.0)
    assert death.neutral_s <= NEUTRAL_S
    assert {heard[THROTTLE] for heard in death.channels} == {1000}
    assert all(death.hears), "its failsafe would take off"
    assert max(death.rotors) <= death.rotors[0] * 1.1, "AltitudeHold itself turns them up a little"
    standing.controls.disarm(standing.look()[1])
    standing.wait(lambda flight: flight.armed == "Disarmed", 5.0)


@pytest.mark.slow
def test_left_to_a_failsafe_that_returns_it_would_take_off() -> None:
    """The negative control: manualcontrol.c sets the mode, whether it flies or not. Firmware was at
    8 m after 7 s."""
    standing = DyingDevice()
    standing.stick = Sticks()
    standing.arm()
    standing.controls.fly_position(BY_HAND, standing.look()[1])
    standing.bench.write(RECEIVER, {"FailsafeFlightModeSwitchPosition": RETURNS})
    standing.stay(1.0)
    standing.transmitter.step = lambda dt_s, device: None  # type: ignore[method-assign]
    standing.bench.sticks = None
    standing.stay(7.0)
    assert -float(standing.bench.autopilot.simulator.output["true_position"][2]) > 1.0


def test_what_flies_by_itself_flies_though_the_throttle_was_never_raised() -> None:
    """Armed in PathPlanner, or sent home after arming, it lifts off (vtolflycontroller.cpp)."""
    for mode, may_fly in (("PathPlanner", True), ("Stabilized1", False), ("VelocityRoam", False)):
        watch = GroundWatch()
        watch.step(0.0, BoardWord(armed="Disarmed", status_age_s=0.0), None)
        assert not watch.may_fly
        watch.step(1.0, BoardWord(armed="Armed", mode=mode, status_age_s=0.0), Sticks(arm=True))
        assert watch.may_fly == may_fly


def test_an_aeroplane_that_takes_off_by_itself_may_fly_with_the_throttle_low() -> None:
    """It climbed to 17 m so on the firmware: fixed wing controllers read no stick."""
    for is_fixed_wing in (False, True):
        table = LostSticksTable(is_fixed_wing=is_fixed_wing)
        watch = GroundWatch()
        watch.step(0.0, BoardWord(armed="Disarmed", status_age_s=0.0, table=table), None)
        rising = BoardWord(armed="Armed", mode="AutoTakeoff", status_age_s=0.0, table=table)
        watch.step(1.0, rising, Sticks(arm=True))
        assert watch.may_fly == is_fixed_wing


def test_whether_it_flies_is_in_doubt_until_the_board_has_said_that_it_does_not() -> None:
    armed = BoardWord(armed="Armed", mode="Stabilized1", status_age_s=0.0)
    disarmed = BoardWord(armed="Disarmed", mode="Stabilized1", status_age_s=0.0)
    watch = GroundWatch()
    watch.step(0.0, armed, Sticks(arm=True))
    assert watch.may_fly, "the station was started in flight"
    watch.step(0.1, disarmed, None)
    watch.step(0.2, disarmed, Sticks(arm=True, throttle=0.6))
    watch.step(0.3, disarmed, Sticks(arm=True))
    assert watch.may_fly, "that it is disarmed may have been said before it was armed"
    watch.step(2.0, disarmed, Sticks())
    assert not watch.may_fly
    heard = replace(armed, hears_low_throttle=True)
    watch.step(3.0, heard, None)
    assert not watch.may_fly, "another transmitter has armed it"
    watch.step(4.0, replace(heard, hears_low_throttle=False), None)
    assert watch.may_fly, "and flies it"


@pytest.mark.slow
@pytest.mark.parametrize("number", ENDS)
def test_a_take_off_by_itself_goes_on_to_its_height(number: int) -> None:
    rising = DyingDevice()
    rising.take_off()
    rising.wait(lambda flight: (flight.height_m or 0.0) > 0.8, 30.0)
    death = rising.die(number, 8.0)
    assert {heard[THROTTLE] for heard in death.channels} == {death.channels[0][THROTTLE]}
    assert death.neutral_s <= NEUTRAL_S
    assert set(death.modes) == {"AutoTakeoff"}
    assert death.hears == [True] * len(death.hears)
    assert (rising.look()[0].height_m or 0.0) > 1.8


@pytest.mark.slow
def test_without_the_table_the_stick_stays_aside_until_the_failsafe_acts(
    flown: DyingDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The negative control: what the bars forbid is what would be."""
    monkeypatch.setattr("telemetry.flying.transmitter.release.HOLD_AFTER_S", FADE_S)
    flown.climb()
    flown.set_axes()
    flown.by_hand(Sticks(roll=0.6), 0.8)
    death = flown.die(1, 1.0)
    assert death.neutral_s > NEUTRAL_S
    assert death.level_s > LEVEL_S


_WINGS: list[DyingDevice] = []
"""One flight for all rows after which it still flies high enough."""


@pytest.fixture
def wing() -> DyingDevice:
    """An aeroplane that goes round in circles."""
    if not _WINGS or not _can_hold(_WINGS[0]):
        _WINGS[:] = [DyingDevice("sea-vixen")]
        _WINGS[0].stick = Sticks()
        _WINGS[0].take_off()
        _WINGS[0].wait(lambda flight: (flight.height_m or 0.0) > 35.0, 30.0)
    wing = _WINGS[0]
    wing.device = wing.held
    wing.act("Hold")
    return wing


def _can_hold(wing: DyingDevice) -> bool:
    flight, situation = wing.look()
    return (flight.height_m or 0.0) > 30.0 and why_not("Hold", situation) is None


@pytest.mark.slow
@pytest.mark.parametrize("number", ENDS)
@pytest.mark.parametrize("roll", ["Attitude", "Rate"])
def test_an_aeroplane_has_rows_of_its_own(wing: DyingDevice, roll: str, number: int) -> None:
    wing.set_axes(Roll=roll, Pitch=roll)
    wing.stay(1.0)
    wing.stick = Sticks(roll=0.4, throttle=0.6)
    wing.controls.fly_position(BY_HAND, wing.look()[1])
    wing.stay(0.6)
    row = WING_LEVELS if roll == "Attitude" else WING_TURNS
    death = wing.die(number, 2.5)
    check_heard(death, row)
    begins_s = 0.15 if number % 2 else 0.0
    assert row.for_s <= death.failsafe_s - begins_s <= row.for_s + FAILSAFE_S + 3 * LOOP_S

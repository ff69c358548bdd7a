"""A script flies the simulated AR100B by the robot's interface, in simulated time.

What firmware does with each manoeuvre is read in the files that `telemetry.missions.guided_actions`
names; the throttle of a climb is altitudeloop.cpp's.
"""

import asyncio
import io
import math
from collections.abc import Callable
from itertools import pairwise

import pytest

from telemetry.flying.manoeuvres.climb_throttle import climb_throttle
from telemetry.flying.manoeuvres.paths import FlownVelocity
from telemetry.flying.robot.action import RobotAction
from telemetry.flying.robot.errors import RobotError
from telemetry.protocol.links.faulty import Faults
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.vehicle.exclusive import exclusive_of
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from tests.telemetry.flying.robot.bench import RobotBench, flying_by_themselves


@pytest.fixture
def bench(catalogue: Catalogue) -> RobotBench:
    return RobotBench(catalogue)


@pytest.mark.slow
def test_a_script_flies_a_square_and_lands(bench: RobotBench) -> None:
    robot = bench.robot
    bench.pass_time(4.0)
    bench.finish_action(robot.arm(wait=False))
    assert robot.state.armed == "Armed"
    bench.finish_action(robot.take_off(4.0, wait=False))
    start = robot.state
    assert start.height_m == pytest.approx(4.0, abs=1.0)
    assert bench.truth[2] == pytest.approx(4.0, abs=3.5), "GPS was 2.7 m off, and is believed"
    assert start.north_m is not None
    assert start.east_m is not None
    bench.finish_action(robot.go_to(start.north_m + 6.0, start.east_m, 4.0, wait=False))
    assert robot.state.north_m == pytest.approx(start.north_m + 6.0, abs=1.0)

    # Firmware's PID begins level, whatever is asked for (Activate of pidcontrolne.cpp).
    climbing = robot.velocity(FlownVelocity(0.0, 2.0, 1.0), 5.0, wait=False)
    bench.pass_time(4.5)
    north, east, down = bench.autopilot.simulator.output["true_velocity"].tolist()
    assert east == pytest.approx(2.0, abs=0.5)
    assert -down == pytest.approx(1.0, abs=0.4)
    assert abs(north) < 0.5
    bench.finish_action(climbing)
    bench.pass_time(5.0)
    speed = math.hypot(*bench.autopilot.simulator.output["true_velocity"].tolist()[:2])
    assert speed < 0.7  # it stays once the seconds are over

    bench.finish_action(robot.land(wait=False))
    assert robot.state.armed == "Disarmed"
    bench.run(lambda: max(bench.rotor_speeds) < 50.0, 5.0)
    assert not bench.autopilot.simulator.output["crashed"]


@pytest.mark.slow
def test_a_script_that_is_interrupted_says_at_once_that_it_lands(
    bench: RobotBench, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[tuple[str, bool]] = []

    class Terminal(io.StringIO):
        def write(self, text: str) -> int:
            told.append((text, bench.robot.state.is_armed))
            return len(text)

    monkeypatch.setattr("sys.stderr", Terminal())

    def script() -> None:
        with bench.robot as robot:
            robot.take_off()
            assert told == []
            raise KeyboardInterrupt

    with flying_by_themselves(bench), pytest.raises(KeyboardInterrupt):
        script()
    words, is_in_the_air = told[0]
    assert "is landing. Ctrl+C now leaves it to its failsafe" in words
    assert is_in_the_air
    assert bench.robot.state.armed == "Disarmed"


@pytest.mark.slow
def test_a_script_that_is_gone_leaves_the_aircraft_to_its_failsafe(bench: RobotBench) -> None:
    bench.pass_time(4.0)
    bench.finish_action(bench.robot.take_off(wait=False))
    bench.robot.hold(wait=False)
    bench.pass_time(1.0)
    assert bench.pilot is not None
    bench.pilot.end("The script has ended.")
    bench.pilot = None
    bench.sticks = None
    bench.run(lambda: bench.robot.state.flight_mode == "Land", 3.0)


def test_what_cannot_be_flown_is_refused_with_the_reason(bench: RobotBench) -> None:
    robot = bench.robot
    with pytest.raises(RobotError, match="not armed"):
        bench.finish_action(robot.land(wait=False))
    with pytest.raises(RobotError, match=r"900 m is not between"):
        bench.finish_action(robot.go_to(0.0, 0.0, 900.0, wait=False))
    with pytest.raises(RobotError, match="north_mps has to be a number"):
        bench.finish_action(robot.velocity(FlownVelocity(math.nan, 0.0), 1.0, wait=False))
    with pytest.raises(RobotError, match="east_m has to be a number of metres; it is True"):
        robot.go_to(0.0, True, 5.0, wait=False)


@pytest.mark.slow
def test_what_is_refused_in_the_air_leaves_the_aircraft_flying(bench: RobotBench) -> None:
    """Sticks at rest, throttle and arming switch off, are a fall: firmware takes them at once."""
    robot = bench.robot
    bench.pass_time(4.0)
    bench.finish_action(robot.take_off(6.0, wait=False))
    assert bench.pilot is not None
    moving = robot.velocity(FlownVelocity(1.0, 0.0), 60.0, wait=False)
    bench.pass_time(2.0)
    refused: tuple[Callable[[], RobotAction], ...] = (
        lambda: robot.go_to(0.0, 0.0, 1.0, wait=False),
        lambda: robot.go_to(9e4, 0.0, 10.0, wait=False),
        lambda: robot.velocity(FlownVelocity(math.nan, 0.0), 1.0, wait=False),
        lambda: robot.steer(Sticks(roll=math.nan), "Stabilized1", 1.0, wait=False),
        lambda: robot.steer(Sticks(), "NoSuchMode", 1.0, wait=False),
        lambda: robot.take_off(wait=False),
        lambda: robot.arm(wait=False),
    )
    for ask in refused:
        with pytest.raises(RobotError):
            bench.finish_action(ask())
        assert bench.pilot.sticks is not None
        assert (bench.pilot.sticks.throttle, bench.pilot.sticks.arm) == (0.5, True)
    assert not moving.is_finished
    bench.finish_action(robot.hold(wait=False))
    assert robot.state.is_armed
    assert not bench.autopilot.simulator.output["crashed"]


@pytest.mark.slow
def test_it_stays_after_a_velocity_without_a_moment_of_sticks_at_rest(bench: RobotBench) -> None:
    """Below the least height that it may be sent to, too."""
    robot = bench.robot
    bench.pass_time(4.0)
    bench.finish_action(robot.take_off(wait=False))
    sinking = robot.velocity(FlownVelocity(0.0, 0.0, -0.5), 3.0, wait=False)
    bench.run(lambda: sinking.is_finished or not _flies(bench), 20.0)
    sinking.wait(0.0)
    bench.finish_action(robot.hold(wait=False))
    assert _flies(bench)


def _flies(bench: RobotBench) -> bool:
    sticks = bench.pilot.sticks if bench.pilot is not None else None
    return sticks is None or (sticks.arm and sticks.throttle > 0.0)


def test_what_is_asked_for_after_its_end_does_not_wait_for_ever(bench: RobotBench) -> None:
    assert bench.pilot is not None
    bench.pilot.retire("The script has ended.")
    with pytest.raises(RobotError, match="has ended"):
        bench.robot.hold(wait=False).wait(0.0)


def test_a_receiver_that_hears_a_radio_is_told_with_the_remedy(bench: RobotBench) -> None:
    bench.autopilot.board["ManualControlSettings"].set(ChannelGroups=[0] * 11)
    bench.pass_time(2.0)
    ticket = bench.vehicle.commands.request("ManualControlSettings")
    bench.run(lambda: ticket.is_finished)
    with pytest.raises(RobotError, match="takes_receiver"):
        bench.finish_action(bench.robot.arm(wait=False))


def test_the_newest_request_ends_the_one_before(bench: RobotBench) -> None:
    first, second = bench.robot.arm(wait=False), bench.robot.disarm(wait=False)
    bench.finish_action(second)
    with pytest.raises(RobotError, match="Something else"):
        first.wait(0.0)


def test_an_action_can_be_awaited() -> None:
    async def ask() -> None:
        done, failed = RobotAction("Hold"), RobotAction("Land")
        asyncio.get_running_loop().call_soon(done.finish)
        asyncio.get_running_loop().call_soon(failed.finish, "No.")
        await done
        with pytest.raises(RobotError, match="Land: No"):
            await failed

    asyncio.run(ask())


@pytest.mark.parametrize("climb_mps", [-2.5, -0.3, 0.2, 1.0, 3.0])
def test_the_throttle_asks_altitude_vario_for_the_climb(climb_mps: float) -> None:
    """stabilizationAltitudeHold of altitudeloop.cpp, as written there."""
    band, rate, bend = 0.2, 3.0, 128.0
    high, low = 0.5 + band / 2, 0.5 - band / 2
    throttle = climb_throttle(climb_mps, rate, bend)
    x = (throttle - high) / low if throttle > high else (low - throttle) / low
    asked = (bend * x**3 + (255.0 - bend) * x) / 255.0 * rate
    assert math.copysign(asked, throttle - 0.5) == pytest.approx(climb_mps, abs=1e-6)


def test_a_throttle_in_the_middle_asks_for_no_climb() -> None:
    assert climb_throttle(0.0, 3.0, 128.0) == 0.5
    assert climb_throttle(9.0, 3.0, 128.0) == 1.0


def test_samples_come_in_order_and_a_slow_reader_of_the_newest_counts_what_it_missed(
    bench: RobotBench,
) -> None:
    every = iter(bench.robot.samples("AttitudeState"))
    newest_only = bench.robot.samples("AttitudeState", newest_only=True)
    newest = iter(newest_only)
    bench.pass_time(2.0)
    bench.robot.close()
    got = list(every)
    assert len(got) > 5
    assert all(a.t <= b.t for a, b in pairwise(got))
    assert [sample.t for sample in newest] == [got[-1].t]
    assert newest_only.dropped == len(got) - 1


def test_what_never_comes_is_told_instead_of_waited_for(bench: RobotBench) -> None:
    with pytest.raises(RobotError, match="AttitudeState"):
        bench.robot.samples("AtitudeState")
    bench.vehicle.recording.stopped_sensors = {"front": "It cannot draw."}
    with pytest.raises(RobotError, match="It cannot draw"):
        next(iter(bench.robot.stream("front")))
    with pytest.raises(RobotError, match="sends no streams"):
        next(iter(bench.robot.stream("botom", within_s=0.0)))
    samples = iter(bench.robot.samples("attitudestate"))
    bench.pass_time(1.0)
    assert next(samples).definition.name == "AttitudeState"
    bench.vehicle.status = LinkStatus(state=LinkState.CONNECTING)
    with pytest.raises(RobotError, match="The link is lost"):
        list(samples)


def test_a_coroutine_reads_samples(bench: RobotBench) -> None:
    async def read() -> int:
        return len([sample async for sample in samples])

    samples = bench.robot.samples("AttitudeState")
    bench.pass_time(1.0)
    bench.robot.close()
    assert asyncio.run(read()) > 2


@pytest.mark.slow
def test_a_script_has_the_right_to_the_aircraft_while_it_flies_it(bench: RobotBench) -> None:
    """The right that the station's controls, set-ups and tests have; on the ground it is free."""
    right = exclusive_of(bench.vehicle)
    ended: list[str] = []
    right.take("the test", "The motor test", lambda: ended.append("the motor test"))
    with pytest.raises(RobotError, match="The motor test is under way"):
        bench.finish_action(bench.robot.arm(wait=False))
    stopping = bench.robot.disarm(wait=False)
    bench.finish_action(stopping)
    assert ended == ["the motor test"], "motors off goes out whoever has it"
    right.free("the test")
    bench.pass_time(4.0)
    bench.finish_action(bench.robot.arm(wait=False))
    assert right.why_not("the test") == "Flying by a script is under way. End it first."
    bench.finish_action(bench.robot.disarm(wait=False))
    bench.pass_time(0.2)
    assert right.why_not("the test") == ""
    right.take("the test", "The motor test")
    bench.pass_time(0.2)
    assert bench.pilot is not None
    assert bench.pilot.sticks is None, "and gets no resting sticks"


@pytest.mark.slow
@pytest.mark.parametrize(("lost_s", "goes_on"), [(0.3, True), (3.0, False)])
def test_a_script_does_not_take_it_from_its_failsafe(
    bench: RobotBench, lost_s: float, goes_on: bool
) -> None:
    """As for a pilot: what the board has ended goes on only when it is asked for again."""
    bench.pass_time(8.0)
    bench.finish_action(bench.robot.take_off(5.0, wait=False))
    bench.pass_time(1.0)
    mode = bench.autopilot.board["FlightStatus"].option("FlightMode")
    bench.link.faults = Faults(loss=1.0)
    bench.pass_time(lost_s)
    bench.link.faults = Faults()
    bench.pass_time(2.0)
    after = bench.autopilot.board["FlightStatus"].option("FlightMode")
    assert after == (mode if goes_on else "Land")

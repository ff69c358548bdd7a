"""Sensors that are carried in simulated time: when, with which stamp, and what may go wrong."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.perception.given_path import GivenPath
from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.suite import PerceptionSuite
from simulation.simulator.simulator import Simulator
from telemetry.protocol.streams.samples import ValueSample, check_sample
from tests.simulation.perception.paths import digest, still, winding
from tests.simulation.perception.rooms import room

DOWN = (0.0, -90.0, 0.0)
FINDER = SensorMount("down", "lidar-lite-v3", attitude_deg=DOWN)
SCANNER = SensorMount("front", "utm-30lx", (0.1, 0.0, -0.05), changes={"rays": 109})
SONAR = SensorMount("sonar", "hector-sonar", attitude_deg=DOWN)
EXACT = {"noise_m": 0.0, "resolution_m": 1e-6}


def _finder(**changes: float) -> SensorMount:
    return SensorMount("down", "lidar-lite-v3", attitude_deg=DOWN, changes={**EXACT, **changes})


def _carried(mounts: list[SensorMount], blocks: list[int], seed: int = 1) -> list[SuiteSample]:
    path = GivenPath(winding, seed)
    return _flown(path, PerceptionSuite(path, room(), mounts), blocks)


def _flown(
    motion: GivenPath | Simulator, suite: PerceptionSuite, blocks: list[int]
) -> list[SuiteSample]:
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    for steps in blocks:
        motion.advance(steps)
    assert not suite.failures
    return found


def _of(name: str, samples: list[SuiteSample]) -> list[SuiteSample]:
    return [each for each in samples if each.description.name == name]


def test_each_sensor_samples_at_its_own_period() -> None:
    found = _carried([FINDER, SCANNER, SONAR], [1000])
    for name, period_us, last in (
        ("down", 10_000, 99),
        ("front", 25_000, 39),
        ("sonar", 100_000, 10),
    ):
        samples = _of(name, found)
        assert [each.sample.number for each in samples] == list(range(1, last + 1))
        for each in samples:
            assert each.sample.time_us == each.truth.time_us == each.sample.number * period_us
            check_sample(each.description, each.sample)


@pytest.mark.parametrize("blocks", [[1] * 400, [399, 1], [7] * 57 + [1]])
def test_blocks_of_advance_do_not_matter(blocks: list[int]) -> None:
    mounts = [FINDER, SCANNER, SONAR]
    assert digest(_carried(mounts, blocks)) == digest(_carried(mounts, [400]))


def test_another_seed_gives_other_scans() -> None:
    """Negative control of the hash."""
    assert digest(_carried([SCANNER], [100])) != digest(_carried([SCANNER], [100], seed=2))


def test_a_sensor_does_not_depend_on_the_others() -> None:
    """Neither what it says nor when: others have other periods, one even between two steps."""
    odd = SensorMount("odd", "lidar-lite-v3", changes={"rate_hz": 30.0})
    alone = _carried([SCANNER], [300])
    together = _of("front", _carried([odd, FINDER, SCANNER], [300]))
    assert len(alone) == 11
    assert digest(alone) == digest(together)


def test_a_real_flight_gives_the_same_scans_in_any_block_and_thread() -> None:
    """Issue 13: same seed, other speed, other number of threads, identical scans."""

    def fly(blocks: list[int]) -> str:
        simulator = Simulator(load_aircraft("ar100b"), seed=5)
        suite = PerceptionSuite(simulator, room(), [SCANNER, FINDER])
        return digest(_flown(simulator, suite, blocks))

    plain = fly([200])
    with ThreadPoolExecutor(3) as pool:
        found = list(pool.map(fly, ([13] * 15 + [5], [200], [1] * 200)))
    assert found == [plain] * 3


def test_the_flight_does_not_depend_on_sensors() -> None:
    flights = [Simulator(load_aircraft("ar100b")) for _ in range(2)]
    PerceptionSuite(flights[0], room(), [SCANNER])
    for simulator in flights:
        simulator.advance(100)
    assert flights[0].snapshot() == flights[1].snapshot()


def test_a_sample_arrives_when_its_delay_is_over() -> None:
    """UTM-30LX: 18.75 ms of sweep and 1.25 ms more after its first ray."""
    path = GivenPath(still())
    suite = PerceptionSuite(path, room(), [SCANNER])
    arrived: list[int] = []
    suite.subscribe(lambda each: arrived.append(int(path.output["step"])))
    path.advance(100)
    assert arrived == [45, 70, 95]


def test_between_two_steps_the_pose_is_in_between() -> None:
    """30 samples a second begin at 33 333.3 us: neither on a step nor rounded to one."""
    found = _carried([_finder(rate_hz=30.0, delay_ms=0.0)], [200])
    times = [each.truth.time_us for each in found]
    assert times == [33_333, 66_667, 100_000, 133_333, 166_667, 200_000]
    for each in found:
        position, _ = winding(each.truth.time_us / 1e6)
        assert each.truth.position_m == pytest.approx(position, abs=1e-6)


def test_the_mount_moves_and_turns_the_sensor() -> None:
    """25 cm above a floor 1.5 m below the aircraft; attitude as seen from the body."""
    mount = SensorMount("down", "lidar-lite-v3", (0.0, 0.0, -0.25), DOWN, EXACT)
    path = GivenPath(still())
    (first, *_) = _flown(path, PerceptionSuite(path, room(), [mount]), [30])
    assert isinstance(first.sample, ValueSample)
    assert first.sample.values == pytest.approx([1.75], abs=1e-6)
    assert first.truth.position_m == pytest.approx([0.0, 0.0, -1.75])
    assert first.truth.values["range_m"] == pytest.approx([1.75])


def test_stamps_are_by_the_clock_of_the_sensor() -> None:
    found = _carried([_finder(clock_offset_ms=-40.0, clock_drift_ppm=1000.0)], [100])
    assert len(found) == 9
    for each in found:
        assert each.truth.time_us == each.sample.number * 10_000
        assert each.sample.time_us == round(each.truth.time_us * 1.001) - 40_000


def test_lost_samples_leave_gaps_in_the_numbers() -> None:
    whole, found = (_carried([_finder(lost=share)], [2000]) for share in (0.0, 0.3))
    left = {each.sample.number for each in found}
    assert 0.2 < 1.0 - len(left) / len(whole) < 0.4
    assert digest(found) == digest([each for each in whole if each.sample.number in left])


def test_faults_can_be_changed_in_flight() -> None:
    path = GivenPath(winding)
    suite = PerceptionSuite(path, room(), [_finder(delay_ms=0.0)])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    path.advance(50)
    suite.set_fault("down", "stuck", 1)
    path.advance(50)
    suite.set_fault("down", "stuck", 0)
    suite.set_fault("down", "bias_m", 0.5)
    suite.set_fault("down", "scale", 2.0)
    path.advance(50)
    values = np.array([each.sample.values[0] for each in found])
    true = np.array([each.truth.values["range_m"][0] for each in found])
    assert values[:5] == pytest.approx(true[:5], abs=1e-5)
    assert set(values[5:10]) == {values[4]}
    assert [each.sample.number for each in found] == list(range(1, 16))
    assert values[10:] == pytest.approx(2.0 * true[10:] + 0.5, abs=1e-5)


@pytest.mark.parametrize(
    ("mount", "fault", "value", "message"),
    [
        ("nose", "lost", 0.5, "no sensor mounted as 'nose'; there are: down"),
        ("down", "broken", 0.5, "no fault 'broken'; it has: lost, stuck"),
        ("down", "lost", 2.0, "'lost' of down is 2, which is not possible; give a number from 0"),
        ("down", "bias_m", float("nan"), "'bias_m' of down is nan"),
    ],
)
def test_a_fault_that_cannot_be_is_refused(
    mount: str, fault: str, value: float, message: str
) -> None:
    suite = PerceptionSuite(GivenPath(still()), room(), [FINDER])
    with pytest.raises(ValueError, match=message):
        suite.set_fault(mount, fault, value)


def test_a_reset_begins_anew() -> None:
    simulator = Simulator(load_aircraft("ar100b"))
    suite = PerceptionSuite(simulator, room(), [FINDER])
    found: list[SuiteSample] = []
    suite.subscribe(found.append)
    simulator.advance(50)
    first, found[:] = digest(found), []
    simulator.reset()
    simulator.advance(50)
    assert digest(found) == first


def test_a_suite_that_is_made_in_flight_takes_what_begins_afterwards() -> None:
    path = GivenPath(winding)
    path.advance(1013)
    found = _flown(path, PerceptionSuite(path, room(), [SCANNER, FINDER]), [100])
    assert [each.sample.number for each in _of("front", found)] == [41, 42, 43]
    assert _of("down", found)[0].sample.number == 102


def test_a_subscriber_that_raises_is_let_go_and_the_flight_goes_on() -> None:
    path = GivenPath(still())
    suite = PerceptionSuite(path, room(), [FINDER])
    found: list[SuiteSample] = []

    def fails(_: SuiteSample) -> None:
        raise OSError("the disk is full")

    suite.subscribe(fails)
    suite.subscribe(found.append)
    path.advance(100)
    assert suite.failures == ["OSError: the disk is full"]
    assert [each.sample.number for each in found] == list(range(1, 10))


def test_a_suite_without_sensors_is_none_the_worse() -> None:
    path = GivenPath(still())
    suite = PerceptionSuite(path, room(), [])
    assert suite.descriptions == ()
    path.advance(100)

"""What sensors see in flights without a station, kept beside the log."""

import argparse
from contextlib import ExitStack
from pathlib import Path

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.command.options import add_options
from simulation.command.streams_option import (
    STREAMS_OPTIONS,
    check_streams_options,
    open_streams,
    sensor_faults,
)
from simulation.perception.sensor_recorder import SensorRecorder
from simulation.perception.suite import PerceptionSuite
from simulation.simulator.flown_world import open_world
from simulation.simulator.simulator import Simulator
from telemetry.protocol.streams.npz_file import StreamFile
from telemetry.protocol.streams.samples import ScanSample, StreamError


def _simulator(world: str = "office") -> Simulator:
    simulator = Simulator(load_aircraft("hector"))
    simulator.enter(open_world(world, 1))
    return simulator


@pytest.mark.slow
def test_files_have_what_was_sent_and_what_is_true(tmp_path: Path) -> None:
    simulator, again = _simulator(), _simulator()
    recorder = SensorRecorder(tmp_path / "flight.opl")
    recorder.carry(simulator)
    sent: list[ScanSample] = []
    suite = PerceptionSuite(again, open_world("office", 1).scene, again.aircraft.mounts)
    suite.subscribe(
        lambda each: sent.append(each.sample) if each.description.name == "lidar" else 0
    )
    for each in (simulator, again):
        each.take_in_hands()
        each.advance(2000)
    assert recorder.close() == []
    file = StreamFile(tmp_path / "flight_lidar.npz")
    assert file.count == len(sent) == 79
    kept = file.sample(40)
    assert isinstance(kept, ScanSample)
    assert kept.ranges_m.tobytes() == sent[40].ranges_m.tobytes()
    assert file.times_s[40] == pytest.approx(41 * 0.025)
    assert kept.time_us == 41 * 25_000
    with np.load(tmp_path / "flight.truth_lidar.npz") as truth:
        numbers = np.concatenate([truth["000000.number"], truth["000001.number"]])
        true = np.concatenate([truth["000000.range_m"], truth["000001.range_m"]])
        assert truth["000000.time_us"][0] == 25_000
        assert truth["000000.position_m"].shape == (64, 3)
    assert numbers.tolist() == file.numbers.tolist()
    error = kept.ranges_m - true[40]
    assert 0.005 < np.nanstd(error) < 0.02


CRATE = """title = "A crate behind the start"
[ground]
reach_m = 50.0
[boxes.crate]
position_m = [-0.3, 0.0, 0.0]
size_m = [0.4, 0.4, 0.5]
[starts.here]
position_m = [0.0, 0.0, 0.0]
"""


def test_a_sensor_that_begins_inside_of_something_is_told_when_the_flight_begins(
    tmp_path: Path,
) -> None:
    (tmp_path / "world.toml").write_text(CRATE)
    told: list[str] = []
    recorder = SensorRecorder(tmp_path / "a.opl", tell=told.append)
    recorder.carry(_simulator())
    assert told == []
    recorder.close()
    recorder = SensorRecorder(tmp_path / "b.opl", tell=told.append)
    recorder.carry(_simulator(str(tmp_path)))
    (sentence,) = told
    assert "The sensor 'sonar' begins inside 'crate'" in sentence
    recorder.close()


def test_truth_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "flight.truth_lidar.npz").write_bytes(b"mine")
    recorder = SensorRecorder(tmp_path / "flight.opl")
    with pytest.raises(StreamError, match=r"flight.truth_lidar.npz is there already"):
        recorder.carry(_simulator())


def test_faults_hold_from_the_start() -> None:
    assert sensor_faults(_options("--streams")) == {("lidar", "lost"): 1.0}


@pytest.mark.parametrize(("fault", "count"), [(("lidar", "lost"), 0), (("sonar", "lost"), 3)])
def test_a_lost_sensor_sends_nothing(tmp_path: Path, fault: tuple[str, str], count: int) -> None:
    simulator = _simulator()
    recorder = SensorRecorder(tmp_path / "flight.opl", faults={fault: 1.0})
    recorder.carry(simulator)
    simulator.advance(100)
    assert recorder.close() == []
    files = list(tmp_path.glob("flight_lidar.npz"))
    assert sum(StreamFile(file).count for file in files) == count


def _options(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--record", type=Path)
    parser.set_defaults(changes=[("lidar.lost", 1.0)])
    add_options(parser, STREAMS_OPTIONS)
    return parser.parse_args(words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "lidar.lost is a fault of a sensor that looks at a world; add --streams"),
        (("--streams",), "add --record"),
        (("--streams", "--record", "a.opl", "--truth", "depth"), "no truth 'depth' of pixels"),
    ],
)
def test_what_does_not_go_together_is_refused(words: tuple[str, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_streams_options(_options(*words))


@pytest.mark.parametrize(
    ("world", "aircraft", "message"),
    [("", "hector", "add --world"), ("office", "ar100b", "ar100b carries no sensors")],
)
def test_there_must_be_something_to_see_and_to_see_with(
    world: str, aircraft: str, message: str
) -> None:
    with ExitStack() as resources, pytest.raises(ValueError, match=message):
        open_streams(_options("--streams"), world, aircraft, resources, print)


def test_truth_and_losslessness_are_of_streams() -> None:
    for words in (("--truth",), ("--lossless",)):
        options = _options(*words)
        options.changes = []
        with pytest.raises(ValueError, match="add --streams"):
            check_streams_options(options)

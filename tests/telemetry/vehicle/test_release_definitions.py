"""Defaults, units, limits and names of elements are those of the release that answers.

Expectations: the interface facts of the releases (their definition files); of the pressure,
firmware-rules.md and real logs, in which the label and the magnitude disagree.
"""

from pathlib import Path

import pytest

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.field_limits import limits_of
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

NEXT, LAST = "LibrePilot-next-2019-02", "LibrePilot-16.09"
_DESCRIPTION = "4f704677dc1a108c391f6f5c1001"


def board_of(catalogue: Catalogue, release: str, *more: str, tag: str = "") -> MemoryBoard:
    """A board with some objects of a release; `tag` is what its firmware calls itself."""
    board = MemoryBoard(catalogue.find(name, release) for name in (*SMALL, *more))
    head = bytes.fromhex(_DESCRIPTION) + tag.encode()
    put(board, "FirmwareIAPObj", Description=list(head.ljust(100, b"\0")), BoardType=0x09)
    return board


def put(board: MemoryBoard, name: str, **values: object) -> None:
    definition = board.named(name)
    board.values[definition.object_id, 0] = pack_values(definition, values)


@pytest.mark.parametrize(("release", "gain"), [(NEXT, 1.0), (LAST, 0.01)])
def test_settings_are_reset_to_the_defaults_of_the_release(
    catalogue: Catalogue, release: str, gain: float
) -> None:
    """AttitudeSettings 0B20D3DE: MagKp is 1.0 in LibrePilot next and 0.01 in 16.09."""
    board = board_of(catalogue, release, "AttitudeSettings")
    put(board, "AttitudeSettings", MagKp=0.5)
    bench = Bench(catalogue, board)
    bench.settings.stage_defaults("AttitudeSettings", ["MagKp"])
    assert bench.settings.value("AttitudeSettings", "MagKp") == pytest.approx(gain)


@pytest.mark.parametrize(
    ("tag", "is_refused"), [("RELEASE-15.02", True), ("RELEASE-15.02.02", False)]
)
def test_limits_are_those_of_the_firmware_that_tells_its_tag(
    catalogue: Catalogue, tag: str, is_refused: bool
) -> None:
    """Both have the same objects; Ki of RollRatePID may be 0.015 in 15.02 and 0.025 in 15.02.02."""
    release = tag.replace("RELEASE", "OpenPilot")
    more = [d.name for d in catalogue.release(release) if d.name not in SMALL]
    bench = Bench(catalogue, board_of(catalogue, release, *more, tag=tag))
    definition = bench.settings.definition("StabilizationSettingsBank1")
    assert definition is not None
    limits = limits_of(definition.field_named("RollRatePID"), 1)
    assert bool(limits.complaint(0.02)) is is_refused


def test_elements_have_the_names_of_the_release(catalogue: Catalogue) -> None:
    """TaskInfo 81B264E0: OpenPilot 14.10 has no RadioTx, so all tasks after it are shifted."""
    release = "OpenPilot-14.10"
    bench = Bench(catalogue, board_of(catalogue, release, "TaskInfo", "HwSettings", tag=release))
    bench.put("TaskInfo", "StackRemaining.System", 100)
    definition = bench.settings.definition("TaskInfo")
    assert definition is not None
    assert definition.field_named("Running").element_label(16) == "RadioRx"
    newest = catalogue.get(definition.object_id)
    assert newest is not None
    assert newest.field_named("Running").element_label(16) == "RadioTx"  # the control


@pytest.mark.parametrize(
    ("release", "value", "said", "unit"),
    [
        (NEXT, 98_123.0, "Pa", "Pa"),
        ("OpenPilot-14.06", 98.123, "kPa", "kPa"),
        ("LibrePilot-15.09", 98_123.0, "kPa", "Pa"),  # its label is false
        (NEXT, 100.1, "Pa", "kPa"),  # a station that simulates sensors for it
        ("LibrePilot-15.09", 0.0, "kPa", "kPa"),  # nothing measured: nothing known better
    ],
)
def test_pressure_has_the_unit_that_its_magnitude_shows(
    catalogue: Catalogue, release: str, value: float, said: str, unit: str
) -> None:
    definition = catalogue.find("BaroSensor", release)
    assert definition.field_named("Pressure").units == said
    recording = Recording()
    recording.append(0.0, definition, 0, bytes(definition.size))
    recording.append(1.0, definition, 0, pack_values(definition, {"Pressure": value}))
    track = recording.track("BaroSensor")
    assert track is not None
    assert track.definition.field_named("Pressure").units == unit
    assert bool(track.unit_note) == (said != unit)
    assert track.unit_note in track.definition.field_named("Pressure").description


def test_a_log_is_read_by_the_definitions_of_its_firmware(
    catalogue: Catalogue, shared_logs: Path
) -> None:
    """The flight of 14.06-RC3 has pressure in kPa, as its definition says; the simulated sensors
    that were sent to LibrePilot next are in kPa, where its definition says Pa."""
    flight = read_log(shared_logs / "openpilot-14.06-quad-2014-07-17.opl", catalogue)
    assert flight.info.release == "OpenPilot-14.06-RC3"
    serial = flight.recording.track("FirmwareIAPObj")
    assert serial is not None
    assert serial.definition.field_named("CPUSerial").units == ""  # "hex" in later releases
    assert not any("magnitude" in warning for warning in flight.warnings)
    simulated = read_log(shared_logs / "librepilot-next-hil.opl", catalogue)
    assert [w for w in simulated.warnings if "magnitude" in w] == [
        "BaroSensor.Pressure is in kPa, as its magnitude shows; the firmware's definition says Pa."
    ]


def test_events_are_told_anew_by_the_names_of_the_release(catalogue: Catalogue) -> None:
    """SystemAlarms 7BD9C77A: the fifth alarm is SDCard in OpenPilot 12.02, Telemetry later."""
    newest, old = (catalogue.get(0x7BD9C77A, release) for release in ("", "OpenPilot-12.02"))
    assert newest is not None
    assert old is not None
    recording = Recording()
    alarms = ["OK"] * 16
    recording.append(0.0, newest, 0, pack_values(newest, {"Alarm": alarms}))
    alarms[4] = "Critical"
    recording.append(1.0, newest, 0, pack_values(newest, {"Alarm": alarms}))
    assert [event.text for event in recording.events()] == ["Telemetry: Critical"]
    recording.take_definitions(lambda _object_id: old)
    assert [event.text for event in recording.events()] == ["SDCard: Critical"]

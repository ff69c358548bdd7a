"""What is found in a flight: a clean one made up here, the same with one fault after another, and
the real flight of 2014, whose facts are read off its raw values.
"""

import math
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plugins.testing import add, catalogue
from telemetry.base.earth.wgs84 import EQUATOR_M
from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.flight_state import RENAMED
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import Recording
from telemetry.review.analysis.findings.flight_finding import FlightFinding
from telemetry.review.analysis.findings.search import find_everything, finding_kinds

LENGTH_S, ARMED_S, UP_S, DOWN_S, DISARMED_S = 60.0, 5.0, 10.0, 50.0, 55.0
FAULT_S = 30.0
Fault = Callable[[float, str, dict[str, Any]], None]


def nothing(t: float, name: str, values: dict[str, Any]) -> None:
    """No fault."""


STEP_S = 0.2


@cache
def quiet_flight() -> list[tuple[float, str, dict[str, Any], bytes]]:
    """Time, object, values and payload of every sample of the flight without a fault."""
    noise = np.random.default_rng(1)
    limits = {
        f"Channel{name}": us for name, us in (("Min", 1000), ("Neutral", 1100), ("Max", 1900))
    }
    settings: list[tuple[str, dict[str, Any]]] = [
        ("FlightBatterySettings", {}),
        ("MixerSettings", {f"Mixer{n}Type": "Motor" for n in (1, 2, 3, 4)}),
        ("ActuatorSettings", {name: [us] * 12 for name, us in limits.items()}),
    ]
    samples = [(0.0, name, values) for name, values in settings]
    for number in range(round(LENGTH_S / STEP_S) + 1):
        t = number * STEP_S
        samples += [(t, name, values) for name, values in sent(t, noise)]
    return [(t, name, values, packed(name, values)) for t, name, values in samples]


@cache
def definition(name: str) -> ObjectDefinition:
    return catalogue().find(name)


def packed(name: str, values: dict[str, Any]) -> bytes:
    return pack_values(definition(name), values)


def flown(fault: Fault = nothing) -> Recording:
    """Armed from 5 to 55 s and in the air from 10 to 50 s, ten metres up, level and quiet; `fault`
    changes the values of objects before they are recorded, or empties them to leave one out."""
    columns: dict[str, list[tuple[float, bytes]]] = {}
    for t, name, usual, payload in quiet_flight():
        values = dict(usual)
        fault(t, name, values)
        if values or not usual:
            changed = payload if values == usual else packed(name, values)
            columns.setdefault(name, []).append((t, changed))
    recording = Recording()
    for name, samples in columns.items():
        rows = np.frombuffer(b"".join(row for _, row in samples), definition(name).dtype)
        recording.extend(definition(name), 0, np.array([t for t, _ in samples]), rows)
    return recording


def sent(t: float, noise: np.random.Generator) -> list[tuple[str, dict[str, Any]]]:
    """What the aircraft sends at `t`."""
    is_armed, is_up = ARMED_S <= t < DISARMED_S, UP_S <= t < DOWN_S
    height = 10.0 * min(1.0, max(0.0, min(t - UP_S, DOWN_S - t)) / 3.0)
    thrust = 0.5 if is_up else -1.0
    pulse = 1500 if is_up else 1100
    armed = "Armed" if is_armed else "Disarmed"
    return [
        ("FlightStatus", {"Armed": armed, "FlightMode": "Stabilized1"}),
        ("SystemAlarms", {"Alarm.Battery": "OK"}),
        ("ActuatorDesired", {"Thrust": thrust}),
        ("ActuatorCommand", {"Channel": [pulse] * 4 + [1000] * 8}),
        ("BaroSensor", {"Altitude": 100.0 + height + noise.normal(0.0, 0.05)}),
        ("VelocityState", {"North": 1.0 if is_up else 0.0, "Down": 0.0}),
        ("PositionState", {"North": min(max(t, UP_S), DOWN_S), "Down": -height}),
        ("AttitudeState", {"q1": 1.0, "Roll": 0.0, "Pitch": 0.0}),
        ("StabilizationDesired", {"Roll": 0.0, "Pitch": 0.0, **ANGLES}),
        ("AccelState", {"x": 0.0, "y": 0.0, "z": -9.81 + noise.normal(0.0, 0.5)}),
        ("FlightBatteryState", {"Voltage": 11.4, "NbCells": 3}),
        ("GPSPositionSensor", {"Latitude": 500_000_000, "Longitude": 80_000_000,
                               "Groundspeed": 1.0 if is_up else 0.0, "Status": "Fix3D"}),
        ("SystemStats", {"FlightTime": round(t * 1000)}),
    ]  # fmt: skip


ANGLES = {"StabilizationMode.Roll": "Attitude", "StabilizationMode.Pitch": "Attitude"}


def faulty(object_name: str, start: float, end: float, **changed: Any) -> Fault:
    """Other values of one object from `start` up to, but not with, `end`."""

    def fault(t: float, name: str, values: dict[str, Any]) -> None:
        if name == object_name and start - 1e-6 <= t < end - 1e-6:
            values.update(changed)

    return fault


def silent(t: float, _name: str, values: dict[str, Any]) -> None:
    """Nothing at all arrives for four seconds."""
    if FAULT_S < t < FAULT_S + 4.0:
        values.clear()


def shaking(amplitude_mps2: float) -> Fault:
    """The acceleration alternates by so much to both sides."""

    def fault(t: float, name: str, values: dict[str, Any]) -> None:
        if name == "AccelState":
            values["z"] += amplitude_mps2 * (1 if round(t * 5) % 2 else -1)

    return fault


def swung(t: float, name: str, values: dict[str, Any]) -> None:
    """A roll of 60 degrees to and fro, flown smoothly: asked for, and followed."""
    if name in ("AttitudeState", "StabilizationDesired"):
        values["Roll"] = roll = 60.0 * math.sin(t * 2.0)
        if name == "AttitudeState":
            half = math.radians(roll) / 2
            values.update(q1=math.cos(half), q2=math.sin(half))


def restarted(t: float, name: str, values: dict[str, Any]) -> None:
    """The board's clock begins anew."""
    if name == "SystemStats" and t > FAULT_S:
        values["FlightTime"] = round((t - FAULT_S) * 1000)


def moved_north(metres: float) -> dict[str, int]:
    """A latitude so much further north."""
    return {"Latitude": 500_000_000 + round(math.degrees(metres / EQUATOR_M) * 1e7)}


def others(findings: tuple[FlightFinding, ...]) -> list[FlightFinding]:
    """All but what every flight has."""
    usual = ("arming", "take-off", "landing", "mode")
    return [one for one in findings if one.finding.code not in usual]


def test_a_clean_flight_is_armed_flown_and_landed_and_nothing_else() -> None:
    findings = find_everything(flown())
    assert others(findings) == []
    spans = {one.finding.code: (one.t, one.end_s) for one in findings}
    assert set(spans) == {"arming", "take-off", "landing", "mode"}
    assert spans["arming"] == pytest.approx((ARMED_S, DISARMED_S))
    assert spans["take-off"][0] == pytest.approx(UP_S, abs=0.4)
    assert spans["landing"][0] == pytest.approx(DOWN_S, abs=0.4)
    assert spans["mode"] == pytest.approx((ARMED_S, DISARMED_S))


FAULTS: dict[str, tuple[Fault, str, Level, str]] = {
    "alarm": (
        faulty("SystemAlarms", FAULT_S, 33.0, **{"Alarm.Battery": "Warning"}),
        "alarm", Level.WARNING, "Battery: Warning, for 3.0 s"),
    "gap": (silent, "gap", Level.WARNING, "while armed"),
    "restart in the air": (restarted, "restart", Level.ERROR, "restarted while armed"),
    "position jumps": (
        faulty("GPSPositionSensor", FAULT_S, 31.0, **moved_north(25.0)),
        "gps", Level.WARNING, "jumped by 25 m"),
    "no position": (
        faulty("GPSPositionSensor", FAULT_S, 32.0, Status="NoFix"),
        "gps", Level.WARNING, "No position for 2.0 s"),
    "motor at its limit": (
        faulty("ActuatorCommand", FAULT_S, 31.0, Channel=[1500, 1900, 1500, 1500] + [1000] * 8),
        "saturation", Level.WARNING, "Output 2 at full power"),
    "motor at idle": (
        faulty("ActuatorCommand", FAULT_S, 31.0, Channel=[1500, 1500, 1100, 1500] + [1000] * 8),
        "saturation", Level.WARNING, "Output 3 at idle"),
    "vibration": (shaking(4.0), "vibration", Level.WARNING, "Vibration of 8"),
    "strong vibration": (shaking(8.0), "vibration", Level.ERROR, "Vibration of 16"),
    "sag": (
        faulty("FlightBatteryState", FAULT_S, 32.0, Voltage=10.3),
        "battery", Level.WARNING, "Sagged to 10.3 V, 3.43 V a cell"),
    "roll off": (
        faulty("StabilizationDesired", FAULT_S, 32.0, Roll=20.0),
        "attitude", Level.WARNING, "Roll is up to 20°"),
    "far off": (
        faulty("StabilizationDesired", FAULT_S, 33.0, Pitch=-40.0),
        "attitude", Level.ERROR, "Pitch is up to 40°"),
    "estimate jumps": (
        faulty("PositionState", FAULT_S, 31.0, North=60.0),
        "estimator", Level.WARNING, "position jumped by 30 m"),
    "attitude steps": (
        faulty("AttitudeState", FAULT_S, 61.0, q1=math.cos(0.2), q4=math.sin(0.2)),
        "estimator", Level.WARNING, "attitude stepped by 23°"),
}  # fmt: skip


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_where_it_was_and_nothing_else_is(fault: str) -> None:
    change, code, level, words = FAULTS[fault]
    findings = others(find_everything(flown(change)))
    assert {one.finding.code for one in findings} == {code}
    worst = max(findings, key=lambda one: one.finding.level)
    assert words in worst.finding.text
    assert worst.finding.level is level
    assert worst.finding.remedy
    assert worst.title == {kind.code: kind.title for kind in finding_kinds()}[code]
    assert worst.t <= FAULT_S + 0.5
    assert worst.end_s >= FAULT_S - 0.5
    if code != "vibration":
        assert worst.end_s - worst.t < 6.0


SMALL: dict[str, Fault] = {
    "a position within the receiver's noise": faulty(
        "GPSPositionSensor", FAULT_S, 31.0, **moved_north(8.0)
    ),
    "a demand that is met at once": faulty("StabilizationDesired", FAULT_S, FAULT_S + 0.1, Roll=40),
    "shaking as propellers do": shaking(1.5),
    "a voltage that falls under load": faulty("FlightBatteryState", FAULT_S, 32.0, Voltage=10.9),
    "rolls that were asked for": swung,
    "jumps on the ground": faulty("GPSPositionSensor", 1.0, 2.0, **moved_north(30.0)),
    "motors at idle before take-off": faulty("ActuatorCommand", 6.0, 8.0, Channel=[1100] * 12),
}


@pytest.mark.parametrize("change", SMALL)
def test_what_every_flight_does_is_no_fault(change: str) -> None:
    assert others(find_everything(flown(SMALL[change]))) == []


def test_an_alarm_is_not_said_to_last_through_a_silence() -> None:
    def fault(t: float, name: str, values: dict[str, Any]) -> None:
        if 20.0 < t < 40.0:
            values.clear()
        elif name == "SystemAlarms" and 15.0 <= t < 45.0:
            values["Alarm.Battery"] = "Warning"

    findings = find_everything(flown(fault))
    spans = [(one.t, one.end_s) for one in findings if one.finding.code == "alarm"]
    assert spans == [pytest.approx((15.0, 20.1), abs=0.11), pytest.approx((40.0, 45.0))]


def test_without_settings_a_demand_of_the_whole_range_is_saturation() -> None:
    recording = Recording()
    for number in range(301):
        t = number * 0.2
        values = dict(sent(t, np.random.default_rng(2)))
        values["ActuatorDesired"]["Roll"] = 1.0 if FAULT_S <= t < 32.0 else 0.1
        for name in ("FlightStatus", "ActuatorDesired", "BaroSensor"):
            add(recording, t, name, **values[name])
    (finding,) = others(find_everything(recording))
    assert finding.finding.text == "Roll demand at its limit for 2.0 s"


def test_nothing_is_found_in_nothing() -> None:
    assert find_everything(Recording()) == ()


@pytest.mark.slow
def test_the_flight_of_2014(shared_logs: Path) -> None:
    """Armed at 11.08, the barometer leaves its 135.4 m between 20 and 22 s; thrust falls from 0.73
    to -0.87 between 126 and 128 s, at 135.5 m again. Armed anew at 152.60, up between 155 and
    157 s, thrust gone between 206 and 208 s, disarmed at 209.60. From 264.6 s on silence; then
    SystemStats.FlightTime begins anew: another battery. AccelState.z lies between -47 and 2 m/s2
    in the air, from one second to the next."""
    log = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    findings = find_everything(read_log(log, catalogue()).recording)
    by_code: dict[str, list[FlightFinding]] = {}
    for one in findings:
        by_code.setdefault(one.finding.code, []).append(one)
    assert [(one.t, one.end_s) for one in by_code["arming"]] == [
        pytest.approx((11.083, 130.249)), pytest.approx((152.597, 209.598), abs=0.01),
    ]  # fmt: skip
    first, second = (one.t for one in by_code["take-off"])
    assert 19.5 < first < 22.0
    assert 155.0 < second < 157.0
    first, second = (one.t for one in by_code["landing"])
    assert 126.0 < first < 128.5
    assert 206.0 < second < 208.5
    (restart,) = by_code["restart"]
    assert restart.t == pytest.approx(728.7, abs=0.1)
    assert restart.finding.level is Level.INFO
    (gap,) = by_code["gap"]
    assert (gap.t, gap.end_s) == pytest.approx((264.6, 728.5))
    assert gap.finding.level is Level.INFO
    assert {one.finding.level for one in by_code["vibration"]} == {Level.ERROR}
    assert any("Magnetometer" in one.finding.text for one in by_code["alarm"])
    assert not {"gps", "saturation", "estimator", "battery", "attitude"} & set(by_code)


LOOKED_AT = {
    "FlightStatus", "SystemAlarms", "SystemStats", "ActuatorDesired", "ActuatorCommand",
    "ActuatorSettings", "MixerSettings", "StabilizationDesired", "ManualControlCommand",
    "FlightBatteryState", "FlightBatterySettings",
    *(name for names in RENAMED for name in names), "GyroState", "Gyros",
}  # fmt: skip


def nonsense(release: str, noise: np.random.Generator) -> Recording:
    """A minute of random bytes in all of these objects of a release, while it is armed."""
    recording, times = Recording(), np.linspace(0.0, 60.0, 61)
    for one in catalogue().release(release):
        if one.name not in LOOKED_AT:
            continue
        rows = noise.integers(0, 256, (len(times), one.size), np.uint8).view(one.dtype)[:, 0]
        if one.name == "FlightStatus":
            rows["Armed"] = one.field_named("Armed").option_number("Armed")
        recording.extend(one, 0, times, rows)
    return recording


@pytest.mark.slow
def test_no_release_and_no_nonsense_in_its_objects_stops_the_search() -> None:
    """Numbers that are none, options that do not exist, positions of 1e30 metres."""
    noise = np.random.default_rng(3)
    codes = set()
    for release in catalogue().release_names[::4]:
        codes |= {one.finding.code for one in find_everything(nonsense(release, noise))}
    assert {"arming", "take-off", "alarm", "gps", "saturation", "battery", "estimator"} <= codes


def test_an_object_that_is_just_about_to_arrive_is_looked_through() -> None:
    """A worker makes a track before its first sample, and others read meanwhile."""
    recording = Recording()
    for definition in catalogue().release(DEFAULT_RELEASE):
        with pytest.raises(ValueError, match="bytes"):
            recording.append(0.0, definition, 0, bytes(definition.size + 1))
    assert recording.track("SystemAlarms") is not None
    assert find_everything(recording) == ()

"""Alarms that follow from facts, and what the simulated board tells of truth and of its filter."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset, load_preset
from simulation.estimation.ekf_state import GYRO_BIAS
from simulation.mathematics.rotation import set_euler
from simulation.records.flight import ATTITUDE, VELOCITY
from simulation.records.interface import FUSION_COMPLEMENTARY, FUSION_INS13
from simulation.simulator import controls
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from tests.armed_board import arm_always


@pytest.fixture
def autopilot(preset: Preset, catalogue: Catalogue) -> Autopilot:
    autopilot = Autopilot(AutopilotConfig(preset), catalogue)
    _run(autopilot, 6.0)
    return autopilot


def _run(autopilot: Autopilot, seconds: float) -> None:
    for _ in range(round(seconds * 50)):
        autopilot.run_loop()


def _alarm(autopilot: Autopilot, name: str) -> str:
    alarms = autopilot.board["SystemAlarms"]
    return alarms.option("Alarm", alarms.definition.field_named("Alarm").element_index(name))


def _detail(autopilot: Autopilot) -> str:
    return autopilot.board["SystemAlarms"].option("ExtendedAlarmStatus", 0)


def _supply(autopilot: Autopilot, name: str, **values: Any) -> None:
    entry = autopilot.board[name]
    autopilot.board.set_metadata(entry, replace(entry.metadata, flight_readonly=True))
    if values:
        data = pack_values(entry.definition, values)
        assert autopilot.board.write(entry.definition.object_id, 0, data)


def _read(autopilot: Autopilot, name: str) -> np.void:
    entry = autopilot.board[name]
    entry.payload(0)
    return entry.row


def test_a_healthy_aircraft_has_no_alarm_of_its_parts(autopilot: Autopilot) -> None:
    names = ("Sensors", "Magnetometer", "Actuator", "Attitude", "Nav", "SystemConfiguration")
    assert {_alarm(autopilot, name) for name in names} == {"OK"}


def test_airspeed_is_watched_where_its_module_is_on(
    autopilot: Autopilot, catalogue: Catalogue
) -> None:
    assert _alarm(autopilot, "Airspeed") == "Uninitialised"
    wing = Autopilot(AutopilotConfig(load_preset("sea-vixen")), catalogue)
    _run(wing, 3.0)
    assert _alarm(wing, "Airspeed") == "OK"
    controls.apply(wing.simulator, "airspeed_dropout", 1.0)
    _run(wing, 2.0)
    assert _alarm(wing, "Airspeed") == "Warning"


@pytest.mark.parametrize(
    ("sensor", "alarm", "severity"),
    [
        ("BaroSensor", "Sensors", "Warning"),
        ("GyroSensor", "Sensors", "Critical"),
        ("MagSensor", "Magnetometer", "Critical"),
    ],
)
def test_a_sensor_that_delivers_nothing_raises_an_alarm(
    autopilot: Autopilot, sensor: str, alarm: str, severity: str
) -> None:
    _supply(autopilot, sensor)  # and nobody writes
    _run(autopilot, 2.0)
    assert _alarm(autopilot, alarm) == severity


@pytest.mark.parametrize(("share", "severity"), [(1.02, "OK"), (1.1, "Warning"), (1.3, "Critical")])
def test_a_disturbed_field_raises_the_magnetometers_alarm(
    autopilot: Autopilot, share: float, severity: str
) -> None:
    field = share * np.array(autopilot.simulator.place.field_mgauss())
    for _ in range(50):
        _supply(autopilot, "MagSensor", x=field[0], y=field[1], z=field[2])
        _run(autopilot, 0.1)
    assert _alarm(autopilot, "Magnetometer") == severity


def test_the_outputs_alarm_lasts_as_long_as_its_cause(autopilot: Autopilot) -> None:
    """flight/modules/Actuator/actuator.c: fewer than two mixers is `setFailsafe`, which raises it;
    the next ActuatorDesired with enough of them is `AlarmsClear`."""
    mixer = autopilot.board["MixerSettings"]
    names = [f"Mixer{i}Type" for i in range(1, 13)]
    before = {name: int(mixer.row[name]) for name in names}
    mixer.set(**dict.fromkeys(names, mixer.number("Mixer1Type", "Disabled")))
    _run(autopilot, 0.5)
    assert _alarm(autopilot, "Actuator") == "Critical"
    mixer.set(**before)
    _run(autopilot, 0.5)
    assert _alarm(autopilot, "Actuator") == "OK"


def test_motors_at_their_limit_are_no_alarm(autopilot: Autopilot) -> None:
    """Firmware knows two causes of the Actuator alarm, and neither is a hard-working motor."""
    for _ in range(250):
        autopilot.simulator.output["saturated"] = 1
        autopilot.run_loop()
    assert _alarm(autopilot, "Actuator") == "OK"


def test_a_wreck_has_no_alarm_of_its_outputs(autopilot: Autopilot) -> None:
    """The two causes in actuator.c are too few mixers and commands that do not arrive: what the
    aircraft has hit is none of them, and the alarm would stay and forbid arming until a restart."""
    autopilot.simulator.output["crashed"] = 1
    _run(autopilot, 0.5)
    assert _alarm(autopilot, "Actuator") == "OK"


@pytest.mark.parametrize(
    ("fusion", "severity"),
    [
        ("None", "Critical"),  # the switch holds modes that navigate
        ("GPS Navigation (INS13+CF)", "Warning"),
        ("Acro (No Sensors)", "Critical"),
    ],
)
def test_an_estimation_it_does_not_have_falls_back_with_an_alarm(
    autopilot: Autopilot, fusion: str, severity: str
) -> None:
    revo = autopilot.board["RevoSettings"]
    revo.set(FusionAlgorithm=revo.number("FusionAlgorithm", fusion))
    autopilot.board["FlightModeSettings"].set(ArmedTimeout=1)  # has the configuration checked
    _run(autopilot, 3.0)
    assert _alarm(autopilot, "SystemConfiguration") == severity
    assert _alarm(autopilot, "Attitude") == "Warning"
    assert autopilot.simulator.output["attitude_valid"] == 1


def test_an_algorithm_chosen_in_flight_waits_and_says_so(autopilot: Autopilot) -> None:
    revo = autopilot.board["RevoSettings"]
    arm_always(autopilot.board)
    _run(autopilot, 0.1)
    settings, output = autopilot.simulator.settings, autopilot.simulator.output
    settings["fusion_algorithm"] = FUSION_COMPLEMENTARY
    autopilot.simulator.advance(100)
    assert output["fusion"] == FUSION_INS13
    _run(autopilot, 0.5)
    assert _detail(autopilot) == "RebootRequired"
    assert int(revo.row["FusionAlgorithm"]) == FUSION_INS13


def test_the_filters_variance_is_told(autopilot: Autopilot) -> None:
    variance = _read(autopilot, "EKFStateVariance")["P"].tolist()
    assert variance == pytest.approx(np.diag(autopilot.simulator.record["filter"]["ins"]["p"]))
    assert min(variance) > 0.0


def test_our_own_filters_variance_is_told_as_that_of_a_quaternion(
    preset: Preset, catalogue: Catalogue
) -> None:
    autopilot = Autopilot(AutopilotConfig(replace(preset, has_own_filter=True)), catalogue)
    _run(autopilot, 8.0)
    variance = _read(autopilot, "EKFStateVariance")["P"].tolist()
    covariance = np.diag(autopilot.simulator.record["filter"]["ekf"]["p"])
    assert variance[:6] == pytest.approx(covariance[:6])
    assert variance[10:] == pytest.approx(covariance[GYRO_BIAS : GYRO_BIAS + 3])
    assert sum(variance[6:10]) == pytest.approx(0.25 * covariance[6:9].sum(), rel=1e-4)
    assert min(variance) > 0.0


def test_truth_is_told_in_the_objects_units_and_frames(autopilot: Autopilot) -> None:
    """Pitched up 10 degrees and rolled level, flying north at 10 m/s through a wind from the
    west of 2 m/s: the air comes from below and from the left."""
    simulator = autopilot.simulator
    simulator.set_wind(0.0, 2.0)
    motion = simulator.record["state"]["motion"]
    motion[2] = -6.1
    set_euler(motion[ATTITUDE : ATTITUDE + 4], 0.0, math.radians(10.0), 0.0)
    motion[VELOCITY : VELOCITY + 3] = (10.0, 0.0, 0.0)
    simulator.advance(1)
    truth, simulated = _read(autopilot, "GroundTruth"), _read(autopilot, "AttitudeSimulated")
    wind = simulator.output["true_wind"].tolist()
    assert truth["RPY"].tolist() == pytest.approx([0.0, 10.0, 0.0], abs=0.2)
    assert truth["VelocityNED"].tolist() == pytest.approx([10.0, 0.0, 0.0], abs=0.05)
    assert truth["PositionNED"][2] == pytest.approx(-6.1, abs=0.02)
    speed = math.hypot(10.0, wind[1])
    assert truth["TrueAirspeed"] == pytest.approx(speed, abs=0.05)
    ratio = float(simulator.output["true_air_density_ratio"])
    assert truth["CalibratedAirspeed"] == pytest.approx(speed * math.sqrt(ratio), abs=0.05)
    assert truth["AngleOfAttack"] == pytest.approx(10.0, abs=0.2)
    slip = -math.degrees(math.asin(wind[1] / speed))
    assert truth["AngleOfSlip"] == pytest.approx(slip, abs=0.2)
    assert simulated["Roll"] == truth["RPY"][0]
    assert simulated["Pitch"] == truth["RPY"][1]
    assert simulated["Velocity"].tolist() == truth["VelocityNED"].tolist()
    assert simulated["Position"].tolist() == truth["PositionNED"].tolist()


_INS13, _INS13_INDOOR = "GPS Navigation (INS13)", "INS13Indoor"


def _without_gps(preset: Preset, catalogue: Catalogue, fusion: str) -> Autopilot:
    """Powered up where no satellite is seen."""
    autopilot = Autopilot(AutopilotConfig(preset), catalogue)
    revo = autopilot.board["RevoSettings"]
    revo.set(FusionAlgorithm=revo.number("FusionAlgorithm", fusion))
    controls.apply(autopilot.simulator, "gps_lost", 1.0)
    _run(autopilot, 6.0)
    return autopilot


@pytest.mark.slow
def test_ins13_forbids_arming_until_its_first_position(
    preset: Preset, catalogue: Catalogue
) -> None:
    """filterekf.c of LibrePilot: FILTERRESULT_CRITICAL until it is initialised, which takes a
    position; stateestimation.c makes the alarms Attitude and Nav of it; okToArm refuses for both.
    """
    autopilot = _without_gps(preset, catalogue, _INS13)
    assert {_alarm(autopilot, name) for name in ("Attitude", "Nav")} == {"Critical"}
    controls.apply(autopilot.simulator, "gps_lost", 0.0)
    _run(autopilot, 3.0)
    assert {_alarm(autopilot, name) for name in ("Attitude", "Nav")} == {"OK"}
    controls.apply(autopilot.simulator, "gps_lost", 1.0)
    _run(autopilot, 60.0)
    assert _alarm(autopilot, "Attitude") == "OK", "what was initialised stays so"
    assert _alarm(autopilot, "Nav") != "Critical"


def test_an_estimation_without_gps_does_not_wait_for_it(
    preset: Preset, catalogue: Catalogue
) -> None:
    """INS13Indoor takes no position (usePos is false): Nav stays Uninitialised."""
    autopilot = _without_gps(preset, catalogue, _INS13_INDOOR)
    assert _alarm(autopilot, "Attitude") == "OK"
    assert _alarm(autopilot, "Nav") == "Uninitialised"

"""From answers to values: what each answer sets, and what it leaves alone."""

from dataclasses import replace

import pytest

from simulation.autopilot.preset import load_preset
from telemetry.configuration.airframe.airframe import CUSTOM, all_airframes
from telemetry.configuration.assistant.aircraft import by_path
from telemetry.configuration.assistant.answers import NO_GPS, Answers
from telemetry.configuration.assistant.gain_templates import BANK, all_templates
from telemetry.configuration.assistant.outputs import ESCS
from telemetry.configuration.assistant.proposal import differences, propose_setup
from telemetry.configuration.assistant.receiver import receiver_choices
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.lift_off import asked_per_metre_deg, check_lift_off
from tests.telemetry.configuration.assistant.aircraft import COPTER_CONTROL, QUAD, MemoryAircraft


@pytest.fixture
def memory(catalogue: Catalogue) -> MemoryAircraft:
    return MemoryAircraft(catalogue)


def test_an_erased_board_becomes_what_the_simulated_quadrotor_is(memory: MemoryAircraft) -> None:
    """The values that make the simulator's own quadrotor fly all come from the answers."""
    memory.take(propose_setup(QUAD, memory.aircraft))
    known = load_preset("ar100b").objects
    for name in ("MixerSettings", "FlightModeSettings", f"{BANK}1", f"{BANK}3", "RevoSettings"):
        definition = memory.aircraft.definition(name)
        assert definition is not None
        for path, value in by_path(definition, known[name]).items():
            assert memory.value(name, path) == pytest.approx(value), f"{name}.{path}"
    assert memory.value("ManualControlSettings", "ChannelGroups.Throttle") == "GCS"
    assert memory.value("ManualControlSettings", "FailsafeFlightModeSwitchPosition") == 4


def test_only_what_an_answer_is_about_is_planned(memory: MemoryAircraft) -> None:
    plan = propose_setup(Answers(frame="QuadX"), memory.aircraft)
    assert set(plan.values) == {"SystemSettings", "MixerSettings"}
    assert plan.left_out == ()
    assert propose_setup(Answers(), memory.aircraft).values == {}


def test_the_second_time_nothing_is_left_to_change(memory: MemoryAircraft) -> None:
    memory.take(propose_setup(QUAD, memory.aircraft))
    assert differences(propose_setup(QUAD, memory.aircraft), memory.aircraft).changed == ()


def test_what_was_measured_stays(memory: MemoryAircraft) -> None:
    memory.take(propose_setup(QUAD, memory.aircraft))
    memory.put("ActuatorSettings", {"ChannelNeutral.0": 1075, "ChannelMax.1": 1850})
    memory.put("ManualControlSettings", {"ChannelMin.Roll": 1100, "ChannelMax.Roll": 1900})
    memory.put("MixerSettings", {"Mixer1Vector": [127, 0, 70, 70, -64]})
    memory.put("FlightModeSettings", {"ReturnToBaseAltitudeOffset": 5.0})
    assert differences(propose_setup(QUAD, memory.aircraft), memory.aircraft).changed == ()


def test_a_wrong_mixer_is_replaced(memory: MemoryAircraft) -> None:
    memory.take(propose_setup(QUAD, memory.aircraft))
    memory.put("MixerSettings", {"Mixer1Vector.Roll": -64})
    changed = differences(propose_setup(QUAD, memory.aircraft), memory.aircraft).changed
    assert [(c.path, c.b) for c in changed] == [("Mixer1Vector.Roll", 64)]


@pytest.mark.parametrize("esc", ESCS, ids=lambda esc: esc.id)
def test_each_protocol_is_set_on_the_banks_in_use_only(memory: MemoryAircraft, esc: object) -> None:
    from telemetry.configuration.assistant.outputs import Esc

    assert isinstance(esc, Esc)
    answers = replace(QUAD, esc=esc.id, outputs={"NW": 3, "NE": 4, "SE": 5, "SW": 6})
    values = propose_setup(answers, memory.aircraft).values["ActuatorSettings"]
    assert {p for p in values if p.startswith("BankMode")} == {f"BankMode.{b}" for b in (1, 2, 3)}
    assert values["BankMode.1"] == esc.mode
    assert values["BankUpdateFreq.1"] == esc.rate_hz
    assert (values["ChannelMin.2"], values["ChannelMax.5"]) == (esc.minimum, esc.maximum)
    assert "ChannelMin.0" not in values
    assert values.get("DShotMode", 0) == esc.dshot_khz


def test_servos_never_get_a_motor_protocol(memory: MemoryAircraft) -> None:
    plan = propose_setup(replace(QUAD, frame="Tri", esc="dshot600", outputs={}), memory.aircraft)
    values = plan.values["ActuatorSettings"]
    assert values["BankMode.2"] == "PWM"  # the yaw servo on output 4
    assert values["BankUpdateFreq.2"] == 50
    assert values["ChannelNeutral.3"] == 1500
    shared = replace(QUAD, frame="Tri", outputs={"NW": 1, "NE": 3, "S": 4, "YawServo": 2})
    plan = propose_setup(shared, memory.aircraft)
    assert "bank-shared" in [finding.code for finding in plan.findings]
    assert plan.values["ActuatorSettings"]["BankMode.0"] == "PWM"


def test_a_board_whose_banks_are_unknown_drives_all_alike(catalogue: Catalogue) -> None:
    memory = MemoryAircraft(catalogue, board=0x8301)
    values = propose_setup(QUAD, memory.aircraft).values["ActuatorSettings"]
    assert {values[f"BankMode.{bank}"] for bank in range(6)} == {"OneShot125"}
    with_servo = propose_setup(replace(QUAD, frame="Tri"), memory.aircraft).values[
        "ActuatorSettings"
    ]
    assert {with_servo[f"BankMode.{bank}"] for bank in range(6)} == {"PWM"}


@pytest.mark.slow
def test_every_receiver_names_a_group_and_a_port_of_this_board(catalogue: Catalogue) -> None:
    for board in (0x0903, COPTER_CONTROL, 0x9201, 0x8301):
        memory = MemoryAircraft(catalogue, board)
        choices = receiver_choices(memory.aircraft)
        assert len(choices) > 5
        for choice in choices:
            plan = propose_setup(replace(QUAD, receiver=choice.id, gps=NO_GPS), memory.aircraft)
            manual = plan.values["ManualControlSettings"]
            assert manual["ChannelGroups.Throttle"] == choice.group
            assert not [text for text in plan.left_out if "HwSettings" in text]
            if choice.field:
                assert plan.values["HwSettings"].get(choice.field, choice.role) == choice.role


def test_without_a_gps_no_filter_or_mode_needs_one(memory: MemoryAircraft) -> None:
    answers = replace(QUAD, gps=NO_GPS, modes=("level", "rate"), failsafe="")
    values = propose_setup(answers, memory.aircraft).values
    assert "FusionAlgorithm" not in values.get("RevoSettings", {})
    assert values["ManualControlSettings"]["FailsafeFlightModeSwitchPosition"] == -1
    assert values["ManualControlSettings"]["FailsafeChannel.Throttle"] == -1.0
    assert values["FlightModeSettings"]["FlightModePosition.1"] == "Stabilized3"


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_every_frame_can_be_planned(memory: MemoryAircraft, frame: object) -> None:
    from telemetry.configuration.airframe.airframe import Airframe

    assert isinstance(frame, Airframe)
    answers = Answers(frame=frame.name, esc="pwm50", receiver="GCS", gps=NO_GPS)
    plan = propose_setup(answers, memory.aircraft)
    assert plan.left_out == ()
    assert plan.values["SystemSettings"]["AirframeType"] == frame.name
    assert ("MixerSettings" in plan.values) == (frame.family != CUSTOM)


@pytest.mark.parametrize(
    "release",
    [
        *("LibrePilot-16.09", "OpenPilot-14.06", "OpenPilot-12.10", "OpenPilot-11.08"),
        *("dRonin-next-2021-06", "TauLabs-20151123"),
    ],
)
def test_any_firmware_gets_what_it_can_hold_and_the_rest_is_said(
    catalogue: Catalogue, release: str
) -> None:
    memory = MemoryAircraft(catalogue, release=release)
    plan = propose_setup(QUAD, memory.aircraft)
    assert plan.values["MixerSettings"]["Mixer1Type"] == "Motor"
    assert plan.values["ActuatorSettings"]["ChannelMax.3"] == 2000
    assert all(text.endswith(".") for text in plan.left_out)
    memory.take(plan)
    assert differences(propose_setup(QUAD, memory.aircraft), memory.aircraft).changed == ()


def test_a_board_without_an_object_gets_the_rest(catalogue: Catalogue) -> None:
    memory = MemoryAircraft(catalogue, without=("FlightBatterySettings", "EKFConfiguration"))
    plan = propose_setup(QUAD, memory.aircraft)
    assert "This firmware has no FlightBatterySettings." in plan.left_out
    assert "FlightModeSettings" in plan.values


@pytest.mark.parametrize("template", all_templates(), ids=lambda template: template.id)
def test_templates_hold_what_this_firmware_takes(memory: MemoryAircraft, template: object) -> None:
    from telemetry.configuration.assistant.gain_templates import GainTemplate

    assert isinstance(template, GainTemplate)
    answers = Answers(frame=template.frames[0], gains=template.id)
    plan = propose_setup(answers, memory.aircraft)
    assert plan.left_out == ()
    assert "RollRatePID.Kp" in plan.values[f"{BANK}2"]


@pytest.mark.parametrize(
    "name", [t.id for t in all_templates() if "simulation" in t.proven], ids=str
)
def test_templates_from_the_simulator_are_what_flies_there(name: str) -> None:
    template = next(t for t in all_templates() if t.id == name)
    known = load_preset(name).objects
    for home, values in template.objects.items():
        flown = known[f"{BANK}1" if home == BANK else home]
        if home == "FlightModeSettings":  # its modes come from other answers
            flown = {field: flown[field] for field in values}
        if home == "VtolPathFollowerSettings":  # see the next test
            flown = {**flown, "HorizontalVelPID": values["HorizontalVelPID"]}
        assert values == flown, home


@pytest.mark.parametrize("name", [t.id for t in all_templates() if "simulation" in t.proven])
def test_no_template_tips_over_with_the_filter_that_the_assistant_leaves(name: str) -> None:
    """Templates leave EKFConfiguration at the firmware's defaults, with which the steeper position
    loop of the simulated aircraft, whose filter is tuned, tips them over at lift-off."""
    objects = next(t for t in all_templates() if t.id == name).objects
    follower = objects.get("VtolPathFollowerSettings")
    if follower is None:
        return

    def read(home: str, path: str) -> object:
        if home == "EKFConfiguration":
            return 1e-3 if path == "Q.GyroX" else None
        field, _, element = path.partition(".")
        value = follower.get(field)
        return value[["Kp", "Ki", "Kd", "Beta"].index(element)] if element else value

    assert asked_per_metre_deg(read) is not None
    assert check_lift_off(lambda home, path: None if "Thrust" in path else read(home, path)) is None


def test_the_noise_of_simulated_sensors_is_for_simulated_aircraft_only(
    memory: MemoryAircraft,
) -> None:
    answers = replace(QUAD, estimator="simulated-sensors")
    assert "EKFConfiguration" not in propose_setup(answers, memory.aircraft).values
    simulated = replace(memory.aircraft, is_simulated=True)
    assert "EKFConfiguration" not in propose_setup(QUAD, simulated).values  # nobody chose it
    found = propose_setup(answers, simulated).values["EKFConfiguration"]
    known = load_preset("ar100b").objects["EKFConfiguration"]
    assert found["R.GPSPosDown"] == pytest.approx(known["R"][2])


def test_templates_carry_gains_and_say_what_they_were_proven_on() -> None:
    for template in all_templates():
        assert "EKFConfiguration" not in template.objects
        assert template.proven.endswith(".")

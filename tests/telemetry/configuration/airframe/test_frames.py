"""The vectors that the family's vehicle page generates, frame by frame."""

import pytest

from telemetry.configuration.airframe.airframe import (
    MULTIROTOR,
    Airframe,
    AirframeError,
    Levels,
    airframe_named,
    airframe_names,
    all_airframes,
    is_multirotor,
)
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.protocol.objects.catalogue import Catalogue

# Roll/pitch/yaw of each motor in channel order at the levels that LibrePilot ships.
MULTIROTORS = {
    "QuadX": (
        "NW,NE,SE,SW",
        "50/50/50",
        "64/64/-64 ; -64/64/64 ; -64/-64/-64 ; 64/-64/64",
    ),
    "QuadP": (
        "N,E,S,W",
        "100/100/50",
        "0/127/-64 ; -127/0/64 ; 0/-127/-64 ; 127/0/64",
    ),
    "Hexa": (
        "N,NE,SE,S,SW,NW",
        "100/100/100",
        "0/127/-127 ; -127/64/127 ; -127/-64/-127 ; 0/-127/127 ; 127/-64/-127 ; 127/64/127",
    ),
    "HexaX": (
        "NE,E,SE,SW,W,NW",
        "100/100/100",
        "-64/127/-127 ; -127/0/127 ; -64/-127/-127 ; 64/-127/127 ; 127/0/-127 ; 64/127/127",
    ),
    "HexaH": (
        "NE,E,SE,SW,W,NW",
        "100/100/100",
        "-64/127/-64 ; -127/0/127 ; -64/-127/-64 ; 64/-127/64 ; 127/0/-127 ; 64/127/64",
    ),
    "HexaCoax": (
        "NWt,NWb,NEt,NEb,St,Sb",
        "86/100/100",
        "110/64/-127 ; 110/64/127 ; -110/64/-127 ; -110/64/127 ; 0/-127/-127 ; 0/-127/127",
    ),
    "Octo": (
        "N,NE,E,SE,S,SW,W,NW",
        "100/100/100",
        "0/127/-127 ; -91/91/127 ; -127/0/-127 ; -91/-91/127 ; "
        "0/-127/-127 ; 91/-91/127 ; 127/0/-127 ; 91/91/127",
    ),
    "OctoX": (
        "NNE,ENE,ESE,SSE,SSW,WSW,WNW,NNW",
        "100/100/100",
        "-53/127/-127 ; -127/53/127 ; -127/-53/-127 ; -53/-127/127 ; "
        "53/-127/-127 ; 127/-53/127 ; 127/53/-127 ; 53/127/127",
    ),
    "OctoV": (
        "N,NE,E,SE,S,SW,W,NW",
        "25/25/25",
        "-32/11/-32 ; -32/32/32 ; -32/-32/-32 ; -32/-11/32 ; "
        "32/-11/-32 ; 32/-32/32 ; 32/32/-32 ; 32/11/32",
    ),
    "OctoCoaxP": (
        "Nt,Nb,Et,Eb,St,Sb,Wt,Wb",
        "100/100/50",
        "0/127/-64 ; 0/127/64 ; -127/0/-64 ; -127/0/64 ; "
        "0/-127/-64 ; 0/-127/64 ; 127/0/-64 ; 127/0/64",
    ),
    "OctoCoaxX": (
        "NWt,NWb,NEt,NEb,SEt,SEb,SWt,SWb",
        "50/50/50",
        "64/64/-64 ; 64/64/64 ; -64/64/-64 ; -64/64/64 ; "
        "-64/-64/-64 ; -64/-64/64 ; 64/-64/-64 ; 64/-64/64",
    ),
    "Tri": (
        "NW,NE,S",
        "100/100/100",
        "127/64/0 ; -127/64/0 ; 0/-127/0",
    ),
}

# Everything else: name, type, then the five weights, in channel order.
OTHERS = {
    "FixedWing": """
        Motor Motor 127 0 0 0 0
        Aileron1 Servo 0 0 127 0 0
        Aileron2 Servo 0 0 127 0 0
        Elevator1 Servo 0 0 0 127 0
        Elevator2 Servo 0 0 0 127 0
        Rudder1 Servo 0 0 0 0 -127""",
    "FixedWingElevon": """
        Motor Motor 127 0 0 0 0
        Elevon1 Servo 0 0 127 -127 0
        Elevon2 Servo 0 0 127 127 0
        Rudder1 Servo 0 0 0 0 127
        Rudder2 Servo 0 0 0 0 -127""",
    "FixedWingVtail": """
        Motor Motor 127 0 0 0 0
        Aileron1 Servo 0 0 127 0 0
        Aileron2 Servo 0 0 127 0 0
        Vtail1 Servo 0 0 0 -127 -127
        Vtail2 Servo 0 0 0 127 -127""",
    "GroundVehicleCar": """
        Steering1 Servo 0 0 0 0 127
        Steering2 Servo 0 0 0 0 -127
        FrontMotor ReversableMotor 127 0 0 0 0
        RearMotor ReversableMotor 0 127 0 0 0""",
    "GroundVehicleDifferential": """
        LeftMotor ReversableMotor 127 0 0 0 127
        RightMotor ReversableMotor 127 0 0 0 -127""",
    "GroundVehicleMotorcycle": """
        Motor Motor 127 0 0 0 127
        Steering Servo 0 0 -127 0 -127
        Balance Servo 0 0 127 0 127""",
    "GroundVehicleBoat": """
        Steering1 Servo 0 0 0 0 127
        Steering2 Servo 0 0 0 0 -127
        RearMotor ReversableMotor 127 0 0 0 0""",
    "GroundVehicleDifferentialBoat": """
        LeftMotor ReversableMotor 127 0 0 0 127
        RightMotor ReversableMotor 127 0 0 0 -127""",
    "HeliCP": """
        Engine Motor 127 0 0 0 0
        Tail Servo 0 0 0 0 127
        ServoW Servo 0 63 0 63 0
        ServoX Servo 0 63 -54 -31 0
        ServoY Servo 0 63 54 -31 0""",
}


def _row(text: str) -> tuple[int, ...]:
    return tuple(int(number) for number in text.strip().split("/"))


def test_multirotors_are_those_of_the_firmware(catalogue: Catalogue) -> None:
    """GetCurrentFrameType of sanitycheck.c, and the option that only OpenPilot 14.10 has."""
    releases = [catalogue.find("SystemSettings", name) for name in catalogue.release_names]
    options = {o for found in releases for o in found.field_named("AirframeType").options}
    assert {option for option in options if is_multirotor(option)} == {*MULTIROTORS, "QuadH"}


@pytest.mark.parametrize("name", MULTIROTORS)
def test_a_multirotor_has_the_vectors_of_its_row(name: str) -> None:
    frame = airframe_named(name)
    order, levels, rows = MULTIROTORS[name]
    assert frame.levels == _row(levels)
    motors = [channel for channel in generate(frame).channels if channel.type == "Motor"]
    assert [channel.name for channel in motors] == order.split(",")
    assert [channel.output for channel in motors] == list(range(1, len(motors) + 1))
    assert [channel.vector for channel in motors] == [
        (127, 0, *_row(text)) for text in rows.split(";")
    ]


@pytest.mark.parametrize(("level", "weight"), [(100, 127), (50, 64), (0, 0)])
def test_the_yaw_servo_of_a_tricopter_follows_the_yaw_level(level: int, weight: int) -> None:
    """firmware-rules.md, "What LibrePilot's station writes": 50 % gives 64."""
    servo = generate(airframe_named("Tri"), Levels(100, 100, level)).channels[3]
    assert (servo.type, servo.vector) == ("Servo", (0, 0, 0, 0, weight))


@pytest.mark.parametrize("name", OTHERS)
def test_every_other_frame_has_the_vectors_of_its_row(name: str) -> None:
    rows = [
        f"{c.name} {c.type} {' '.join(map(str, c.vector))}"
        for c in generate(airframe_named(name)).channels
    ]
    assert rows == [line.strip() for line in OTHERS[name].strip().splitlines()]


def test_every_airframe_type_of_the_wire_has_a_frame(catalogue: Catalogue) -> None:
    field = catalogue.find("SystemSettings", None).field_named("AirframeType")
    assert set(airframe_names()) == set(field.options)
    assert set(MULTIROTORS) | set(OTHERS) | {"VTOL", "Custom"} == set(field.options)


def test_frames_without_channels_keep_what_is_on_board() -> None:
    on_board = generate(airframe_named("QuadX"))
    assert generate(airframe_named("Custom"), options=Options(on_board=on_board)) == on_board
    assert generate(airframe_named("VTOL")).channels == ()


@pytest.mark.parametrize("frame", [f for f in all_airframes() if f.family == MULTIROTOR])
def test_the_drawing_agrees_with_the_mix(frame: Airframe) -> None:
    """A motor on the right lifts the right side, one in front the nose: signs by place."""
    for channel in frame.motors:
        forward, right = channel.place
        _, _, roll, pitch, yaw = channel.mix
        assert roll * right <= 0
        assert pitch * forward >= 0
        assert (roll == 0) == (abs(right) < 0.01)
        assert channel.spin == ("" if not yaw else "ccw" if yaw > 0 else "cw")


def test_tau_labs_and_dronin_ship_other_levels() -> None:
    shipped = {f.name: f.levels_tau_labs for f in all_airframes() if f.levels_tau_labs}
    assert shipped == {
        "Hexa": (50, 33, 33),
        "HexaX": (33, 50, 33),
        "HexaCoax": (100, 50, 66),
        "Octo": (33, 33, 25),
    }


def test_curves_are_those_of_the_family() -> None:
    assert airframe_named("QuadX").curve1 == (0, 0.25, 0.5, 0.75, 1)
    assert airframe_named("HeliCP").curve2 == (-1, -0.5, 0, 0.5, 1)
    for name in ("GroundVehicleDifferential", "GroundVehicleDifferentialBoat"):
        assert max(airframe_named(name).curve1) == max(airframe_named(name).curve2) == 0.8


@pytest.mark.parametrize("wrong", ["quadx", "QUADX", "QuadxX"])
def test_a_wrong_name_is_answered_with_the_right_one(wrong: str) -> None:
    with pytest.raises(AirframeError, match=rf"'{wrong}' \(did you mean QuadX\?\).*OctoV"):
        airframe_named(wrong)

"""Outputs from settings of any release, and which bank they are in."""

from telemetry.configuration.airframe.airframe import airframe_named
from telemetry.configuration.airframe.mixer import write_mixer
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.configuration.outputs.output import read_outputs
from telemetry.protocol.objects.catalogue import load_catalogue

REVOLUTION, UNKNOWN = 0x0903, 0x7701
ENDS = {"ChannelMin": (1000,) * 4, "ChannelNeutral": (1100,) * 4, "ChannelMax": (1900,) * 4}
MODES = {"BankMode": ("PWM", "OneShot125", "PWM", "PWM"), "BankUpdateFreq": (490, 50, 50, 50)}


def quad(**outputs: int) -> dict[str, object]:
    definition = load_catalogue().find("MixerSettings")
    mixer = generate(airframe_named("QuadX"), options=Options(outputs=outputs))
    return write_mixer(mixer, definition)


def test_outputs_take_protocol_and_rate_from_their_bank() -> None:
    outputs = read_outputs({**ENDS, **MODES}, {"Mixer3Type": "Servo"}, None, REVOLUTION)
    assert [(o.bank, o.mode, o.rate_hz) for o in outputs] == [
        (1, "PWM", 490),
        (1, "PWM", 490),
        (2, "OneShot125", 50),
        (3, "PWM", 50),
    ]
    assert [o.rest for o in outputs] == [1000, 1000, 1100, 1000]


def test_on_an_unknown_board_nothing_is_guessed() -> None:
    outputs = read_outputs({**ENDS, **MODES}, {}, None, UNKNOWN)
    assert {(o.bank, o.mode, o.rate_hz) for o in outputs} == {(None, None, None)}


def test_motors_are_named_by_where_the_mixer_has_them() -> None:
    mixer = quad(NW=2, NE=1, SE=4, SW=3)
    outputs = read_outputs(ENDS, mixer, airframe_named("QuadX"))
    assert [o.title for o in outputs] == ["Motor NE", "Motor NW", "Motor SW", "Motor SE"]


def test_a_release_without_pulses_has_no_outputs() -> None:
    assert read_outputs({}, {}) == ()

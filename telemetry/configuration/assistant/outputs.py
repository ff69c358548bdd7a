"""Output choices: mixer and outputs from the chosen frame, speed controllers and servos."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Final

from telemetry.base.finding import Level
from telemetry.configuration.airframe.airframe import (
    HELICOPTER,
    MOTOR,
    MULTIROTOR,
    Airframe,
    AirframeError,
    find_airframe,
)
from telemetry.configuration.airframe.banks import bank_of, banks_of
from telemetry.configuration.airframe.check import check_mixer
from telemetry.configuration.airframe.mixer import (
    Curves,
    Mixer,
    MixerChannel,
    mixer_size,
    read_levels,
    read_mixer,
    write_curves,
    write_levels,
    write_mixer,
)
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.configuration.airframe.motor_pairing import matching_outputs
from telemetry.configuration.airframe.remembered_outputs import recalled_outputs, remembered_outputs
from telemetry.configuration.airframe.setup import AirframeSetup, read_setup, usual_outputs
from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues, by_path
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.outputs.output import RATES
from telemetry.configuration.settings.slots import whole_fields
from telemetry.recording.sample import Value

_MIXER = "MixerSettings"
_SYSTEM = "SystemSettings"
_MEMORY = "GUIConfigData"
_ACTUATORS = "ActuatorSettings"
_BOTH_WAYS_RANGE: Final = (1000, 1500, 2000)
"""Of servos and reversible motors."""


@dataclass(frozen=True, slots=True)
class Esc:
    """A kind of speed controller: its protocol, rate (Hz; 0 where the protocol has none) and the
    range it is driven over (µs, or steps where it is digital)."""

    id: str
    title: str
    about: str
    mode: str
    rate_hz: int
    minimum: int = 1000
    maximum: int = 2000
    dshot_khz: int = 0


ESCS: Final = (
    Esc("pwm50", "PWM, 50 Hz", "Old controllers and those of aeroplanes.", "PWM", 50),
    Esc("pwm300", "PWM, 300 Hz", "Controllers said to be fast, without a number.", "PWM", 300),
    Esc("pwm490", "PWM, 490 Hz", "Usual multirotor controllers.", "PWM", 490),
    Esc("pwmsync", "PWM, synchronous", "Sent with each control step.", "PWMSync", 0, 1000, 1900),
    Esc("oneshot125", "OneShot125", "Most controllers since 2014.", "OneShot125", 0),
    Esc("oneshot42", "OneShot42", "Fast controllers.", "OneShot42", 0),
    Esc("multishot", "MultiShot", "Racing controllers.", "MultiShot", 0),
    Esc("dshot150", "DShot150", "Digital: needs no calibration.", "DShot", 0, 0, 2000, 150),
    Esc("dshot300", "DShot300", "Digital: needs no calibration.", "DShot", 0, 0, 2000, 300),
    Esc("dshot600", "DShot600", "Digital: needs no calibration.", "DShot", 0, 0, 2000, 600),
    Esc("dshot1200", "DShot1200", "Digital: needs no calibration.", "DShot", 0, 0, 2000, 1200),
)
SERVOS: Final = {"analog": ("Analog servos, 50 Hz", 50), "digital": ("Digital servos, 333 Hz", 333)}


def esc_choices(aircraft: AssistedAircraft) -> tuple[Esc, ...]:
    """The controllers that this firmware can drive."""
    modes = aircraft.options(_ACTUATORS, "BankMode") or ("PWM",)
    return tuple(esc for esc in ESCS if esc.mode in modes)


def frame_of(answers: Answers) -> Airframe | None:
    """The chosen frame; None too for one on board that nobody knows."""
    return find_airframe(answers.frame)


def family_of(answers: Answers) -> str:
    """The family of the chosen frame; empty if there is none."""
    frame = frame_of(answers)
    return frame.family if frame is not None else ""


def channels_of(answers: Answers) -> tuple[MixerChannel, ...]:
    """What the chosen frame has to put on outputs, in its order, numbered from 1."""
    frame = frame_of(answers)
    return generate(frame).channels if frame is not None else ()


def outputs_of(answers: Answers, aircraft: AssistedAircraft) -> dict[str, int]:
    """The output of each channel that has one, by name: as chosen, else the usual ones."""
    usual = usual_outputs(channels_of(answers), aircraft.board)
    chosen = {name: answers.outputs.get(name, output) for name, output in usual.items()}
    return {name: output for name, output in chosen.items() if output}


def built_on_board(aircraft: AssistedAircraft) -> AirframeSetup | None:
    """How the aircraft is built as it stands; None if nothing is mixed or its frame is unknown.

    Motors that no station has noted stand in the order in which the mixer fits the frame.
    """
    frame = find_airframe(str(aircraft.value(_SYSTEM, "AirframeType")))
    mixer = _mixer_on_board(aircraft)
    if frame is None or not any(c.is_mixed for c in mixer.channels):
        return None
    recalled = recalled_outputs(frame, _memory(aircraft), has_octo_x=_has_octo_x(aircraft))
    levels = read_levels(aircraft.values(_MIXER))
    setup = read_setup(frame, mixer, levels, recalled, aircraft.board)
    match = matching_outputs(mixer, frame) if frame.family == MULTIROTOR else None
    if match is not None and not recalled:
        outputs = {**setup.outputs, **match.outputs}
        setup = replace(setup, outputs=outputs, reversed=match.propellers_reversed)
    return setup


def propose_mixer(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """The frame's mixer. One that is on board already and fits is left alone: its weights may
    have been tuned. The levels of a frame that stays are those on board."""
    frame, definition = frame_of(answers), aircraft.definition(_MIXER)
    if frame is None:
        return {}
    built = built_on_board(aircraft)
    stays = built is not None and built.frame == frame
    wanted: WantedValues = {_SYSTEM: _plan_system(answers, None if stays else frame)}
    if definition is None or not channels_of(answers):
        return wanted
    on_board = _mixer_on_board(aircraft)
    setup = replace(
        built if built is not None and stays else AirframeSetup(frame, frame.levels),
        outputs=outputs_of(answers, aircraft),
        reversed=answers.propellers_reversed and frame.family == MULTIROTOR,
    )
    try:
        mixer = setup.generated(on_board)
        values: dict[str, Any] = write_mixer(mixer, definition)
    except AirframeError:
        return wanted  # an output this board lacks, which `missing_output` says
    if stays and _fits(on_board, mixer, setup):
        return wanted
    values |= write_levels(setup.levels, definition, propellers_reversed=setup.reversed)
    if not stays:
        values |= write_curves(Curves.of_frame(frame), definition)
    wanted[_MIXER] = by_path(definition, values)
    wanted[_SYSTEM] |= _plan_memory(setup, aircraft)
    return wanted


def missing_output(answers: Answers, aircraft: AssistedAircraft) -> str:
    """What is wrong with the outputs, as a sentence; empty if nothing."""
    frame, outputs = frame_of(answers), outputs_of(answers, aircraft)
    lacking = [c.name for c in channels_of(answers) if c.name not in outputs]
    if lacking and (not outputs or frame is None or not frame.can_lack_channels):
        return f"{lacking[0]} is on no output: choose one."
    counts = Counter(outputs.values())
    twice = [output for output, count in counts.items() if count > 1]
    if twice:
        return f"Output {twice[0]} is chosen twice: give each motor and servo its own."
    size = output_count(aircraft)
    beyond = [output for output in counts if output > size]
    return f"This board has no output {beyond[0]}." if beyond else ""


def output_count(aircraft: AssistedAircraft) -> int:
    """How many outputs can be mixed."""
    definition = aircraft.definition(_MIXER)
    return mixer_size(definition) if definition is not None else 0


def propose_outputs(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """Protocol and rate of the banks in use, and the range of each output in use."""
    esc = next((esc for esc in ESCS if esc.id == answers.esc), None)
    if esc is None or aircraft.definition(_ACTUATORS) is None:
        return {}
    values = dict(_plan_banks(answers, aircraft, esc))
    if esc.dshot_khz:
        values["DShotMode"] = esc.dshot_khz
    present, kept = aircraft.values(_ACTUATORS), _mixer_on_board(aircraft)
    for channel in fitted_channels(answers, aircraft):
        ends = _range(channel, esc)
        paths = [f"Channel{end}.{channel.output - 1}" for end in ("Min", "Neutral", "Max")]
        there = kept.at(channel.output)
        is_same = there is not None and there.type == channel.type
        if not (is_same and _is_measured([present.get(path) for path in paths], ends)):
            values |= dict(zip(paths, ends, strict=True))
    return {_ACTUATORS: values}


def shared_banks(answers: Answers, aircraft: AssistedAircraft) -> tuple[int, ...]:
    """Banks that have a motor and a servo, which one rate cannot please."""
    kinds = _motors_by_bank(answers, aircraft)
    return tuple(bank for bank, found in kinds.items() if len(found) > 1)


def fitted_channels(answers: Answers, aircraft: AssistedAircraft) -> tuple[MixerChannel, ...]:
    """The channels that have an output, each on its own."""
    outputs = outputs_of(answers, aircraft)
    fitted = (channel for channel in channels_of(answers) if channel.name in outputs)
    return tuple(replace(channel, output=outputs[channel.name]) for channel in fitted)


def _fits(on_board: Mixer, wanted: Mixer, setup: AirframeSetup) -> bool:
    """Whether a mixer drives the same outputs in the same sense as the wanted one."""
    mixers = (on_board, wanted)
    ours, theirs = ({(c.output, c.type) for c in m.channels if c.is_mixed} for m in mixers)
    found = check_mixer(
        on_board, setup.frame, outputs=setup.outputs, propellers_reversed=setup.reversed
    )
    return ours == theirs and all(finding.level < Level.ERROR for finding in found)


def _plan_system(answers: Answers, new_frame: Airframe | None) -> dict[str, Value]:
    values: dict[str, Value] = {}
    if new_frame is not None:
        is_collective = new_frame.family == HELICOPTER
        values["AirframeType"] = new_frame.name
        values["ThrustControl"] = "Collective" if is_collective else "Throttle"
    if answers.name:
        values["VehicleName"] = answers.name
    return values


def _plan_memory(setup: AirframeSetup, aircraft: AssistedAircraft) -> dict[str, Value]:
    """Which output each motor is on, as other stations read it."""
    words = _memory(aircraft)
    octo = _has_octo_x(aircraft)
    kept = remembered_outputs(setup.frame, setup.outputs, words, has_octo_x=octo)
    return {f"{_MEMORY}.{index}": word for index, word in enumerate(kept)}


def _memory(aircraft: AssistedAircraft) -> tuple[int, ...]:
    paths = (f"{_MEMORY}.{index}" for index in range(aircraft.size(_SYSTEM, _MEMORY)))
    return tuple(int(aircraft.value(_SYSTEM, path) or 0) for path in paths)


def _has_octo_x(aircraft: AssistedAircraft) -> bool:
    return "OctoX" in aircraft.options(_SYSTEM, "AirframeType")


def _mixer_on_board(aircraft: AssistedAircraft) -> Mixer:
    """The mixer that stands there, with its size and scale."""
    definition = aircraft.definition(_MIXER)
    if definition is None:
        return Mixer()
    return read_mixer(whole_fields(definition, aircraft.values(_MIXER)), definition)


def _plan_banks(answers: Answers, aircraft: AssistedAircraft, esc: Esc) -> Mapping[str, Value]:
    servo_hz = SERVOS.get(answers.servo, SERVOS["analog"])[1]
    rate = next((name for name in RATES if aircraft.has(_ACTUATORS, name)), "")
    values: dict[str, Value] = {}
    for bank, is_servo in _banks_in_use(answers, aircraft, rate).items():
        mode, rate_hz = ("PWM", servo_hz) if is_servo else (esc.mode, esc.rate_hz)
        if rate:
            values[f"{rate}.{bank}"] = rate_hz
        if aircraft.has(_ACTUATORS, "BankMode"):
            values[f"BankMode.{bank}"] = mode
    return values


def _banks_in_use(answers: Answers, aircraft: AssistedAircraft, rate: str) -> dict[int, bool]:
    """Whether a servo is in a bank, by bank counted from 0. Where it is not known which output is
    in which bank, all banks are driven as the most delicate part needs it."""
    if not banks_of(aircraft.board):
        has_servo = any(not channel.is_motor for channel in fitted_channels(answers, aircraft))
        return dict.fromkeys(range(aircraft.size(_ACTUATORS, rate)), has_servo)
    kinds = _motors_by_bank(answers, aircraft)
    return {bank - 1: False in found for bank, found in kinds.items()}


def _motors_by_bank(answers: Answers, aircraft: AssistedAircraft) -> dict[int, set[bool]]:
    """Whether it is a motor of all that is in a bank, by bank counted from 1."""
    found: dict[int, set[bool]] = {}
    for channel in fitted_channels(answers, aircraft):
        bank = bank_of(channel.output, aircraft.board)
        if bank is not None:
            found.setdefault(bank, set()).add(channel.is_motor)
    return found


def _range(channel: MixerChannel, esc: Esc) -> tuple[int, int, int]:
    is_one_way = channel.type == MOTOR
    return (esc.minimum, esc.minimum, esc.maximum) if is_one_way else _BOTH_WAYS_RANGE


def _is_measured(present: list[Value | None], usual: tuple[int, int, int]) -> bool:
    """Whether the range on board was set by somebody and suits the protocol."""
    ends = [value for value in present if isinstance(value, int)]
    if len(ends) != len(usual) or ends[0] == ends[2]:
        return False
    low, high = min(ends[0], ends[2]), max(ends[0], ends[2])
    return low <= ends[1] <= high and (low >= 500) == (usual[0] >= 500) and high <= usual[2] + 500

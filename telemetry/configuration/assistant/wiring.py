"""Wiring diagram: what is plugged in where, once the aircraft is built as answered."""

from dataclasses import dataclass

from telemetry.configuration.airframe.airframe import AirframeChannel
from telemetry.configuration.airframe.banks import bank_of
from telemetry.configuration.airframe.mixer import MixerChannel
from telemetry.configuration.assistant.aircraft import AssistedAircraft
from telemetry.configuration.assistant.answers import KEEP, NO_GPS, Answers
from telemetry.configuration.assistant.outputs import (
    ESCS,
    SERVOS,
    fitted_channels,
    frame_of,
)
from telemetry.configuration.assistant.receiver import STATION, receiver_of

_SPINS = {"cw": "turns clockwise", "ccw": "turns counter-clockwise", "": ""}
_OTHER = {"cw": "ccw", "ccw": "cw", "": ""}


@dataclass(frozen=True, slots=True)
class OutputWire:
    """An output, what is on it, and by which signal. `bank` is 0 where it is not known."""

    output: int
    part: str
    signal: str
    is_motor: bool
    bank: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class PortWire:
    """A port and what is on it; nothing for a free one."""

    port: str
    part: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Wiring:
    """The whole picture: outputs in their order, ports, and what hangs on neither."""

    title: str
    board: str
    outputs: tuple[OutputWire, ...]
    ports: tuple[PortWire, ...]


def wiring_of(answers: Answers, aircraft: AssistedAircraft) -> Wiring:
    """What is connected to what."""
    frame, kind = frame_of(answers), aircraft.kind
    places = {channel.name: channel for channel in frame.channels} if frame is not None else {}
    wires = [
        _output_wire(channel, places.get(channel.name), answers, aircraft)
        for channel in fitted_channels(answers, aircraft)
    ]
    frame_title = frame.title if frame is not None else ""
    return Wiring(
        " – ".join(text for text in (answers.name, frame_title) if text),
        kind.title if kind is not None else "Flight controller",
        tuple(sorted(wires, key=lambda wire: wire.output)),
        tuple(_port_wires(answers, aircraft)),
    )


def _output_wire(
    channel: MixerChannel,
    place: AirframeChannel | None,
    answers: Answers,
    aircraft: AssistedAircraft,
) -> OutputWire:
    esc = next((esc for esc in ESCS if esc.id == answers.esc), None)
    spin = place.spin if place is not None else ""
    if answers.propellers_reversed:
        spin = _OTHER[spin]
    is_motor = channel.is_motor
    if answers.esc == KEEP:
        signal = "as it is on board"
    elif is_motor:
        signal = esc.title if esc is not None else SERVOS["analog"][0]
    else:
        signal = SERVOS.get(answers.servo, SERVOS["analog"])[0]
    kind = "Speed controller and motor" if is_motor else "Servo"
    bank = bank_of(channel.output, aircraft.board) or 0
    return OutputWire(
        channel.output, f"{kind} {channel.name}", signal, is_motor, bank, _SPINS[spin]
    )


def _port_wires(answers: Answers, aircraft: AssistedAircraft) -> list[PortWire]:
    receiver = receiver_of(answers, aircraft)
    found: list[PortWire] = []
    for port in aircraft.kind.ports if aircraft.kind is not None else ():
        role = str(aircraft.value("HwSettings", port.field) or "")
        part, note = ("", "") if role in ("", "Disabled") else (role, "as it is on board")
        if receiver is not None and receiver.field == port.field:
            part, note = f"Receiver, {receiver.role}", ""
        if answers.gps != NO_GPS and answers.gps_port == port.field:
            part, note = f"GPS, {answers.gps}", ""
        found.append(PortWire(port.title, part, note))
    if receiver is not None and not receiver.field:
        part = "This station" if receiver.group == STATION else f"Receiver, {receiver.group}"
        found.append(PortWire("Telemetry" if receiver.group == STATION else "Receiver", part))
    if answers.cells:
        found.append(PortWire("Power", f"Battery, {answers.cells} cells", "by a power module"))
    return found

"""Receiver: pulses of the GCSReceiver become normalised stick positions.

Settings: ManualControlSettings (channel assignment, ranges, deadband, failsafe values).
Writes ManualControlCommand, AccessoryDesired and ReceiverStatus.
"""

from dataclasses import dataclass
from typing import Any

from simulation.autopilot.board import Board

DEFAULT_TIMEOUT_US = 500_000
ACCESSORIES = ("Accessory0", "Accessory1", "Accessory2", "Accessory3")
_REQUIRED = ("Throttle", "Roll", "Pitch", "Yaw", "FlightMode")
_FAILSAFE_STICKS = ("Throttle", "Roll", "Pitch", "Yaw")


@dataclass(frozen=True, slots=True)
class Channel:
    """One control's place among the receiver's channels and its pulse range in microseconds."""

    index: int
    low_us: int
    neutral_us: int
    high_us: int

    def scale(self, pulse_us: int) -> float:
        """A pulse as -1..1, 0 at neutral. A range with `low_us > high_us` is reversed."""
        above = (pulse_us - self.neutral_us) * (self.high_us - self.low_us) >= 0
        span = self.high_us - self.neutral_us if above else self.neutral_us - self.low_us
        if span == 0:
            return 0.0
        return min(max((pulse_us - self.neutral_us) / span, -1.0), 1.0)


class Receiver:
    """Turns the station's stick stream into ManualControlCommand and notices its end."""

    def __init__(self, board: Board, timeout_us: int = DEFAULT_TIMEOUT_US) -> None:
        """`timeout_us`: how old the newest GCSReceiver may be before the failsafe acts."""
        self._settings = board["ManualControlSettings"]
        self._source = board["GCSReceiver"]
        self._command = board["ManualControlCommand"]
        self._accessory = board["AccessoryDesired"]
        self._status = board["ReceiverStatus"]
        self._flight = board["FlightStatus"]
        self._armed = self._flight.number("Armed", "Armed")
        self._timeout_us = timeout_us
        self._is_fresh = False
        self._was_connected = False
        self._last_us: int | None = None
        self._channels: dict[str, Channel] = {}
        self._pulses: list[int] = []
        self._said = b""
        self._sticks: dict[str, Any] = {}
        self._knobs: list[tuple[int, float]] = []
        self._settings.subscribe(self._take_settings)
        self._source.subscribe(self._arrived)
        self._take_settings()

    def update(self, now_us: int) -> None:
        """Run once per loop of the autopilot."""
        arrived = self._is_fresh
        if arrived:
            self._is_fresh = False
            self._last_us = now_us
        age_us = self._timeout_us if self._last_us is None else now_us - self._last_us
        connected = age_us < self._timeout_us and self._is_assigned
        if connected and not arrived and self._was_connected:
            return  # nothing new
        if connected != self._was_connected:
            self._was_connected = connected
            self._status.set(Quality=100 if connected else 0)
        if self._command.is_supplied:
            return  # a station flies by writing ManualControlCommand itself
        if connected:
            self._write_command()
        else:
            self._write_failsafe()
        self._command.announce()

    def _arrived(self) -> None:
        self._is_fresh = True

    def _take_settings(self) -> None:
        row = self._settings.row
        definition = self._settings.definition.field_named("ChannelGroups")
        width = len(self._source.row["Channel"])
        self._pulses = []  # to be scaled anew
        self._channels = {}
        for i, name in enumerate(definition.element_names):
            number = int(row["ChannelNumber"][i])
            if self._settings.option("ChannelGroups", i) == "GCS" and 1 <= number <= width:
                self._channels[name] = Channel(
                    number - 1,
                    int(row["ChannelMin"][i]),
                    int(row["ChannelNeutral"][i]),
                    int(row["ChannelMax"][i]),
                )
        self._is_assigned = all(name in self._channels for name in _REQUIRED)
        self._names = definition.element_names
        self._deadband = int(row["Deadband"]) / 100.0
        self._positions = max(1, int(row["FlightModeNumber"]))
        self._failsafe_position = int(row["FailsafeFlightModeSwitchPosition"])
        failsafe = self._settings.definition.field_named("FailsafeChannel").element_names
        self._failsafe = {n: float(row["FailsafeChannel"][i]) for i, n in enumerate(failsafe)}

    def _write_command(self) -> None:
        pulses = self._source.fields["Channel"].tolist()
        if pulses != self._pulses:
            self._pulses = pulses
            self._sticks = self._scaled(pulses)
            self._knobs = [
                (instance, self._channels[name].scale(pulses[self._channels[name].index]))
                for instance, name in enumerate(ACCESSORIES)
                if name in self._channels
            ]
        elif self._shown() == self._said:
            return
        self._command.write(**self._sticks)
        for instance, value in self._knobs:
            self._accessory.grow(instance + 1)
            self._accessory.rows[instance]["AccessoryVal"] = value
        self._said = self._shown()

    def _shown(self) -> bytes:
        """What the sticks were made into, as it stands: others may have written it since."""
        return bytes(self._command.row.tobytes() + self._accessory.rows.tobytes())

    def _scaled(self, pulses: list[int]) -> dict[str, Any]:
        """The fields of ManualControlCommand."""
        channels = self._channels
        throttle = channels["Throttle"].scale(pulses[channels["Throttle"].index])
        axes = {
            name: self._with_deadband(channels[name].scale(pulses[channels[name].index]))
            for name in ("Roll", "Pitch", "Yaw")
        }
        mode = channels["FlightMode"]
        turn = (mode.scale(pulses[mode.index]) + 1.0) / 2.0
        raw = [pulses[channels[n].index] if n in channels else 0 for n in self._names]
        return {
            "Throttle": throttle,
            "Thrust": throttle,
            **axes,
            "FlightModeSwitchPosition": min(int(turn * self._positions), self._positions - 1),
            "Connected": 1,
            "Channel": raw,
        }

    def _write_failsafe(self) -> None:
        row = self._command.row
        for name in _FAILSAFE_STICKS:
            row[name] = self._failsafe[name]
        row["Thrust"] = row["Throttle"]
        row["Connected"] = 0
        if self._failsafe_position >= 0 and self._flight.row["Armed"] == self._armed:
            row["FlightModeSwitchPosition"] = self._failsafe_position

    def _with_deadband(self, value: float) -> float:
        """Take the deadband out of the middle and stretch the rest over the full range."""
        size = abs(value) - self._deadband
        if size <= 0.0:
            return 0.0
        stretched = size / (1.0 - self._deadband)
        return stretched if value > 0.0 else -stretched

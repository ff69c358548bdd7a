"""Receiver: pulses of the GCSReceiver become normalised stick positions.

Settings: ManualControlSettings (channel assignment, ranges, deadband, response times, failsafe
values), SystemSettings.ThrustControl. Writes ManualControlCommand, AccessoryDesired and
ReceiverStatus.
"""

from dataclasses import dataclass, replace
from typing import Any

from simulation.autopilot.board import SimulatedBoard

DEFAULT_TIMEOUT_US = 500_000
ACCESSORIES = ("Accessory0", "Accessory1", "Accessory2", "Accessory3")
_AXES = ("Roll", "Pitch", "Yaw")
_REQUIRED = ("Throttle", *_AXES)
_FAILSAFE_STICKS = ("Throttle", *_AXES, "Collective")
_BEYOND_RANGE_US = 250
"""A pulse this far outside its range is no stick's: the receiver counts as lost."""
_MODE_POSITIONS = 6
_CENTRED_SHARE = 0.1
"""Of the deadband: a slow stick that has come back so close is at its centre."""
_LEAST_ASSISTED = 0.05
"""Deadband of modes that hold position, whatever the settings say."""


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

    def can_be(self, pulse_us: int) -> bool:
        """Whether the pulse lies within the range or near it."""
        low, high = sorted((self.low_us, self.high_us))
        return low - _BEYOND_RANGE_US <= pulse_us <= high + _BEYOND_RANGE_US


class Receiver:
    """Turns the station's stick stream into ManualControlCommand and notices its end.

    A station may also fly by supplying ManualControlCommand itself. When it is not heard any more
    (`is_station_heard`) that is over, and the pilot's own receiver counts again.
    """

    def __init__(self, board: SimulatedBoard, timeout_us: int = DEFAULT_TIMEOUT_US) -> None:
        """`timeout_us`: how old the newest GCSReceiver may be before the failsafe acts."""
        self._board = board
        self._settings = board["ManualControlSettings"]
        self._system = board["SystemSettings"]
        self._assistance = board["StabilizationSettings"]
        self._source = board["GCSReceiver"]
        self._command = board["ManualControlCommand"]
        self._accessory = board["AccessoryDesired"]
        self._status = board["ReceiverStatus"]
        self._flight = board["FlightStatus"]
        self._armed = self._flight.number("Armed", "Armed")
        self._timeout_us = timeout_us
        self.is_station_heard = True
        self._is_fresh = False
        self._was_connected = False
        self._last_us: int | None = None
        self._updated_us = 0
        self._channels: dict[str, Channel] = {}
        self._pulses: list[int] = []
        self._said = b""
        self._is_possible = False
        self._sticks: dict[str, Any] = {}
        self._knobs: dict[str, float] = {}
        self._slow: dict[str, float] = {}
        for entry in (self._settings, self._system, self._assistance):
            entry.subscribe(self._take_settings)
        self._source.subscribe(self._arrived)
        self._take_settings()

    def update(self, now_us: int) -> None:
        """Run once per loop of the autopilot."""
        elapsed_ms, self._updated_us = (now_us - self._updated_us) / 1000.0, now_us
        arrived = self._is_fresh
        if arrived:
            self._is_fresh = False
            self._last_us = now_us
            self._read()
        age_us = self._timeout_us if self._last_us is None else now_us - self._last_us
        connected = age_us < self._timeout_us and self._is_assigned and self._is_possible
        if connected and not arrived and self._was_connected and not self._responses_ms:
            return  # nothing new
        if connected != self._was_connected:
            self._was_connected = connected
            self._status.set(Quality=100 if connected else 0)
        if self._command.is_supplied:
            if self.is_station_heard:
                return
            metadata = replace(self._command.metadata, flight_readonly=False)
            self._board.set_metadata(self._command, metadata)
        if connected:
            self._write_command(elapsed_ms)
        else:
            self._write_failsafe()
        self._command.announce()

    @property
    def is_assigned(self) -> bool:
        """Whether every control that flying needs has a channel."""
        return self._is_assigned

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
        self._names = definition.element_names
        self._positions = int(row["FlightModeNumber"])
        self._thrust = self._system.option("ThrustControl")
        self._is_assigned = self._has_all_channels()
        self._deadband = int(row["Deadband"]) / 100.0
        assisted = max(int(row["DeadbandAssistedControl"]) / 100.0, _LEAST_ASSISTED)
        self._deadbands = [
            max(assisted, self._deadband) if is_assisted else self._deadband
            for is_assisted in self._assistance.row["FlightModeAssistMap"].tolist()
        ]
        self._failsafe_position = int(row["FailsafeFlightModeSwitchPosition"])
        failsafe = self._settings.definition.field_named("FailsafeChannel").element_names
        values = dict(zip(failsafe, row["FailsafeChannel"].tolist(), strict=True))
        self._failsafe_sticks = {name: values[name] for name in _FAILSAFE_STICKS}
        if self._thrust != "None":
            self._failsafe_sticks["Thrust"] = values[self._thrust]
        self._failsafe_sticks["Connected"] = 0
        self._failsafe_knobs = [
            (i, values[name]) for i, name in enumerate(ACCESSORIES) if name in self._channels
        ]
        slow = self._settings.definition.field_named("ResponseTime").element_names
        times_ms = dict(zip(slow, row["ResponseTime"].tolist(), strict=True))
        self._responses_ms = {name: time for name, time in times_ms.items() if time > 0}

    def _has_all_channels(self) -> bool:
        needed = list(_REQUIRED)
        if self._thrust == "Collective":
            needed.append("Collective")
        if self._positions > 1:
            needed.append("FlightMode")
        is_possible = 1 <= self._positions <= _MODE_POSITIONS
        return is_possible and all(name in self._channels for name in needed)

    def _read(self) -> None:
        """Take over the pulses of all channels, and what they mean."""
        pulses = self._source.fields["Channel"].tolist()
        if pulses == self._pulses:
            return
        self._pulses = pulses
        self._said = b""
        channels = self._channels
        judged = (*_REQUIRED, "Collective", *ACCESSORIES)
        self._is_possible = all(
            channels[name].can_be(pulses[channels[name].index])
            for name in judged
            if name in channels
        )
        self._sticks = self._scaled(pulses) if self._is_assigned else {}
        self._knobs = {
            name: channels[name].scale(pulses[channels[name].index])
            for name in ACCESSORIES
            if name in channels
        }

    def _write_command(self, elapsed_ms: float) -> None:
        sticks, knobs = self._sticks, self._knobs
        if not self._responses_ms and self._shown() == self._said:
            return
        if self._responses_ms:
            sticks = {name: self._slowed(name, v, elapsed_ms) for name, v in sticks.items()}
            knobs = {name: self._slowed(name, v, elapsed_ms) for name, v in knobs.items()}
            if self._thrust != "None":
                sticks["Thrust"] = sticks[self._thrust]
        self._command.write(**sticks)
        for instance, name in enumerate(ACCESSORIES):
            if name in knobs:
                self._set_accessory(instance, knobs[name])
        self._said = self._shown()

    def _shown(self) -> bytes:
        """What the sticks were made into, as it stands: others may have written it since."""
        return bytes(self._command.row.tobytes() + self._accessory.rows.tobytes())

    def _scaled(self, pulses: list[int]) -> dict[str, Any]:
        """The fields of ManualControlCommand."""
        channels = self._channels
        scaled = {name: c.scale(pulses[c.index]) for name, c in channels.items()}
        turn = (scaled.get("FlightMode", -1.0) + 1.0) / 2.0
        position = min(int(turn * self._positions), self._positions - 1)
        raw = [pulses[channels[n].index] if n in channels else 0 for n in self._names]
        sticks = {
            "Throttle": scaled["Throttle"],
            **{name: _without_middle(scaled[name], self._deadbands[position]) for name in _AXES},
            "FlightModeSwitchPosition": position,
            "Connected": 1,
            "Channel": raw,
        }
        if "Collective" in scaled:
            sticks["Collective"] = _without_middle(scaled["Collective"], self._deadband)
        if self._thrust != "None":
            sticks["Thrust"] = sticks[self._thrust]
        return sticks

    def _slowed(self, name: str, value: Any, elapsed_ms: float) -> Any:
        """A stick's value after its ResponseTime."""
        time_ms = self._responses_ms.get(name)
        if time_ms is None:
            return value
        slow = time_ms * self._slow.get(name, 0.0) + elapsed_ms * value
        slow /= time_ms + elapsed_ms
        if abs(slow) < _CENTRED_SHARE * self._deadband:
            slow = 0.0
        self._slow[name] = slow
        return slow

    def _write_failsafe(self) -> None:
        self._command.write(**self._failsafe_sticks)
        is_position = 0 <= self._failsafe_position < self._positions
        if is_position and self._flight.fields["Armed"] == self._armed:
            self._command.write(FlightModeSwitchPosition=self._failsafe_position)
        for instance, value in self._failsafe_knobs:
            self._set_accessory(instance, value)

    def _set_accessory(self, instance: int, value: float) -> None:
        self._accessory.grow(instance + 1)
        self._accessory.rows[instance]["AccessoryVal"] = value


def _without_middle(value: float, deadband: float) -> float:
    """Take the deadband out of the middle and stretch the rest over the full range."""
    size = abs(value) - deadband
    if size <= 0.0:
        return 0.0
    stretched = size / (1.0 - deadband)
    return stretched if value > 0.0 else -stretched

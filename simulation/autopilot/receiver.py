"""Receiver: pulses of the GCSReceiver become normalised stick positions.

Reads what `receiver_settings` makes of the settings. Writes ManualControlCommand,
AccessoryDesired, ReceiverStatus and the alarm Receiver; the rules are those of receiver.c.
"""

from dataclasses import replace
from typing import Any

from simulation.autopilot.alarms import Alarms
from simulation.autopilot.board import ChangeFlag, SimulatedBoard
from simulation.autopilot.receiver_settings import (
    ACCESSORIES,
    RSSI,
    STICKS,
    WATCHED,
    read_receiver_settings,
)

DEFAULT_TIMEOUT_US = 256_000
"""One turn of the driver's supervision (pios_gcsrcvr.c: 160 ticks at 625 Hz): with nothing heard
in a whole turn the channels are silent, which takes one to two turns."""
_CYCLES = 10
"""More updates than these have to say the same before the connection changes."""
_INSTANCES = (*ACCESSORIES, RSSI)
"""Whose values the instances of AccessoryDesired are."""
_CENTRED_SHARE = 0.1
"""Of the deadband: a slow stick that has come back so close is at its centre."""


class Receiver:
    """Turns the station's stick stream into ManualControlCommand and notices its end.

    A station may also fly by supplying ManualControlCommand itself. When it is not heard any more
    (`is_station_heard`) that is over, and the pilot's own receiver counts again.
    """

    def __init__(self, board: SimulatedBoard, timeout_us: int = DEFAULT_TIMEOUT_US) -> None:
        """`timeout_us`: a turn without any GCSReceiver, after which its channels are silent."""
        self._board = board
        self._alarms = Alarms(board)
        self._source = board["GCSReceiver"]
        self._command = board["ManualControlCommand"]
        self._accessory = board["AccessoryDesired"]
        self._accessory.grow(len(_INSTANCES))
        self._status = board["ReceiverStatus"]
        self._timeout_us = timeout_us
        self.is_station_heard = True
        self._is_heard = False
        self._is_silent = True
        self._turn = 0
        self._is_connected = self._was_connected = False
        self._cycles = {True: 0, False: 0}  # with valid input and without, since the last change
        self._severity = ""
        self._updated_us = 0
        self._pulses: list[int] | None = []
        self._said = b""
        self._is_possible = False
        self._sticks: dict[str, Any] = {}
        self._knobs: dict[str, float] = {}
        self._slow: dict[str, float] = {}
        for name in WATCHED:
            board[name].subscribe(self._take_settings)
        self._arrived = ChangeFlag(self._source, is_raised=False)
        self._take_settings()

    def update(self, now_us: int) -> None:
        """Run once per loop of the autopilot."""
        elapsed_ms, self._updated_us = (now_us - self._updated_us) / 1000.0, now_us
        arrived = self._arrived.take_down()
        self._supervise(now_us, arrived)
        if self._is_supplied():
            self._warn("Warning")
        else:
            self._listen(arrived, elapsed_ms)
        if self._is_connected != self._was_connected:
            self._was_connected = self._is_connected
            self._status.set(Quality=100 if self._is_connected else 0)

    def _is_supplied(self) -> bool:
        """Whether a station supplies the command; one that is not heard is left."""
        if not self._command.is_supplied:
            return False
        if not self.is_station_heard:
            metadata = replace(self._command.metadata, flight_readonly=False)
            self._board.set_metadata(self._command, metadata)
        return True

    def _supervise(self, now_us: int, arrived: bool) -> None:
        if arrived:
            self._is_heard, self._is_silent = True, False
        turn = now_us // self._timeout_us
        if turn != self._turn:
            self._turn = turn
            self._is_silent |= not self._is_heard
            self._is_heard = False

    def _listen(self, arrived: bool, elapsed_ms: float) -> None:
        if arrived:
            self._read()
        elif self._is_silent and self._pulses is not None:
            self._pulses = None
            self._command.write(Channel=self._settings.raw(None))
        if self._is_complete:
            self._follow(self._is_possible and not self._is_silent, arrived, elapsed_ms)
        else:
            self._warn("Critical")
            self._is_connected = False
            self._command.write(Connected=0)
            self._command.announce()

    def _follow(self, is_valid: bool, arrived: bool, elapsed_ms: float) -> None:
        self._count(is_valid)
        if not self._is_connected:
            self._warn("Warning")
            self._write_failsafe()
        elif is_valid:
            self._warn("OK")
            if not arrived and self._was_connected and not self._settings.responses_ms:
                return  # nothing new
            self._write_command(elapsed_ms)
        self._command.announce()

    def _count(self, is_valid: bool) -> None:
        """Change the connection when enough updates have said so; valid ones in between do not
        start the count anew."""
        self._cycles[is_valid] += 1
        if self._cycles[is_valid] > _CYCLES:
            self._is_connected = is_valid
            self._cycles = {True: 0, False: 0}

    def _warn(self, severity: str) -> None:
        if severity != self._severity:
            self._severity = severity
            self._alarms.set(Receiver=severity)

    def _take_settings(self) -> None:
        self._settings = read_receiver_settings(self._board)
        self._is_complete = self._settings.is_complete
        self._pulses = []  # to be taken over anew

    def _read(self) -> None:
        """Take over the pulses of all channels, and what they mean."""
        pulses = self._source.fields["Channel"].tolist()
        if pulses == self._pulses:
            return
        self._pulses = pulses
        self._said = b""
        raw = self._settings.raw(pulses)
        self._command.write(Channel=raw)
        if not self._is_complete:
            return
        channels = self._settings.channels
        self._is_possible = all(
            channels[name].can_be(channels[name].pulse(pulses)) for name in self._settings.judged
        )
        scaled = {name: channel.scale(channel.pulse(pulses)) for name, channel in channels.items()}
        self._sticks = self._scaled(scaled)
        self._sticks["Channel"] = raw
        self._knobs = {name: scaled[name] for name in _INSTANCES if channels[name].is_assigned}

    def _write_command(self, elapsed_ms: float) -> None:
        sticks, knobs, settings = self._sticks, self._knobs, self._settings
        if not settings.responses_ms and self._shown() == self._said:
            return
        if settings.responses_ms:
            sticks = {name: self._slowed(name, v, elapsed_ms) for name, v in sticks.items()}
            knobs = {name: self._slowed(name, v, elapsed_ms) for name, v in knobs.items()}
            if settings.thrust != "None":
                sticks["Thrust"] = sticks[settings.thrust]
        self._command.write(**sticks)
        for instance, name in enumerate(_INSTANCES):
            if name in knobs:
                self._accessory.rows[instance]["AccessoryVal"] = knobs[name]
        self._said = self._shown()

    def _shown(self) -> bytes:
        """What the sticks were made into, as it stands: others may have written it since."""
        return self._command.packed() + bytes(self._accessory.rows.tobytes())

    def _scaled(self, scaled: dict[str, float]) -> dict[str, Any]:
        """The fields of ManualControlCommand but for the pulses."""
        settings = self._settings
        last = settings.positions - 1
        turn = int(scaled["FlightMode"] * 256.0) + 256  # the firmware's whole numbers
        position = min(turn * settings.positions >> 9, last)
        deadband = settings.deadbands[position]
        throttle = scaled["Throttle"]
        sticks = {
            "Throttle": _without_middle(throttle, deadband) if settings.is_ground else throttle,
            **{name: _without_middle(scaled[name], deadband) for name in STICKS},
            "FlightModeSwitchPosition": position,
            "Connected": 1,
        }
        if settings.channels["Collective"].index is not None:
            sticks["Collective"] = _without_middle(scaled["Collective"], settings.deadband)
        if settings.thrust != "None":
            sticks["Thrust"] = sticks[settings.thrust]
        return sticks

    def _slowed(self, name: str, value: Any, elapsed_ms: float) -> Any:
        """A stick's value after its ResponseTime."""
        time_ms = self._settings.responses_ms.get(name)
        if time_ms is None:
            return value
        slow = time_ms * self._slow.get(name, 0.0) + elapsed_ms * value
        slow /= time_ms + elapsed_ms
        if abs(slow) < _CENTRED_SHARE * self._settings.deadband:
            slow = 0.0
        self._slow[name] = slow
        return slow

    def _write_failsafe(self) -> None:
        """In every mode, armed or not."""
        settings = self._settings
        self._command.write(**settings.failsafe, Connected=0)
        if settings.failsafe_position is not None:
            self._command.write(FlightModeSwitchPosition=settings.failsafe_position)
        for instance, value in settings.failsafe_accessories:
            self._accessory.rows[instance]["AccessoryVal"] = value


def _without_middle(value: float, deadband: float) -> float:
    """Take the deadband out of the middle and stretch the rest over the full range."""
    size = abs(value) - deadband
    if size <= 0.0:
        return 0.0
    stretched = size / (1.0 - deadband)
    return stretched if value > 0.0 else -stretched

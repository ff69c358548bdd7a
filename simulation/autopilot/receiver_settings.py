"""ManualControlSettings as the receiver works by them: channels, needs, dead bands, failsafe."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.frame_class import FrameClass, treated_class

ACCESSORIES: Final = ("Accessory0", "Accessory1", "Accessory2", "Accessory3")
STICKS: Final = ("Roll", "Pitch", "Yaw")
RSSI: Final = "Rssi"
WATCHED: Final = (
    "ManualControlSettings",
    "StabilizationSettings",
    "SystemSettings",
    "VtolPathFollowerSettings",
)
_GROUP: Final = "GCS"
"""The one receiver that this board has a driver for."""
_TIMED_OUT, _NO_CHANNEL, _NO_DRIVER = -1, -2, -3
"""What is read in the place of a pulse (pios_rcvr.h)."""
_BEYOND_RANGE_US: Final = 250
"""A pulse this far outside its range is no stick's: the input is not valid."""
_MODE_POSITIONS: Final = 6
_LEAST_ASSISTED_PERCENT: Final = 2


@dataclass(frozen=True, slots=True)
class Channel:
    """One control's place among the receiver's channels, from 0, and its range in microseconds.

    `index` is None where there is nothing to read but the code `missing`: no channel, or one of a
    receiver without a driver. `is_assigned`: whether the settings name a receiver at all.
    """

    index: int | None
    low_us: int
    neutral_us: int
    high_us: int
    is_assigned: bool = True
    missing: int = _NO_CHANNEL

    def pulse(self, pulses: Sequence[int] | None) -> int:
        """The control's own among the pulses of all channels; None is silence."""
        if self.index is None:
            return self.missing
        return _TIMED_OUT if pulses is None else pulses[self.index]

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


@dataclass(frozen=True, slots=True)
class ReceiverSettings:
    """What the settings come to. Dead bands are shares of a stick's way, `deadbands` of each
    position of the mode switch; `responses_ms` are the times of slowed controls only.

    `failsafe` are fields of ManualControlCommand, `failsafe_accessories` values by instance;
    `failsafe_position` is None where the switch stays as it was.
    """

    channels: dict[str, Channel]
    is_ground: bool
    positions: int
    thrust: str
    deadband: float
    deadbands: tuple[float, ...]
    responses_ms: dict[str, int]
    failsafe: dict[str, float]
    failsafe_accessories: tuple[tuple[int, float], ...]
    failsafe_position: int | None

    def raw(self, pulses: Sequence[int] | None) -> list[int]:
        """ManualControlCommand.Channel for the pulses of all channels; None is silence."""
        return [channel.pulse(pulses) & 0xFFFF for channel in self.channels.values()]

    @property
    def is_complete(self) -> bool:
        """Whether every control that flying needs has a channel, as receiver.c asks for them."""
        needed = ["Throttle", "Yaw"]
        if self.thrust == "Collective":
            needed.append("Collective")
        if not self.is_ground:
            needed += ["Roll", "Pitch"]
            if self.positions > 1:
                needed.append("FlightMode")
        has_all = all(self.channels[name].index is not None for name in needed)
        return has_all and 1 <= self.positions <= _MODE_POSITIONS

    @property
    def judged(self) -> tuple[str, ...]:
        """The controls whose pulses tell whether the input is valid."""
        always = ("Throttle", "Yaw") if self.is_ground else ("Throttle", *STICKS)
        extra = ("Collective", *ACCESSORIES, RSSI)
        return *always, *(name for name in extra if self.channels[name].is_assigned)


def read_receiver_settings(board: SimulatedBoard) -> ReceiverSettings:
    """What stands on board now."""
    settings = board["ManualControlSettings"]
    row = settings.row
    channels = _channels(settings, len(board["GCSReceiver"].row["Channel"]))
    is_ground = treated_class(board) is FrameClass.GROUND
    positions = int(row["FlightModeNumber"])
    values = _by_name(settings, "FailsafeChannel")
    thrust = board["SystemSettings"].option("ThrustControl")
    failsafe = {name: values[name] for name in ("Throttle", *STICKS, "Collective")}
    if is_ground:
        failsafe["Throttle"] = 0.0
    if thrust != "None":
        failsafe["Thrust"] = failsafe[thrust]
    wanted = int(row["FailsafeFlightModeSwitchPosition"])
    times_ms = _by_name(settings, "ResponseTime")
    return ReceiverSettings(
        channels=channels,
        is_ground=is_ground,
        positions=positions,
        thrust=thrust,
        deadband=int(row["Deadband"]) / 100.0,
        deadbands=_deadbands(board),
        responses_ms={name: int(time) for name, time in times_ms.items() if time > 0},
        failsafe=failsafe,
        failsafe_accessories=tuple(
            (i, values[name]) for i, name in enumerate(ACCESSORIES) if channels[name].is_assigned
        ),
        failsafe_position=wanted if 0 <= wanted < positions else None,
    )


def _channels(settings: BoardObject, width: int) -> dict[str, Channel]:
    row, channels = settings.row, {}
    names = settings.definition.field_named("ChannelGroups").element_names
    for i, name in enumerate(names):
        number = int(row["ChannelNumber"][i])
        group = settings.option("ChannelGroups", i)
        is_there = group == _GROUP and 1 <= number <= width
        low, high = int(row["ChannelMin"][i]), int(row["ChannelMax"][i])
        neutral = low if name == RSSI else int(row["ChannelNeutral"][i])
        index = number - 1 if is_there else None
        missing = _NO_CHANNEL if group in (_GROUP, "None") else _NO_DRIVER
        channels[name] = Channel(index, low, neutral, high, group != "None", missing)
    return channels


def _deadbands(board: SimulatedBoard) -> tuple[float, ...]:
    row = board["ManualControlSettings"].row
    plain = int(row["Deadband"])
    assisted = max(int(row["DeadbandAssistedControl"]), _LEAST_ASSISTED_PERCENT, plain)
    assists = board["StabilizationSettings"].row["FlightModeAssistMap"].tolist()
    return tuple((assisted if is_assisted else plain) / 100.0 for is_assisted in assists)


def _by_name(settings: BoardObject, field: str) -> dict[str, float]:
    names = settings.definition.field_named(field).element_names
    return dict(zip(names, settings.row[field].tolist(), strict=True))

"""Update rates: objects sent more often while somebody looks, and again when the link is back.

rates = UpdateRates(vehicle.commands)
rates.want({"GyroState": 40, "RateDesired": 40}, now)     # every now and then, while looking
rates.restore()
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.vehicle.commands import Commands
from telemetry.vehicle.metadata_change import MetadataChange, sent_every

_AGAIN_S = 3.0


@dataclass(slots=True)
class _Asked:
    change: MetadataChange
    at_s: float
    times: int


class UpdateRates:
    """The temporary update rates that one panel, or one procedure, needs."""

    def __init__(self, commands: Commands) -> None:
        self._commands = commands
        self._asked: dict[str, _Asked] = {}

    @property
    def changes(self) -> tuple[MetadataChange, ...]:
        """What is on board, asked for, or was refused."""
        return tuple(asked.change for asked in self._asked.values())

    def want(self, periods_ms: Mapping[str, int], now: float) -> None:
        """Have these sent every so many milliseconds, and no others. What was refused is asked
        for again after some seconds; what was lost with the link, when it is back."""
        for name in self._asked.keys() - periods_ms.keys():
            self._asked.pop(name).change.restore()
        is_refused = self._commands.refusal() is not None
        for entry in self._asked.values():
            if entry.change.is_active or is_refused:
                entry.at_s, entry.times = -math.inf, 0
        if is_refused:
            return
        for name, period_ms in periods_ms.items():
            asked = self._asked.get(name)
            if asked is None or (asked.change.state == "ended" and now - asked.at_s >= _AGAIN_S):
                change = self._commands.change_metadata(name, sent_every(period_ms))
                self._asked[name] = _Asked(change, now, asked.times + 1 if asked else 1)

    def failed(self, times: int) -> dict[str, str]:
        """Why objects are not sent so, by name, that were asked for so many times in vain."""
        return {
            name: asked.change.text
            for name, asked in self._asked.items()
            if asked.change.state == "ended" and asked.times >= times
        }

    def restore(self) -> None:
        """Nobody looks any more."""
        for asked in self._asked.values():
            asked.change.restore()
        self._asked.clear()

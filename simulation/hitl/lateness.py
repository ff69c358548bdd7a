"""HITL lateness: how late the ticks of a flight by the wall clock came, and whether too late.

A board does not wait: while our tick is late it flies by its last sample, and our aircraft by its
last command. What becomes of it then is the computer's doing and says nothing of the board.
"""

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, Final

_USUAL_LIMIT_S: Final = 0.010
"""TIMEOUT_MS of stateestimation.c: without a sample for longer the estimation warns."""
_WORST_LIMIT_S: Final = 0.030
"""FAILSAFE_TIMEOUT_MS of stabilization.h: after that the inner loop takes its gyro as stopped."""
_COMMAND_LIMIT_S: Final = 0.100
"""FAILSAFE_TIMEOUT_MS of actuator.c: so long outputs wait for a command before they stop."""
_COMMANDS_LOST: Final = 3
"""A board that sends less often may miss so many in a row, as one that sends often."""
_USUAL_SHARE: Final = 0.99
_BIN_S: Final = 1e-4
_WHY: Final = (
    "The firmware takes its sensors as silent after 10 ms (stateestimation.c) and its gyro as "
    "stopped after 30 ms (stabilization.h), and its outputs wait 100 ms for a command (actuator.c)."
)
_REMEDY: Final = "Close other programs, lower --rate, or use a computer with less to do."


@dataclass(slots=True)
class Lateness:
    """Of every tick, from when it was due until it came; `given_up_s` is what physics has skipped,
    `apart_s` the longest time between two commands of the board."""

    period_s: float = 0.0
    worst_s: float = 0.0
    given_up_s: float = 0.0
    apart_s: float = 0.0
    ticks: int = 0
    _bins: Counter[int] = field(default_factory=Counter)
    _commanded_at: float | None = None

    def tick(self, late_s: float) -> None:
        """One came so much later than it was due."""
        self.ticks += 1
        self.worst_s = max(self.worst_s, late_s)
        self._bins[int(late_s / _BIN_S)] += 1

    def command(self, now: float) -> None:
        """A command of the board has come."""
        if self._commanded_at is not None:
            self.apart_s = max(self.apart_s, now - self._commanded_at)
        self._commanded_at = now

    @property
    def usual_s(self) -> float:
        """99 % of the ticks came no later."""
        left = _USUAL_SHARE * self.ticks
        for tenths, count in sorted(self._bins.items()):
            left -= count
            if left <= 0.0:
                return min((tenths + 1) * _BIN_S, self.worst_s)
        return 0.0

    @property
    def reasons(self) -> tuple[str, ...]:
        """What was later than a flight stands, each as a few words; nothing if it was in time."""
        least_apart_s = max(_COMMAND_LIMIT_S, _COMMANDS_LOST * self.period_s)
        found = (
            (self.given_up_s > 0.0, f"{self.given_up_s:.2f} s were given up"),
            (self.worst_s > _WORST_LIMIT_S, f"a tick came {_ms(self.worst_s)} late"),
            (
                self.usual_s > _USUAL_LIMIT_S,
                f"one tick in a hundred came more than {_ms(self.usual_s)} late",
            ),
            (self.apart_s > least_apart_s, f"commands came {_ms(self.apart_s)} apart"),
        )
        return tuple(words for is_so, words in found if is_so)

    @property
    def sentence(self) -> str:
        """Why the flight is not judged; "" if it was in time."""
        reasons = self.reasons
        if not reasons:
            return ""
        return f"This computer or the link was late: {', '.join(reasons)}. {_WHY} {_REMEDY}"

    def as_dict(self) -> dict[str, Any]:
        """Ready for JSON."""
        return {
            "ticks": self.ticks,
            "worst_ms": round(1e3 * self.worst_s, 1),
            "99_percent_ms": round(1e3 * self.usual_s, 1),
            "given_up_s": round(self.given_up_s, 3),
            "commands_apart_ms": round(1e3 * self.apart_s, 1),
            "too_late": list(self.reasons),
        }

    def __str__(self) -> str:
        return (
            f"worst {_ms(self.worst_s)}, 99 % within {_ms(self.usual_s)}, "
            f"{self.given_up_s:.2f} s given up, commands at most {_ms(self.apart_s)} apart"
        )


def _ms(seconds: float) -> str:
    return f"{1e3 * seconds:.1f} ms"

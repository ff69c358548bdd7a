"""Flight finding: one thing found in a flight, when, how much it matters and what to do."""

from dataclasses import dataclass

from telemetry.base.finding import Finding, Level

TITLES = {
    "arming": "Armed",
    "take-off": "Take-off",
    "landing": "Landing",
    "mode": "Flight mode",
    "alarm": "Alarm",
    "gap": "Link gap",
    "restart": "Restart",
    "gps": "GPS glitch",
    "saturation": "Saturation",
    "vibration": "Vibration",
    "battery": "Battery",
    "attitude": "Attitude error",
    "estimator": "Estimator jump",
}
"""What the kinds of findings are called, by their codes."""


@dataclass(frozen=True, slots=True)
class FlightFinding:
    """A finding and the stretch of the flight that it is about, in seconds of the recording.

    `t` and `end_s` are the same for an instant. The finding's `code` is one of TITLES.
    """

    t: float
    end_s: float
    finding: Finding

    @property
    def title(self) -> str:
        """What its kind is called."""
        return TITLES[self.finding.code]


def found(
    code: str,
    span: tuple[float, float],
    text: str,
    level: Level = Level.INFO,
    remedy: str = "",
    outputs: tuple[int, ...] = (),
) -> FlightFinding:
    """A finding of the kind `code` over this stretch."""
    finding = Finding(level, code, text, remedy, outputs, TITLES[code])
    return FlightFinding(span[0], span[1], finding)


def seconds(duration_s: float) -> str:
    """A duration as a sentence has it: 0.4 s, 12 s, 3 min 20 s."""
    if duration_s < 9.95:
        return f"{duration_s:.1f} s"
    minutes, rest = divmod(round(duration_s), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

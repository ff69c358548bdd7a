"""Flight finding: one thing found in a flight, when, how much it matters and what to do."""

from dataclasses import dataclass

from telemetry.base.finding import Finding, Level


@dataclass(frozen=True, slots=True)
class FindingKind:
    """A kind of findings by its code, and what it is called. `event` is the kind of the
    recording's own events that tell the same, if there is one."""

    code: str
    title: str
    event: str = ""


@dataclass(frozen=True, slots=True)
class FlightFinding:
    """A finding and the stretch of the flight that it is about, in seconds of the recording.

    `t` and `end_s` are the same for an instant. The finding's `code` is that of its kind.
    """

    t: float
    end_s: float
    finding: Finding

    @property
    def title(self) -> str:
        """What its kind is called."""
        return self.finding.title


def found(
    kind: FindingKind,
    span: tuple[float, float],
    text: str,
    level: Level = Level.INFO,
    remedy: str = "",
    outputs: tuple[int, ...] = (),
) -> FlightFinding:
    """A finding of this kind over this stretch."""
    finding = Finding(level, kind.code, text, remedy, outputs, kind.title)
    return FlightFinding(span[0], span[1], finding)


def seconds(duration_s: float) -> str:
    """A duration as a sentence has it: 0.4 s, 12 s, 3 min 20 s."""
    if duration_s < 9.95:
        return f"{duration_s:.1f} s"
    minutes, rest = divmod(round(duration_s), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"

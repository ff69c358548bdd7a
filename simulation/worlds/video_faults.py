"""Video faults of a film: its clock, its files, its camera."""

from collections.abc import Mapping
from dataclasses import dataclass

from telemetry.review.flights.sync import LEAST_RATE, MOST_RATE


@dataclass(frozen=True, slots=True)
class FaultKind:
    """One fault by number: its limits, and what the number says."""

    low: float
    high: float
    text: str


FAULTS: Mapping[str, FaultKind] = {
    "offset": FaultKind(-86_400.0, 3_600.0, "video time of the log's second 0"),
    "rate": FaultKind(LEAST_RATE, MOST_RATE, "seconds of video for one of the log"),
    "broken": FaultKind(0.0, 1.0, "share of frames with damaged bytes"),
    "truncate": FaultKind(0.01, 1.0, "share of the last file that is left"),
    "loop": FaultKind(0.0, 86_400.0, "seconds of each file of a loop recording; 0: one file"),
    "rolling_shutter": FaultKind(0.0, 0.033, "seconds from the first row to the last"),
    "exposure": FaultKind(0.0, 1.0, "how far brightness is evened out"),
    "blur": FaultKind(0.0, 8.0, "pixels; a lens out of focus"),
    "vibration": FaultKind(0.0, 5.0, "degrees that a rotor at full speed shakes the camera"),
    "sound": FaultKind(0.0, 1.0, "0: none"),
    "static": FaultKind(0.0, 1.0, "1: the camera lies on the ground and sees nothing move"),
}


@dataclass(frozen=True, slots=True)
class VideoFaults:
    """By name as in FAULTS; by default those of the camera of Price's thesis that cannot be
    helped. `offset` and `rate`: video time = offset + rate x log time, so that a film with an
    offset above 0 begins so many seconds before the log, and one below 0 after it."""

    offset: float = 0.0
    rate: float = 1.0
    broken: float = 0.0
    truncate: float = 1.0
    loop: float = 0.0
    rolling_shutter: float = 0.0
    exposure: float = 0.0
    blur: float = 0.6
    vibration: float = 0.0
    sound: float = 1.0
    static: float = 0.0

    def __post_init__(self) -> None:
        for name, kind in FAULTS.items():
            check_number(name, getattr(self, name), kind.low, kind.high)


def check_number(name: str, value: float, low: float, high: float) -> None:
    """Raise ValueError for what is not within limits, or no number."""
    if not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value:g}")


def parse_numbers(text: str, names: Mapping[str, object]) -> dict[str, float]:
    """`name=number,name=number`, each name once and one of `names`. Raises ValueError."""
    values: dict[str, float] = {}
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, number = part.partition("=")
        name = name.strip()
        if name not in names:
            raise ValueError(f"there is no '{name}'; there are: {', '.join(names)}")
        if name in values:
            raise ValueError(f"{name} is given twice")
        try:
            values[name] = float(number)
        except ValueError:
            raise ValueError(f"'{number}' is no number; write {name}=NUMBER") from None
    return values

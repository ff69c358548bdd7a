"""Set-up answers: what a user has told the assistant; plain JSON data, read with tolerance."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final

from telemetry.base.board_store import BoardStore
from telemetry.base.safe_files import Json

KEEP: Final = "keep"
"""Speed controllers, modes and gains: leave on board what is there."""
NO_GPS: Final = "none"


@dataclass(frozen=True, slots=True)
class Answers:
    """One aircraft as its owner describes it. An empty text is a question not answered yet.

    `outputs` gives the output of each of the frame's channels by name, 0 for one that the aircraft
    lacks. `receiver` is the id of a ReceiverChoice, `esc` of an Esc, `servo` of a Servo, `gains`
    and, for simulated aircraft, `estimator` of a GainTemplate. `gps` is a protocol of
    GPSSettings.DataProtocol or NO_GPS, and `gps_port` a field of HwSettings. `modes` are ids of
    Mode by switch position. `esc`, `gains` and the only one of `modes` can be KEEP; arming and
    failsafe stay with the modes. `failsafe` is the mode that is flown when the transmitter falls
    silent, empty for motors off. `cells` of 0 is no battery monitor.
    """

    step: str = ""
    name: str = ""
    frame: str = ""
    propellers_reversed: bool = False
    outputs: Mapping[str, int] = field(default_factory=dict)
    esc: str = ""
    servo: str = "analog"
    receiver: str = ""
    channel_order: str = "TAER"
    gps: str = ""
    gps_port: str = ""
    cells: int = 0
    capacity_mah: int = 0
    modes: tuple[str, ...] = ()
    arming: str = ""
    failsafe: str = ""
    gains: str = ""
    estimator: str = ""

    def with_frame(self, frame: str) -> "Answers":
        """Another frame: what was chosen for the one before does not fit it any more."""
        if frame == self.frame:
            return self
        return replace(self, frame=frame, outputs={}, modes=(), failsafe="", gains="", estimator="")

    def to_json(self) -> dict[str, Any]:
        """Plain values for a file."""
        return {**asdict(self), "modes": list(self.modes)}


def answer_store(folder: Path) -> BoardStore[Answers]:
    """The answers about all boards."""
    return BoardStore(folder, Answers.to_json, answers_from_json)


def answers_from_json(content: Json) -> Answers:
    """Read what `to_json` wrote. What is missing or of another kind counts as not answered."""
    usual = Answers()
    kept: dict[str, Any] = {}
    for entry in fields(Answers):
        value, like = content.get(entry.name), getattr(usual, entry.name)
        if entry.name == "modes" and isinstance(value, list):
            kept["modes"] = tuple(str(mode) for mode in value)
        elif entry.name == "outputs" and isinstance(value, dict):
            kept["outputs"] = {str(n): o for n, o in value.items() if type(o) is int}
        elif type(value) is type(like):
            kept[entry.name] = value
    return Answers(**kept)

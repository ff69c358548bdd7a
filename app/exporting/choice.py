"""Export choice: what a user wants exported, and in which shape."""

from dataclasses import dataclass
from typing import Final, Literal

from app.exporting.video_template import USUAL
from app.workspaces.workspace import PanelPlace
from telemetry.recording.export.formats import FORMATS

Kind = Literal["log", "report", "dataset", "video"]


@dataclass(frozen=True, slots=True)
class ExportShape:
    """A line of the list: `name` is the format's word, `kind` says what is needed for it."""

    kind: Kind
    name: str
    title: str
    has_rate: bool = True


_OF_MORE: Final = (
    ExportShape("report", "report", "Report with pictures, one web page", has_rate=False),
    ExportShape("dataset", "euroc", "Frames and poses for SLAM, EuRoC layout"),
    ExportShape("dataset", "tum", "Frames and poses for SLAM, TUM layout"),
    ExportShape("video", "mp4", "Video with instruments", has_rate=False),
)
"""What is made of more than a recording."""


def export_shapes() -> tuple[ExportShape, ...]:
    """Everything that can be chosen."""
    of_log = (ExportShape("log", one.name, one.title, one.has_rate) for one in FORMATS.values())
    return (*of_log, *_OF_MORE)


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """Everything that was chosen, but for the place. A span of None is the whole flight; `video`
    is a name, "" without one; a size of None is the usual one. `views` are the panels that stand
    beside the picture, None where the template has no room for any; `workspace` are all that there
    are, after whose settings those over it are drawn."""

    shape: ExportShape
    span: tuple[float, float] | None = None
    rate_hz: float | None = None
    video: str = ""
    size: tuple[int, int] | None = None
    views: tuple[PanelPlace, ...] | None = None
    template: str = USUAL
    workspace: tuple[PanelPlace, ...] = ()

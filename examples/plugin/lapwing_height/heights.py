"""An export: a line of text per height that the barometer measured."""

from pathlib import Path

from plugins.api import object_names
from plugins.types import ExportError, ExportRequest, Recording, file_name_text


def export_heights(recording: Recording, folder: Path, request: ExportRequest) -> list[Path]:
    """Called in a job. Raises ExportError, one sentence for the user."""
    name = next((name for name in object_names("BaroSensor") if recording.track(name)), None)
    if name is None:
        raise ExportError("No barometer was recorded: there are no heights to write.")
    start_s, end_s = request.span(recording)
    times, heights = recording.series(f"{name}.Altitude")
    lines = [
        f"{t:.3f} {height:.2f}\n"
        for t, height in zip(times, heights, strict=True)
        if start_s <= t <= end_s
    ]
    path = folder / f"{file_name_text(Path(recording.source).stem) or 'flight'}_heights.txt"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(lines), encoding="utf-8")
    return [path]

"""Field drops: fields that are dragged onto a view."""

from PySide6.QtGui import QDropEvent

from telemetry.recording.recording import Recording
from widgets.plot.fields import FIELD_MIME, expand_paths


def dropped_paths(event: QDropEvent, recording: Recording | None) -> list[str]:
    """The fields of the recording that are dropped, by the browser or as text."""
    if recording is None:
        return []
    mime = event.mimeData()
    if mime.hasFormat(FIELD_MIME):
        text = bytes(mime.data(FIELD_MIME).data()).decode("utf-8", "replace")
    else:
        text = mime.text()
    return expand_paths(recording, text)

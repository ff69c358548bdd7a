"""The parts of the plugin, imported when they are first used."""

from pathlib import Path

from PySide6.QtWidgets import QLabel
from telemetry.links.link import Link, LinkError
from telemetry.logs.reader import LogReading, read_log
from telemetry.objects.catalogue import Catalogue

from plugins.api import Device, Json, PanelContext


class HeightPanel(QLabel):
    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self.unit = "m"

    def refresh(self, t: float) -> None:
        recording = self._context.recording
        sample = recording.latest("BaroSensor", t) if recording is not None else None
        self.setText(f"{sample['Altitude']:.0f} {self.unit}" if sample is not None else "-")

    def save_state(self) -> Json:
        return {"unit": self.unit}

    def restore_state(self, state: Json) -> None:
        self.unit = str(state.get("unit", "m"))


class CardPage(QLabel):
    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context

    def refresh(self, t: float) -> None:
        settings = self._context.configuration
        if settings is not None:
            self.setText(str(settings.value("SystemSettings", "AirframeType")))


def open_radio(address: str) -> Link:
    raise LinkError(f"{address} does not answer.")


def radios() -> tuple[Device, ...]:
    return (Device("field:1", "Field radio 1"),)


def read(path: Path, catalogue: Catalogue) -> LogReading:
    return read_log(path, catalogue)


def greet(context: PanelContext) -> None:
    context.show_message("Hello, field.")

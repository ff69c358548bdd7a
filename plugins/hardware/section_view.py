"""Hardware section: a group's form, and above it what is measured."""

from PySide6.QtWidgets import QLabel

from plugins.api import PageContext
from plugins.hardware.sections import HardwareSection
from telemetry.recording.sample import Sample
from telemetry.vehicle.vehicle import Vehicle
from widgets.forms.formats import THIN_SPACE, format_value, shown_units
from widgets.labels import show_text
from widgets.parts import make_label
from widgets.settings.collapsible_settings import (
    CollapsibleContents,
    CollapsibleSettings,
    form_contents,
)


def make_section(context: PageContext, section: HardwareSection) -> CollapsibleSettings:
    """The group, folded."""
    settings = context.configuration

    def make() -> CollapsibleContents:
        about = make_label(section.about, tone="muted", wraps=True)
        live = LiveValues(context.vehicle, section.live)
        return form_contents(settings, section.name, section.fields, about, live)

    return CollapsibleSettings(settings, section.name, section.title, section.fields, make)


class LiveValues(QLabel):
    """What the aircraft measures now, by paths "Object.Field"; hidden while there is nothing."""

    def __init__(self, vehicle: Vehicle, paths: tuple[str, ...]) -> None:
        super().__init__()
        self.setWordWrap(True)
        self._vehicle = vehicle
        self._paths = paths

    def refresh(self) -> None:
        """Look again."""
        texts = [text for path in self._paths if (text := self._text(*path.split(".", 1)))]
        text = "Now: " + ",  ".join(texts) if texts else ""
        show_text(self, text)

    def _text(self, name: str, field: str) -> str:
        sample = self._vehicle.recording.latest(name, self._vehicle.timeline.t)
        return _measured(sample, field) if sample is not None else ""


def _measured(sample: Sample, field: str) -> str:
    """A field of one element with its units; empty where this release has none."""
    name = field.partition(".")[0]
    if not sample.definition.has_field(name):
        return ""
    try:
        value = sample[field]
    except KeyError:
        return ""
    if isinstance(value, tuple):
        return ""
    f = sample.definition.field_named(name)
    units = shown_units(f)
    suffix = f"{THIN_SPACE}{units}" if units else ""
    return f"{field} {format_value(f, value, is_measured=True)}{suffix}"

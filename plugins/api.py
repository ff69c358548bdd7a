"""Plugin API: what a plugin declares, what a panel receives.

This module imports no Qt, so that a plugin can be found and listed before anything heavy loads.
Code is named by string ("package.module:name") and imported on first use.
"""

import importlib
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, Self

from telemetry.base.finding import Level
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.recording.flight_state import RENAMED
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import Timeline
from telemetry.review.analysis.findings.flight_finding import FindingKind
from telemetry.review.flights.flight import Flight, flight_of
from telemetry.vehicle.vehicle import Fleet, Vehicle
from telemetry.warnings.rule import (
    Premise,
    RuleComparison,
    WarningOutput,
    WarningRule,
    rule_from_json,
)

if TYPE_CHECKING:
    from PySide6.QtCore import QRect
    from PySide6.QtWidgets import QWidget

    from widgets.theme import Theme

__all__ = [
    "GROWN_MAP",
    "NO_VEHICLE",
    "PLACE_ACTIONS",
    "Action",
    "Device",
    "Finder",
    "FindingKind",
    "Json",
    "Level",
    "LinkKind",
    "LogExport",
    "LogFormat",
    "MissionFile",
    "Page",
    "PageContext",
    "PageWidget",
    "Panel",
    "PanelContext",
    "PanelWidget",
    "PlaceAction",
    "PlaceOffer",
    "PlaceOffers",
    "Plugin",
    "Premise",
    "RuleComparison",
    "Undo",
    "VehicleContext",
    "WarningOutput",
    "WarningRule",
    "WarningValue",
    "object_names",
    "resolve",
]
"""What a manifest is written with; what its functions take and return stands in `plugins.types`."""

Undo = Callable[[], None]
Json = dict[str, Any]
NO_VEHICLE = "No aircraft and no log.\nConnect to an aircraft, start the simulator or open a log."
"""What stands in the place of a panel that needs a vehicle while there is none."""


@dataclass(frozen=True, slots=True)
class Panel:
    """A view that can be opened, several times over, in any workspace.

    `widget` names a QWidget class called with one VehicleContext (see PanelWidget). `rate_hz` is
    how often `refresh` is wanted at most while the panel is visible, `least_hz` how often on a
    computer that does not keep up. The widget is built when
    there is a vehicle and closed when there is none. A panel that is of use without one says
    `needs_vehicle=False`: it stands always, and is called with a PanelContext.
    `least_size` is the width and height, in pixels at a scale of 1, below which it is folded rather
    than shown. One that `can_be_stage` may fill a workspace, with the others as cards on it. One
    that `wants_half` is opened in half of the workspace, whatever stands there.
    """

    id: str
    title: str
    widget: str
    rate_hz: int = 20
    least_hz: int = 5
    help: str = ""
    needs_vehicle: bool = True
    least_size: tuple[int, int] = (160, 80)
    can_be_stage: bool = False
    wants_half: bool = False

    @property
    def context(self) -> "type[PanelContext]":
        """What its widget is called with."""
        return VehicleContext if self.needs_vehicle else PanelContext


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the Configure view: one part of setting up an aircraft.

    `widget` names a QWidget class called with one PageContext (see PageWidget). `objects` are the
    settings it edits, for the state beside its name in the list: a whole object by its name, or
    one field ("StabilizationSettings.FlightModeMap"). `words` are
    what people search it by. Pages stand in the order of `order`, then by title. One that is of use
    without a vehicle says `needs_vehicle=False`: it is called with a PanelContext, and stays the
    same whichever vehicle is the active one.
    """

    id: str
    title: str
    widget: str
    order: int
    objects: tuple[str, ...] = ()
    words: str = ""
    help: str = ""
    needs_vehicle: bool = True

    def edits(self, name: str, path: str) -> bool:
        """Whether a setting is one of those it edits."""
        return name in self.objects or self.edits_field(name, path)

    def edits_field(self, name: str, path: str) -> bool:
        """Whether it claims the very field, rather than the whole object."""
        return f"{name}.{path.partition('.')[0]}" in self.objects


@dataclass(frozen=True, slots=True)
class Device:
    """A place a link can be opened at: its address and what a person calls it."""

    address: str
    title: str


@dataclass(frozen=True, slots=True)
class LinkKind:
    """A way to reach an aircraft.

    `open` names a function `(address: str) -> Link`, run in the connection's worker; it raises
    LinkError. `devices` names a function `() -> Sequence[Device]` listing what is plugged in now.
    """

    scheme: str
    title: str
    open: str
    devices: str = ""
    example: str = ""


@dataclass(frozen=True, slots=True)
class LogFormat:
    """A file that can be opened: `read` names a function
    `(path: Path, catalogue: Catalogue) -> LogReading`.
    """

    suffix: str
    title: str
    read: str


@dataclass(frozen=True, slots=True)
class Action:
    """Something the user can do by name: in a menu, by key and in the command palette.

    `run` names a function called with one PanelContext in the GUI thread.
    """

    id: str
    title: str
    run: str
    shortcut: str = ""
    menu: str = "Tools"


@dataclass(frozen=True, slots=True)
class LogExport:
    """A format that recordings can be exported in: `name` is its word on the command line, `title`
    what the list of the window calls it.

    `write` names a function `(recording: Recording, folder: Path, request: ExportRequest) ->
    list[Path]`, run in a job; it raises ExportError. Without `has_rate` no rate is asked for.
    """

    name: str
    title: str
    write: str
    has_rate: bool = True


@dataclass(frozen=True, slots=True)
class Finder:
    """Something to look for in every flight, of one kind or several.

    `find` names a function `(flight: ReviewedFlight) -> Iterable[FlightFinding]`, run in a job;
    `found` makes a finding of a kind.
    """

    kinds: tuple[FindingKind, ...]
    find: str


@dataclass(frozen=True, slots=True)
class WarningValue:
    """A value that rules can watch besides fields and expressions of them. `name` is what rules
    call it, `words` what people read.

    `read` names a function `(watched: WatchedFlight) -> float | str | tuple[str, ...] | None`,
    called in the GUI thread several times a second; None is for what is not known. `needs` are the
    fields that it is made of ("BaroSensor.Altitude").
    """

    name: str
    words: str
    read: str
    unit: str = ""
    needs: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MissionFile:
    """Files with missions, by the end of their names (".plan.csv", in small letters).

    `read` names a function `(path: Path, data: bytes, home: MissionHome | None) -> Mission`, which
    raises MissionFileError; `write` one `(mission: Mission) -> bytes`, which raises ValueError with
    a reason. Both run in jobs; one of them may be left out. Where other files end so as well,
    `sign` stands in the first bytes of those with missions.
    """

    suffix: str
    title: str
    read: str = ""
    write: str = ""
    sign: bytes = b""


PLACE_ACTIONS = "map.place_actions"
"""Where in PanelContext.shared a panel leaves its PlaceOffer to the maps of its workspace. What is
to be offered where no panel of it stands is the plugin's `place_offer`."""

GROWN_MAP = "grown_map.shown"
"""Where in PanelContext.shared a panel leaves the map that it builds for other views of the
workspace, a `telemetry.review.mapping.picture.ShownMap`."""


@dataclass(frozen=True, slots=True)
class PlaceAction:
    """Something that can be done at a place of the map. Whoever offers it asks for confirmation."""

    title: str
    run: Callable[[], None]


PlaceOffer = Callable[[float, float], Sequence[PlaceAction]]
"""What can be done at a latitude and a longitude, degrees."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """All that one plugin contributes.

    `place_offer` names a function called with the PanelContext and the widget of a map, when a
    place on it is asked about for the first time; it returns a PlaceOffer. `warnings` are rules
    like those shipped. What functions take and return stands in `plugins.types`.
    """

    id: str
    title: str
    description: str
    panels: tuple[Panel, ...] = ()
    pages: tuple[Page, ...] = ()
    links: tuple[LinkKind, ...] = ()
    log_formats: tuple[LogFormat, ...] = ()
    actions: tuple[Action, ...] = ()
    place_offer: str = ""
    exports: tuple[LogExport, ...] = ()
    findings: tuple[Finder, ...] = ()
    warnings: tuple[WarningRule, ...] = ()
    warning_values: tuple[WarningValue, ...] = ()
    mission_formats: tuple[MissionFile, ...] = ()

    def __post_init__(self) -> None:
        for name, kind in _CONTRIBUTED.items():
            for entry in getattr(self, name):
                if not isinstance(entry, kind):
                    raise TypeError(f"its {name} have {entry!r}, which is no {kind.__name__}")
        for rule in self.warnings:
            rule_from_json(rule.to_json())
        if not all(finder.kinds for finder in self.findings):
            raise ValueError("one of its findings has no kinds")


_CONTRIBUTED: Final = {
    "exports": LogExport,
    "findings": Finder,
    "warnings": WarningRule,
    "warning_values": WarningValue,
    "mission_formats": MissionFile,
}
"""What a plugin brings into tables of the station, by the name of its field."""


SHOW_CONFIGURE: Final = "show-configure"
"""The station's command that leads to the Configure view."""


@dataclass(slots=True)
class AskedPage:
    """The page of the Configure view, by full id, that somewhere else was asked for; "" once it
    shows."""

    page_id: str = ""


def asked_page_of(fleet: Fleet) -> AskedPage:
    """Where to ask for a page, before SHOW_CONFIGURE."""
    return fleet.attachment("configure.asked_page", AskedPage)


@dataclass
class PanelContext:
    """Everything a panel ever receives.

    `settings` belongs to this one panel and is saved with the workspace. `shared` is one
    dictionary for all panels of the workspace and is not saved: panels that move together keep
    there what they agree on, under a key that begins with their plugin's id. `jobs` runs
    functions off the GUI thread; look at the future in `refresh`. `detail` is the share of the
    detail, 1 or less, that a computer has time for which does not keep up. `show_message` writes
    one sentence to the status line, `wake` has all panels refreshed at once: call it when the user
    has moved the cursor here. `open_log` opens a log beside what is open, and `connect` a
    connection to an address; None if the address is wrong, which the user is told. `follow` tells
    in the toolbar of something that works elsewhere, with a button that calls it off: what it does
    and how far it is, "" when it has ended, and what ends it; it returns what ends the telling.
    `pages` are
    those of all plugins by full id; within the Configure view `show_page` goes to one of them.
    `place_offers` are what plugins have to offer for places of a map (see PlaceOffers).
    Register what must be undone on closing with `on_close`.
    """

    fleet: Fleet
    theme: "Theme"
    jobs: Executor
    settings: Json = field(default_factory=dict)
    shared: Json = field(default_factory=dict)
    pages: Mapping[str, Page] = field(default_factory=dict)
    place_offers: tuple[str, ...] = ()
    log: logging.Logger = field(default_factory=lambda: logging.getLogger("lapwing.panel"))
    show_message: Callable[[str], None] = lambda _text: None
    run_action: Callable[[str], None] = lambda _action_id: None
    open_log: Callable[[Path], None] = lambda _path: None
    connect: Callable[[str], Vehicle | None] = lambda _address: None
    follow: Callable[[Callable[[], str], Callable[[], None]], Undo] = lambda _words, _cancel: (
        lambda: None
    )
    detail: Callable[[], float] = lambda: 1.0
    wake: Callable[[], None] = lambda: None
    show_page: Callable[[str], None] = lambda _page_id: None
    _undos: list[Undo] = field(default_factory=list)

    @property
    def vehicle(self) -> Vehicle | None:
        """The vehicle this panel shows: the one its settings pin, else the active one."""
        pinned = self.settings.get("vehicle")
        if pinned:
            for vehicle in self.fleet.vehicles:
                if vehicle.name == pinned:
                    return vehicle
        return self.fleet.active

    @property
    def recording(self) -> Recording | None:
        """The recording of the vehicle shown."""
        vehicle = self.vehicle
        return vehicle.recording if vehicle else None

    @property
    def timeline(self) -> Timeline | None:
        """The cursor over that recording."""
        vehicle = self.vehicle
        return vehicle.timeline if vehicle else None

    @property
    def flight(self) -> Flight | None:
        """What belongs to the flight of the vehicle shown: videos, other logs, markers."""
        vehicle = self.vehicle
        return flight_of(vehicle) if vehicle else None

    @property
    def configuration(self) -> Configuration | None:
        """The settings of the vehicle shown, shared by everything that configures it."""
        vehicle = self.vehicle
        return configuration_of(vehicle) if vehicle else None

    def show_setting(self, name: str) -> None:
        """Go to a setting of the vehicle shown ("Object.Field", or an object's name)."""
        configuration = self.configuration
        if configuration is not None:
            configuration.asked_for = name
            self.run_action(SHOW_CONFIGURE)
            self.wake()

    def child(self, settings: Json) -> Self:
        """A context for a part of this panel that opens and closes by itself."""
        return replace(self, settings=settings, _undos=[])

    def for_pages_of(self, vehicle: Vehicle) -> "PageContext":
        """A context for pages that stay with one vehicle, whichever becomes the active one."""
        shared = {f.name: getattr(self, f.name) for f in fields(self)}
        return PageContext(**{**shared, "settings": {"vehicle": vehicle.name}, "_undos": []})

    def on_close(self, undo: Undo) -> None:
        """Have `undo` called when the panel closes, last registered first."""
        self._undos.append(undo)

    def close(self) -> None:
        """Run the undos. Closing twice is fine."""
        while self._undos:
            self._undos.pop()()


class VehicleContext(PanelContext):
    """What a panel that needs a vehicle receives: it stands only while there is one."""

    @property
    def vehicle(self) -> Vehicle:
        """The vehicle shown."""
        vehicle = super().vehicle
        if vehicle is None:
            raise LookupError(NO_VEHICLE)
        return vehicle

    @property
    def recording(self) -> Recording:
        """Its recording."""
        return self.vehicle.recording

    @property
    def timeline(self) -> Timeline:
        """The cursor over that recording."""
        return self.vehicle.timeline

    @property
    def flight(self) -> Flight:
        """What belongs to its flight: videos, other logs, markers."""
        return flight_of(self.vehicle)

    @property
    def configuration(self) -> Configuration:
        """Its settings, shared by everything that configures it."""
        return configuration_of(self.vehicle)


class PageContext(VehicleContext):
    """What a page of the Configure view receives: its vehicle never changes."""


class PlaceOffers:
    """What panels of the workspace and all plugins offer for places of one map."""

    def __init__(self, context: PanelContext, widget: "QWidget") -> None:
        self._context, self._widget = context, widget
        self._offers: list[PlaceOffer] | None = None

    def at(self, latitude_deg: float, longitude_deg: float) -> list[PlaceAction]:
        """What can be done there now."""
        context, place = self._context, (latitude_deg, longitude_deg)
        of_panels = context.shared.get(PLACE_ACTIONS)
        actions = list(of_panels(*place)) if of_panels is not None else []
        if self._offers is None:
            self._offers = [resolve(name)(context, self._widget) for name in context.place_offers]
        return actions + [action for offer in self._offers for action in offer(*place)]


class PanelWidget(Protocol):
    """What the station calls on a panel's widget. All but `refresh` may be left out."""

    def refresh(self, t: float) -> None:
        """Show the recording as it was at `t` (seconds); repaint only what has changed."""

    def apply_theme(self, theme: "Theme") -> None:
        """Take over new colours; also called once after construction."""

    def save_state(self) -> Json:
        """Return this panel's configuration for the workspace file."""

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned; unknown or missing keys are no error."""

    def start_search(self) -> None:
        """Go to the panel's search (Ctrl+F). Only for panels that have one."""

    def show_free_area(self, area: "QRect") -> None:
        """Know which part of the panel no card covers, in its pixels, to keep there what matters.
        For panels that can be a stage; called when that changes."""


class PageWidget(Protocol):
    """What the Configure view calls on a page's widget. All but `refresh` may be left out.

    A page reads and stages through `context.configuration` only, and says what is missing where
    the aircraft lacks one of its objects. In a log everything shows and nothing can be edited.
    """

    def build(self) -> Iterator[None]:
        """Build in slices of a few milliseconds, for a page of many widgets, what `refresh` would
        have to build at once; input is answered in between. Called once, before `refresh`."""

    def refresh(self, t: float) -> None:
        """Show what is staged and on board now; repaint only what has changed."""

    def apply_theme(self, theme: "Theme") -> None:
        """Take over new colours; also called once after construction."""

    def show_setting(self, name: str, path: str) -> None:
        """Bring a setting into view and focus it: somebody searched for it."""

    def incomplete(self) -> str:
        """What still has to be done here before the aircraft can fly; empty if nothing."""


def object_names(name: str) -> tuple[str, ...]:
    """What an object is called in the releases, the newest name first (AccelState was AccelSensor
    and Accels); itself alone if it never had another name. Any of its names may be asked for."""
    return next((names for names in RENAMED if name in names), (name,))


def resolve(name: str) -> Any:
    """Import "package.module:name" and return the object it names."""
    module, _, attribute = name.partition(":")
    return getattr(importlib.import_module(module), attribute)

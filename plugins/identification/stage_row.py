"""Stage row: a chosen set of gains goes into the draft of a connected aircraft, never further."""

import math
from collections.abc import Iterator, Mapping, Sequence

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.stabilization_banks import bank_title
from telemetry.vehicle.vehicle import LinkState, Vehicle
from widgets.choices import fill_choice, make_choice
from widgets.parts import STRETCH, make_button, make_column, make_row
from widgets.state_label import StateLabel

Settings = Mapping[str, Mapping[str, float]]
"""Values by object and path."""
PAGE = "Tune"
"""Where staged gains come from, in the list of changes."""
_ROUNDING = 1e-6
"""By which a value that a board holds differs from what was sent, as a share: it has 4 bytes."""
_TIP = "Stage these gains as a difference. Nothing is sent before you press Apply there."
_NOBODY = Statement(
    "Connect an aircraft to stage these gains in Configure.", ends="an aircraft is connected"
)


class StageRow(QWidget):
    """A button, and where several aircraft are connected a box to choose one of them."""

    def __init__(self, context: PanelContext) -> None:
        super().__init__()
        self._context = context
        self._settings: Settings = {}
        self._staged_for: Vehicle | None = None
        self._refused: Sequence[str] = ()
        self.stage = make_button("Stage in Configure", self._stage, tip=_TIP)
        self.aircraft = make_choice("Aircraft to stage for", tip="Which aircraft they are for.")
        self.told = StateLabel(wraps=True)
        row = make_row(self.stage, self.aircraft, STRETCH)
        self.setLayout(make_column(row, self.told, spacing=4))

    def offer(self, settings: Settings) -> None:
        """Stage these from now on, nothing if they are empty."""
        self._settings, self._staged_for = settings, None

    def refresh(self) -> None:
        """Follow which aircraft are connected."""
        names = [vehicle.name for vehicle in self._connected]
        fill_choice(self.aircraft, [(name, name) for name in names], self.aircraft.currentData())
        self.aircraft.setVisible(len(names) > 1)
        self.stage.setEnabled(bool(self._settings) and bool(names))
        is_wanting = bool(self._settings) and not names
        told = _NOBODY if is_wanting else None
        if self._staged_for is not None:
            told = _told(self._staged_for, self._settings, self._refused) or told
        self.told.state(told)

    @property
    def _connected(self) -> list[Vehicle]:
        vehicles = self._context.fleet.vehicles
        return [one for one in vehicles if one.status.state is LinkState.CONNECTED]

    def _stage(self) -> None:
        name = self.aircraft.currentData()
        vehicle = next((one for one in self._connected if one.name == name), None)
        if vehicle is not None:
            self._refused = _stage(configuration_of(vehicle), self._settings)
            self._staged_for = vehicle
            self.refresh()


def _stage(configuration: Configuration, settings: Settings) -> list[str]:
    """Stage all that the aircraft can hold; why it cannot hold the others."""
    refused = []
    with configuration.staging_from(PAGE):
        for name, path, value in _values(settings):
            try:
                configuration.stage(name, path, value)
            except ValueError as error:
                refused.append(str(error))
    return refused


def _told(vehicle: Vehicle, settings: Settings, refused: Sequence[str]) -> Statement | None:
    """What has become of gains that were staged: they wait, are on board, or neither."""
    configuration = configuration_of(vehicle)
    values = list(_values(settings))
    count = sum(configuration.is_staged(name, path) for name, path, _ in values)
    words, ends = "", "other gains are looked at"
    if count:
        banks = " and ".join(map(bank_title, settings))
        words = (
            f"{count} values of {banks} are staged in Configure for {vehicle.name}; nothing is "
            "sent before Apply."
        )
        ends = f"they are applied or discarded, or {ends}"
    elif all(_is_on_board(configuration, *value) for value in values):
        words = f"{vehicle.name} has these gains."
    if refused:
        words = f"{len(refused)} of {len(values)} values could not be staged: {refused[0]}. {words}"
    level = Level.WARNING if refused else Level.INFO
    return Statement(words.rstrip(), vehicle.name, ends=ends, level=level) if words else None


def _values(settings: Settings) -> Iterator[tuple[str, str, float]]:
    for name, values in settings.items():
        for path, value in values.items():
            yield name, path, value


def _is_on_board(configuration: Configuration, name: str, path: str, value: float) -> bool:
    held = configuration.on_board(name, path)
    return isinstance(held, int | float) and math.isclose(held, value, rel_tol=_ROUNDING)

"""Stage row: a chosen set of gains goes into the draft of a connected aircraft, never further."""

from collections.abc import Mapping

from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.stabilization_banks import bank_title
from telemetry.vehicle.vehicle import LinkState, Vehicle
from widgets.choices import fill_choice, make_choice
from widgets.parts import STRETCH, make_button, make_column, make_row
from widgets.state_label import StateLabel

Settings = Mapping[str, Mapping[str, float]]
"""Values by object and path."""
PAGE = "Tune"
"""Where staged gains come from, in the list of changes."""
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
        self._outcome: Statement | None = None
        self.stage = make_button("Stage in Configure", self._stage, tip=_TIP)
        self.aircraft = make_choice("Aircraft to stage for", tip="Which aircraft they are for.")
        self.told = StateLabel(wraps=True)
        row = make_row(self.stage, self.aircraft, STRETCH)
        self.setLayout(make_column(row, self.told, spacing=4))

    def offer(self, settings: Settings) -> None:
        """Stage these from now on, nothing if they are empty."""
        self._settings, self._outcome = settings, None

    def refresh(self) -> None:
        """Follow which aircraft are connected."""
        names = [vehicle.name for vehicle in self._connected]
        fill_choice(self.aircraft, [(name, name) for name in names], self.aircraft.currentData())
        self.aircraft.setVisible(len(names) > 1)
        self.stage.setEnabled(bool(self._settings) and bool(names))
        is_wanting = bool(self._settings) and not names
        self.told.state(self._outcome or (_NOBODY if is_wanting else None))

    @property
    def _connected(self) -> list[Vehicle]:
        vehicles = self._context.fleet.vehicles
        return [one for one in vehicles if one.status.state is LinkState.CONNECTED]

    def _stage(self) -> None:
        name = self.aircraft.currentData()
        vehicle = next((one for one in self._connected if one.name == name), None)
        if vehicle is not None:
            self._outcome = _staged(vehicle, self._settings)
            self.refresh()


def _staged(vehicle: Vehicle, settings: Settings) -> Statement:
    """Stage all that the aircraft can hold, and say what has come of it."""
    configuration = configuration_of(vehicle)
    refused = []
    with configuration.staging_from(PAGE):
        for name, values in settings.items():
            for path, value in values.items():
                try:
                    configuration.stage(name, path, value)
                except ValueError as error:
                    refused.append(str(error))
    places = [(name, path) for name, values in settings.items() for path in values]
    count = sum(configuration.is_staged(name, path) for name, path in places)
    banks = " and ".join(map(bank_title, settings))
    words = (
        f"{count} values of {banks} are staged in Configure for {vehicle.name}; nothing is sent "
        "before Apply."
        if count
        else f"{vehicle.name} has these gains already."
    )
    if refused:
        words = f"{len(refused)} of {len(places)} values could not be staged: {refused[0]}. {words}"
    level = Level.WARNING if refused else Level.INFO
    return Statement(words, about=vehicle.name, ends="other gains are looked at", level=level)

"""System page: what is wrong with the board, who it is, how it does, its tasks, and a new start."""

from PySide6.QtWidgets import QWidget

from plugins.api import PageContext
from plugins.system.restart_view import RestartView
from plugins.system.task_table import TaskTable
from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Level
from telemetry.configuration.board.facts import board_faults, health_facts, identity_facts
from telemetry.configuration.board.tasks import tasks_of
from telemetry.configuration.settings.identity import identity_of
from telemetry.recording.sample import Sample
from widgets.change_detector import ChangeDetector
from widgets.collapsible import CollapsibleGroup
from widgets.fact_grid import FactGrid
from widgets.parts import PAGE_MARGINS, STRETCH, make_column, make_grid
from widgets.settings.findings import FindingsView

_SHOWN = (
    *("FirmwareIAPObj", "SystemStats", "WatchdogStatus", "TaskInfo", "CallbackInfo"),
    "SystemAlarms",
)


class SystemPage(QWidget):
    """The board of one aircraft."""

    def __init__(self, context: PageContext) -> None:
        super().__init__()
        settings, vehicle = context.configuration, context.vehicle
        self._settings, self._vehicle = settings, vehicle
        self._seen = ChangeDetector()
        self.faults = FindingsView()
        self.identity = FactGrid("Board and firmware")
        self.health = FactGrid("How it does")
        self.tasks = TaskTable()
        self.callbacks = TaskTable()
        self.restart = RestartView(vehicle, settings, monotonic_s)
        self.restart_fold = CollapsibleGroup("Start anew", self.restart)
        self.task_fold = CollapsibleGroup("Tasks", self.tasks, is_open=False)
        self.callback_fold = CollapsibleGroup("Callbacks", self.callbacks, is_open=False)
        cards = make_grid(spacing=8)
        for column, card in enumerate((self.identity, self.health)):
            cards.addWidget(card, 0, column)
            cards.setColumnStretch(column, 1)
        parts = (self.faults, cards, self.restart_fold, self.task_fold, self.callback_fold)
        self.setLayout(make_column(*parts, STRETCH, margins=PAGE_MARGINS, spacing=8))

    def refresh(self, t: float) -> None:
        """Follow the board."""
        self.restart.refresh()
        aircraft = self._settings.aircraft
        release = self._vehicle.status.release
        if not self._seen.has_changed(release, tuple(aircraft.stamp(name) for name in _SHOWN)):
            return
        who, stats, watchdog, tasks, callbacks, alarms = map(aircraft.sample, _SHOWN)
        self.faults.show_findings(board_faults(alarms))
        self.identity.show_facts(identity_facts(identity_of(who), _bootloader(who), release))
        self.health.show_facts(health_facts(stats, watchdog, self._name_of))
        self._show_tasks(tasks, callbacks)

    def incomplete(self) -> str:
        """What is wrong with the board."""
        faults = self.faults.findings
        return faults[0].text if faults else ""

    def _name_of(self, object_id: int) -> str:
        track = self._vehicle.recording.track(object_id)
        return track.definition.name if track is not None else f"0x{object_id:08X}"

    def _show_tasks(self, tasks: Sample | None, callbacks: Sample | None) -> None:
        for fold, table, sample in (
            (self.task_fold, self.tasks, tasks),
            (self.callback_fold, self.callbacks, callbacks),
        ):
            shown = tasks_of(sample)
            table.show_tasks(shown)
            low = [task.name for task in shown if task.level >= Level.WARNING]
            fold.set_note(f"Little stack left: {', '.join(low)}" if low else "")
            fold.setVisible(bool(shown))


def _bootloader(who: Sample | None) -> str:
    if who is None or not who.definition.has_field("BootloaderRevision"):
        return ""
    return f"revision {who['BootloaderRevision']}"

"""Tune view: gains that suit an aircraft as a log tells it, and what each choice would give."""

import json
from collections.abc import Sequence
from pathlib import Path

from PySide6.QtWidgets import QWidget

from plugins.api import Json, VehicleContext
from plugins.identification.aircraft_choice import AircraftChoice, AircraftKind
from plugins.identification.command_view import CommandView, Report
from plugins.identification.report_words import confidence_words, objective_rows, tuned_about
from plugins.identification.stage_row import StageRow
from plugins.identification.tune_charts import TuneCharts
from plugins.identification.value_table import ValueTable
from telemetry.base.clock import local_now
from telemetry.base.simulation_command import TUNE, airframe_names
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED
from widgets.choices import fill_choice, make_choice
from widgets.labels import show_text
from widgets.parts import STRETCH, make_column, make_label, make_row, make_scrolled
from widgets.state_label import StateLabel
from widgets.wheel_filter import wheel_needs_focus

_WHAT_IT_IS = (
    "Looks for gains in simulation that hold in wind, with a low battery, and with all that is "
    "not known of the aircraft for sure; that takes minutes. Nothing is sent: what you choose is "
    "staged in Configure."
)
_AIRFRAME = AircraftKind(
    airframe_names(),
    (".json", ".toml"),
    "Choose an aircraft",
    "Whose gains are looked for. Of your own: an aircraft's file as Identify saves it, set up as "
    "the shipped one that it is based on, or an airframe's file, which names its aircraft.",
)
_FILE, _LOG, _FOUND = "as in its file", "with this log's gains", "as identified"
_REPORT = "identified.json"


class TuneView(QWidget):
    """`report` is what was found last; `identified` what *Identify* has found, None for nothing."""

    def __init__(self, context: VehicleContext) -> None:
        super().__init__()
        self._context = context
        self.report: Report | None = None
        self._identified: Report | None = None
        self._flown = ""
        self._source, self._made = "", local_now()
        self.aircraft = AircraftChoice(_AIRFRAME)
        self.source = make_choice("What its aircraft is like", act=lambda _one: self._offer())
        self.run = CommandView(context, "Tune", "Tuning", self._begin)
        self.about = StateLabel(wraps=True)
        self.words = make_label(wraps=True)
        self.choice = make_choice("Gains", act=lambda _row: self._show_choice())
        wheel_needs_focus(self.choice)
        self.stage = StageRow(context)
        self.table = ValueTable("Figures", ("Figure", "Target", "Present", "Chosen"))
        self.charts = TuneCharts(context.theme)
        self._results = QWidget()
        self._lay_out()
        self._show(None)

    def refresh(self) -> None:
        """Take over what the command has found, and follow which aircraft are connected."""
        report = self.run.poll()
        if report is not None:
            self._made = local_now()
            if report["refused"]:
                self.run.say(report["refused"], "caution")
            self._show(report)
        self._offer()
        if self.report is not None and self.report.get("choices"):
            self.about.state(tuned_about(self.report, self._source, self._made))
        self.stage.refresh()

    def take_identified(self, report: Report, log: str) -> None:
        """Offer to tune what was identified by a log."""
        is_of_use = bool(report["aircraft"]) and not report["refused"]
        self._identified = report if is_of_use else None
        self._flown = log if self._is_log_with_gains else ""
        if not is_of_use:
            return
        if not self._is_identified:
            self.aircraft.choose(report["aircraft"])
        self._list_sources(_FOUND)

    def save_state(self) -> Json:
        """Which aircraft it is about."""
        return {"aircraft": self.aircraft.chosen, "files": list(self.aircraft.files)}

    def restore_state(self, state: Json) -> None:
        """Take over what `save_state` returned."""
        self.aircraft.restore(state.get("aircraft"), state.get("files"))

    # Running ----------------------------------------------------------------------------

    @property
    def _log(self) -> Path | None:
        return self._context.flight.log

    @property
    def _is_log_with_gains(self) -> bool:
        """Whether the log shown says by which gains it was flown."""
        recording = self._context.recording
        has_bank = any(recording.track(bank) is not None for bank in BANKS)
        return self._log is not None and has_bank and recording.track(SHARED) is not None

    @property
    def _is_identified(self) -> bool:
        """Whether what was identified is of the aircraft chosen: of its name, or of a file that
        the file chosen may name."""
        if self._identified is None:
            return False
        aircraft, chosen = self._identified["aircraft"], self.aircraft.chosen
        return aircraft == chosen or (aircraft.endswith(".toml") and chosen.endswith(".json"))

    def _list_sources(self, chosen: str) -> None:
        """What the aircraft may be like."""
        offered = {_FILE: True, _LOG: self._is_log_with_gains, _FOUND: self._is_identified}
        known = [one for one, is_known in offered.items() if is_known]
        fill_choice(self.source, [(one.capitalize(), one) for one in known], chosen)

    def _offer(self) -> None:
        self._list_sources(self.source.currentData() or _FILE)
        self.run.offer("" if self.aircraft.chosen else "Choose an aircraft first.")

    def _begin(self) -> None:
        source = self.source.currentData()
        self._source = source
        if source == _LOG and self._log is not None:
            self._source = f"with the gains of {self._log.name}"
        if source == _FOUND and self._identified is not None:
            self._source = f"as identified from {self._identified['file']}"
        self.run.start(TUNE, self._arguments, Path(self.aircraft.chosen).name)

    def _arguments(self, folder: Path) -> Sequence[str]:
        source, aircraft = self.source.currentData(), self.aircraft.chosen
        if source == _LOG and self._log is not None:
            return [str(self._log.absolute()), "--aircraft", aircraft]
        if source == _FOUND and self._identified is not None:
            file = folder / _REPORT
            report = {key: one for key, one in self._identified.items() if key != "series"}
            file.write_text(json.dumps(report), encoding="utf-8")
            target = [self._flown, "--aircraft", aircraft] if self._flown else [aircraft]
            return [*target, "--identified", str(file)]
        return [aircraft]

    # What was found ---------------------------------------------------------------------

    def _show(self, report: Report | None) -> None:
        self.report = report
        found = report if report is not None and report.get("choices") else None
        self._results.setVisible(found is not None)
        if found is None:
            show_text(self.words, _WHAT_IT_IS if report is None else "", "muted")
            self.about.state(None)
            self.stage.offer({})
            return
        titles = [(_titled(one), number) for number, one in enumerate(found["choices"])]
        fill_choice(self.choice, titles, found["chosen"])
        self.charts.show_report(found)
        self._show_choice()

    def _show_choice(self) -> None:
        if self.report is None:
            return
        choice = self.report["choices"][self.choice.currentData()]
        is_missing = bool(choice["misses"])
        show_text(
            self.words, confidence_words(self.report, choice), "caution" if is_missing else ""
        )
        self.table.show_rows(objective_rows(self.report, choice))
        self.charts.show_choice(choice)
        self.stage.offer(choice["settings"])

    # How it is arranged -----------------------------------------------------------------

    def _lay_out(self) -> None:
        self.table.fit_height()
        column = (make_row((self.choice, 1)), self.stage, self.table, self.charts)
        self._results.setLayout(make_column(*column, spacing=4))
        said = (self.run.told, self.about, self.words)
        body = make_column(*said, self._results, STRETCH, margins=(8, 0, 8, 8), spacing=4)
        top = make_column(self.aircraft, self.source, self.run, margins=(8, 8, 8, 4), spacing=4)
        self.setLayout(make_column(top, (make_scrolled(body, keeps_width=True), 1), spacing=0))


def _titled(choice: Json) -> str:
    """A choice in the box."""
    return f"{choice['title'].capitalize()} gains" + (
        "" if choice["meets"] else ", which miss targets"
    )

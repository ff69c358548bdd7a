"""Program inputs: a UDP port, and a script of the user's, as input devices."""

from pathlib import Path

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QCheckBox, QSpinBox, QWidget

from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.script import ScriptRunner
from plugins.pilot.devices.udp import DEFAULT_PORT, THIS_COMPUTER, UdpListener
from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from widgets.choices import make_choice
from widgets.dialogs import ask_for_file
from widgets.forms.spin_boxes import indent_text
from widgets.parts import STRETCH, make_button, make_column, make_label, make_row
from widgets.state_label import StateLabel

EVERYWHERE = "0.0.0.0"
_HOSTS = (("from this computer only", THIS_COMPUTER), ("from the network", EVERYWHERE))
_WARNING = (
    "Anybody in the network can send here, also under the address or name of the sender that you "
    "choose."
)
_NEWS_MS = 250
_FILTER = "Python script (*.py)"
HELP = (
    "A program that writes sticks is a device like any other: choose it under Who flies. Each "
    "sender at the port is one of its own, and no other flies in its place. It has to say where "
    "the sticks are fifty times a second. The manual, in the Help menu, describes the packets."
)


class ProgramsView(QWidget):
    """Owns the port and the script; both end with it, and are read as long as they are there.

    `told(text)` is emitted once for each new sender, whether the view is in sight or not.
    """

    told = Signal(str)

    def __init__(self, hub: DeviceHub) -> None:
        super().__init__()
        self._hub = hub
        self._listener: UdpListener | None = None
        self._script: ScriptRunner | None = None
        self._news = QTimer(self)
        self._news.timeout.connect(self._tell_news)
        self.listens = QCheckBox("Take sticks by UDP at port")
        self.port = QSpinBox()
        self.port.setAccessibleName("UDP port")
        indent_text(self.port)
        self.port.setRange(1024, 65535)
        self.port.setValue(DEFAULT_PORT)
        self.host = make_choice("Who may send sticks by UDP", _HOSTS)
        self.udp_note = StateLabel(wraps=True)
        self.run_script = make_button("Run a script…", self._ask_script)
        self.stop_script = make_button("Stop the script", self.end_script)
        self.script_note = StateLabel(wraps=True)
        self.listens.toggled.connect(lambda _on: self._open_port())
        for signal in (self.port.valueChanged, self.host.currentIndexChanged):
            signal.connect(lambda _value: self._open_port())
        self._lay_out()
        self.refresh()

    def refresh(self) -> None:
        """Say how the port and the script are."""
        if self._listener is not None:
            host, port = self._listener.address
            told = [f"Listening at {host}, port {port}."]
            if self.host.currentData() == EVERYWHERE:
                told.append(_WARNING)
            if self._listener.refused:
                refused, why = self._listener.refused, self._listener.problem
                told.append(f"{refused} packets refused, the last because {why}.")
            self.udp_note.state(Statement(" ".join(told), ends="the port is closed"))
        elif not self.listens.isChecked():
            self.udp_note.state(None)
        self.run_script.setEnabled(self._script is None)
        self.stop_script.setEnabled(self._script is not None)
        if self._script is not None:
            state = "runs" if self._script.is_running else "has ended"
            problem = f" It printed: {self._script.problem}" if self._script.problem else ""
            self.script_note.state(Statement(f"{self._script.path.name} {state}.{problem}"))

    def start_script(self, path: Path) -> None:
        """Run a script in the place of what runs."""
        self.end_script()
        try:
            self._script = ScriptRunner(path)
        except OSError as error:
            told = f"{path} cannot be run ({error.strerror})."
            self.script_note.state(Statement(told, ends="another is run"))
            return
        self._hub.add(self._script)
        self._hub.join()
        self.refresh()

    def end_script(self) -> None:
        """End the script, if one runs."""
        if self._script is not None:
            self._hub.remove(self._script)
            self._script.close()
            self._hub.leave()
        self._script = None
        self.script_note.state(None)
        self.refresh()

    def close_all(self) -> None:
        """End the script and close the port."""
        self.end_script()
        self._close_port()

    def _open_port(self) -> None:
        """Have just the port that is asked for."""
        self._close_port()
        if self.listens.isChecked():
            try:
                host, port = self.host.currentData(), self.port.value()
                self._listener = UdpListener(host, port, self._hub.chosen)
            except OSError as error:
                told = Statement(str(error), ends="another port is chosen", level=Level.WARNING)
                self.udp_note.state(told)
                return
            self._hub.add(self._listener)
            self._hub.join()
            self._news.start(_NEWS_MS)
        self.refresh()

    def _tell_news(self) -> None:
        news = self._listener.take_news() if self._listener is not None else ""
        if news:
            self.told.emit(news)

    def _close_port(self) -> None:
        if self._listener is not None:
            self._news.stop()
            self._hub.remove(self._listener)
            self._listener.close()
            self._hub.leave()
        self._listener = None

    def _ask_script(self) -> None:
        ask_for_file(self, "Run a script that writes sticks", _FILTER, self.start_script)

    def _lay_out(self) -> None:
        udp = make_row(self.listens, self.port, STRETCH)
        heard = make_row(self.host, STRETCH)
        script = make_row(self.run_script, self.stop_script, STRETCH)
        parts = (make_label(HELP, wraps=True), udp, heard, self.udp_note, script, self.script_note)
        self.setLayout(make_column(*parts, STRETCH, spacing=8))

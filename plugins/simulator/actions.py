"""Simulator actions: a firmware of the user's flies a simulated aircraft, which is connected to."""

from pathlib import Path
from urllib.parse import quote

from PySide6.QtWidgets import QApplication

from plugins.api import PanelContext
from plugins.simulator.link import FIRMWARE
from simulation.autopilot.preset import DEFAULT_AIRCRAFT
from simulation.hitl.lockstep.program import LockstepError, located_program
from widgets.dialogs import ask_for_file

_TITLE = "Firmware built for this computer, to fly a simulated aircraft"


def fly_firmware(context: PanelContext) -> None:
    """Ask for the program, and connect to the aircraft that it flies."""

    def fly(program: Path) -> None:
        try:
            located_program(program)
        except LockstepError as error:
            context.show_message(str(error))
        else:
            context.connect(address_of(program))

    window = QApplication.activeWindow() or QApplication.topLevelWidgets()[0]
    ask_for_file(window, _TITLE, "All files (*)", fly)


def address_of(program: Path) -> str:
    """Where the simulated aircraft is that this firmware flies."""
    return f"sim:{DEFAULT_AIRCRAFT}?{FIRMWARE}={quote(str(program.absolute()))}"

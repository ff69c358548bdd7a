"""Aircraft choice: which of the simulator's aircraft it is about, shipped or the user's own."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtWidgets import QWidget

from widgets.choices import fill_choice
from widgets.dialogs import ask_for_file
from widgets.elided_choice import ElidedChoice
from widgets.parts import make_button, make_row

_MOST_FILES = 5


@dataclass(frozen=True, slots=True)
class AircraftKind:
    """What can be chosen: shipped ones by name, files that end in one of `suffixes`; `none` is what
    choosing nothing is called."""

    names: Sequence[str]
    suffixes: tuple[str, ...]
    none: str
    tip: str


class AircraftChoice(QWidget):
    """A box, and a button that opens a file."""

    def __init__(self, kind: AircraftKind) -> None:
        super().__init__()
        self._kind = kind
        self.files: tuple[str, ...] = ()
        """The user's own, the newest first."""
        self.box = ElidedChoice()
        self.box.setAccessibleName("Aircraft")
        self.box.setToolTip(kind.tip)
        self.box.setMinimumContentsLength(12)
        self.open = make_button("File …", self._ask, tip="An aircraft of your own.")
        self.setLayout(make_row((self.box, 1), self.open))
        self._fill("")

    @property
    def chosen(self) -> str:
        """The name of a shipped aircraft or a path, "" for none."""
        return str(self.box.currentData())

    def choose(self, aircraft: str) -> None:
        """Choose a shipped aircraft by its name, a file by its path, or "" for none."""
        if aircraft.endswith(self._kind.suffixes):
            others = (file for file in self.files if file != aircraft)
            self.files = (aircraft, *others)[:_MOST_FILES]
        self._fill(aircraft)

    def restore(self, chosen: object, files: object) -> None:
        """Take over what a workspace kept; what is none is no error."""
        if isinstance(files, list):
            self.files = tuple(file for file in files if isinstance(file, str))[:_MOST_FILES]
        if isinstance(chosen, str):
            self.choose(chosen)

    def _fill(self, chosen: str) -> None:
        shipped = [(f"Aircraft: {name}", name) for name in self._kind.names]
        own = [(f"Aircraft: {Path(file).name}", file) for file in self.files]
        fill_choice(self.box, [(self._kind.none, ""), *own, *shipped], chosen)

    def _ask(self) -> None:
        def take(path: Path) -> None:
            self.choose(str(path.absolute()))

        kinds = " ".join(f"*{suffix}" for suffix in self._kind.suffixes)
        ask_for_file(self, "Aircraft", f"Aircraft ({kinds})", take)

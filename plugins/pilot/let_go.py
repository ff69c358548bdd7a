"""Let go: the button that ends flying by hand, whatever it is flown with."""

from PySide6.QtWidgets import QPushButton

LET_GO = "Let go"
_HELP = (
    "Sends no sticks any more. What the aircraft does then is set in it: Flight modes shows it. "
    "Fly by hand takes over again."
)


def make_let_go() -> QPushButton:
    """The button."""
    button = QPushButton(LET_GO)
    button.setToolTip(_HELP)
    button.setProperty("dense", True)
    return button

"""What does not fit in the settings, worst first: what it is, and what to do."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from telemetry.finding import Finding
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS


class FindingsView(QWidget):
    """A list of findings that takes no room while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: tuple[Finding, ...] = ()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(4)
        self.hide()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        if tuple(findings) == self.findings:
            return
        self.findings = tuple(findings)
        while (item := self._column.takeAt(0)) is not None:
            label = item.widget()
            if label is not None:
                label.deleteLater()
        for finding in self.findings:
            self._column.addWidget(_line(finding))
        self.setVisible(bool(self.findings))


def _line(finding: Finding) -> QLabel:
    label = QLabel(f"{LEVEL_SIGNS[finding.level]}  {finding.text} {finding.remedy}".rstrip())
    label.setProperty("tone", LEVEL_TOKENS[finding.level])
    label.setWordWrap(True)
    return label

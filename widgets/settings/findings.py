"""Settings findings: what does not fit, worst first, and what to do."""

from collections.abc import Sequence

from PySide6.QtWidgets import QLabel, QWidget

from telemetry.base.finding import Finding
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS
from widgets.parts import clear_layout, make_column, make_label


class FindingsView(QWidget):
    """A list of findings that takes no room while there are none."""

    def __init__(self) -> None:
        super().__init__()
        self.findings: tuple[Finding, ...] = ()
        self._column = make_column(spacing=4)
        self.setLayout(self._column)
        self.hide()

    def show_findings(self, findings: Sequence[Finding]) -> None:
        if tuple(findings) == self.findings:
            return
        self.findings = tuple(findings)
        clear_layout(self._column)
        for finding in self.findings:
            self._column.addWidget(_line(finding))
        self.setVisible(bool(self.findings))


def _line(finding: Finding) -> QLabel:
    return make_label(
        f"{LEVEL_SIGNS[finding.level]}  {finding.text} {finding.remedy}".rstrip(),
        tone=LEVEL_TOKENS[finding.level],
        wraps=True,
    )

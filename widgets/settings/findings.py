"""Settings findings: what does not fit, worst first, and what to do."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QLabel, QWidget

from telemetry.base.finding import Finding
from widgets.level_mark import LEVEL_SIGNS, LEVEL_TOKENS
from widgets.parts import clear_layout, make_column, make_label
from widgets.setting_links import SettingLinks


class FindingsView(QWidget):
    """A list of findings that takes no room while there are none. `show_setting` is called with
    the name of a setting that was chosen; without it the names are not shown."""

    def __init__(self, show_setting: Callable[[str], None] | None = None) -> None:
        super().__init__()
        self._show_setting = show_setting
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
            if finding.settings and self._show_setting is not None:
                links = SettingLinks(self._show_setting)
                self._column.addWidget(links)
                links.show_settings(finding.settings)
        self.setVisible(bool(self.findings))


def _line(finding: Finding) -> QLabel:
    return make_label(
        f"{LEVEL_SIGNS[finding.level]}  {finding.text} {finding.remedy}".rstrip(),
        tone=LEVEL_TOKENS[finding.level],
        wraps=True,
    )

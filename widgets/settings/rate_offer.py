"""Rate offer: what a view that lacks a rate has to say of it, and a button that stages them."""

from PySide6.QtWidgets import QWidget

from telemetry.configuration.board_logs.rate_preset import plan_rates, stage_rates, staged_rates
from telemetry.configuration.settings.configuration import Configuration
from widgets.change_detector import ChangeDetector
from widgets.labels import set_text
from widgets.parts import make_button, make_label, make_row

_OFFER = "Stage rates for tuning"
_IN_REPLAY = (
    f"For the next flight: connect the aircraft, press “{_OFFER}” here or on the page "
    "Stabilization, look at the differences in Configure, and apply them."
)


class RateOffer(QWidget):
    """Stands beside a sentence that names a lacking rate; hidden where none lacks."""

    def __init__(self) -> None:
        super().__init__()
        self._settings: Configuration | None = None
        self._seen = ChangeDetector()
        self.button = make_button(_OFFER, self._stage)
        self.button.setToolTip(
            "Stages how often gyros, accelerometers, what is asked for and the outputs are sent, "
            "and logged on board. Nothing is sent before you apply it in Configure."
        )
        self.text = make_label(tone="muted", wraps=True)
        self.setLayout(make_row(self.button, (self.text, 1), margins=(0, 0, 0, 2)))
        self.hide()

    def refresh(self, settings: Configuration, *, lacks_rate: bool) -> None:
        """Offer it for this aircraft, or say what to do where it cannot be reached now."""
        self._settings = settings
        self.setVisible(lacks_rate)
        if not lacks_rate:
            return
        aircraft = settings.aircraft
        stamp = settings.version, settings.refusal, aircraft.is_complete, aircraft.link_address
        if self._seen.has_changed(settings, stamp):
            self.button.setVisible(not aircraft.is_log)
            self.button.setEnabled(not settings.refusal and aircraft.is_complete)
            set_text(self.text, _words(settings))

    def _stage(self) -> None:
        if self._settings is None:
            return
        stage_rates(self._settings, plan_rates(self._settings))
        self._seen = ChangeDetector()
        self.refresh(self._settings, lacks_rate=True)


def _words(settings: Configuration) -> str:
    if settings.aircraft.is_log:
        return _IN_REPLAY
    if settings.refusal:
        return settings.refusal
    if not settings.aircraft.is_complete:
        return "What the board sends is not known yet."
    count, plan = staged_rates(settings), plan_rates(settings)
    if not count:
        return plan.text
    return f"{count} values are staged in Configure, and sent when you apply them. {plan.text}"

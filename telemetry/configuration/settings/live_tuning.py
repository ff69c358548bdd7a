"""Live tuning: gains changed in flight, the last good set, and the way back to it.

    tuning = LiveTuning(settings, "StabilizationSettingsBank1")
    tuning.start(now)
    while ...: tuning.poll(now)     # sends what is staged of the bank every half second
    tuning.keep()                   # these gains are good
    tuning.back()                   # stages and sends the last good ones

All that one session sends is one step for Undo.
"""

from collections.abc import Mapping

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.draft import StagedKey
from telemetry.configuration.settings.stabilization_banks import bank_title
from telemetry.configuration.settings.transfer import Transfer
from telemetry.recording.sample import Value

PERIOD_S = 0.5


class LiveTuning:
    """Tuning of one bank. `good` is the last good set, by path: at first what was on board.

    `reason` says why sending stopped by itself; "" if it did not.
    """

    def __init__(self, settings: Configuration, bank: str) -> None:
        self.bank = bank
        self.good: Mapping[str, Value] = dict(settings.aircraft.values(bank))
        self.is_running = False
        self.reason = ""
        self._settings = settings
        self._title = f"Tuning of {bank_title(bank)}"
        self._sent: Transfer | None = None
        self._has_sent = False
        self._next_s = 0.0

    @property
    def differs(self) -> bool:
        """Whether the gains on board or staged are not the last good ones."""
        return bool(self.good) and dict(self._settings.values(self.bank)) != dict(self.good)

    def keep(self) -> None:
        """The gains on board are good: `back` returns to these."""
        self.good = dict(self._settings.aircraft.values(self.bank))

    def back(self) -> str:
        """Stage the last good set and send it now; why not, as a sentence, or ""."""
        settings = self._settings
        self.is_running = False
        settings.unstage(self.bank)
        known = settings.values(self.bank)
        settings.stage_all(self.bank, {p: v for p, v in self.good.items() if p in known})
        why_not = settings.refusal or ("Still sending: try again." if settings.is_busy else "")
        if not why_not and settings.draft.of((self.bank, 0)):
            settings.confirm(self._keys())  # it flew with these
            self._send()
        return why_not

    def start(self, now: float) -> None:
        """Send what is staged of the bank from now on, at once and every half second."""
        self.is_running, self.reason = True, ""
        self._next_s = now

    def stop(self, reason: str = "") -> None:
        """Send no more by itself."""
        if self.is_running:
            self.is_running, self.reason = False, reason

    def poll(self, now: float) -> None:
        """Send what is due; stop when the link is lost or the board does not take it."""
        if not self.is_running:
            return
        settings, sent = self._settings, self._sent
        if settings.refusal:
            self.stop(f"Stopped sending. {settings.refusal}")
        elif sent is not None and sent.is_finished:
            self._sent = None
            bad = next((item for item in sent.items if not item.is_on_board), None)
            if bad is not None:
                why = bad.reason or f"{bad.edit.name}: {bad.outcome.value}."
                self.stop(f"Stopped sending. {why}")
        elif now >= self._next_s and not settings.is_busy:
            self._next_s = now + PERIOD_S
            if set(self._keys()) - set(settings.unconfirmed()):
                self._sent = self._send()

    def _keys(self) -> list[StagedKey]:
        return [(self.bank, 0, path) for path in self._settings.draft.of((self.bank, 0))]

    def _send(self) -> Transfer:
        only = self._keys()
        sent = self._settings.apply(self._title, only=only, continues=self._has_sent)
        self._has_sent = True
        return sent

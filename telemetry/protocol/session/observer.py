"""Observer side of a session: listens to a one-way radio link, or to others' conversation."""

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.codec import Codec, KnownObject
from telemetry.protocol.session.config import SessionConfig, SessionState
from telemetry.protocol.session.events import (
    ObjectReceived,
    Rebooted,
    ReleaseDetected,
    SessionSide,
)
from telemetry.protocol.session.reboot import RebootWatch
from telemetry.protocol.session.release_detection import detect_release
from telemetry.protocol.wire.frame import Frame


class Observer(SessionSide):
    """Role OBSERVER: connected as long as something is heard. Never sends."""

    def __init__(self, codec: Codec, catalogue: Catalogue, config: SessionConfig) -> None:
        super().__init__()
        self._codec = codec
        self._catalogue = catalogue
        self._loss_s = config.link_loss_s
        self._seen: set[int] = set()
        self._reboot = RebootWatch()

    def start(self, now: float) -> None:
        """Begin to listen."""
        self._set_state(SessionState.CONNECTING)

    def stop(self, now: float) -> None:
        """End listening."""
        self._set_state(SessionState.IDLE)

    def on_object(
        self, entry: KnownObject, instance: int, payload: bytes, wants_ack: bool, now: float
    ) -> None:
        """Values passed by, from either side."""
        self._hear(now)
        self.events.append(ObjectReceived(entry.definition, instance, payload))
        if not entry.is_meta and entry.object_id not in self._seen:
            self._seen.add(entry.object_id)
            self._choose_release()
        if entry.definition.name == "SystemStats":
            self._watch_reboot(entry, payload)

    def on_request(self, entry: KnownObject, instance: int, now: float) -> None:
        """Somebody asks; it is not for us to answer."""
        self._hear(now)

    on_ack = on_request
    on_nack = on_request

    def on_unknown(self, frame: Frame, now: float) -> None:
        """A whole frame still shows that the link lives."""
        self._hear(now)

    def tick(self, now: float) -> None:
        """Notice silence."""
        deadline = self.next_deadline()
        if deadline is not None and now > deadline:
            self._set_state(SessionState.LOST)

    def next_deadline(self) -> float | None:
        """When silence will be a loss."""
        heard = self.last_heard
        return (
            None
            if heard is None or self.state is not SessionState.CONNECTED
            else (heard + self._loss_s)
        )

    def _hear(self, now: float) -> None:
        self.last_heard = now
        if self.state in (SessionState.CONNECTING, SessionState.LOST):
            self._set_state(SessionState.CONNECTED)

    def _choose_release(self) -> None:
        release = detect_release(self._catalogue, self._seen, frozenset())
        if release != self.release:
            self.release = release
            self._codec.define_anew()
            self.events.append(ReleaseDetected(release))

    def _watch_reboot(self, entry: KnownObject, payload: bytes) -> None:
        if self._reboot.has_rebooted(entry.definition, payload):
            self.events.append(Rebooted())
            self._seen.clear()

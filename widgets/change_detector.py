"""Change detector: whether what a view shows has changed since it was shown last."""


class ChangeDetector:
    """Keeps what was read last. A view asks before it does work that only a change deserves:

    if not self._read.has_changed(recording.version, t):
        return
    """

    def __init__(self) -> None:
        self._last: tuple[object, ...] | None = None

    def has_changed(self, *read: object) -> bool:
        """Whether this differs from what was read last, which it replaces. True at first."""
        changed = read != self._last
        self._last = read
        return changed

    def forget(self) -> None:
        """Take whatever is read next for a change."""
        self._last = None

"""A board of Tau Labs or dRonin with files in its flash, in simulated time.

Written from flight/Modules/Logging/logging.c of both: one file is read from its beginning to its
end; asked for a sector out of turn the board sends back what was written to it.
"""

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from tests.boards.slow_link import TimedBoard

SECTOR = 128
LOOKS_EVERY_S = 0.01
_SMALL = (
    "FlightTelemetryStats",
    "GCSTelemetryStats",
    "ObjectPersistence",
    "FirmwareIAPObj",
    "SystemStats",
    "FlightStatus",
    "AttitudeActual",
    "LoggingStats",
)


class FileBoard(TimedBoard):
    """`files` by number. `is_tau_labs`: it waits in silence where dRonin sends back what it got."""

    def __init__(
        self, catalogue: Catalogue, release: str, files: dict[int, bytes], *, is_tau_labs: bool
    ) -> None:
        known = {d.name: d for d in catalogue.release(release)}
        super().__init__((known[name] for name in _SMALL), 7)
        self.files = files
        self.asked: list[tuple[int, int]] = []
        self.is_armed = False
        self.erases = True
        self._is_tau_labs = is_tau_labs
        self._looks_s = 0.0
        self._open: int | None = None
        self._at = 0
        self._sector = 0
        self._read = bytes(SECTOR)
        self.say(MinFileId=min(files), MaxFileId=max(files), Operation="IDLE")

    def write(self, object_id: int, instance: int, payload: bytes) -> bool:
        taken = super().write(object_id, instance, payload)
        if object_id == self.named("LoggingStats").object_id:
            self._looks_s = self.now() + LOOKS_EVERY_S
        return taken

    def read(self, object_id: int, instance: int) -> bytes | None:
        if self.now() >= self._looks_s:
            self._look()
        if object_id == self.named("FlightStatus").object_id and self.is_armed:
            return pack_values(self.named("FlightStatus"), {"Armed": "Armed"})
        return super().read(object_id, instance)

    def _look(self) -> None:
        """A round of the module's task."""
        operation = self._get("Operation")
        if operation == "FORMAT":
            self._open = None
            if self.erases:
                self.files = {}
            self.say(Operation="IDLE")  # the numbers stay those of before
        elif operation == "DOWNLOAD":
            self._download(int(self._get("FileRequest")), int(self._get("FileSectorNum")))

    def _download(self, file: int, sector: int) -> None:
        self.asked.append((file, sector))
        if self._open is None:
            if file not in self.files:
                self.say(Operation="ERROR")
                return
            self._open, self._at, self._sector = file, 0, -1
        if sector == self._sector:
            self.say(Operation="IDLE", FileSector=tuple(self._read))
        elif sector == self._sector + 1:
            self._next()
        elif self._is_tau_labs:
            return
        else:
            self._read = bytes(self._get("FileSector"))
        self._sector = sector

    def _next(self) -> None:
        assert self._open is not None
        part = self.files[self._open][self._at : self._at + SECTOR]
        self._at += SECTOR
        rest = self._read if self._is_tau_labs else bytes(self._get("FileSector"))
        self._read = part + rest[len(part) :]
        is_last = len(part) < SECTOR
        self.say(Operation="COMPLETE" if is_last else "IDLE", FileSector=tuple(self._read))
        if is_last:
            self._open = None

    def _get(self, name: str):  # type: ignore[no-untyped-def]
        stats = self.named("LoggingStats")
        return read_value(stats, row_of(stats, self.values[stats.object_id, 0]), name)

    def say(self, **values: object) -> None:
        stats = self.named("LoggingStats")
        row = row_of(stats, self.values[stats.object_id, 0])
        self.values[stats.object_id, 0] = pack_values(stats, values, row)

"""A log with a line before it that says who flew."""

from pathlib import Path
from tempfile import TemporaryDirectory

from telemetry.logs.reader import LogError, LogReading, read_log
from telemetry.objects.catalogue import Catalogue

HEAD = b"SURVEY\n"


def read(path: Path, catalogue: Catalogue) -> LogReading:
    data = path.read_bytes()
    if not data.startswith(HEAD):
        raise LogError(f"{path.name} is no survey log: it does not begin with SURVEY.")
    with TemporaryDirectory() as folder:
        plain = Path(folder, f"{path.stem}.opl")
        plain.write_bytes(data.removeprefix(HEAD))
        return read_log(plain, catalogue)

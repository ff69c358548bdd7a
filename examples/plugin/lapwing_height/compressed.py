"""A log format: what gzip has compressed is unpacked beside the station and read as usual."""

import gzip
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from plugins.types import Catalogue, LogError, LogReading, read_log


def read_compressed(path: Path, catalogue: Catalogue) -> LogReading:
    """Called in a job. Raises LogError, one sentence for the user."""
    with TemporaryDirectory() as folder:
        unpacked = Path(folder, path.stem)
        try:
            with gzip.open(path) as packed, unpacked.open("wb") as plain:
                shutil.copyfileobj(packed, plain)
        except (OSError, EOFError) as error:
            raise LogError(f"{path.name} cannot be unpacked: {error}.") from error
        return read_log(unpacked, catalogue)

"""`--record`, `--record-rate`, `--track`: what is kept of a flight."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.command.options import Options, value

if TYPE_CHECKING:
    from simulation.scenarios.track import OutputTrack

_FASTEST_HZ = 1000
"""Once a step."""
_SLOWEST_HZ = 0.1


def _steps(text: str) -> int:
    """The steps between two records at a rate; raise ArgumentTypeError for rates between two."""
    try:
        rate_hz = float(text)
    except ValueError:
        rate_hz = 0.0
    if not _SLOWEST_HZ <= rate_hz <= _FASTEST_HZ:
        raise argparse.ArgumentTypeError(
            f"'{text}' is no rate; give {_SLOWEST_HZ:g} to {_FASTEST_HZ} a second"
        )
    steps = round(_FASTEST_HZ / rate_hz)
    if abs(steps * rate_hz / _FASTEST_HZ - 1.0) > 1e-3:
        below, above = (_FASTEST_HZ / int(_FASTEST_HZ / rate_hz + more) for more in (1, 0))
        raise argparse.ArgumentTypeError(
            f"'{text}' is no whole number of milliseconds; give {above:g} or {below:g}"
        )
    return steps


RECORD_OPTION: Options = {"--record": value("FILE", "write telemetry to an .opl", Path)}
RECORD_OPTIONS: Options = {
    **RECORD_OPTION,
    "--record-rate": value(
        "HZ",
        "write truth and states so often, to the step: 1000, 500, 333.3, 250, ... a second",
        _steps,
        dest="record_steps",
    ),
    "--track": value(
        "FILE",
        "write truth, sensors, estimate and control to a Parquet file, at --record-rate "
        "(50 a second); takes lapwing[data]",
        Path,
    ),
}
"""Of flights without a station: what is sent to one is set by the objects' metadata."""


def check_record_options(options: argparse.Namespace) -> None:
    """Refuse what does not go together. Raises ValueError."""
    if options.record is not None and options.track is not None:
        raise ValueError("--record and --track exclude each other; fly twice, with the same seed.")
    if options.record_steps is not None and options.record is None and options.track is None:
        raise ValueError("--record-rate says how often to write; add --record or --track FILE.")


def open_track(path: Path | None, resources: ExitStack) -> "OutputTrack | None":
    """The track of `--track`, if one is wanted, which is saved when `resources` are closed.

    Raises TableError if it could not be, before anything is flown.
    """
    if path is None:
        return None
    from simulation.scenarios.track import OutputTrack
    from telemetry.base.table_files import TableError

    if path.exists():
        raise TableError(f"{path} is there already. Give another file.")
    track = OutputTrack()
    track.save(path)  # tells now what would go wrong after the flight
    resources.callback(lambda: track.save(path) if len(track) else path.unlink())
    return track

"""`--wind FILE`: fly in a recorded or scheduled wind."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.command.options import Options, value

if TYPE_CHECKING:
    from simulation.environment.wind_table import WindTable

_COMPONENTS = (2, 3)


WIND_OPTIONS: Options = {
    "--wind": value(
        "FILE",
        "a wind over time: a CSV file with time_s,north_mps,east_mps[,down_mps] or "
        "time_s,speed_mps,from_deg; or a flight log, see --wind-series",
        Path,
    ),
    "--wind-series": value(
        "NORTH,EAST[,DOWN]",
        "which fields of the flight log are the velocity of the air, as Object.Field",
    ),
}


def load_wind(options: argparse.Namespace) -> "WindTable | None":
    """The wind asked for, or None. Raises WindTableError, a sentence with a remedy."""
    from simulation.environment.wind_table import WindTableError, read_wind

    if options.wind is None:
        if options.wind_series:
            raise WindTableError("--wind-series belongs to a flight log; add --wind FILE.")
        return None
    if options.wind_series is None:
        return read_wind(options.wind)
    return _read_log(options.wind, [path.strip() for path in options.wind_series.split(",")])


def _read_log(log: Path, paths: list[str]) -> "WindTable":
    from simulation.environment.wind_table import WindTableError, wind_from_series
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.recording.logs.reader import LogError, read_log

    if len(paths) not in _COMPONENTS:
        raise WindTableError("--wind-series takes two or three fields: A.North,A.East,A.Down.")
    try:
        recording = read_log(log, load_catalogue()).recording
        columns = [recording.series(path) for path in paths]
    except (LogError, ValueError) as error:
        raise WindTableError(f"The wind cannot be read: {error}") from None
    times = columns[0][0]
    if not len(times):
        raise WindTableError(f"{log.name} has no {paths[0]}; name a field that it holds.")
    north, east, *down = (values.astype(float) for _, values in columns)
    return wind_from_series(times, north, east, down[0] if down else None)

"""Map jobs off the GUI thread: building a map on, and saving it."""

from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.base.unused_names import unused_path
from telemetry.recording.flight_state import read_flight_state
from telemetry.recording.recording import Recording
from telemetry.review.mapping.builder import MapBuilder
from telemetry.review.mapping.files import MapOrigin, save_geotiff, save_world
from telemetry.review.mapping.grown_map import MapError
from telemetry.review.mapping.picture import MapPicture, Shades, make_picture

_SLICE_S: Final = 0.15
"""After so long the picture is made anew, so that one sees it grow."""


class MapFormat(Enum):
    """What a map is saved as."""

    GEOTIFF = "GeoTIFF"
    WORLD = "World"


@dataclass(frozen=True, slots=True, eq=False)
class MapProgress:
    """How a map looked after a job, whether there is more to be built, how long the job took, and
    whether any sensor tells of the ground at all."""

    builder: MapBuilder
    picture: MapPicture | None
    has_more: bool
    took_s: float
    has_sensors: bool


@dataclass(frozen=True, slots=True)
class MapSaving:
    """What became of a wish to save, as a sentence."""

    words: str


def build_on(builder: MapBuilder, until_s: float, shades: Shades) -> MapProgress:
    """Take what was recorded up to a second of the flight, for some time."""
    begin_s = monotonic_s()
    has_more = True
    while has_more and monotonic_s() - begin_s < _SLICE_S:
        has_more = builder.advance(until_s, 10)
    picture = make_picture(builder.grown, shades)
    return MapProgress(builder, picture, has_more, monotonic_s() - begin_s, builder.has_sensors)


def save_map(builder: MapBuilder, kind: MapFormat, folder: Path, name: str) -> MapSaving:
    """Write it under a name in a folder, or a whole path, with a number where there is something of
    that name."""
    try:
        return MapSaving(_saved(builder, kind, folder / Path(name).expanduser()))
    except MapError as error:
        return MapSaving(str(error))
    except (OSError, ValueError, RuntimeError):  # of paths that cannot be
        return MapSaving(f"'{name[:60]}' cannot be the name of a file; choose another name.")


def _saved(builder: MapBuilder, kind: MapFormat, path: Path) -> str:
    """What was written, as a sentence."""
    origin = origin_of(builder.recording)
    if kind is MapFormat.GEOTIFF:
        path = path.with_name(f"{path.name.removesuffix('.tif')}.tif")
        path = unused_path(path, form="{}-{}")
        files = save_geotiff(builder.grown, path, origin)
        where = "" if origin else " It lies in metres, as the flight has no home."
        return f"Saved {' and '.join(str(one) for one in files)}.{where}"
    place = builder.first.position_m if builder.first is not None else (0.0, 0.0, 0.0)
    start = float(place[0]), float(place[1])
    folder = save_world(builder.grown, unused_path(path, form="{}-{}"), origin, start)
    return f"Saved {folder}. Fly in it: lapwing sim --world {folder}"


def origin_of(recording: Recording) -> MapOrigin | None:
    """Home, as it was set last."""
    state = read_flight_state(recording, float("inf"))
    if state.home_latitude_deg is None or state.home_longitude_deg is None:
        return None
    altitude_m = state.home_altitude_m or 0.0
    return MapOrigin(state.home_latitude_deg, state.home_longitude_deg, altitude_m)

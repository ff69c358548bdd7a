"""Web map export: the way flown as one page, an interactive map that opens without internet.

folium writes it for Leaflet, whose script stands in the page itself. Pictures of the ground come
from OpenStreetMap, and only if the reader asks for them.
"""

from importlib.metadata import distribution
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from telemetry.base.escaping import javascript_text, markup_text
from telemetry.base.safe_files import whole_file
from telemetry.recording.export.flown_path import FlownPath, flown_path
from telemetry.recording.export.request import ALL, ExportRequest, file_name, writing_to
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import format_time

if TYPE_CHECKING:
    import folium

_LOW, _HIGH = "#2c7fb8", "#f03b20"
_EVENT_COLOUR, _START_COLOUR = "#444444", "#1a9641"
_UNSHOWN = ("gap", "setting")
_MOST_ZOOM = 22
"""A hover is seen at 5 cm a pixel."""
_COLOUR_STEPS = 12
_MOST_POINTS = 20_000
_MOST_TIPS = 400


def export_web_map(recording: Recording, folder: Path, request: ExportRequest = ALL) -> list[Path]:
    """Write one HTML file: the way coloured by height, time and height under the pointer, events.
    Raises ExportError."""
    path = flown_path(recording, request)
    page = _make_page(path, recording, request)
    target = folder / file_name(recording, ".html")
    with writing_to(folder), whole_file(target) as fresh:
        fresh.write_text(page, encoding="utf-8")
    return [target]


def _make_page(path: FlownPath, recording: Recording, request: ExportRequest) -> str:
    import folium
    from branca.element import Element

    chart = folium.Map(tiles=None, control_scale=True, prefer_canvas=True, max_zoom=_MOST_ZOOM)
    chart.default_js, chart.default_css = [], []  # they would be fetched; Leaflet comes below
    folium.TileLayer("OpenStreetMap", name="OpenStreetMap (internet)", show=False).add_to(chart)
    _add_way(path, chart)
    _add_events(path, recording, request, chart)
    folium.LayerControl(collapsed=False).add_to(chart)
    chart.fit_bounds(
        [
            [float(path.latitudes_deg.min()), float(path.longitudes_deg.min())],
            [float(path.latitudes_deg.max()), float(path.longitudes_deg.max())],
        ]
    )
    figure = chart.get_root()
    figure.title = markup_text(file_name(recording, ""))
    leaflet = "".join(
        f"<{tag}>{_leaflet_file(name)}</{tag}>"
        for tag, name in (("style", "leaflet.css"), ("script", "leaflet.js"))
    )
    figure.header.add_child(Element(leaflet))
    figure.html.add_child(Element(_legend(path)))
    return str(figure.render())


def _leaflet_file(name: str) -> str:
    """One of Leaflet's files, from the package that carries them (which is not for importing)."""
    data = distribution("XStatic-Leaflet").locate_file(f"xstatic/pkg/leaflet/data/{name}")
    return Path(str(data)).read_text(encoding="utf-8")


def _add_way(path: FlownPath, chart: "folium.Map") -> None:
    import folium
    from branca.colormap import LinearColormap

    way = folium.FeatureGroup(name="Flight").add_to(chart)
    low_m, high_m = _range(path)
    colours = LinearColormap([_LOW, _HIGH], vmin=low_m, vmax=high_m)
    for piece in path.pieces():
        chosen = np.arange(piece.start, piece.stop, _stride(path, _MOST_POINTS))
        folium.ColorLine(
            _places(path, chosen),
            np.nan_to_num(path.altitudes_m[chosen], nan=low_m).tolist()[:-1],
            colormap=colours,
            nb_steps=_COLOUR_STEPS,
            weight=4,
            opacity=1.0,  # folium's own choice, none, is invisible on a canvas
        ).add_to(way)
    tips = folium.FeatureGroup(name="Times").add_to(chart)
    for index in range(0, len(path.times), _stride(path, _MOST_TIPS)):
        folium.CircleMarker(
            _places(path, np.array([index]))[0],
            radius=8,
            stroke=False,
            fill=True,
            fill_opacity=0.0,
            tooltip=_words(path, index),
        ).add_to(tips)


def _add_events(
    path: FlownPath, recording: Recording, request: ExportRequest, chart: "folium.Map"
) -> None:
    import folium

    events = folium.FeatureGroup(name="Events").add_to(chart)
    start = _places(path, np.array([0]))[0]
    folium.CircleMarker(start, radius=7, color=_START_COLOUR, tooltip="Start").add_to(events)
    start_s, end_s = request.span(recording)
    for event in recording.events():
        if event.kind not in _UNSHOWN and start_s <= event.t <= end_s:
            index = path.index_at(event.t)
            folium.CircleMarker(
                _places(path, np.array([index]))[0],
                radius=5,
                color=_EVENT_COLOUR,
                fill=True,
                # folium puts it into a template of JavaScript, and Leaflet that into the page
                tooltip=javascript_text(markup_text(f"{format_time(event.t)} {event.text}")),
            ).add_to(events)


def _stride(path: FlownPath, most: int) -> int:
    return max(1, len(path.times) // most)


def _places(path: FlownPath, chosen: "np.typing.NDArray[np.intp]") -> list[list[float]]:
    latitudes = np.round(path.latitudes_deg[chosen], 7)
    longitudes = np.round(path.longitudes_deg[chosen], 7)
    return [[float(a), float(b)] for a, b in zip(latitudes, longitudes, strict=True)]


def _range(path: FlownPath) -> tuple[float, float]:
    known = path.altitudes_m[np.isfinite(path.altitudes_m)]
    low_m = float(known.min()) if len(known) else 0.0
    return low_m, max(float(known.max()) if len(known) else 0.0, low_m + 1.0)


def _words(path: FlownPath, index: int) -> str:
    altitude_m = path.altitudes_m[index]
    height = f", {altitude_m:.1f} m" if np.isfinite(altitude_m) else ""
    return f"{format_time(float(path.times[index]))}{height}"


def _legend(path: FlownPath) -> str:
    low_m, high_m = _range(path)
    level = "above sea level" if path.is_above_sea else "above take-off"
    return (
        '<div style="position:fixed;bottom:24px;right:12px;z-index:999;padding:6px 10px;'
        'background:rgba(255,255,255,0.9);font:14px sans-serif">'
        f'<div style="height:10px;background:linear-gradient(90deg,{_LOW},{_HIGH})"></div>'
        f"{low_m:.0f} to {high_m:.0f} m {level}</div>"
    )

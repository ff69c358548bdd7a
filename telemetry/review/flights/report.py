"""Flight report: one self-contained HTML page of figures, pictures, findings and notes."""

import base64
import io
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from telemetry.base.earth.tangent_plane import plane_at
from telemetry.base.escaping import markup_attribute, markup_text
from telemetry.base.finding import Level
from telemetry.base.safe_files import whole_file
from telemetry.recording.flight_state import ATTITUDE, armed_spans
from telemetry.recording.flown_places import FlownPlaces
from telemetry.recording.recording import Recording
from telemetry.recording.timeline import format_time
from telemetry.recording.wall_time import began_at
from telemetry.review.analysis.findings.airborne import read_height, read_speed
from telemetry.review.analysis.findings.flight_finding import FlightFinding
from telemetry.review.analysis.findings.readings import Readings, read
from telemetry.review.analysis.findings.search import find_everything
from telemetry.review.analysis.summary.figure import SummarySection
from telemetry.review.analysis.summary.flight_summary import summarise
from telemetry.review.flights.flight import FlightContent
from telemetry.review.flights.video_camera import camera_section

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_WIDTH_IN, _HEIGHT_IN, _DPI = 9.0, 3.0, 110
_MOST_POINTS = 4000
_SILENCE_S = 5.0
_LEAST_LEVEL = Level.WARNING
_WORDS = {Level.WARNING: "Warning", Level.ERROR: "Serious", Level.OK: "Good"}
_STYLE = """
body{font:15px/1.45 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}
body{color:#1b1f24;background:#fff}h1{font-size:1.6rem}
h2{font-size:1.15rem;margin:1.6rem 0 .4rem;border-bottom:1px solid #cfd6de}
table{border-collapse:collapse;width:100%;table-layout:fixed}
td{padding:.18rem .6rem .18rem 0;vertical-align:top}td.name{width:36%}
td.value{width:16%;text-align:right;font-variant-numeric:tabular-nums;font-weight:600}
td.word{width:9%}td.time{width:4.5rem}td.said{width:45%}img{max-width:100%}
td.note,p.note,td.time{color:#59636e}
.Warning{color:#8a5a00;font-weight:600}.Serious{color:#b3261e;font-weight:600}.Good{color:#1a7f37}
"""


def write_report(path: Path, recording: Recording, content: FlightContent | None = None) -> None:
    """Write the page; raise OSError, and then nothing of it is left."""
    page = report_page(recording, content or FlightContent())
    with whole_file(path) as fresh:
        fresh.write_text(page, encoding="utf-8")


def report_page(recording: Recording, content: FlightContent) -> str:
    """The page as text. It refers to nothing outside itself."""
    title = Path(recording.source).stem or "Flight"
    parts = [
        f"<h1>{markup_text(title)}</h1>",
        f"<p>{markup_text(_when(began_at(recording)))}</p>",
        _text("Notes", content.notes),
        *(_section(section) for section in summarise(recording)),
        *(_section(camera_section(recording, video)) for video in content.videos),
        *_pictures(recording),
        _findings(find_everything(recording)),
        _marked(content),
    ]
    return (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{markup_text(title)}'
        f"</title><style>{_STYLE}</style></head><body>{''.join(parts)}"
        "<p class=note>Written by Lapwing.</p></body></html>"
    )


def _when(began: datetime | None) -> str:
    return began.strftime("%Y-%m-%d %H:%M:%S UTC") if began else "The log does not tell the date."


def _text(title: str, text: str) -> str:
    if not text:
        return ""
    return f"<h2>{title}</h2><p>{markup_text(text).replace(chr(10), '<br>')}</p>"


def _section(section: SummarySection) -> str:
    if not section.figures:
        return (
            f"<h2>{markup_text(section.title)}</h2><p class=note>{markup_text(section.missing)}</p>"
        )
    rows = (
        (figure.name, figure.text, figure.note, _WORDS.get(figure.level, ""))
        for figure in section.figures
    )
    lines = (
        f"<tr><td class=name>{markup_text(name)}</td><td class=value>{markup_text(value)}</td>"
        f'<td class="word {word}">{word}</td><td class=note>{markup_text(note)}</td></tr>'
        for name, value, note, word in rows
    )
    return f"<h2>{markup_text(section.title)}</h2><table>{''.join(lines)}</table>"


def _findings(findings: Iterable[FlightFinding]) -> str:
    serious = [one for one in findings if one.finding.level >= _LEAST_LEVEL]
    if not serious:
        return "<h2>What stands out</h2><p class=note>Nothing that has to be looked at.</p>"
    lines = (
        f"<tr><td class=time>{format_time(one.t)}</td>"
        f'<td class="said {_WORDS[one.finding.level]}">{markup_text(one.finding.text)}</td>'
        f"<td class=note>{markup_text(one.finding.remedy)}</td></tr>"
        for one in serious
    )
    return f"<h2>What stands out</h2><table>{''.join(lines)}</table>"


def _marked(content: FlightContent) -> str:
    if not content.markers:
        return ""
    lines = (
        f"<tr><td class=time>{format_time(one.t)}</td><td>{markup_text(one.category)}</td>"
        f"<td>{markup_text(one.text)}</td></tr>"
        for one in content.markers
    )
    return f"<h2>Markers</h2><table>{''.join(lines)}</table>"


# Pictures


def _pictures(recording: Recording) -> Iterable[str]:
    """A picture of each thing that was recorded, while it was armed if it ever was."""
    height, speed = read_height(recording), read_speed(recording)
    attitude = [(axis, read(recording, ATTITUDE, axis)) for axis in ("Roll", "Pitch")]
    battery = [("Voltage", read(recording, ("FlightBatteryState",), "Voltage"))]
    armed = armed_spans(recording, recording.last_s)
    span = (armed[0][0], armed[-1][1]) if armed else (recording.first_s, recording.last_s)
    yield _track_picture(recording)
    yield _curves("Height", "m", [("Height", height)], span)
    yield _curves("Ground speed", "m/s", [("Ground speed", speed)], span)
    yield _curves("Attitude", "°", attitude, span)
    yield _curves("Battery", "V", battery, span)


def _curves(
    title: str, unit: str, curves: Sequence[tuple[str, Readings]], span: tuple[float, float]
) -> str:
    """Curves over time, broken where nothing was recorded; nothing where none is."""
    from matplotlib.figure import Figure

    within = [(name, readings.between(*span)) for name, readings in curves]
    shown = [(name, readings) for name, readings in within if len(readings.times) > 1]
    if not shown:
        return ""
    figure = Figure(figsize=(_WIDTH_IN, _HEIGHT_IN), dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    for name, readings in shown:
        stride = max(1, len(readings.times) // _MOST_POINTS)
        times, values = readings.times[::stride], readings.values[::stride]
        is_silent = np.diff(times, prepend=times[0]) > _SILENCE_S * stride
        axes.plot(times, np.where(is_silent, np.nan, values), linewidth=0.9, label=name)
    axes.set_xlabel("s")
    axes.set_ylabel(unit)
    axes.grid(alpha=0.3)
    if len(shown) > 1:
        axes.legend(loc="upper right")
    return _picture(title, figure)


def _track_picture(recording: Recording) -> str:
    """The way over ground in metres, coloured by height."""
    from matplotlib.figure import Figure

    places = FlownPlaces(recording)
    places.update()
    if places.count < 2:
        return ""
    plane = plane_at(float(places.latitudes_deg[0]), float(places.longitudes_deg[0]))
    north, east = plane.north_east_many(places.latitudes_deg, places.longitudes_deg).T
    stride = max(1, places.count // _MOST_POINTS)
    figure = Figure(figsize=(_WIDTH_IN, 1.6 * _HEIGHT_IN), dpi=_DPI, layout="constrained")
    axes = figure.add_subplot()
    line = np.where(places.is_start, np.nan, east)
    axes.plot(line[::stride], north[::stride], linewidth=0.7, color="0.6", zorder=1)
    points = axes.scatter(
        east[::stride], north[::stride], c=places.heights_m[::stride], s=4, cmap="viridis"
    )
    axes.set_aspect("equal", adjustable="datalim")
    axes.set_xlabel("m east of the start")
    axes.set_ylabel("m north")
    axes.grid(alpha=0.3)
    figure.colorbar(points, label="height, m")
    return _picture("Way over ground", figure)


def _picture(title: str, figure: "Figure") -> str:
    buffer = io.BytesIO()
    figure.savefig(buffer, format="png")
    data = base64.b64encode(buffer.getvalue()).decode()
    picture = f'<img alt={markup_attribute(title)} src="data:image/png;base64,{data}">'
    return f"<h2>{markup_text(title)}</h2>{picture}"

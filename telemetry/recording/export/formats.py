"""Export formats of a log, by the word of the command line."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.registry import Registry
from telemetry.recording.export.cut import export_opl
from telemetry.recording.export.geographic import export_geojson, export_gpx, export_kml
from telemetry.recording.export.request import ExportRequest
from telemetry.recording.export.ros.bag import export_mcap, export_rosbag2
from telemetry.recording.export.tables import export_csv, export_mat, export_parquet
from telemetry.recording.export.trajectory import export_euroc, export_tum
from telemetry.recording.export.web_map import export_web_map
from telemetry.recording.recording import Recording

Export = Callable[[Recording, Path, ExportRequest], list[Path]]


@dataclass(frozen=True, slots=True)
class ExportFormat:
    """`title` is what a menu calls it; `export` writes into a folder and raises ExportError. One
    without `has_rate` has no use for a rate."""

    name: str
    title: str
    export: Export
    has_rate: bool = True


_OWN: Final = (
    ExportFormat("csv", "CSV tables", export_csv),
    ExportFormat("parquet", "Parquet tables", export_parquet),
    ExportFormat("mat", "MATLAB file", export_mat),
    ExportFormat("kml", "KML for Google Earth", export_kml),
    ExportFormat("gpx", "GPX track", export_gpx),
    ExportFormat("geojson", "GeoJSON", export_geojson),
    ExportFormat("html", "Web map, usable offline", export_web_map),
    ExportFormat("tum", "Trajectory, TUM layout", export_tum),
    ExportFormat("euroc", "IMU and states, EuRoC layout", export_euroc),
    ExportFormat("mcap", "MCAP for Foxglove and PlotJuggler", export_mcap),
    ExportFormat("rosbag2", "ROS 2 bag", export_rosbag2),
    ExportFormat("opl", "Shorter log", export_opl, has_rate=False),
)

FORMATS: Final = Registry("exports", {entry.name: entry for entry in _OWN})
"""What a recording becomes for other programs: tables, tracks, trajectories, a shorter log."""

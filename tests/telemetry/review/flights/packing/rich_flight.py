"""A flight with all that a flight can have, in several folders, and an object of its own."""

import struct
from dataclasses import dataclass
from pathlib import Path

from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import DefinitionSet
from telemetry.protocol.objects.definition_xml import parse_definition
from telemetry.recording.events import Event
from telemetry.recording.logs.station_events import append_events
from telemetry.recording.logs.world import write_world_note
from telemetry.recording.simulated_world import SimulatedWorld
from telemetry.recording.video_files.writer import VideoEncoding
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.flights.flight import FlightContent, FlightLog, FlightStream, FlightVideo
from telemetry.review.flights.lapwing_file import write_flight
from telemetry.review.flights.marker import Marker
from telemetry.review.flights.sync import Anchor, Piece, Sync
from tests.telemetry.recording.logs.books import CATALOGUE, attitudes, frame, record, saved
from tests.telemetry.recording.video_files.barcode import SIZE, write_numbered
from tests.telemetry.review.flights.recorded_streams import record_streams

KITE = parse_definition(
    """<xml><object name="KiteLine" singleinstance="true" settings="false">
<description>Tension of the line.</description>
<field name="Tension" units="N" type="float" elements="1"/>
</object></xml>""",
    "kite.xml",
)
OWN = CATALOGUE.with_own(DefinitionSet("kites", [KITE]))
SOUND = VideoEncoding(SIZE, sound_hz=8000)
SYNC = Sync(
    (Piece(-3.0, 1.001, medium_end_s=0.3), Piece(-3.3, 1.001, 0.3)),
    anchors=(Anchor(1.0, 0.5),),
    method="horizon",
    offset_sigma_s=0.004,
    rate_sigma=2e-5,
    confidence=0.97,
)
LENS = CameraSettings(
    80.0,
    mount_pitch_deg=-12.0,
    shutter_s=0.02,
    focal_px=(70.0, 71.0),
    centre_px=(47.5, 31.5),
    distortion=(0.1, -0.05, 0.0, 0.001, 0.0),
)


@dataclass(frozen=True)
class RichFlight:
    """Where it stands, and what it is."""

    file: Path
    log: Path
    content: FlightContent


def rich_flight(folder: Path) -> RichFlight:
    """Write it: two logs of one name, a film in two files, another one, two streams."""
    for name in ("log", "other", "DCIM/100", "DCIM/101"):
        (folder / name).mkdir(parents=True)
    pulls = [record(2000 + n * 100, frame(KITE, struct.pack("<f", 5.0 + n))) for n in range(5)]
    log = saved(folder / "log", *attitudes(20), *pulls)
    write_world_note(log, SimulatedWorld("field", 7))
    append_events(log, [Event(1.0, "link", Level.WARNING, "The link was lost")])
    record_streams(log, 0.5)
    other = saved(folder / "other", *attitudes(30))
    films = (
        write_numbered(folder / "DCIM/100/GOPR.avi", 10, SOUND),
        write_numbered(folder / "DCIM/101/GOPR.avi", 10, SOUND),
        write_numbered(folder / "DCIM/100/landing.avi", 5),
    )
    beside = sorted((folder / "log").glob("flight_*"))
    streams = tuple(FlightStream(one.stem, one) for one in beside if one.suffix == ".npz")
    recorded = tuple(one for one in beside if one.suffix != ".npz")
    content = FlightContent(
        logs=(FlightLog("other log", other, sync=SYNC, is_other_flight=True),),
        videos=(
            FlightVideo("loop", films[:2], SYNC, LENS),
            FlightVideo("landing", films[2:]),
            FlightVideo("camera", recorded, SYNC),
        ),
        streams=streams,
        markers=(Marker(1.0, "Strömungsabriss", "stall"), Marker(1.5)),
        notes="Windy.",
        layout={"title": "Mine", "panels": {"plots.plot": {"curves": ["KiteLine.Tension"]}}},
    )
    file = folder / "log" / "windy.lapwing"
    return RichFlight(file, log, write_flight(file, log, content))

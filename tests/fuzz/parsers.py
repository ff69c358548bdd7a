"""The parsers that are fuzzed: how each is called, what it may raise, and where its corpus lies."""

import atexit
import shutil
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache, cached_property, partial
from io import BytesIO
from math import isfinite
from pathlib import Path
from typing import Final

from app.preferences import Preferences, PreferenceStore
from app.workspaces.workspace import WorkspaceStore
from plugins.pilot.devices.chosen_devices import chosen_devices_store
from plugins.pilot.devices.profile_file import parse_profile_file
from plugins.pilot.devices.profile_store import EVERY_AIRCRAFT, ProfileStore
from plugins.pilot.devices.source import DeviceKind
from plugins.pilot.devices.space_mouse import SpaceMouseState
from plugins.pilot.devices.udp import parse_packet
from plugins.simulator.remote import report_from
from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.autopilot.preset import PresetError, load_preset
from simulation.autopilot.storage import Storage
from simulation.environment.wind_table import WindTableError, read_wind
from simulation.files.parameter_file import ParameterError
from simulation.fitting.bench_table import BenchError, read_bench_table
from simulation.perception.sensor_file import load_sensor
from simulation.scenarios.scenario import ScenarioError
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.external_force import ForceError
from simulation.simulator.force_table import read_force_table
from simulation.worlds.body_meshes import body_mesh
from simulation.worlds.mesh_file import read_mesh
from simulation.worlds.world import MeshBody, WorldError
from simulation.worlds.world_file import load_world
from telemetry.base.text_formats import FormatError, parse_json, parse_toml
from telemetry.configuration.arming.preflight import store_in
from telemetry.configuration.assistant.answers import answer_store
from telemetry.configuration.board_logs.log_table_file import (
    LogTableError,
    read_log_table,
    write_log_table,
)
from telemetry.configuration.firmware.image import FirmwareFileError, read_image
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.receiver.backup import backup_store
from telemetry.configuration.settings.assignments import parse_assignment
from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.configuration.settings.files import write_settings
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.configuration.settings.template_file import read_template
from telemetry.configuration.settings.toml_file import SUFFIX, read_settings_file
from telemetry.configuration.settings.uav_file import read_uav
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.files.formats import MISSION_FORMATS, read_mission, write_mission
from telemetry.missions.terrain.elevation import TerrainError
from telemetry.missions.terrain.geotiff import open_geotiff
from telemetry.protocol.links.address import AddressError, parse_network, parse_serial, parse_usb
from telemetry.protocol.links.usb_reports import payload_of
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.definition_folder import DefinitionFolder
from telemetry.protocol.objects.field_limits import limits_of
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.session import Session
from telemetry.protocol.streams.npz_file import StreamFile
from telemetry.protocol.streams.samples import StreamError
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.recording.export.tables import export_csv
from telemetry.recording.logs.definitions import (
    LogDefinitionsError,
    definitions_path,
    read_definitions,
    write_definitions,
)
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.logs.station_events import (
    LogEventsError,
    append_events,
    events_path,
    read_events,
)
from telemetry.recording.logs.world import (
    LogWorldError,
    read_imu_note,
    read_world_note,
    world_note_path,
    write_world_note,
)
from telemetry.recording.recording import Recording
from telemetry.recording.simulated_world import located_world
from telemetry.recording.stream_intake import StreamIntake
from telemetry.recording.timeline import parse_time
from telemetry.recording.video_files.avi import read_layout
from telemetry.recording.video_files.avi_packets import AviPackets, can_read
from telemetry.recording.video_files.frame_source import VideoError
from telemetry.recording.video_files.mp4_boxes import shown_after
from telemetry.recording.video_files.reader import open_video
from telemetry.review.flights.lapwing_file import FlightFileError, read_flight, write_flight
from telemetry.review.flights.packing.contents import PackageError
from telemetry.review.flights.packing.manifest import manifest_from_bytes, manifest_to_bytes
from telemetry.review.flights.packing.unpack import unpack_package
from telemetry.vehicle.board_memory import content_store
from telemetry.vehicle.original_metadata import OriginalMetadataError, OriginalMetadataStore
from tests.telemetry.missions.made import square
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from widgets.map.tile_key import TileKey, TileSourceError
from widgets.map.tile_loader import read_tiles
from widgets.map.tiles import open_source

CORPUS: Final = Path(__file__).parent / "corpus"
_CHUNK: Final = 200
_SAMPLES_OF_MP4: Final = 50
"""As those of the corpus have."""


@dataclass(frozen=True)
class Parser:
    """`read` takes an input and raises nothing but `refusals`."""

    name: str
    read: Callable[[bytes], object]
    refusals: tuple[type[Exception], ...] = ()
    made: Callable[[], bytes] | None = None

    @cached_property
    def corpus(self) -> dict[str, bytes]:
        """Sound inputs, and those that were once not answered as they should be, by file name; one
        that is `made` where no folder has any."""
        folder = CORPUS / self.name
        if self.made is not None and not folder.is_dir():
            return {"made": self.made()}
        return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@cache
def _catalogue() -> Catalogue:
    return load_catalogue()


@cache
def _folder() -> Path:
    """An empty folder of this process."""
    folder = Path(tempfile.mkdtemp(prefix="lapwing-fuzz-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


@cache
def _small_firmware() -> tuple[ObjectDefinition, ...]:
    return tuple(small_board(_catalogue()).definitions.values())


def remove_folder() -> None:
    """Remove what parsers were given as files: a process of a pool does nothing at its end."""
    shutil.rmtree(_folder(), ignore_errors=True)
    _folder.cache_clear()


def _file(name: str, data: bytes) -> Path:
    path = _folder() / name
    path.write_bytes(data)
    return path


def _forget(*paths: Path) -> None:
    """What was moved aside, and the versions before."""
    for path in paths:
        for other in path.parent.glob(f"{path.name}*"):
            other.unlink()


# Binary


def _decode(data: bytes) -> None:
    decoder = FrameDecoder()
    frames = decoder.feed(data) + decoder.finish()
    assert decoder.bytes == len(data)
    used = sum(len(frame.body) + 9 for frame in frames)
    assert used + decoder.junk_bytes == len(data)


def _read_log(data: bytes) -> None:
    reading = read_log(_file("x.opl", data), _catalogue())
    reading.info.as_json()
    for track in reading.recording.tracks():
        reading.recording.latest(track.definition.name, track.last_s, track.instance)
    reading.recording.events()
    if len(data) % 8 == 0:  # files take long
        for path in export_csv(reading.recording, _folder() / "tables"):
            path.unlink()


def _converse(role: Role) -> Callable[[bytes], None]:
    def read(data: bytes) -> None:
        board = MemoryBoard(_small_firmware()) if role is Role.FLIGHT else None
        session = Session(role, _catalogue(), board=board)
        session.start(0.0)
        for step, start in enumerate(range(0, len(data), _CHUNK)):
            session.receive(data[start : start + _CHUNK], step * 0.7)
            session.tick(step * 0.7)
        session.bytes_to_send()

    return read


def _read_metadata(data: bytes) -> None:
    Metadata.unpack(data).pack(len(data))


def _read_tiles(data: bytes) -> None:
    source = open_source(str(_file("x.mbtiles", data)), _folder())
    assert source is not None
    read_tiles(source, (TileKey(3, 5, 2), TileKey(source.min_zoom, 0, 0)))


def _read_avi(data: bytes) -> None:
    file = BytesIO(data)
    layout = read_layout(file)
    stream = layout.first(b"vids") if layout else None
    if layout is not None and stream is not None and can_read(stream):
        packets = AviPackets(Path("x.avi"), file, layout, stream)
        times = packets.index.times_s
        assert not (times < 0).any()
        assert not (times >= packets.index.duration_s).any()


def _read_mp4(data: bytes) -> None:
    shifts = shown_after(BytesIO(data), 1, _SAMPLES_OF_MP4)
    assert shifts is None or len(shifts) == _SAMPLES_OF_MP4


def _read_mkv(data: bytes) -> None:
    video = open_video([_file("x.mkv", data)])
    try:
        assert isfinite(video.duration_s)
        video.frame_at(0.0)
    finally:
        video.close()


def _read_sensor(data: bytes) -> None:
    _file("sensor.toml", data)
    load_sensor(SensorMount("x", "sensor.toml", path=_folder() / "aircraft.toml"))


def _read_preflight(data: bytes) -> None:
    path = _file("board.json", data)
    store = store_in(_folder())
    items = store.get("board") or ()
    assert all(isinstance(item, str) for item in items)
    store.put("board", (*items, "Another"))
    assert store.get("board") == (*items, "Another")
    _forget(path)


def _take_streams(data: bytes) -> None:
    recording = Recording()
    StreamIntake(recording).take(data, 1.0)
    for track in recording.media_tracks():
        assert (track.times[1:] >= track.times[:-1]).all()


def _read_stream(data: bytes) -> None:
    file = StreamFile(_file("x.npz", data))
    assert (file.times_s[1:] >= file.times_s[:-1]).all()
    for row in range(file.count):
        file.flaw(row)
        file.sample(row)


# Text


def _read_definitions(data: bytes) -> None:
    path = _file("x.xml", data)
    folder = DefinitionFolder(_folder(), "x")
    for definition in folder.all():
        assert definition.name.isidentifier()
        definition.default_row()
        for field in definition.fields:
            limits_of(field, 0, 0x0903).complaint(1.0)
    for error in folder.errors:
        assert str(path) in str(error)
        assert "\n" not in error.what
    path.unlink()


def _read_settings(name: str) -> Callable[[bytes], None]:
    read = {".uav": read_uav, SUFFIX: read_settings_file, ".optmpl": read_template}[name]

    def read_and_write(data: bytes) -> None:
        document = read(data, "x", _catalogue())
        for suffix in (".uav", SUFFIX):
            write_settings(_folder() / f"x{suffix}", document)

    return read_and_write


def _read_log_table(data: bytes) -> None:
    table = read_log_table(data, "x")
    assert read_log_table(write_log_table(table), "x") == table


def _read_set(data: bytes) -> None:
    path = _folder() / "sets" / "0a0b" / f"x{SUFFIX}"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    (entry,) = ConfigurationSets(_folder() / "sets").entries()
    assert entry.problem == "" or entry.problem.startswith("x")


def _read_preferences(data: bytes) -> None:
    path = _file("preferences.json", data)
    store = PreferenceStore(path)
    assert 0.8 <= store.current.scale <= 2.0
    assert store.change(theme="dark") == ""
    assert PreferenceStore(path).problem == ""
    assert Preferences.from_json({}) is not None
    _forget(path)


def _read_workspace(data: bytes) -> None:
    path = _file("mine.json", data)
    store = WorkspaceStore(_folder())
    workspace = store.load("mine")
    store.save(workspace)
    assert store.load("mine") == workspace
    _forget(path)


def _read_flight(data: bytes) -> None:
    path = _file("x.lapwing", data)
    stored = read_flight(path)
    write_flight(path, stored.log, stored.content)
    again = read_flight(path)
    assert again.log == stored.log
    assert again.content.videos == stored.content.videos
    assert again.content.markers == stored.content.markers
    _forget(path)


def _read_package(data: bytes) -> None:
    """What is unpacked of it is in its folder, and as its manifest says."""
    package, folder = _file("x.lapwingz", data), _folder() / "packed" / "out"
    folder.parent.mkdir(exist_ok=True)
    try:
        report = unpack_package(package, folder, whole_only=True)
        for one in report.files:
            assert (folder / one.path).is_file() == (one.state == "whole")
        assert [*folder.parent.iterdir()] == [folder]
    finally:
        shutil.rmtree(folder.parent)


def _read_manifest(data: bytes) -> None:
    manifest = manifest_from_bytes(data)
    assert manifest_from_bytes(manifest_to_bytes(manifest)) == manifest
    for one in manifest.files:
        assert (_folder() / one.path).is_relative_to(_folder())


def _read_log_definitions(data: bytes) -> None:
    log = _folder() / "x.opl"
    definitions_path(log).write_bytes(data)
    found = read_definitions(log)
    assert found is not None
    for definition in found.all():
        definition.default_row()
    write_definitions(log, found.all(), _catalogue())
    again = read_definitions(log)
    assert again is not None
    assert set(again.all()) <= set(found.all())
    _forget(definitions_path(log))


def _read_world_note(data: bytes) -> None:
    log = _folder() / "x.opl"
    world_note_path(log).write_bytes(data)
    world, imu = read_world_note(log), read_imu_note(log)
    assert world is not None or imu is not None
    write_world_note(log, world, imu)
    again = read_world_note(log)
    assert again == (world and replace(world, name=located_world(world.name)))
    assert read_imu_note(log) == imu
    _forget(world_note_path(log))


def _read_station_events(data: bytes) -> None:
    log = _folder() / "x.opl"
    events_path(log).write_bytes(data)
    events = read_events(log).events
    _forget(events_path(log))
    append_events(log, events)
    assert read_events(log) == (events, 0)
    _forget(events_path(log))


def _read_drafts(data: bytes) -> None:
    path = _file("board.json", data)
    store = DraftStore(_folder())
    staged = store.get("board")
    store.put("board", {**staged, ("A", 0): {"B": 1}})
    store.flush()
    assert store.problem == "" or "board.json" in store.problem
    _forget(path)


def _read_kept(data: bytes) -> None:
    path = _file("board.json", data)
    backups, answers = backup_store(_folder()), answer_store(_folder())
    backups.put("board", backups.get("board") or {})
    answers.get("board")
    chosen_devices_store(_folder()).get("board")
    device = DeviceKind("A pad", "board")
    ProfileStore(_folder()).profile(device, EVERY_AIRCRAFT)
    _forget(path)


def _read_originals(data: bytes) -> None:
    path = _file("board.json", data)
    try:
        for original in OriginalMetadataStore(_folder()).of("board").values():
            Metadata.unpack(original.metadata)
    finally:
        _forget(path)


def _read_last_settings(data: bytes) -> None:
    path = _file("board.json", data)
    store = content_store(_folder())
    content = store.get("board")
    if content is not None:
        store.put("board", content)
        assert store.get("board") == content
    _forget(path)


def _read_flash(data: bytes) -> None:
    path = _file("flash.json", data)
    storage = Storage(path)
    assert storage.save(1, 0, b"x")
    assert Storage(path).load(1, 0) == b"x"
    _forget(path)


def _read_sticks(data: bytes) -> None:
    SpaceMouseState().after(data)
    payload_of(data)
    parse_packet(data)


def _read_report(data: bytes) -> None:
    report_from(parse_json(data, 65_536, takes_nan=True))


def _read_line(data: bytes) -> None:
    text = data.decode("utf-8")
    for parse in (parse_time, parse_serial, parse_usb):
        try:
            parse(text)
        except (ValueError, AddressError):
            continue
    try:
        parse_network(text, "tcp")
    except AddressError:
        parse_assignment(text, _catalogue())


def _read_aircraft(data: bytes) -> None:
    load_aircraft(_file("x.toml", data))


def _read_preset(data: bytes) -> None:
    load_preset(str(_file("preset.json", data)))


def _read_scenario(data: bytes) -> None:
    load_scenario(str(_file("scenario.json", data)))


def _read_wind(data: bytes) -> None:
    read_wind(_file("wind.csv", data))


def _read_geotiff(data: bytes) -> None:
    heights = open_geotiff(_file("x.tif", data))
    for place in ((48.999, 9.301), (0.0, 0.0), (89.9, -179.9)):
        height = heights.height_m(*place)
        assert height is None or isfinite(height)


def _read_mission(suffix: str) -> Callable[[bytes], None]:
    def read_and_write(data: bytes) -> None:
        mission = read_mission(_file(f"x{suffix}", data))
        path = _folder() / "y.mission"
        write_mission(path, mission)
        assert read_mission(path) == mission

    return read_and_write


def _mission_parsers() -> Iterator[Parser]:
    """One per reader, under the first suffix that it reads."""
    readers: set[object] = set()
    for row in MISSION_FORMATS.values():
        if row.read is not None and row.read not in readers:
            readers.add(row.read)
            kind = "mission" if row.is_own else f"mission-{row.suffix.removeprefix('.')}"
            made = partial(row.write, square()) if row.write is not None else None
            yield Parser(kind, _read_mission(row.suffix), (MissionFileError,), made)


def _read_world(data: bytes) -> None:
    world = load_world(_file("world.toml", data))
    for body in world.bodies:
        if not isinstance(body, MeshBody):
            body_mesh(body)


def _read_mesh(data: bytes) -> None:
    path = _file("x.glb" if data[:4] == b"glTF" else "x.obj", data)
    for part in read_mesh(path, "m", "y-up").parts:
        assert isfinite(part.corners.sum())


def _read_force(data: bytes) -> None:
    read_force_table(_file("force.csv", data))


def _read_bench(data: bytes) -> None:
    read_bench_table(_file("bench.csv", data))


def _read_firmware(data: bytes) -> None:
    read_image(data, "firmware.opfw", 0x0903 if data[:2] == b"\xf0\xff" else None)


def _read_pending_upload(data: bytes) -> None:
    PendingUploads(_file("begun.upload", data).parent).all()


PARSERS: Final = {
    parser.name: parser
    for parser in (
        Parser("frames", _decode),
        Parser("log", _read_log, (LogError,)),
        Parser("station", _converse(Role.GCS)),
        Parser("board", _converse(Role.FLIGHT)),
        Parser("metadata", _read_metadata, (ValueError,)),
        Parser("mbtiles", _read_tiles, (TileSourceError, OSError)),
        Parser("avi", _read_avi, (VideoError,)),
        Parser("mp4", _read_mp4),
        Parser("mkv", _read_mkv, (VideoError,)),
        Parser("streams", _take_streams, (StreamError,)),
        Parser("stream-file", _read_stream, (StreamError,)),
        Parser("json", parse_json, (FormatError,)),
        Parser("toml", parse_toml, (FormatError,)),
        Parser("definitions", _read_definitions),
        Parser("uav", _read_settings(".uav"), (SettingsError,)),
        Parser("log-table", _read_log_table, (LogTableError,)),
        Parser("settings", _read_settings(SUFFIX), (SettingsError,)),
        Parser("template", _read_settings(".optmpl"), (SettingsError,)),
        Parser("set", _read_set),
        Parser("preferences", _read_preferences),
        Parser("workspace", _read_workspace),
        Parser("flight", _read_flight, (FlightFileError,)),
        Parser("package", _read_package, (PackageError,)),
        Parser("manifest", _read_manifest, (FormatError,)),
        Parser("log-definitions", _read_log_definitions, (LogDefinitionsError,)),
        Parser("world-note", _read_world_note, (LogWorldError,)),
        Parser("station-events", _read_station_events, (LogEventsError,)),
        Parser("drafts", _read_drafts),
        Parser("kept", _read_kept),
        Parser("originals", _read_originals, (OriginalMetadataError,)),
        Parser("last-settings", _read_last_settings),
        Parser("flash", _read_flash),
        Parser("report", _read_report, (ValueError,)),
        Parser("controller", parse_profile_file, (FormatError,)),
        Parser("sticks", _read_sticks, (FormatError,)),
        Parser("line", _read_line, (ValueError, AddressError)),
        Parser("aircraft", _read_aircraft, (ParameterError,)),
        Parser("sensor", _read_sensor, (ParameterError,)),
        Parser("preflight", _read_preflight),
        Parser("preset", _read_preset, (PresetError,)),
        Parser("scenario", _read_scenario, (ScenarioError,)),
        Parser("wind", _read_wind, (WindTableError,)),
        Parser("geotiff", _read_geotiff, (TerrainError,)),
        *_mission_parsers(),
        Parser("world", _read_world, (WorldError,)),
        Parser("mesh", _read_mesh, (WorldError,)),
        Parser("force", _read_force, (ForceError,)),
        Parser("bench", _read_bench, (BenchError,)),
        Parser("firmware", _read_firmware, (FirmwareFileError,)),
        Parser("pending-upload", _read_pending_upload),
    )
}

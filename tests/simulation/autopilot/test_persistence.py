"""ObjectPersistence, operation by operation (`uavtalk.md` section 8)."""

from dataclasses import dataclass
from pathlib import Path

import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.persistence import OnBoardPersistence
from simulation.autopilot.preset import Preset
from simulation.autopilot.storage import Storage
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values


@dataclass
class Bench:
    """A board whose persistence can be asked, and what it announced."""

    board: SimulatedBoard
    storage: Storage
    armed: bool = False

    def __post_init__(self) -> None:
        self.persistence = OnBoardPersistence(self.board, self.storage, lambda: self.armed)
        self.announced: list[str] = []
        for entry in self.board.objects():
            entry.on_announce = lambda e, _i: self.announced.append(e.definition.name)

    def ask(
        self, operation: str, object_id: int = 0, instance: int = 0, selection: str = "SingleObject"
    ) -> str:
        request = self.board["ObjectPersistence"]
        values = {
            "ObjectID": object_id,
            "InstanceID": instance,
            "Operation": operation,
            "Selection": selection,
        }
        payload = pack_values(request.definition, values)
        assert self.board.write(request.definition.object_id, 0, payload)
        self.announced.clear()
        self.persistence.update()
        return request.option("Operation") if self.announced else "silence"


@pytest.fixture
def bench(board: SimulatedBoard) -> Bench:
    return Bench(board, Storage())


def set_speed(board: SimulatedBoard, value: float) -> int:
    board["SystemSettings"].set(AirSpeedMax=value)
    return board["SystemSettings"].definition.object_id


def test_saved_settings_come_back_with_load_and_after_power_up(
    bench: Bench, catalogue: Catalogue, preset: Preset
) -> None:
    object_id = set_speed(bench.board, 55.0)
    assert bench.ask("Save", object_id) == "Completed"
    set_speed(bench.board, 1.0)
    assert bench.ask("Load", object_id) == "Completed"
    assert bench.board["SystemSettings"].row["AirSpeedMax"] == 55.0
    rebooted = SimulatedBoard(catalogue, preset)
    OnBoardPersistence(rebooted, bench.storage, lambda: False).restore()
    assert rebooted["SystemSettings"].row["AirSpeedMax"] == 55.0


def test_delete_resets_to_the_factory_and_pushes_the_object(bench: Bench) -> None:
    object_id = set_speed(bench.board, 55.0)
    assert bench.ask("Save", object_id) == "Completed"
    assert bench.ask("Delete", object_id) == "Completed"
    assert bench.announced == ["SystemSettings", "ObjectPersistence"]
    assert bench.board["SystemSettings"].row["AirSpeedMax"] == 30.0
    assert bench.ask("Load", object_id) == "Error"


def test_what_was_never_saved_or_does_not_exist_is_an_error(bench: Bench) -> None:
    waypoint = bench.board["Waypoint"].definition.object_id
    assert bench.ask("Load", waypoint) == "Error"
    assert bench.ask("Save", waypoint, instance=7) == "Error"
    assert bench.ask("Save", waypoint, instance=0) == "Completed"


def test_unknown_ids_and_no_operation_are_never_answered(bench: Bench) -> None:
    assert bench.ask("Save", 0x12345678) == "silence"
    assert bench.ask("NOP") == "silence"
    assert bench.ask("Completed") == "silence"


def test_nothing_is_saved_while_armed(bench: Bench) -> None:
    bench.armed = True
    object_id = set_speed(bench.board, 55.0)
    assert bench.ask("Save", object_id) == "Error"
    assert bench.ask("FullErase") == "Error"
    assert not bench.storage.saved()


def test_all_settings_and_all_metaobjects(bench: Bench) -> None:
    assert bench.ask("Save", selection="AllSettings") == "Completed"
    settings = [e for e in bench.board.objects() if e.definition.settings]
    assert len(bench.storage.saved()) == len(settings)
    assert bench.ask("Save", selection="AllMetaObjects") == "Completed"
    assert len(bench.storage.saved()) == len(settings) + len(bench.board.objects())
    set_speed(bench.board, 1.0)
    assert bench.ask("Load", selection="AllSettings") == "Completed"
    assert bench.board["SystemSettings"].row["AirSpeedMax"] == 30.0
    assert bench.ask("FullErase") == "Completed"
    assert not bench.storage.saved()


def test_deleting_a_metaobject_restores_the_definitions_rate(bench: Bench) -> None:
    attitude = bench.board["AttitudeState"]
    bench.board.set_metadata(attitude, Metadata(flight=UpdatePolicy(UpdateMode.PERIODIC, 500)))
    assert bench.ask("Save", attitude.definition.object_id + 1) == "Completed"
    assert bench.ask("Delete", attitude.definition.object_id + 1) == "Completed"
    assert attitude.metadata.flight.period_ms == 130


def test_what_the_preset_set_up_counts_as_saved_until_it_is_deleted(
    bench: Bench, catalogue: Catalogue, preset: Preset
) -> None:
    mixer = bench.board["MixerSettings"]
    mixer.set(Mixer1Type=0)
    assert bench.ask("Load", mixer.definition.object_id) == "Completed"
    assert mixer.option("Mixer1Type") == "Motor"
    assert bench.ask("Delete", mixer.definition.object_id) == "Completed"
    assert mixer.option("Mixer1Type") == "Disabled"
    assert bench.ask("Load", mixer.definition.object_id) == "Error"
    rebooted = SimulatedBoard(catalogue, preset)
    OnBoardPersistence(rebooted, bench.storage, lambda: False).restore()
    assert rebooted["MixerSettings"].option("Mixer1Type") == "Disabled"
    assert rebooted["SystemSettings"].row["AirSpeedMax"] == 30.0
    assert rebooted["ActuatorSettings"].row["ChannelMax"][0] == 2000


def test_a_file_keeps_what_was_erased_and_deleted(
    board: SimulatedBoard, catalogue: Catalogue, preset: Preset, tmp_path: Path
) -> None:
    path = tmp_path / "saved.json"
    bench = Bench(board, Storage(path))
    assert bench.ask("Delete", board["MixerSettings"].definition.object_id) == "Completed"
    assert Storage(path).has_forgotten(board["MixerSettings"].definition.object_id, 0)
    assert not Storage(path).is_erased
    assert bench.ask("FullErase") == "Completed"
    assert board["ActuatorSettings"].row["ChannelMax"][0] == 2000  # until the next start
    assert bench.ask("Save", set_speed(board, 55.0)) == "Completed"
    reopened = Storage(path)
    assert reopened.is_erased
    rebooted = SimulatedBoard(catalogue, preset)
    OnBoardPersistence(rebooted, reopened, lambda: False).restore()
    assert rebooted["ActuatorSettings"].row["ChannelMax"][0] == 1000
    assert rebooted["SystemSettings"].row["AirSpeedMax"] == 55.0
    assert rebooted["AttitudeState"].metadata.flight.period_ms == 130


def test_a_file_keeps_what_was_saved(board: SimulatedBoard, tmp_path: Path) -> None:
    path = tmp_path / "board" / "saved.json"
    bench = Bench(board, Storage(path))
    object_id = set_speed(board, 55.0)
    assert bench.ask("Save", object_id) == "Completed"
    assert Storage(path).load(object_id, 0) == board.read(object_id, 0)
    path.write_text("{ not json", encoding="utf-8")
    assert Storage(path).saved() == ()


def test_a_save_that_cannot_be_written_is_an_error(board: SimulatedBoard, tmp_path: Path) -> None:
    blocker = tmp_path / "file"
    blocker.write_text("", encoding="utf-8")
    bench = Bench(board, Storage(blocker / "saved.json"))
    assert bench.ask("Save", set_speed(board, 55.0)) == "Error"

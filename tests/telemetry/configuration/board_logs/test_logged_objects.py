"""What is logged: read of metadata, staged as settings, applied to a board and read back."""

from dataclasses import replace

import pytest

from telemetry.configuration.board_logs.log_duration import duration_of, duration_text
from telemetry.configuration.board_logs.log_presets import LOG_PRESETS
from telemetry.configuration.board_logs.logged_objects import (
    LoggedObject,
    LoggedObjects,
    policies_of,
)
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

PRESETS = {preset.name: preset for preset in LOG_PRESETS}
MORE = ("GyroState", "PositionState", "ActuatorCommand", "DebugLogSettings", "DebugLogStatus")


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(
        catalogue, MemoryBoard(catalogue.find(n, DEFAULT_RELEASE) for n in (*SMALL, *MORE))
    )


def logging_on_board(bench: Bench, name: str) -> UpdatePolicy:
    packed = bench.board.values[bench.named(name).object_id + 1, 0]
    assert len(packed) == 8
    flags, period_ms = int.from_bytes(packed[:2], "little"), int.from_bytes(packed[6:], "little")
    return UpdatePolicy(UpdateMode(flags >> 8 & 3), period_ms)  # uavobjectmanager.h: bits 8 and 9


def shown(logged: LoggedObjects, name: str) -> LoggedObject:
    return next(one for one in logged.objects() if one.name == name)


def test_it_is_staged_applied_and_read_back_and_the_telemetry_stays(bench: Bench) -> None:
    logged = LoggedObjects(bench.vehicle)
    names = [one.name for one in logged.objects()]
    assert "GyroState" in names
    assert names.index("GyroState") < names.index("SystemSettings")  # settings are last
    assert not [name for name in names if name.startswith("DebugLog")]  # nothing logs itself
    logged.stage(["GyroState"], UpdateMode.PERIODIC, 250)
    logged.stage(["FlightStatus"], UpdateMode.ONCHANGE, 250)
    logged.stage(["PositionState"], UpdateMode.THROTTLED, 40)
    logged.stage_when("Always")
    bench.pass_time(1.0)
    assert logging_on_board(bench, "GyroState") == UpdatePolicy()  # nobody has applied it
    assert shown(logged, "GyroState").is_staged
    assert shown(logged, "GyroState").entries_per_s == 4.0
    bench.settings.apply()
    bench.finish()
    assert logging_on_board(bench, "GyroState") == UpdatePolicy(UpdateMode.PERIODIC, 250)
    assert logging_on_board(bench, "FlightStatus") == UpdatePolicy(UpdateMode.ONCHANGE, 0)
    assert logging_on_board(bench, "PositionState") == UpdatePolicy(UpdateMode.THROTTLED, 40)
    assert bench.on_board("DebugLogSettings", "LoggingEnabled") == "Always"
    packed = bench.board.values[bench.named("GyroState").object_id + 1, 0]
    assert Metadata.unpack(packed).flight == Metadata.of(bench.named("GyroState")).flight
    assert not shown(logged, "GyroState").is_staged


def test_a_preset_is_all_that_is_logged_and_nothing_switches_the_log_off(bench: Bench) -> None:
    logged = LoggedObjects(bench.vehicle)
    logged.stage(["ActuatorCommand"], UpdateMode.PERIODIC, 2)
    logged.stage_preset(PRESETS["review"])
    assert logged.when == "OnlyWhenArmed"
    assert shown(logged, "ActuatorCommand").policy == UpdatePolicy()
    assert shown(logged, "AttitudeState").policy == UpdatePolicy(UpdateMode.PERIODIC, 100)
    # Its telemetry is throttled: logged periodically, firmware would write it without pause.
    assert shown(logged, "PositionState").policy == UpdatePolicy(UpdateMode.THROTTLED, 250)
    assert shown(logged, "PositionState").entries_per_s == 5.0  # what is sent is logged, too
    # Measured on firmware: it is sent as often. 4 Hz of 12 bytes in frames of 11.
    assert duration_of(logged.objects(), None, None).more_sent_bytes_per_s == 4 * (12 + 11)
    assert " Up to 92 bytes a second more go over the link." in duration_text(
        duration_of(logged.objects(), None, None), "Always"
    )
    bench.settings.apply()
    bench.finish()
    logged.stage_preset(PRESETS["review"])
    assert not bench.settings.draft.count  # all of it is on board
    logged.stage_preset(PRESETS["nothing"])
    assert logged.when == "Disabled"
    assert {one.policy for one in logged.objects()} == {UpdatePolicy()}


def test_everything_slowly_leaves_out_settings_and_what_has_instances(bench: Bench) -> None:
    policies = policies_of(PRESETS["everything"], LoggedObjects(bench.vehicle).objects())
    assert policies["AttitudeState"] == UpdatePolicy(UpdateMode.PERIODIC, 1000)
    assert policies["SystemSettings"] == UpdatePolicy()


def test_every_preset_tells_the_time_since_boot(catalogue: Catalogue) -> None:
    """The wrap of the clock is 25.6 s at the least: SystemStats comes more often."""
    for preset in LOG_PRESETS:
        periods = {n: one.logged_ms for one in preset.objects for n in one.names}
        period_ms = periods.get("SystemStats", preset.others_ms)
        assert (0 < period_ms < 25_000) == (preset.name != "nothing")
        unknown = [one.names for one in preset.objects if not _is_known(catalogue, one.names)]
        assert unknown == []


def _is_known(catalogue: Catalogue, names: tuple[str, ...]) -> bool:
    release = {definition.name for definition in catalogue.release(DEFAULT_RELEASE)}
    return not release.isdisjoint(names)


def test_how_long_the_flash_lasts(bench: Bench) -> None:
    logged = LoggedObjects(bench.vehicle)
    logged.stage(["GyroState"], UpdateMode.PERIODIC, 4)
    lasts = duration_of(logged.objects(), 1000, 4000)
    assert lasts.slots_per_s == pytest.approx(250 / 6, rel=0.003)  # six of 16 bytes in a block
    assert lasts.free_s == pytest.approx(24.0, rel=0.003)
    assert lasts.empty_s == pytest.approx(96.0, rel=0.003)
    assert duration_text(lasts, "Always") == (
        "Full in about 24 s; an empty flash takes about 96 s of it. "
        "It takes 42 entries a second; what it cannot keep up with is left out."
    )
    assert duration_text(lasts, "Disabled").startswith("The log is switched off.")
    logged.stage(["AttitudeState"], UpdateMode.ONCHANGE, 0)
    lasts = duration_of(logged.objects(), None, None)
    assert lasts.free_s is None
    assert lasts.uncounted == ("AttitudeState",)  # sent periodically: nobody tells its updates
    text = duration_text(lasts, "OnlyWhenArmed")
    assert text.startswith("How much is free is not known.")
    assert "Not counted, for nobody tells how often they are updated: AttitudeState." in text


@pytest.mark.slow
def test_updates_that_are_all_sent_are_counted(bench: Bench) -> None:
    """FlightStatus is sent whenever it is updated: ten times in the last ten seconds."""
    logged = LoggedObjects(bench.vehicle)
    logged.stage(["FlightStatus"], UpdateMode.ONCHANGE, 0)
    bench.pass_time(61.0)
    for _ in range(60):
        bench.aircraft.flight.publish(bench.named("FlightStatus").object_id)
        bench.pass_time(0.5)
    per_s = shown(logged, "FlightStatus").entries_per_s
    assert per_s == pytest.approx(1.0, abs=0.05)  # 60 in the last minute


def test_what_floods_is_found_said_and_mended(bench: Bench) -> None:
    """Another station has it logged periodically while it is sent throttled."""
    logged = LoggedObjects(bench.vehicle)
    wrong = replace(
        Metadata.of(bench.named("PositionState")), logging=UpdatePolicy(UpdateMode.PERIODIC, 1000)
    )
    bench.vehicle.commands.set_metadata("PositionState", wrong)
    bench.vehicle.commands.request("PositionStateMeta")
    bench.pass_time(1.0)
    assert shown(logged, "PositionState").is_misfit
    assert shown(logged, "PositionState").entries_per_s is None
    text = duration_text(duration_of(logged.objects(), 1000, 1000), "Always")
    assert text == "The board logs or sends without pause, until they are set again: PositionState."
    assert logged.stage(["PositionState"], UpdateMode.PERIODIC, 1000) == ("PositionState",)
    assert not shown(logged, "PositionState").is_misfit


def test_what_is_taken_from_the_aircraft_for_a_while_is_left_alone(bench: Bench) -> None:
    bench.vehicle.commands.set_metadata("ActuatorCommand", Metadata(flight_readonly=True))
    bench.vehicle.commands.request("ActuatorCommandMeta")
    bench.pass_time(1.0)
    LoggedObjects(bench.vehicle).stage(["ActuatorCommand"], UpdateMode.PERIODIC, 100)
    assert not bench.settings.draft.of(("ActuatorCommandMeta", 0))

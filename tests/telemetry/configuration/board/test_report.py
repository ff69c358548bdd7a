"""What a board is said to be, how it does, and what is wrong with it."""

from typing import Any

import pytest

from telemetry.base.fact import Fact
from telemetry.base.finding import Level
from telemetry.configuration.board.facts import board_faults, health_facts, identity_facts
from telemetry.configuration.board.tasks import tasks_of
from telemetry.configuration.settings.identity import Identity
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def sample(
    catalogue: Catalogue, name: str, values: dict[str, Any], release: str = DEFAULT_RELEASE
) -> Sample:
    definition = catalogue.find(name, release)
    recording = Recording("test")
    recording.append(1.0, definition, 0, pack_values(definition, values, definition.default_row()))
    found = recording.latest(name, 1.0)
    assert found is not None
    return found


def by_name(facts: tuple[Fact, ...]) -> dict[str, Fact]:
    return {fact.name: fact for fact in facts}


STATS = {
    "FlightTime": 3_725_000,
    "CPULoad": 97,
    "HeapRemaining": 900,
    "IRQStackRemaining": 400,
    "SystemModStackRemaining": 300,
    "SysSlotsFree": 0,
    "SysSlotsActive": 120,
}


def test_how_a_board_does(catalogue: Catalogue) -> None:
    facts = by_name(health_facts(sample(catalogue, "SystemStats", STATS), None))
    assert facts["Running for"].value == "1:02:05"
    assert facts["Processor"].level is Level.ERROR
    assert facts["Free memory"].level is Level.WARNING
    assert facts["Free stack of interrupts"].level is Level.OK
    assert facts["Settings store"].level is Level.WARNING
    assert "Log store" not in facts
    assert facts["Processor temperature"].value == "–"  # 0 is no measurement


def test_objects_whose_updates_were_lost_are_named(catalogue: Catalogue) -> None:
    stats = sample(catalogue, "SystemStats", {"EventSystemWarningID": 0xABC})
    lost = by_name(health_facts(stats, None, lambda object_id: f"object {object_id:X}"))
    assert lost["Lost events"].value == "last of object ABC"
    assert lost["Lost events"].level is Level.WARNING
    quiet = by_name(health_facts(sample(catalogue, "SystemStats", {}), None))
    assert quiet["Lost events"].value == "none"


def test_an_older_release_shows_what_it_has(catalogue: Catalogue) -> None:
    old = sample(catalogue, "SystemStats", {"CPULoad": 10}, "OpenPilot-13.06")
    facts = by_name(health_facts(old, None))
    assert facts["Processor"].level is Level.OK
    assert "Settings store" not in facts


def test_who_a_board_is() -> None:
    known = Identity(0x0903, "ab" * 12, "next", None, "8c101adc", "c166")
    facts = by_name(identity_facts(known, "revision 5", "LibrePilot-16.09"))
    assert facts["Board"].value == "Revolution (0x0903)"
    assert facts["Serial number"].value == "ab" * 12
    assert facts["Objects match best"].value == "LibrePilot-16.09"
    nobody = by_name(identity_facts(Identity(), "", ""))
    assert {fact.level for fact in nobody.values()} == {Level.UNKNOWN}


def test_tasks_near_the_end_of_their_stack(catalogue: Catalogue) -> None:
    info = sample(
        catalogue,
        "TaskInfo",
        {
            "Running.Sensors": "True",
            "StackRemaining.Sensors": 28,
            "RunningTime.Sensors": 12,
            "Running.GPS": "True",
            "StackRemaining.GPS": 300,
        },
    )
    tasks = {task.name: task for task in tasks_of(info)}
    assert tasks["Sensors"].level is Level.ERROR
    assert tasks["Sensors"].share_percent == 12
    assert tasks["GPS"].level is Level.OK
    assert tasks["Airspeed"].level is Level.UNKNOWN  # it does not run


def test_what_was_not_measured_is_not_low(catalogue: Catalogue) -> None:
    info = sample(
        catalogue,
        "CallbackInfo",
        {"Running.DebugLog": "True", "StackRemaining.DebugLog": -1},
    )
    (log,) = [task for task in tasks_of(info) if task.is_running]
    assert log.stack_bytes is None
    assert log.level is Level.UNKNOWN


def test_callbacks_have_no_share(catalogue: Catalogue) -> None:
    info = sample(catalogue, "CallbackInfo", {"RunningTime.PathFollower": 7})
    assert all(task.share_percent is None for task in tasks_of(info))


def test_a_failed_start_tells_the_way_out(catalogue: Catalogue) -> None:
    alarms = {"Alarm.BootFault": "Critical", "Alarm.Attitude": "Error"}
    (fault,) = board_faults(sample(catalogue, "SystemAlarms", alarms))
    assert fault.level is Level.ERROR
    assert "Safe boot" in fault.remedy


def test_settings_that_wait_for_a_restart(catalogue: Catalogue) -> None:
    alarms = {
        "Alarm.SystemConfiguration": "Warning",
        "ExtendedAlarmStatus.SystemConfiguration": "RebootRequired",
    }
    (fault,) = board_faults(sample(catalogue, "SystemAlarms", alarms))
    assert fault.level is Level.WARNING
    assert fault.remedy == "Restart the board below."


def test_a_healthy_board_has_no_faults(catalogue: Catalogue) -> None:
    assert board_faults(sample(catalogue, "SystemAlarms", {"Alarm.BootFault": "OK"})) == []
    assert board_faults(None) == []

"""`lapwing sim hitl`: a real flight controller flies the simulated aircraft."""

import argparse
import json
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING, Final

from simulation.autopilot.preset import DEFAULT_AIRCRAFT, Preset, load_preset
from simulation.command.options import (
    AIRCRAFT_OPTIONS,
    CHANGE_OPTION,
    DURATION_OPTION,
    JSON_OPTION,
    WITHOUT_EFFECT,
    Options,
    check_changes,
    flag,
    value,
)
from simulation.command.record_option import RECORD_OPTION
from simulation.command.terminal import BAD_ENVIRONMENT, BAD_INPUT
from simulation.records.sensor_table import SUPPLIED_SENSORS
from telemetry.base.command_line import print_lines

if TYPE_CHECKING:
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.hitl.config import HitlConfig, HitlResult
    from simulation.hitl.pilot import HitlPilot
    from simulation.scenarios.scenario import Scenario
    from simulation.serving.recording_file import RecordingFile
    from telemetry.protocol.objects.catalogue import Catalogue

_WARNING = (
    "The board will be flown by simulated sensors: its motors may start at any time. "
    "Take the propellers off now."
)


HITL_OPTIONS: Final[Options] = {
    "address": value("ADDRESS", "the board's, e.g. serial:/dev/ttyACM0@57600"),
    **AIRCRAFT_OPTIONS,
    "--scenario": value("NAME|FILE", "what to fly, and to be judged by"),
    **CHANGE_OPTION,
    **DURATION_OPTION,
    **RECORD_OPTION,
    **JSON_OPTION,
    "--sensors --hitl-sensors": value(
        "A,B,...", f"supply these only: {', '.join(SUPPLIED_SENSORS)}", default=""
    ),
    "--rate --hitl-rate": value(
        "HZ",
        "sensors out, actuators in (default: the board's own 500, or what the link carries of it)",
        int,
    ),
    "--propellers-removed": flag("say that the propellers are off"),
    "--restore": flag("only restore what a flight before has changed"),
    "--real-time": WITHOUT_EFFECT,
}


def fly_hardware(options: argparse.Namespace) -> int:
    """Fly as the options say; return the exit code. Raises ValueError for bad input, LinkError,
    OriginalMetadataError."""
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.hitl.report import HitlReport
    from simulation.serving.recording_file import open_recording
    from telemetry.protocol.objects.catalogue import load_catalogue
    from telemetry.protocol.objects.cli import catalogue_for

    check_changes(options.changes)
    if options.changes and not options.scenario:
        raise ValueError("--set belongs to a scenario; add --scenario NAME.")
    preset = load_preset(options.aircraft or DEFAULT_AIRCRAFT)
    catalogue = load_catalogue()
    plan = _plan(options, preset, catalogue)
    scenario = _scenario(options)
    with ExitStack() as resources:
        own = catalogue_for(options)
        recording = open_recording(options.record, _tell, resources, catalogue=own)
        if not plan.restore_only:
            _make_safe(options.propellers_removed)
            _tell_rate(plan.rate_hz)
        result, pilot = _run(plan, AutopilotConfig(preset), catalogue, recording, scenario)
    is_judged = scenario is not None and not plan.restore_only
    report = HitlReport(
        preset.name,
        options.seed,
        result,
        scenario if is_judged else None,
        pilot,
        result.interrupted and (is_judged or options.duration is not None),
    )
    print_lines([json.dumps(report.as_dict())] if options.json else report.as_lines())
    if recording is not None and recording.failure:
        return BAD_ENVIRONMENT
    return 0 if report.passed else BAD_INPUT


def _plan(options: argparse.Namespace, preset: Preset, catalogue: "Catalogue") -> "HitlConfig":
    """What the options ask for. Raises ValueError, AddressError."""
    from simulation.hitl.config import HitlConfig
    from simulation.hitl.rate import BOARD_HZ, SLOWEST_HZ, carried_rate_hz
    from simulation.hitl.sensors import chosen_sensors

    rate_hz = options.rate
    if rate_hz is not None and not SLOWEST_HZ <= rate_hz <= BOARD_HZ:
        raise ValueError(f"{rate_hz} Hz is no rate for --rate; give {SLOWEST_HZ} to {BOARD_HZ}.")
    aircraft, sensors = preset.load_aircraft(), chosen_sensors(options.sensors)
    if rate_hz is None:
        rate_hz = carried_rate_hz(options.address, aircraft, sensors, catalogue)
    return HitlConfig(
        aircraft,
        options.address,
        options.seed,
        sensors,
        rate_hz,
        options.duration,
        options.restore,
    )


def _tell_rate(rate_hz: int) -> None:
    from simulation.hitl.rate import rate_warning

    warning = rate_warning(rate_hz)
    if warning:
        _tell(warning)


def _tell(sentence: str) -> None:
    print(sentence, file=sys.stderr, flush=True)


def _make_safe(is_confirmed: bool) -> None:
    """Warn, and go on only when somebody says that the propellers are off."""
    _tell(_WARNING)
    if is_confirmed:
        return
    if sys.stdin is not None and sys.stdin.isatty():
        print("Type 'off' when they are: ", end="", file=sys.stderr, flush=True)
        if sys.stdin.readline().strip().lower() == "off":
            return
    raise ValueError("Not started; take the propellers off and add --propellers-removed.")


def _run(
    plan: "HitlConfig",
    like_it: "AutopilotConfig",
    catalogue: "Catalogue",
    recording: "RecordingFile | None",
    scenario: "Scenario | None",
) -> "tuple[HitlResult, HitlPilot | None]":
    """Fly to the end; what came of it, and who flew. `like_it` is compiled before."""
    from simulation.hitl.bridge import HitlBridge
    from simulation.hitl.pilot import HitlPilot
    from simulation.serving.warm_up import warm_up
    from telemetry.base.clock import monotonic_s
    from telemetry.base.folders import Folders
    from telemetry.protocol.links.opening import open_link
    from telemetry.vehicle.original_metadata import OriginalMetadataStore

    if not plan.restore_only:
        _tell("Starting the simulator; the first start compiles it.")
        warm_up(like_it, catalogue)
    originals = OriginalMetadataStore(Folders.of_user(os.environ).original_metadata)
    bridge = HitlBridge(plan, catalogue, originals, monotonic_s, open_link)
    bridge.tell, bridge.record = _tell, recording
    if scenario is not None:
        bridge.make_pilot = lambda flight, simulator: HitlPilot(
            scenario, catalogue, flight.sample, simulator
        )
    try:
        result = bridge.run()
    except KeyboardInterrupt:
        if bridge.flight is None:
            raise
        result = bridge.flight.result
    return result, bridge.pilot


def _scenario(options: argparse.Namespace) -> "Scenario | None":
    """The scenario to fly, None without one. Raises ScenarioError for what no board can fly."""
    if not options.scenario:
        return None
    from simulation.hitl.pilot import check_flyable
    from simulation.scenarios.scenario_file import load_scenario

    scenario = load_scenario(options.scenario, dict(options.changes))
    check_flyable(scenario)
    return scenario

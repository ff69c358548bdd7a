"""`lapwing sim --hitl`: the command line's part of hardware in the loop."""

import argparse
import json
import os
import sys
from contextlib import ExitStack
from typing import TYPE_CHECKING

from simulation.autopilot.preset import DEFAULT_AIRCRAFT, load_preset
from simulation.sensor_table import SUPPLIED_SENSORS

if TYPE_CHECKING:
    from simulation.hitl.bridge import HitlBridge
    from simulation.hitl.plan import HitlPlan, HitlResult
    from simulation.recording import RecordingFile
    from telemetry.objects.catalogue import Catalogue

_FAILED, _INCOMPLETE = 1, 2
_RATE_HZ, _SLOWEST_HZ, _FASTEST_HZ = 50, 1, 500
_WARNING = (
    "The board will be flown by simulated sensors: its motors may start at any time.\n"
    "Take the propellers off now."
)


def add_hitl_options(parser: argparse.ArgumentParser) -> None:
    """Add `--hitl` and what goes with it."""
    group = parser.add_argument_group(
        "hardware in the loop", "A real flight controller flies the simulated aircraft."
    )
    group.add_argument(
        "--hitl", metavar="ADDRESS", help="the board's, e.g. serial:/dev/ttyACM0@57600"
    )
    group.add_argument(
        "--hitl-sensors",
        metavar="A,B,...",
        help=f"supply these only: {', '.join(SUPPLIED_SENSORS)}",
    )
    group.add_argument(
        "--hitl-rate",
        metavar="HZ",
        type=int,
        help=f"sensors out, actuators in (default: {_RATE_HZ})",
    )
    group.add_argument(
        "--propellers-removed", action="store_true", help="say that the propellers are off"
    )
    group.add_argument(
        "--restore",
        action="store_true",
        help="only restore what a flight before has changed",
    )


def fly_hardware(options: argparse.Namespace) -> int:
    """Fly as the options say; return the exit code. Raises ValueError for bad input, LinkError,
    OriginalMetadataError."""
    from simulation.aircraft import load_aircraft
    from simulation.hitl.plan import HitlPlan
    from simulation.hitl.sensors import chosen_sensors
    from simulation.recording import open_recording

    if options.changes and not options.scenario:
        raise ValueError("--set belongs to a scenario; add --scenario NAME.")
    rate_hz = _RATE_HZ if options.hitl_rate is None else options.hitl_rate
    if not _SLOWEST_HZ <= rate_hz <= _FASTEST_HZ:
        raise ValueError(
            f"{rate_hz} Hz is no rate for --hitl-rate; give {_SLOWEST_HZ} to {_FASTEST_HZ}."
        )
    preset = load_preset(options.aircraft or DEFAULT_AIRCRAFT)
    plan = HitlPlan(
        load_aircraft(preset.aircraft),
        options.hitl,
        options.seed,
        chosen_sensors(options.hitl_sensors or ""),
        rate_hz,
        options.duration,
        options.restore,
    )
    with ExitStack() as resources:
        recording = open_recording(options.record, _tell, resources)
        if not plan.restore_only:
            _make_safe(options.propellers_removed)
        result = _run(options, plan, recording)
    is_judged = bool(options.scenario)
    ended_early = result.interrupted and (is_judged or options.duration is not None)
    went_well = not (result.problems or result.unrestored or ended_early)
    report = {
        "scenario": options.scenario,
        "passed": went_well and not (is_judged and result.crashed),
        "aircraft": preset.name,
        "seed": options.seed,
        "hitl": result.as_dict(),
    }
    print(json.dumps(report) if options.json else _as_text(result))
    if recording is not None and recording.failure:
        return _INCOMPLETE
    return 0 if report["passed"] else _FAILED


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
    options: argparse.Namespace, plan: "HitlPlan", recording: "RecordingFile | None"
) -> "HitlResult":
    from simulation.autopilot.autopilot import AutopilotConfig
    from simulation.hitl.bridge import HitlBridge
    from simulation.warm_up import warm_up
    from telemetry.clock import monotonic_s
    from telemetry.folders import Folders
    from telemetry.links.opening import open_link
    from telemetry.objects.catalogue import load_catalogue
    from telemetry.vehicle.original_metadata import OriginalMetadataStore

    catalogue = load_catalogue()
    if not plan.restore_only:
        _tell("Starting the simulator; the first start compiles it.")
        warm_up(AutopilotConfig(load_preset(options.aircraft or DEFAULT_AIRCRAFT)), catalogue)
    originals = OriginalMetadataStore(Folders.of_user(os.environ).original_metadata)
    bridge = HitlBridge(plan, catalogue, originals, monotonic_s, open_link)
    bridge.tell, bridge.record = _tell, recording
    _add_pilot(options, bridge, catalogue)
    try:
        return bridge.run()
    except KeyboardInterrupt:
        if bridge.flight is None:
            raise
        return bridge.flight.result


def _add_pilot(options: argparse.Namespace, bridge: "HitlBridge", catalogue: "Catalogue") -> None:
    if not options.scenario:
        return
    from simulation.hitl.flight import HitlFlight
    from simulation.hitl.pilot import HitlPilot, check_flyable
    from simulation.scenarios.scenario_file import load_scenario
    from simulation.simulator import Simulator

    scenario = load_scenario(options.scenario, dict(options.changes))
    check_flyable(scenario)

    def make(flight: HitlFlight, simulator: Simulator) -> HitlPilot:
        return HitlPilot(scenario, catalogue, flight.sample, simulator)

    bridge.make_pilot = make


def _as_text(result: "HitlResult") -> str:
    lines = [f"board                 {result.board or 'unknown'}"]
    if result.supplied:
        lines.append(f"supplied              {', '.join(result.supplied)}")
    if result.missing:
        lines.append(f"not on this board     {', '.join(result.missing)}")
    lines.append(f"flown                 {result.flown_s:.1f} s, {result.commands} commands")
    lines.append(f"restored, verified    {', '.join(result.restored) or 'nothing'}")
    if result.still_armed:
        lines.append("STILL ARMED           disarm the board")
    if result.unrestored:
        lines.append(f"STILL CHANGED         {', '.join(result.unrestored)}")
    return "\n".join([*lines, *result.problems])

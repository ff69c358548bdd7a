"""Tasks and callbacks of the simulated board: TaskInfo and CallbackInfo.

A simulated board has no scheduler. It tells which of a flight controller's tasks its modules stand
for, the optional ones as HwSettings had them at the start, shares the processor load of SystemStats
out among them, and shows stacks with plenty left.
"""

from simulation.autopilot.board import BoardObject, SimulatedBoard

# Share of the load, in percent.
_TASKS = {
    "System": 8,
    "CallbackScheduler0": 34,
    "CallbackScheduler1": 10,
    "CallbackScheduler2": 6,
    "CallbackScheduler3": 2,
    "Receiver": 4,
    "Actuator": 8,
    "Sensors": 18,
    "TelemetryTx": 6,
    "TelemetryRx": 4,
}
_OPTIONAL_TASKS = {"GPS": "GPS", "Airspeed": "Airspeed", "AutoTune": "AutoTune"}
"""Task by the name of the optional module it belongs to."""
_CALLBACKS = (
    "EventDispatcher",
    "StateEstimation",
    "AltitudeHold",
    "Stabilization0",
    "Stabilization1",
    "PathFollower",
    "PathPlanner0",
    "PathPlanner1",
    "ManualControl",
    "DebugLog",
)
_STACK_BYTES = 400


def report_tasks(board: SimulatedBoard) -> None:
    """Have both objects tell what runs since this start."""
    tasks, callbacks, stats = board["TaskInfo"], board["CallbackInfo"], board["SystemStats"]
    shares = dict(_TASKS)
    for module, task in _OPTIONAL_TASKS.items():
        if _is_enabled(board, module):
            shares[task] = 0
    _write_running(tasks, frozenset(shares))
    _write_running(callbacks, frozenset(_CALLBACKS))
    names = tasks.definition.field_named("Running").element_names

    def share_out() -> None:
        if stats.refresh is not None:
            stats.refresh()
        load = int(stats.row["CPULoad"])
        tasks.write(RunningTime=[shares.get(name, 0) * load // 100 for name in names])

    tasks.refresh = share_out


def _is_enabled(board: SimulatedBoard, module: str) -> bool:
    hardware = board["HwSettings"]
    index = hardware.definition.field_named("OptionalModules").element_index(module)
    return hardware.option("OptionalModules", index) == "Enabled"


def _write_running(entry: BoardObject, running: frozenset[str]) -> None:
    names = entry.definition.field_named("Running").element_names
    entry.write(
        Running=[entry.number("Running", str(name in running)) for name in names],
        StackRemaining=[_STACK_BYTES if name in running else 0 for name in names],
    )

"""Board tasks and callbacks: which ones run, what they take and how much stack they have left."""

from dataclasses import dataclass

from telemetry.base.finding import Level
from telemetry.configuration.board.facts import stack_level
from telemetry.recording.sample import Sample


@dataclass(frozen=True, slots=True)
class Task:
    """One task or callback. `share_percent` is of the processor's time, None where not told.

    `stack_bytes` is what it has never used of its stack; None where that is not told.
    """

    name: str
    is_running: bool
    share_percent: int | None
    stack_bytes: int | None

    @property
    def level(self) -> Level:
        """How near its stack is to running over."""
        if not self.is_running or self.stack_bytes is None:
            return Level.UNKNOWN
        return stack_level(self.stack_bytes)


def tasks_of(sample: Sample | None) -> tuple[Task, ...]:
    """The tasks of TaskInfo or the callbacks of CallbackInfo, of any release, in its order.

    A callback's time is a count and no share, so it is left out.
    """
    if sample is None or not sample.definition.has_field("Running"):
        return ()
    definition = sample.definition
    running = definition.field_named("Running")
    shares = _numbers(sample, "RunningTime", "%")
    stacks = _numbers(sample, "StackRemaining")
    return tuple(
        Task(
            name,
            str(sample[f"Running.{name}"]).upper() == "TRUE",
            shares.get(name),
            stacks.get(name),
        )
        for name in running.element_names
    )


def _numbers(sample: Sample, field: str, units: str = "") -> dict[str, int]:
    """A field's numbers by element, but those below zero, which were not measured; none if it is
    not there or in other units."""
    if not sample.definition.has_field(field):
        return {}
    f = sample.definition.field_named(field)
    if units and f.units != units:
        return {}
    numbers = {name: int(sample[f"{field}.{name}"]) for name in f.element_names}
    return {name: number for name, number in numbers.items() if number >= 0}

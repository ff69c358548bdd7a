"""Board facts: what a board is, how it does, and what is wrong with the board itself."""

from collections.abc import Callable, Iterator
from dataclasses import replace

from telemetry.base.fact import NOT_KNOWN, Fact, known_fact
from telemetry.base.finding import Finding, Level
from telemetry.configuration.settings.identity import Identity
from telemetry.recording.alarms import Alarm, read_alarms
from telemetry.recording.sample import Sample

_THIN = "\N{NARROW NO-BREAK SPACE}"
# Where firmware itself raises its alarms of CPU load, heap and interrupt stack.
_LOAD_PERCENT = (80, 95)
_HEAP_BYTES = (1000, 500)
_IRQ_BYTES = (150, 80)
_TASK_BYTES = (60, 32)
"""Boards that flew well were seen with 76 bytes left."""
_HOT_C = (75, 90)
_HASH_CHARACTERS = 16
_LOST = ("EventSystemWarningID", "ObjectManagerCallbackID", "ObjectManagerQueueID")
_OF_THE_BOARD = (
    *("BootFault", "SystemConfiguration", "OutOfMemory", "StackOverflow", "CPUOverload"),
    *("EventSystem", "SDCard"),
)
_BOOT_REMEDY = (
    "Correct the hardware settings and save them. If the board does not start well with them, "
    "use Safe boot below."
)


def identity_facts(identity: Identity, bootloader: str, release: str) -> tuple[Fact, ...]:
    """Who the board is. `release` is the one of the catalogue that its objects match best."""
    date = f"{identity.firmware_date:%Y-%m-%d %H:%M} UTC" if identity.firmware_date else ""
    number = f"{identity.board_name} (0x{identity.board:04X})" if identity.is_known else ""
    serial = identity.serial if identity.has_serial else "none of its own" * bool(identity.serial)
    return (
        known_fact("Board", number),
        known_fact("Serial number", serial),
        known_fact("Bootloader", bootloader),
        known_fact("Firmware", identity.firmware),
        known_fact("Built from source of", date),
        known_fact("Source", identity.firmware_hash),
        _hash("Definitions (UAVO hash)", identity.uavo_hash),
        known_fact("Objects match best", release),
    )


def health_facts(
    stats: Sample | None,
    watchdog: Sample | None,
    name_of: Callable[[int], str] = lambda object_id: f"0x{object_id:08X}",
) -> tuple[Fact, ...]:
    """How it does now, from SystemStats and WatchdogStatus of any release. `name_of` gives the
    name of an object by its id, for those whose updates the board has lost."""
    if stats is None:
        return (known_fact("Running for", ""),)
    return tuple(_health(stats, watchdog, name_of))


def stack_level(left_bytes: int) -> Level:
    """How well a task is that has so much of its stack left."""
    return _level(left_bytes, _TASK_BYTES)


def _health(
    stats: Sample, watchdog: Sample | None, name_of: Callable[[int], str]
) -> Iterator[Fact]:
    for field, name, words, limits, why in _MEASURED:
        if stats.definition.has_field(field):
            number = int(stats[field])
            yield Fact(name, words(number), _level(number, limits), why)
    for name, kind in (("Settings store", "Sys"), ("Log store", "Usr")):
        yield from _store(name, stats, f"{kind}SlotsFree", f"{kind}SlotsActive")
    yield from _lost_events(stats, name_of)
    if watchdog is not None and watchdog.definition.has_field("BootupFlags"):
        bootup, active = int(watchdog["BootupFlags"]), int(watchdog["ActiveFlags"])
        yield Fact("Watchdog flags", f"0x{active:04X} now, 0x{bootup:04X} at the start")


def _lost_events(stats: Sample, name_of: Callable[[int], str]) -> Iterator[Fact]:
    """The board names the last object of which an update found a queue full; 0 for none."""
    fields = [f for f in _LOST if stats.definition.has_field(f)]
    lost = dict.fromkeys(int(stats[f]) for f in fields if int(stats[f]))
    if lost:
        names = ", ".join(name_of(object_id) for object_id in lost)
        why = "A part of the firmware did not keep up: reduce the rate of what it says."
        yield Fact("Lost events", f"last of {names}", Level.WARNING, why)
    elif fields:
        yield Fact("Lost events", "none")


def _store(name: str, stats: Sample, free_field: str, used_field: str) -> Iterator[Fact]:
    definition = stats.definition
    if not (definition.has_field(free_field) and definition.has_field(used_field)):
        return
    free, used = int(stats[free_field]), int(stats[used_field])
    if free + used == 0:  # not in use
        return
    is_full = free == 0
    why = "It is full: what is saved now is lost." if is_full else ""
    yield Fact(name, f"{used} used, {free} free", Level.WARNING if is_full else Level.OK, why)


def _hash(name: str, value: str) -> Fact:
    """The beginning of a long one, the whole of it where one asks."""
    is_long = len(value) > _HASH_CHARACTERS
    return replace(
        known_fact(name, f"{value[:_HASH_CHARACTERS]}…" if is_long else value), why=value
    )


def _level(value: int, limits: tuple[int, int] | None) -> Level:
    """How well it is by its limits of caution and danger: the higher the worse where danger is the
    higher one, else the lower the worse."""
    if limits is None:
        return Level.OK
    caution, danger = limits
    if caution < danger:
        return Level.ERROR if value >= danger else Level.WARNING if value >= caution else Level.OK
    return Level.ERROR if value < danger else Level.WARNING if value < caution else Level.OK


def _bytes(count: int) -> str:
    return f"{count:,}{_THIN}bytes".replace(",", _THIN)


def _span(milliseconds: int) -> str:
    hours, rest = divmod(milliseconds // 1000, 3600)
    return f"{hours}:{rest // 60:02d}:{rest % 60:02d}" if hours else f"{rest // 60}:{rest % 60:02d}"


def _percent(value: int) -> str:
    return f"{value}{_THIN}%"


def _celsius(value: int) -> str:
    return f"{value}{_THIN}°C" if value else NOT_KNOWN  # boards without a sensor say 0


_LATE = "With no time left control becomes late."
_STOPS = "Without memory modules stop."
_CRASHES = "A full stack crashes the firmware."
_MEASURED: tuple[tuple[str, str, Callable[[int], str], tuple[int, int] | None, str], ...] = (
    ("FlightTime", "Running for", _span, None, ""),
    ("CPULoad", "Processor", _percent, _LOAD_PERCENT, _LATE),
    ("CPUTemp", "Processor temperature", _celsius, _HOT_C, ""),
    ("HeapRemaining", "Free memory", _bytes, _HEAP_BYTES, _STOPS),
    ("IRQStackRemaining", "Free stack of interrupts", _bytes, _IRQ_BYTES, _CRASHES),
    ("SystemModStackRemaining", "Free stack of the system", _bytes, _TASK_BYTES, _CRASHES),
)


def board_faults(alarms: Sample | None) -> list[Finding]:
    """The board's own alarms that ask for attention, worst first."""
    if alarms is None:
        return []
    active = [a for a in read_alarms(alarms) if a.name in _OF_THE_BOARD and a.is_active]
    return sorted(map(_finding, active), key=lambda finding: -finding.level)


def _finding(alarm: Alarm) -> Finding:
    why = f"{alarm.title}: {alarm.detail or alarm.meaning}"
    if alarm.detail.startswith("Settings were changed that only take effect"):
        return Finding(alarm.level, alarm.name, why, "Restart the board below.")
    remedy = _BOOT_REMEDY if alarm.name == "BootFault" else alarm.remedy
    return Finding(alarm.level, alarm.name, why, remedy)

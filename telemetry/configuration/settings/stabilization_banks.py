"""Stabilization banks: what an aircraft has of them, and what is done with them.

All of these only stage. A firmware without banks has one set, in StabilizationSettings.
"""

from dataclasses import dataclass

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.difference import is_same
from telemetry.recording.sample import Value

SHARED = "StabilizationSettings"
BANKS = tuple(f"{SHARED}Bank{number}" for number in (1, 2, 3))
_MAP = "FlightModeMap"
_COMMAND, _POSITION = "ManualControlCommand", "FlightModeSwitchPosition"
_GAINS = "RollRatePID"
_TWINS = (("Roll", "Pitch"), ("Pitch", "Roll"))


@dataclass(frozen=True, slots=True)
class BankDifference:
    """A path whose values differ; None where one of the two lacks it."""

    path: str
    a: Value | None
    b: Value | None


def banks_of(settings: Configuration) -> tuple[str, ...]:
    """The objects that hold gains: the banks, else the one set of a firmware without any."""
    banks = tuple(name for name in BANKS if settings.has(name))
    if banks:
        return banks
    return (SHARED,) if settings.has(SHARED, _GAINS) else ()


def bank_title(name: str) -> str:
    """What a person calls it."""
    return f"Bank {name[-1]}" if name in BANKS else "Gains"


def positions_of(settings: Configuration, bank: str) -> tuple[int, ...]:
    """The positions of the flight mode switch, counted from 1, that fly with a bank: as many of
    them as the switch has."""
    option, count = f"Bank{bank[-1]}", position_count(settings)
    found = []
    for path, value in settings.values(SHARED).items():
        field, _, element = path.partition(".")
        if field != _MAP or not element.isdigit() or value != option:
            continue
        if count is None or int(element) < count:
            found.append(int(element) + 1)
    return tuple(found)


def switch_position(settings: Configuration) -> int | None:
    """Where the flight mode switch is, counted from 1; None while the aircraft does not say."""
    sample = settings.aircraft.sample(_COMMAND)
    if sample is None or not sample.definition.has_field(_POSITION):
        return None
    return int(sample[_POSITION]) + 1


def bank_in_use(settings: Configuration) -> str:
    """The bank that the switch's position flies with now; empty while that is not known."""
    position = switch_position(settings)
    option = None if position is None else settings.on_board(SHARED, f"{_MAP}.{position - 1}")
    return f"{SHARED}{option}" if isinstance(option, str) else ""


def position_count(settings: Configuration) -> int | None:
    """How many positions the switch has; None while unknown."""
    for name in ("ManualControlSettings", "FlightModeSettings"):
        count = settings.value(name, "FlightModeNumber")
        if isinstance(count, int):
            return count
    return None


def copy_bank(settings: Configuration, source: str, target: str) -> None:
    """Stage the values of one bank as those of another."""
    settings.stage_all(target, _common(settings, settings.values(source), target))


def swap_banks(settings: Configuration, a: str, b: str) -> None:
    """Stage each bank's values as the other's."""
    of_a, of_b = settings.values(a), settings.values(b)
    settings.stage_all(a, _common(settings, of_b, a))
    settings.stage_all(b, _common(settings, of_a, b))


def compare_banks(settings: Configuration, a: str, b: str) -> tuple[BankDifference, ...]:
    """Where two banks differ, as forms show them, in the order of the fields."""
    of_a, of_b = settings.values(a), settings.values(b)
    paths = list(dict.fromkeys((*of_a, *of_b)))
    found = (BankDifference(path, of_a.get(path), of_b.get(path)) for path in paths)
    return tuple(d for d in found if d.a is None or d.b is None or not is_same(d.a, d.b))


def restore_bank(settings: Configuration, bank: str) -> bool:
    """Stage what a bank held at connection; False if that is not known."""
    baseline = settings.baseline
    before = baseline.objects.get((bank, 0)) if baseline is not None else None
    if before is None:
        return False
    settings.unstage(bank)
    settings.stage_all(bank, _common(settings, dict(before.values), bank))
    return True


def twin_of(path: str) -> str:
    """The same setting of the other of roll and pitch ("RollRatePID.Kp" of "PitchRatePID.Kp",
    "ManualRate.Pitch" of "ManualRate.Roll"); empty for what has no twin."""
    field, dot, element = path.partition(".")
    for axis, other in _TWINS:
        if field.startswith(axis):
            return f"{other}{field.removeprefix(axis)}{dot}{element}"
        if element == axis:
            return f"{field}.{other}"
    return ""


def is_even(settings: Configuration, bank: str) -> bool:
    """Whether roll and pitch have the same values throughout, so that linking loses nothing."""
    values = settings.values(bank)
    return all(
        is_same(value, values[twin])
        for path, value in values.items()
        if (twin := twin_of(path)) in values
    )


def _common(settings: Configuration, values: dict[str, Value], target: str) -> dict[str, Value]:
    known = settings.values(target)
    return {path: value for path, value in values.items() if path in known}

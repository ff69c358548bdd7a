"""Rate preset "for tuning": how often what judges and identifies an aircraft is sent and logged.

It is staged like any setting, as differences of metaobjects, and is sent by nobody but who applies
what is staged. What telemetry is asked for depends on what the link carries; the board's own log,
which no link slows down, takes what a delay is told by at 250 Hz, and every command of the motors:
of kicks that begin and end between two logged ones an identification makes torques that are 10 %
wrong.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import read_values
from telemetry.protocol.links.capacity import line_bytes_per_s
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import row_of

TITLE: Final = "Rates for tuning"
_META: Final = "Meta"
_EVERY_CYCLE_MS, _FAST_MS, _SLOW_MS = 2, 4, 20


@dataclass(frozen=True, slots=True)
class PresetObject:
    """An object by the names that releases gave it, how often it is logged on board, and whether a
    step response is read from it, so that it comes first on a slow link."""

    names: tuple[str, ...]
    logged_ms: int
    is_judged: bool = False


FOR_TUNING: Final = (
    PresetObject(("GyroState", "Gyros"), _FAST_MS, is_judged=True),
    PresetObject(("RateDesired",), _FAST_MS, is_judged=True),
    PresetObject(("ActuatorCommand",), _EVERY_CYCLE_MS),
    PresetObject(("StabilizationDesired",), _SLOW_MS, is_judged=True),
    PresetObject(("AttitudeState", "AttitudeActual"), _SLOW_MS, is_judged=True),
    PresetObject(("AccelState", "Accels"), _SLOW_MS),
    PresetObject(("ActuatorDesired",), _SLOW_MS),
)
_WAYS_TO_SEND: Final = ((20, False), (20, True), (40, True), (100, True))
"""Periods in ms, the best first, and whether only what is judged is sent so."""
_LINK_SHARE = 0.6
"""Of what a line carries: the rest is left to what is sent anyway, and to answers."""
_FRAME_BYTES, _ENTRY_BYTES = 11, 17
"""Around an object: in a frame, and in the board's log (LibrePilot's pios_debuglog.c)."""
_SLOT_BYTES = 217
_LOG, _LOGS_WHEN = "DebugLogSettings", "LoggingEnabled"


@dataclass(frozen=True, slots=True)
class RatePlan:
    """What would be staged for one aircraft over one link: periods by object, and in words what
    that asks of link and board."""

    sent_ms: Mapping[str, int]
    logged_ms: Mapping[str, int]
    text: str


def is_in_preset(path: str) -> bool:
    """Whether a field, or an expression, is of an object that the preset has sent more often."""
    return any(f"{name}." in path for one in FOR_TUNING for name in one.names)


def plan_rates(settings: Configuration) -> RatePlan:
    """What the preset means for this aircraft, over the link that it has now."""
    objects = {one.name: one for one in map(partial(_on_board, settings), FOR_TUNING) if one}
    address = settings.aircraft.link_address
    line = line_bytes_per_s(address)
    sent = _sent(objects, line)
    logged = {name: one.preset.logged_ms for name, one in objects.items()}
    if not settings.has(_LOG):
        logged = {}
    link = _link_words(sent, _flow(objects, sent, _FRAME_BYTES), line, address)
    log = _log_words(settings, logged, _flow(objects, logged, _ENTRY_BYTES))
    return RatePlan(sent, logged, f"{link} {log}")


def stage_rates(settings: Configuration, plan: RatePlan) -> None:
    """Stage what of a plan the board does not have."""
    with settings.staging_from(TITLE):
        for name in {**plan.sent_ms, **plan.logged_ms}:
            _stage_object(settings, name, plan)
        if plan.logged_ms and settings.on_board(_LOG, _LOGS_WHEN) == "Disabled":
            settings.stage(_LOG, _LOGS_WHEN, "OnlyWhenArmed")


def staged_rates(settings: Configuration) -> int:
    """How many values of the preset's objects are staged."""
    names = {f"{name}{_META}" for one in FOR_TUNING for name in one.names} | {_LOG}
    return sum(name in names for name, _, _ in settings.draft.staged_keys())


@dataclass(frozen=True, slots=True)
class _OnBoard:
    """An object of the preset as this aircraft has it."""

    name: str
    preset: PresetObject
    size: int


def _on_board(settings: Configuration, preset: PresetObject) -> _OnBoard | None:
    """None where the aircraft lacks it, or may not write it now: then its metadata are changed for
    a while, for a motor test or a simulator's sensors, and that is not to stay."""
    for name in preset.names:
        sample = settings.aircraft.sample(f"{name}{_META}")
        if sample is None or Metadata.unpack(sample.row.tobytes()).flight_readonly:
            continue
        described = settings.aircraft.described(sample.definition.meta_of)
        if described is not None:
            return _OnBoard(name, preset, described.size)
    return None


def _sent(objects: Mapping[str, _OnBoard], line: float) -> dict[str, int]:
    """The first way to send that fits into the line; empty where none does."""
    for period_ms, only_judged in _WAYS_TO_SEND:
        names = (n for n, one in objects.items() if one.preset.is_judged or not only_judged)
        sent = dict.fromkeys(names, period_ms)
        if _flow(objects, sent, _FRAME_BYTES) <= _LINK_SHARE * line:
            return sent
    return {}


def _flow(objects: Mapping[str, _OnBoard], periods_ms: Mapping[str, int], around: int) -> float:
    """Bytes per second of objects with so many bytes around each."""
    return sum(1e3 / ms * (objects[name].size + around) for name, ms in periods_ms.items())


def _stage_object(settings: Configuration, name: str, plan: RatePlan) -> None:
    meta = f"{name}{_META}"
    sample = settings.aircraft.sample(meta)
    if sample is None:
        return
    packed = sample.row.tobytes()
    metadata = Metadata.unpack(packed)
    if name in plan.sent_ms:
        flight = UpdatePolicy(UpdateMode.PERIODIC, plan.sent_ms[name])
        metadata = replace(metadata, flight=flight)
    if name in plan.logged_ms:
        logging = UpdatePolicy(UpdateMode.PERIODIC, plan.logged_ms[name])
        metadata = replace(metadata, logging=logging)
    wanted = row_of(sample.definition, metadata.pack(len(packed)))
    settings.stage_all(meta, read_values(sample.definition, wanted))


# In words -------------------------------------------------------------------------------


def _link_words(sent: Mapping[str, int], flow: float, line: float, address: str) -> str:
    carries = "what this link carries is not known"
    if line < math.inf:
        carries = f"this line carries {_kilobytes(line)} at most"
        carries += ", a radio on it often less" if address.startswith("serial:") else ""
    if not sent:
        return f"Telemetry stays as it is: {carries}."
    hz = 1000 / max(sent.values())
    return f"Telemetry: {len(sent)} objects at {hz:.0f} Hz, {_kilobytes(flow)}; {carries}."


def _log_words(settings: Configuration, logged: Mapping[str, int], flow: float) -> str:
    if not logged:
        return "The board keeps no log of its own, so no delay can be told."
    words = (
        f"The board's own log: {_kilobytes(flow)} while armed, with what tells delays at "
        f"{1000 / min(logged.values()):.0f} Hz; slower flash loses some"
    )
    free = settings.on_board("DebugLogStatus", "FreeSlots")
    if isinstance(free, int) and free > 0:
        words += f", and {free * _SLOT_BYTES / flow:.0f} s are free"
    return f"{words}."


def _kilobytes(per_s: float) -> str:
    return f"{per_s / 1000:.1f} kB/s"

"""Rate preset "for tuning": how often what judges and identifies an aircraft is sent and logged.

It is staged like any setting, as differences of metaobjects, and is sent by nobody but who applies
what is staged. What telemetry is asked for depends on what the link carries; no link slows down the
board's own log, which takes it beside what is logged already.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from telemetry.configuration.board_logs.log_filling import (
    HEADER_BYTES,
    LoggedStream,
    slots_per_s,
)
from telemetry.configuration.board_logs.log_presets import (
    FOR_TUNING,
    TIME_SINCE_BOOT,
    PresetObject,
)
from telemetry.configuration.board_logs.logged_objects import (
    LOG_SETTINGS,
    LOG_STATUS,
    LOGS_WHEN,
    stage_logging,
)
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.metaobjects import META, held_metadata, stage_metadata
from telemetry.protocol.links.capacity import line_bytes_per_s
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata, fitting_logging

TITLE: Final = "Rates for tuning"
_WAYS_TO_SEND: Final = ((20, False), (20, True), (40, True), (100, True))
"""Periods in ms, the best first, and whether only what is judged is sent so."""
_LINK_SHARE = 0.6
"""Of what a line carries: the rest is left to what is sent anyway, and to answers."""
_FRAME_BYTES = 11
"""Around an object in a frame."""


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
    objects = _all_on_board(settings, FOR_TUNING)
    in_log = {**objects, **_all_on_board(settings, [TIME_SINCE_BOOT])}
    address = settings.aircraft.link_address
    line = line_bytes_per_s(address)
    sent = _sent(objects, line)
    logged = {name: one.preset.logged_ms for name, one in in_log.items()}
    if not settings.has(LOG_SETTINGS):
        logged = {}
    link = _link_words(sent, _flow(objects, sent, _FRAME_BYTES), line, address)
    log = _log_words(settings, in_log, logged)
    return RatePlan(sent, logged, f"{link} {log}")


def stage_rates(settings: Configuration, plan: RatePlan) -> None:
    """Stage what of a plan the board does not have."""
    with settings.staging_from(TITLE):
        for name, period_ms in plan.sent_ms.items():
            _stage_sent(settings, name, period_ms)
        for name, period_ms in plan.logged_ms.items():
            stage_logging(settings, name, UpdatePolicy(UpdateMode.PERIODIC, period_ms))
        if plan.logged_ms and settings.on_board(LOG_SETTINGS, LOGS_WHEN) == "Disabled":
            settings.stage(LOG_SETTINGS, LOGS_WHEN, "OnlyWhenArmed")


def staged_rates(settings: Configuration) -> int:
    """How many values of the preset's objects are staged."""
    objects = (*FOR_TUNING, TIME_SINCE_BOOT)
    names = {f"{name}{META}" for one in objects for name in one.names} | {LOG_SETTINGS}
    return sum(name in names for name, _, _ in settings.draft.staged_keys())


@dataclass(frozen=True, slots=True)
class _OnBoard:
    """An object of the preset as this aircraft has it."""

    name: str
    preset: PresetObject
    size: int


def _all_on_board(settings: Configuration, presets: Iterable[PresetObject]) -> dict[str, _OnBoard]:
    return {one.name: one for one in map(partial(_on_board, settings), presets) if one}


def _on_board(settings: Configuration, preset: PresetObject) -> _OnBoard | None:
    """None where the aircraft lacks it, or may not write it now: then its metadata are changed for
    a while, for a motor test or a simulator's sensors, and that is not to stay."""
    for name in preset.names:
        sample = settings.aircraft.sample(f"{name}{META}")
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


def _stage_sent(settings: Configuration, name: str, period_ms: int) -> None:
    metadata = held_metadata(settings, name)
    if metadata is not None:
        flight = UpdatePolicy(UpdateMode.PERIODIC, period_ms)
        logging = fitting_logging(metadata.logging, flight)
        stage_metadata(settings, name, replace(metadata, flight=flight, logging=logging))


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


def _log_words(
    settings: Configuration, objects: Mapping[str, _OnBoard], logged: Mapping[str, int]
) -> str:
    if not logged:
        return "The board keeps no log of its own, so no delay can be told."
    words = (
        f"The board's own log: {_kilobytes(_flow(objects, logged, HEADER_BYTES))} while armed, "
        f"with what tells delays at {1000 / min(logged.values()):.0f} Hz; slower flash loses some"
    )
    free = settings.on_board(LOG_STATUS, "FreeSlots")
    if isinstance(free, int) and free > 0:
        streams = (LoggedStream(objects[name].size, 1e3 / ms) for name, ms in logged.items())
        words += f", and about {free / slots_per_s(streams):.0f} s are free"
    return f"{words}."


def _kilobytes(per_s: float) -> str:
    return f"{per_s / 1000:.1f} kB/s"

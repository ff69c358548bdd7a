"""Contributions of plugins: their exports, findings, warnings and mission formats, as rows of the
station's registries. What fails of them is told; everything else goes on.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

from app.background_jobs import JobCancelled
from app.plugin_loading.loader import PluginError, PluginSet, use_plugin
from plugins.api import Finder, LogExport, MissionFile, Plugin, WarningRule, WarningValue
from telemetry.base.finding import Finding, Level
from telemetry.base.registry import contributions

Told = Callable[[str], None]
"""Told in a sentence what failed."""
_Row = tuple[str, Any]
Kind = TypeVar("Kind")


class PluginContributions:
    """See `telemetry.base.registry.Contributor`. `tell` is called from any thread."""

    def __init__(self, found: PluginSet, tell: Told) -> None:
        self._plugins, self._tell = found.plugins, tell
        self._owners: dict[tuple[str, str], Plugin] = {}

    def rows(self, table: str) -> Iterator[_Row]:
        """The rows of all plugins for a table, each with its key."""
        for plugin in self._plugins:
            for entry in getattr(plugin, table):
                key, row = _MAKERS[table](plugin, entry, self._tell)
                self._owners[table, key] = plugin
                yield key, row

    def refuse(self, table: str, key: str) -> None:
        """Tell of a row whose key is taken."""
        owner = self._owners[table, key].title
        self._tell(f"'{key}' in the {table} of the plugin {owner} is taken; rename it there.")


def contribution_failures(found: PluginSet) -> tuple[str, ...]:
    """What of the contributions cannot be used, as sentences: their keys are looked at, their code
    is imported."""
    failures: list[str] = []
    with contributions(lambda: PluginContributions(found, failures.append)):
        for registry in _registries():
            len(registry)
    for plugin in found.plugins:
        for name in _functions(plugin):
            try:
                use_plugin(plugin, name, callable)
            except PluginError as error:
                failures.append(f"{error.what}.")
    return tuple(failures)


def _registries() -> Iterator[Mapping[str, Any]]:
    from telemetry.missions.files.formats import MISSION_FORMATS
    from telemetry.recording.export.formats import FORMATS
    from telemetry.review.analysis.findings.search import FINDERS
    from telemetry.warnings.shipped_rules import usual_rules
    from telemetry.warnings.station_values import STATION_VALUES

    yield from (FORMATS, FINDERS, usual_rules(), STATION_VALUES, MISSION_FORMATS)


def _functions(plugin: Plugin) -> Iterator[str]:
    yield from (entry.write for entry in plugin.exports)
    yield from (entry.find for entry in plugin.findings)
    yield from (entry.read for entry in plugin.warning_values)
    for entry in plugin.mission_formats:
        yield from (name for name in (entry.read, entry.write) if name)


def _export_format(plugin: Plugin, entry: LogExport, _tell: Told) -> _Row:
    from telemetry.recording.export.formats import ExportFormat
    from telemetry.recording.export.request import ExportCancelled, ExportError

    def refuse(error: PluginError, *_arguments: object) -> list[Path]:
        raise ExportError(str(error)) from error

    export = _guarded(
        plugin, entry.write, list[Path], refuse, (ExportError, ExportCancelled, JobCancelled)
    )
    return entry.name, ExportFormat(entry.name, entry.title, export, entry.has_rate)


def _finder(plugin: Plugin, entry: Finder, _tell: Told) -> _Row:
    from telemetry.review.analysis.findings.flight_finding import FlightFinding, found
    from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
    from telemetry.review.analysis.findings.search import FlightFinder

    def checked(one: FlightFinding) -> FlightFinding:
        Level(_only(Finding, one.finding).level)
        return FlightFinding(float(one.t), float(one.end_s), one.finding)

    def failed(error: PluginError, flight: ReviewedFlight) -> tuple[FlightFinding, ...]:
        """That it failed is a finding itself."""
        at_s = flight.recording.first_s
        return (found(entry.kinds[0], (at_s, at_s), error.what, Level.WARNING, error.remedy),)

    find = _guarded(plugin, entry.find, lambda all_: tuple(map(checked, all_)), failed)
    return entry.kinds[0].code, FlightFinder(entry.kinds, find)


def _rule(plugin: Plugin, rule: WarningRule, _tell: Told) -> _Row:
    full_id = f"{plugin.id}.{rule.id}"
    return full_id, replace(rule, id=full_id)


def _station_value(plugin: Plugin, entry: WarningValue, tell: Told) -> _Row:
    from telemetry.warnings.firmware_needs import field_need
    from telemetry.warnings.rule_state import WatchedValue
    from telemetry.warnings.watched_flight import StationValue, StationValueError, WatchedFlight

    told: set[str] = set()

    def checked(value: WatchedValue) -> WatchedValue:
        if isinstance(value, tuple):
            return tuple(_only(str, word) for word in value)
        return value if value is None or isinstance(value, str) else float(value)

    def refuse(error: PluginError, _watched: WatchedFlight) -> WatchedValue:
        """That it failed is told once."""
        if not told:
            tell(str(error))
        told.add(str(error))
        raise StationValueError(str(error)) from error

    read = _guarded(plugin, entry.read, checked, refuse, (StationValueError,))
    needs = tuple(field_need(path) for path in entry.needs)
    return entry.name, StationValue(entry.words, read, entry.unit, needs=needs)


def _mission_format(plugin: Plugin, entry: MissionFile, _tell: Told) -> _Row:
    from telemetry.missions.files.errors import MissionFileError
    from telemetry.missions.files.formats import MissionFormat
    from telemetry.missions.mission import Mission

    def not_read(error: PluginError, path: Path, *_more: object) -> Mission:
        raise MissionFileError(path, str(error)) from error

    def not_written(error: PluginError, _mission: Mission) -> bytes:
        raise ValueError(str(error).removesuffix(".")) from error

    of_mission, of_bytes = partial(_only, Mission), partial(_only, bytes)
    read = _guarded(plugin, entry.read, of_mission, not_read, (MissionFileError,))
    write = _guarded(plugin, entry.write, of_bytes, not_written, (ValueError,))
    return entry.suffix, MissionFormat(
        entry.suffix,
        entry.title,
        read if entry.read else None,
        write if entry.write else None,
        entry.sign,
    )


def _guarded(
    plugin: Plugin,
    name: str,
    checked: Callable[[Any], Kind],
    failed: Callable[..., Kind],
    passes: tuple[type[Exception], ...] = (),
) -> Callable[..., Kind]:
    """The function that a plugin names, with its answer `checked`; it may raise what `passes`.
    Whatever else goes wrong is for `failed`, with the arguments."""

    def call(*arguments: Any) -> Kind:
        try:
            return use_plugin(plugin, name, lambda use: checked(use(*arguments)), passes)
        except PluginError as error:
            return failed(error, *arguments)

    return call


def _only(kind: type[Kind], value: object) -> Kind:
    """The value; raise TypeError for one of another kind."""
    if not isinstance(value, kind):
        raise TypeError(f"it gave {value!r}")
    return value


_MAKERS: Final[dict[str, Callable[[Plugin, Any, Told], _Row]]] = {
    "exports": _export_format,
    "findings": _finder,
    "warnings": _rule,
    "warning_values": _station_value,
    "mission_formats": _mission_format,
}
"""Makes a row of what a manifest says, by the field of Plugin."""

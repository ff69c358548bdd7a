"""Logged objects: when a board writes each of its objects into its own flash, and when at all.

Read and staged as settings: the way of logging is in each object's metadata, whether there is a log
at all in `DebugLogSettings`. Nothing is sent before who stages it applies it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from telemetry.configuration.board_logs.log_presets import LogPreset
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.metaobjects import META, held_metadata, stage_metadata
from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata, fitting_logging
from telemetry.vehicle.vehicle import Vehicle

LOG_SETTINGS: Final = "DebugLogSettings"
LOGS_WHEN: Final = "LoggingEnabled"
LOG_STATUS: Final = "DebugLogStatus"
FILE_LOG_SETTINGS: Final = "LoggingSettings"
"""Of boards that log into files (Tau Labs, dRonin): it says which objects, by a profile."""
WHEN_TITLES: Final = {
    "Disabled": "Never",
    "OnlyWhenArmed": "Only when armed",
    "Always": "Always",
}
MODE_TITLES: Final = {
    UpdateMode.MANUAL: "Disabled",
    UpdateMode.PERIODIC: "Periodically",
    UpdateMode.ONCHANGE: "When updated",
    UpdateMode.THROTTLED: "Throttled",
}
"""The words of the stations of this family."""
HAS_PERIOD: Final = (UpdateMode.PERIODIC, UpdateMode.THROTTLED)
_OF_THE_LOG = "DebugLog"
_SOURCE = "What is logged"
_NOT_LOGGED = UpdatePolicy()
_LOOKED_AT_S = 60.0
_LEAST_S = 5.0


@dataclass(frozen=True, slots=True)
class LoggedObject:
    """An object of this aircraft and when it is logged, as staged, else as on board."""

    name: str
    size_bytes: int
    instances: int
    is_setting: bool
    policy: UpdatePolicy
    sent: UpdatePolicy
    """When it is sent, which the way of logging has to fit."""
    is_staged: bool
    updates_per_s: float | None
    """How often the board updates it, where the link tells that; else None."""

    @property
    def is_misfit(self) -> bool:
        """Whether firmware would log it, or send it, without pause."""
        return self.policy != fitting_logging(self.policy, self.sent)

    @property
    def entries_per_s(self) -> float | None:
        """How often it is logged, at most where it is throttled; None where that is not known."""
        mode, period_ms = self.policy.mode, self.policy.period_ms
        if mode is UpdateMode.MANUAL or (mode in HAS_PERIOD and not period_ms):
            return 0.0
        if mode is UpdateMode.ONCHANGE or self.is_misfit:
            return self.updates_per_s
        most = self.policy.per_s
        if mode is UpdateMode.THROTTLED:  # what is sent is logged, too
            most += self.sent.per_s
        return most * self.instances


class LoggedObjects:
    """What one aircraft logs."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self.settings: Configuration = configuration_of(vehicle)

    @property
    def when(self) -> str:
        """An option of `WHEN_TITLES`, as staged, else as on board; "" where it is not known."""
        return str(self.settings.value(LOG_SETTINGS, LOGS_WHEN) or "")

    def stage_when(self, option: str) -> None:
        """Stage when there is a log at all, where the aircraft lets that be chosen."""
        if not self.settings.has(LOG_SETTINGS):
            return
        with self.settings.staging_from(_SOURCE):
            self.settings.stage(LOG_SETTINGS, LOGS_WHEN, option)

    def objects(self) -> tuple[LoggedObject, ...]:
        """Every object whose metadata the aircraft has told: what is measured first, by name."""
        recording = self._vehicle.recording
        found = (
            self._logged(self.settings.aircraft.described(track.definition.meta_of))
            for track in recording.tracks()
            if track.definition.meta_of is not None
        )
        return tuple(
            sorted((one for one in found if one), key=lambda one: (one.is_setting, one.name))
        )

    def stage(self, names: Iterable[str], mode: UpdateMode, period_ms: int) -> tuple[str, ...]:
        """Stage when objects are logged; return the names of those that are logged otherwise, since
        that does not fit how they are sent. Raises ValueError for a period that is too long."""
        policy = UpdatePolicy(mode, period_ms if mode in HAS_PERIOD else 0)
        return self._stage(dict.fromkeys(names, policy))

    def stage_table(self, when: str, policies: Mapping[str, UpdatePolicy]) -> tuple[str, ...]:
        """Stage when there is a log and when these objects are logged; return the names of those
        that the aircraft lacks, as releases have other names."""
        present = {one.name for one in self.objects()}
        self._stage({name: policy for name, policy in policies.items() if name in present})
        self.stage_when(when)
        return tuple(name for name in policies if name not in present)

    def stage_preset(self, preset: LogPreset) -> None:
        """Stage that this is logged and nothing else; a log that was off is on when armed, one in
        which nothing is logged is off."""
        policies = policies_of(preset, self.objects())
        self._stage(policies)
        is_empty = all(policy == _NOT_LOGGED for policy in policies.values())
        if is_empty:
            self.stage_when("Disabled")
        elif self.when == "Disabled":
            self.stage_when("OnlyWhenArmed")

    def staged_count(self) -> int:
        """How many values of metadata and log are staged."""
        keys = self.settings.draft.staged_keys()
        return sum(name.endswith(META) or name == LOG_SETTINGS for name, _, _ in keys)

    def _stage(self, policies: Mapping[str, UpdatePolicy]) -> tuple[str, ...]:
        with self.settings.staging_from(_SOURCE):
            return tuple(
                name
                for name, policy in policies.items()
                if not stage_logging(self.settings, name, policy)
            )

    def _logged(self, definition: ObjectDefinition | None) -> LoggedObject | None:
        if definition is None or definition.name.startswith(_OF_THE_LOG):
            return None
        metadata = held_metadata(self.settings, definition.name)
        if metadata is None:
            return None
        name = definition.name
        return LoggedObject(
            name,
            definition.size,
            max(1, len(self._vehicle.recording.instances(name))),
            definition.settings,
            metadata.logging,
            metadata.flight,
            bool(self.settings.draft.of((f"{name}{META}", 0))),
            self._updates_per_s(name, metadata),
        )

    def _updates_per_s(self, name: str, metadata: Metadata) -> float | None:
        """Known where each update is sent."""
        recording = self._vehicle.recording
        now_s = recording.last_s
        span_s = min(_LOOKED_AT_S, now_s - recording.first_s)
        if metadata.flight.mode is not UpdateMode.ONCHANGE or span_s < _LEAST_S:
            return None
        count = 0
        for instance in recording.instances(name):
            track = recording.track(name, instance)
            if track is not None:
                count += track.count - track.index_at(now_s - span_s) - 1
        return count / span_s


def has_entry_log(settings: Configuration) -> bool:
    """Whether a board keeps a log whose entries are set up by metadata."""
    return settings.has(LOG_SETTINGS) or settings.has(LOG_STATUS)


def has_file_log(settings: Configuration) -> bool:
    """Whether a board logs into files. What it tells of them is not sent unasked, its metadata
    are."""
    return settings.has(FILE_LOG_SETTINGS) or settings.has(f"LoggingStats{META}")


def slots_on_board(settings: Configuration) -> tuple[int, int] | None:
    """How many slots of the flash are used and how many free; None while the board has not said,
    and where it has none."""
    used, free = (settings.on_board(LOG_STATUS, name) for name in ("UsedSlots", "FreeSlots"))
    if not isinstance(used, int) or not isinstance(free, int) or not used + free:
        return None
    return used, free


def stage_logging(settings: Configuration, name: str, wanted: UpdatePolicy) -> bool:
    """Stage when an object is logged, as far as it fits how it is sent; return whether it fits as
    it was wanted. Not of one that the aircraft may not write now: then its metadata are changed for
    a while, for a motor test or a simulator's sensors, and that is not to stay."""
    metadata = held_metadata(settings, name)
    if metadata is None or metadata.flight_readonly:
        return True
    policy = fitting_logging(wanted, metadata.flight)
    if metadata.logging != policy:
        stage_metadata(settings, name, replace(metadata, logging=policy))
    return policy == wanted


def policies_of(preset: LogPreset, objects: Iterable[LoggedObject]) -> dict[str, UpdatePolicy]:
    """When each of these objects is logged by a preset."""
    by_name = {name: one.logged_ms for one in preset.objects for name in one.names}
    return {one.name: _policy(by_name.get(one.name, _others_ms(preset, one))) for one in objects}


def _policy(period_ms: int) -> UpdatePolicy:
    return UpdatePolicy(UpdateMode.PERIODIC, period_ms) if period_ms else _NOT_LOGGED


def _others_ms(preset: LogPreset, one: LoggedObject) -> int:
    """Of settings nothing is measured, and of objects with several instances all are logged."""
    return 0 if one.is_setting or one.instances > 1 else preset.others_ms

"""The settings of a board for a simulated aircraft: how it is flown, and the mixer where it fits.

What belongs to the body stays that of the simulated one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from telemetry.configuration.settings.flight_settings import AS_FLOWN, says_how_it_is_flown
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, read_path, row_of

if TYPE_CHECKING:
    from simulation.autopilot.preset import Preset

_MIXER: Final = "MixerSettings"
_MOTORS: Final = range(1, 9)
Values = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class BoardSettings:
    """Values by object and field, and in words what was left out."""

    objects: Values
    left_out: tuple[str, ...] = ()


def board_settings(snapshot: Snapshot, preset: "Preset", catalogue: Catalogue) -> BoardSettings:
    """What a simulated aircraft of this preset takes of a board's settings."""
    taken: dict[str, dict[str, Any]] = {}
    left_out: list[str] = []
    definitions = {name: catalogue.find(name, DEFAULT_RELEASE) for name in (*AS_FLOWN, _MIXER)}
    own = {(n, 0): ObjectValues(n, 0, {}, definition) for n, definition in definitions.items()}
    theirs = {address: values for address, values in snapshot.objects.items() if address in own}
    fitting = adapted(Snapshot(snapshot.title, theirs, ()), Snapshot("simulated", own, ()))
    left_out += [f"{skipped.name}: {skipped.why}" for skipped in fitting.skipped]
    for (name, _), values in fitting.objects.items():
        known = slots_of(definitions[name])
        for path, value in values.values.items():
            if name != _MIXER and not says_how_it_is_flown(name, path):
                continue
            try:
                if path not in known:
                    raise ValueError("the simulated board has no such setting")
                pack_values(definitions[name], {path: value})
            except ValueError as error:
                left_out.append(f"{name}.{path}: {error}")
            else:
                taken.setdefault(name, {})[path] = value
    if not _is_same_body(taken.get(_MIXER, {}), preset, catalogue):
        taken.pop(_MIXER, None)
        left_out.append(f"{_MIXER}: it drives another body than {preset.name}")
    return BoardSettings(taken, tuple(left_out))


def _is_same_body(mixer: Mapping[str, Any], preset: "Preset", catalogue: Catalogue) -> bool:
    """Whether a mixer drives the same outputs in the same directions as the preset's own."""
    definition = catalogue.find(_MIXER, DEFAULT_RELEASE)
    rows = [
        row_of(definition, pack_values(definition, values))
        for values in (mixer, preset.objects.get(_MIXER, {}))
    ]
    theirs, ours = (list(_directions(definition, row)) for row in rows)
    return theirs == ours


def _directions(definition: Any, row: Any) -> Iterator[tuple[object, ...]]:
    for motor in _MOTORS:
        kind = read_path(definition, row, f"Mixer{motor}Type")
        vector = read_path(definition, row, f"Mixer{motor}Vector")
        values = vector if isinstance(vector, list | tuple) else (vector,)
        signs = tuple((float(v) > 0.0) - (float(v) < 0.0) for v in values)
        yield kind, signs if kind != "Disabled" else ()

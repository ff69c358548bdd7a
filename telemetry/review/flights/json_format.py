"""Flight JSON: the parts of a flight, there and back; what is not sound is refused.

Infinite borders of a synchronisation are null, since JSON knows no infinity.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any, Final

from telemetry.base.text_formats import FormatError
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn
from telemetry.review.flights.marker import Marker
from telemetry.review.flights.sync import Anchor, Piece, Sync

Json = dict[str, Any]

_MOST: Final = 1e10
"""Seconds, pixels or degrees: 300 years. Beyond, arithmetic of times fails in many places."""
_POSSIBLE_CAMERA: Final[Mapping[str, Callable[[CameraSettings], bool]]] = {
    "field_of_view_deg": lambda camera: 1.0 <= camera.field_of_view_deg < 180.0,
    "shutter_s": lambda camera: 0.0 <= camera.shutter_s <= 1.0,
    "focal_px": lambda camera: _is_pair(camera.focal_px) and min(camera.focal_px, default=1.0) > 0,
    "centre_px": lambda camera: _is_pair(camera.centre_px),
    "distortion": lambda camera: len(camera.distortion) in (0, 4, 5),
    "field_of_view_sigma_deg": lambda camera: (camera.field_of_view_sigma_deg or 0.0) >= 0.0,
    "mount_sigma_deg": lambda camera: _are_sigmas(camera.mount_sigma_deg or (), 3),
    "distortion_sigma": lambda camera: _are_sigmas(camera.distortion_sigma, len(camera.distortion)),
}


def sync_to_json(sync: Sync | None) -> Json | None:
    """A synchronisation; null while nobody knows it."""
    if sync is None:
        return None
    return {
        **asdict(sync),
        "pieces": [piece.as_json() for piece in sync.pieces],
        "anchors": [asdict(anchor) for anchor in sync.anchors],
    }


def sync_from_json(value: Any, place: str) -> Sync | None:
    """Raises FormatError."""
    if value is None:
        return None
    entry = as_object(value, place)
    pieces = [as_object(one, place) for one in as_list(entry, "pieces", place)]
    anchors = [as_object(one, place) for one in as_list(entry, "anchors", place)]
    sigma_s = _number_or_none(entry, "sigma_s", place)  # of files before pieces had their own
    try:
        return Sync(
            pieces=tuple(_piece(piece, place, sigma_s) for piece in pieces),
            anchors=tuple(
                Anchor(number(one, "flight_s", place), number(one, "medium_s", place))
                for one in anchors
            ),
            method=text(entry, "method", place),
            offset_sigma_s=_number_or_none(entry, "offset_sigma_s", place),
            rate_sigma=_number_or_none(entry, "rate_sigma", place),
            confidence=_number_or_none(entry, "confidence", place),
        )
    except FormatError:
        raise
    except ValueError as error:
        raise FormatError(f"{place}: {error}") from None


def camera_to_json(camera: CameraSettings) -> Json:
    """The settings of a camera, each under its own name."""
    return {
        key: list(value) if isinstance(value, tuple) else value
        for key, value in asdict(camera).items()
    }


def camera_from_json(value: Any, place: str) -> CameraSettings:
    """What is not said is as usual. Raises FormatError."""
    entry = as_object(value or {}, place)
    usual = CameraSettings()
    taken: Json = {}
    for setting in fields(CameraSettings):
        if setting.name not in entry:
            continue
        before = getattr(usual, setting.name)
        if before is None and entry[setting.name] is None:
            continue
        if isinstance(before, bool):
            taken[setting.name] = _truth(entry, setting.name, place)
        elif isinstance(before, tuple) or setting.name == "mount_sigma_deg":
            numbers = as_list(entry, setting.name, place)
            taken[setting.name] = tuple(_finite(one, f"{place}, {setting.name}") for one in numbers)
        else:
            taken[setting.name] = number(entry, setting.name, place)
    camera = CameraSettings(**taken)
    for name, is_possible in _POSSIBLE_CAMERA.items():
        if not is_possible(camera):
            raise FormatError(f"{place}: {name} is not that of a camera")
    return camera


def turn_to_json(turn: PictureTurn | None) -> Json | None:
    """How a picture was turned by hand; null where it was not."""
    return None if turn is None else asdict(turn)


def turn_from_json(value: Any, place: str) -> PictureTurn | None:
    """Raises FormatError."""
    if value is None:
        return None
    entry = as_object(value, f"{place}, turn")
    quarter_turns = number(entry, "quarter_turns", f"{place}, turn")
    if quarter_turns not in range(4):
        raise FormatError(f"{place}, turn: quarter_turns is none of 0, 1, 2, 3")
    return PictureTurn(int(quarter_turns), _truth(entry, "is_mirrored", f"{place}, turn"))


def length_from_json(entry: Json, place: str) -> float | None:
    """Seconds; None while nobody knew. Raises FormatError."""
    length_s = _number_or_none(entry, "duration_s", place)
    if length_s is not None and length_s <= 0.0:
        raise FormatError(f"{place}: duration_s is not that of a video")
    return length_s


def marker_from_json(value: Any, place: str) -> Marker:
    """Raises FormatError."""
    entry = as_object(value, place)
    words = text(entry, "text", place), text(entry, "category", place)
    return Marker(number(entry, "t", place), *words)


def merged(new: Any, old: Any) -> Any:
    """`new` with what stands in `old` under names that `new` does not have.

    Entries of lists are told by their `name`, or by their time `t`. A synchronisation that is
    another one by now keeps nothing: what is not known of it may depend on what has changed.
    """
    if isinstance(new, Mapping) and isinstance(old, Mapping):
        return {
            **{key: _merged_under(key, value, old.get(key)) for key, value in new.items()},
            **{key: value for key, value in old.items() if key not in new},
        }
    if isinstance(new, list) and isinstance(old, list):
        known = {_key(entry): entry for entry in old if _key(entry) is not None}
        return [merged(entry, known.get(_key(entry))) for entry in new]
    return new


def _merged_under(key: str, new: Any, old: Any) -> Any:
    if key == "sync" and isinstance(new, Mapping) and isinstance(old, Mapping):
        is_the_same = all(old.get(name) == value for name, value in new.items())
        return merged(new, old) if is_the_same else new
    return merged(new, old)


def _key(entry: Any) -> object:
    if not isinstance(entry, Mapping):
        return None
    key = entry.get("name", entry.get("t"))
    return key if isinstance(key, str | int | float) else None


def as_object(value: Any, place: str) -> Json:
    """Raises FormatError for what is no object."""
    if not isinstance(value, dict):
        raise FormatError(f"{place} is no object")
    return value


def as_list(entry: Json, key: str, place: str) -> list[Any]:
    """An empty one where it does not stand. Raises FormatError."""
    value = entry.get(key, [])
    if not isinstance(value, list):
        raise FormatError(f"{place}, {key} is no list")
    return value


def text(entry: Json, key: str, place: str) -> str:
    """An empty one where it does not stand. Raises FormatError."""
    value = entry.get(key, "")
    if not isinstance(value, str):
        raise FormatError(f"{place}, {key} is no text")
    return value


def number(entry: Json, key: str, place: str) -> float:
    """Raises FormatError where it does not stand, too."""
    return _finite(entry.get(key), f"{place}, {key}")


def _truth(entry: Json, key: str, place: str) -> bool:
    value = entry.get(key)
    if not isinstance(value, bool):
        raise FormatError(f"{place}, {key} is neither true nor false")
    return value


def _number_or_none(entry: Json, key: str, place: str) -> float | None:
    return None if entry.get(key) is None else number(entry, key, place)


def _piece(entry: Json, place: str, sigma_s: float | None) -> Piece:
    own_sigma_s = _number_or_none(entry, "sigma_s", place)
    start_s = _number_or_none(entry, "medium_start_s", place)
    end_s = _number_or_none(entry, "medium_end_s", place)
    return Piece(
        number(entry, "offset_s", place),
        number(entry, "rate", place),
        -math.inf if start_s is None else start_s,
        math.inf if end_s is None else end_s,
        sigma_s if own_sigma_s is None else own_sigma_s,
        _number_or_none(entry, "confidence", place),
    )


def _are_sigmas(sigmas: Sequence[float], count: int) -> bool:
    return len(sigmas) in (0, count) and min(sigmas, default=0.0) >= 0.0


def _is_pair(values: tuple[float, ...]) -> bool:
    return len(values) in (0, 2)


def _finite(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise FormatError(f"{place} is no number")
    if abs(value) > _MOST:
        raise FormatError(f"{place} is larger than any time or length in a flight")
    return float(value)

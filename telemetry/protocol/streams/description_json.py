"""Stream description as JSON, there and back."""

from typing import Any

from telemetry.protocol.streams.samples import StreamDescription, StreamError, StreamKind

Json = dict[str, Any]


def description_to_json(description: StreamDescription) -> Json:
    """What `description_from_json` takes."""
    return {
        "name": description.name,
        "kind": description.kind.value,
        "title": description.title,
        "rate_hz": description.rate_hz,
        "position_m": list(description.position_m),
        "attitude_q_wxyz": list(description.attitude_q_wxyz),
        "details": dict(description.details),
    }


def description_from_json(value: Any) -> StreamDescription:
    """Raises StreamError for what describes no stream; members that are not known are left out."""
    if not isinstance(value, dict):
        raise StreamError("a stream is described by an object")
    try:
        kind = StreamKind(value.get("kind"))
    except ValueError:
        raise StreamError(f"{str(value.get('kind'))[:40]!r} is no kind of stream") from None
    details = value.get("details", {})
    if not isinstance(details, dict):
        raise StreamError("the details of a stream are an object")
    x, y, z = _numbers(value, "position_m", 3)
    q = _numbers(value, "attitude_q_wxyz", 4)
    return StreamDescription(
        name=text_of(value, "name"),
        kind=kind,
        title=text_of(value, "title"),
        rate_hz=_number(value.get("rate_hz", 0.0), "rate_hz"),
        position_m=(x, y, z),
        attitude_q_wxyz=(q[0], q[1], q[2], q[3]),
        details=details,
    )


def text_of(value: Json, key: str) -> str:
    """A text of an object; raises StreamError where it is none."""
    text = value.get(key, "")
    if not isinstance(text, str):
        raise StreamError(f"{key} is no text")
    return text


def integer_of(value: Json, key: str) -> int:
    """A whole number of an object; raises StreamError where it is none."""
    number = value.get(key)
    if not isinstance(number, int) or isinstance(number, bool):
        raise StreamError(f"{key} is no whole number")
    return number


def _numbers(value: Json, key: str, count: int) -> tuple[float, ...]:
    numbers = value.get(key)
    if not isinstance(numbers, list) or len(numbers) != count:
        raise StreamError(f"{key} is not {count} numbers")
    return tuple(_number(one, key) for one in numbers)


def _number(value: Any, key: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise StreamError(f"{key} is no number")
    return float(value)

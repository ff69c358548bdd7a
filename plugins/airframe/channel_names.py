"""Channel names of a frame, as people call them."""

_LAYERS = {"t": "top", "b": "bottom"}
_POINTS = set("NESW")


def channel_title(name: str) -> str:
    """The place of a motor in words ("NW top" for NWt); other names as they are."""
    place, layer = name[:-1], name[-1:]
    if place and set(place) <= _POINTS and layer in _LAYERS:
        return f"{place} {_LAYERS[layer]}"
    return name

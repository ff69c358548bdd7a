"""Groups of parameters that can be asked for."""

from typing import Final

WIND, DRAG, THRUST, INERTIA, MOTOR, DELAY, BIAS = (
    "wind",
    "drag",
    "thrust",
    "inertia",
    "motor",
    "delay",
    "bias",
)
WHAT: Final = (WIND, DRAG, THRUST, INERTIA, MOTOR, DELAY, BIAS)


def checked_groups(text: str) -> tuple[str, ...]:
    """Those named in a list with commas. Raises ValueError for others."""
    named = tuple(part.strip() for part in text.split(",") if part.strip())
    unknown = [name for name in named if name not in WHAT]
    if unknown or not named:
        wrong = ", ".join(unknown) or text
        raise ValueError(f"'{wrong}' cannot be found; give some of {', '.join(WHAT)}.")
    return named

"""Keyboard sticks: held keys push the sticks, released keys let them spring back."""

from dataclasses import dataclass, replace

from telemetry.vehicle.sticks import Sticks

CENTRING_PER_S = 4.0
DEFLECTING_PER_S = 2.5
THROTTLE_PER_S = 0.5
FULL_DEFLECTION = 0.6  # a key knows no gentle push: keep away from the stops

AXIS_KEYS = {
    "roll": ("Left", "Right"),
    "pitch": ("Up", "Down"),
    "yaw": ("A", "D"),
    "throttle": ("S", "W"),
}
"""Axis to (key that lowers it, key that raises it). Up pushes the stick forward: nose down."""


def step_keyboard(
    sticks: Sticks, pressed: frozenset[str], dt_s: float, throttle_springs: bool = False
) -> Sticks:
    """Where the sticks stand `dt_s` seconds later with these keys down.

    A throttle that springs returns to the middle; otherwise it stays where it is left.
    """
    push = _push("throttle", pressed)
    if throttle_springs:
        throttle = (_spring(2.0 * sticks.throttle - 1.0, push, dt_s) + 1.0) / 2.0
    else:
        throttle = _ratchet(sticks.throttle, push, dt_s)
    return Sticks(
        roll=_spring(sticks.roll, _push("roll", pressed), dt_s),
        pitch=_spring(sticks.pitch, _push("pitch", pressed), dt_s),
        yaw=_spring(sticks.yaw, _push("yaw", pressed), dt_s),
        throttle=throttle,
    )


@dataclass(frozen=True, slots=True)
class PushedSticks:
    """On-screen sticks that keys push: where they were `dragged` to, and what keys make of a stick
    in the middle. A throttle that does not spring is where whatever moved it last has left it."""

    dragged: Sticks
    keyed: Sticks

    def step(
        self, dragged: Sticks, pressed: frozenset[str], dt_s: float, throttle_springs: bool
    ) -> "PushedSticks":
        """The same `dt_s` seconds later, with the sticks dragged there and these keys down."""
        keyed = self.keyed
        if not throttle_springs and dragged.throttle != self.dragged.throttle:
            keyed = replace(keyed, throttle=dragged.throttle)
        return PushedSticks(dragged, step_keyboard(keyed, pressed, dt_s, throttle_springs))

    def sticks(self, throttle_springs: bool) -> Sticks:
        """Where they stand."""
        dragged, keyed = self.dragged, self.keyed
        sprung = max(0.0, min(1.0, dragged.throttle + keyed.throttle - 0.5))
        return Sticks(
            roll=_within(dragged.roll + keyed.roll),
            pitch=_within(dragged.pitch + keyed.pitch),
            yaw=_within(dragged.yaw + keyed.yaw),
            throttle=sprung if throttle_springs else keyed.throttle,
        )


def _within(value: float) -> float:
    return max(-1.0, min(1.0, value))


def _push(axis: str, pressed: frozenset[str]) -> int:
    lowers, raises = AXIS_KEYS[axis]
    return (raises in pressed) - (lowers in pressed)


def _spring(value: float, push: int, dt_s: float) -> float:
    """Self-centring: moves to the side pushed, back to the middle when let go."""
    target = push * FULL_DEFLECTION
    step = (DEFLECTING_PER_S if push else CENTRING_PER_S) * dt_s
    return min(target, value + step) if value < target else max(target, value - step)


def _ratchet(value: float, push: int, dt_s: float) -> float:
    """A throttle: stays where it is left."""
    return max(0.0, min(1.0, value + push * THROTTLE_PER_S * dt_s))

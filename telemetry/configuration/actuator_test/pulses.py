"""Test pulses: what outputs are told while one of them is tried; they are nobody's settings."""

from collections.abc import Sequence

from telemetry.configuration.outputs.output import Output

LEAST_SHARE, USUAL_SHARE, MOST_SHARE = 0.02, 0.1, 0.5
"""How far towards its maximum an output goes in a test."""


def rest_pulses(outputs: Sequence[Output]) -> tuple[int, ...]:
    """Every output at rest: motors stand still, servos are in their middle."""
    return tuple(output.rest for output in outputs)


def trial_pulse(output: Output, share: float) -> int:
    """An output's pulse in a test: from neutral, where a motor just runs, towards its maximum.

    `share` is cut to LEAST_SHARE to MOST_SHARE.
    """
    share = min(max(share, LEAST_SHARE), MOST_SHARE)
    start = max(output.neutral, output.minimum) if output.is_motor else output.neutral
    return round(start + share * (output.maximum - start))


def raised_pulses(outputs: Sequence[Output]) -> tuple[int, ...]:
    """Every motor at its maximum, all else at rest."""
    return tuple(output.maximum if output.is_motor else output.rest for output in outputs)


def pulses_with(outputs: Sequence[Output], number: int, share: float) -> tuple[int, ...]:
    """All outputs at rest but one, numbered from 1."""
    return tuple(
        trial_pulse(output, share) if output.number == number else output.rest for output in outputs
    )

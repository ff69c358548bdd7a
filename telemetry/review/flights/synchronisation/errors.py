"""Cancelled measurement: the error by which one ends that nobody waits for any longer."""


class MeasuringCancelledError(Exception):
    """A measurement was given up because its caller asked for it."""

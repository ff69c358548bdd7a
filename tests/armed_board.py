"""Arming a simulated board without a pilot, for tests of what it refuses while armed."""

from simulation.autopilot.board import SimulatedBoard


def arm_always(board: SimulatedBoard) -> None:
    """Have it armed from its next loop on, for as long as nobody raises the throttle."""
    settings = board["FlightModeSettings"]
    settings.set(Arming=settings.number("Arming", "Always Armed"))

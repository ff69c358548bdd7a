"""Armed aircraft: what ending a connection would do to one that flies, in words."""

from collections.abc import Sequence

from telemetry.recording.flight_state import read_flight_state
from telemetry.vehicle.vehicle import LinkState, Vehicle


def is_armed(vehicle: Vehicle) -> bool:
    """Whether a connected aircraft is armed now, wherever its cursor stands."""
    is_connected = vehicle.status.state is LinkState.CONNECTED
    return is_connected and read_flight_state(vehicle.recording, vehicle.end_s).is_armed


def objection_to_leaving(vehicles: Sequence[Vehicle], act: str) -> str:
    """Why `act` ("Closing", "Disconnecting") would hurt now, "" if nothing is armed: an armed
    aircraft that is left alone is left to its failsafe."""
    armed = [vehicle.name for vehicle in vehicles if is_armed(vehicle)]
    if not armed:
        return ""
    names = f"{' and '.join(armed)} {'is' if len(armed) == 1 else 'are'} armed."
    return (
        f"{names} {act} ends the connection and the stick stream, and the failsafe on board "
        "acts. Land and disarm first."
    )

"""The joystick that the board of an aircraft plays: no input for that aircraft.

It says what the aircraft's receiver hears, so flying by it would have the aircraft follow itself.
For another one the same board is a good adapter of a transmitter.
"""

from plugins.pilot.devices.source import BoardJoystick
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.protocol.links.usb_boards import board_of
from telemetry.vehicle.vehicle import Vehicle


class OwnJoystick:
    """Tells an aircraft's own joystick, by its serial number where the system tells that, else by
    the product of the board that it is reached by over USB."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._product_id: int | None = None

    def is_own(self, joystick: BoardJoystick | None) -> bool:
        """Whether it is played by the board of this aircraft, as far as anybody knows."""
        if joystick is None:
            return False
        board = board_of(self._vehicle.link)
        if board is not None:  # remembered while the link is opened anew
            self._product_id = board.product_id
        if not joystick.serial:
            return joystick.product_id == self._product_id
        known = {configuration_of(self._vehicle).aircraft.serial.casefold()}
        known.add(board.serial.casefold() if board is not None else "")
        return joystick.serial.casefold() in known

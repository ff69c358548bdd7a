"""Packet port: what carries packets to a bootloader and back, over USB or a serial line."""

from typing import Protocol


class PacketPort(Protocol):
    """A way to one bootloader, used by one thread at a time. Packets are 63 bytes."""

    @property
    def name(self) -> str:
        """What a person calls it, such as "Revolution (USB 123456)" or "/dev/ttyUSB0"."""

    def send(self, packet: bytes) -> None:
        """Hand over a packet, waiting while the device takes none. Raises LinkClosed once it is
        gone."""

    def receive(self, timeout_s: float) -> bytes | None:
        """The next packet, waiting at most `timeout_s` for it; None if none came. Raises LinkClosed
        once the device is gone."""

    def close(self) -> None:
        """Let go of the device. Closing twice is fine."""

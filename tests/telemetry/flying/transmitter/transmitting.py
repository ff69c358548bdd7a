"""Transmitters as tests drive them: without a thread, and by what is asked for alone."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from telemetry.flying.transmitter.transmitter import StickOutlet, Transmitter
from telemetry.vehicle.sticks import Sticks


class SteppedTransmitter(Transmitter):
    """Without a thread: the test steps it."""

    def start(self) -> None:
        pass

    def stop(self) -> None:
        pass


def outlet_to(note: Callable[[Sticks | None], None]) -> StickOutlet:
    """Notes what is sent, and None where the stream is stopped."""
    return StickOutlet(note, lambda _why: note(None))


def ask(transmitter: Transmitter, **changes: Any) -> None:
    """Have the pilot want something else."""
    order = transmitter.order
    transmitter.carry_out(replace(order, request=replace(order.request, **changes)))

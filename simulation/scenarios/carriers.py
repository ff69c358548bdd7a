"""Carriers between a pilot and its aircraft: a UAVTalk link, or none in the same process.

Which of them carries changes nothing of the flight: the same objects are written and heard at the
same instants.
"""

import hashlib
import struct
from collections.abc import Sequence
from typing import Final, Protocol

from simulation.autopilot.autopilot import PoweredAircraft
from simulation.autopilot.board import SimulatedBoard
from simulation.scenarios.heard_objects import HeardObjects
from simulation.scenarios.words import PilotWord, WordFrames
from telemetry.protocol.objects.definition import ObjectDefinition

_LOOP_HEAD: Final = struct.Struct("<qI")


class Carrier(Protocol):
    """What is between a pilot and its aircraft."""

    @property
    def log_hash(self) -> str:
        """SHA-256 over what the aircraft sent so far and when, in simulated time; "" if nothing
        is sent."""

    def tell(self, words: Sequence[PilotWord]) -> None:
        """Have the aircraft take what the pilot writes."""

    def hear(self) -> bytes:
        """Have the pilot hear what the aircraft says; these are the bytes, if it says any."""


class LinkCarrier:
    """Carries frames, as a radio does; `heard` is what the pilot hears of them, if there is one."""

    def __init__(self, aircraft: PoweredAircraft, definitions: Sequence[ObjectDefinition]) -> None:
        self.heard = HeardObjects(definitions)
        self._has_pilot = bool(definitions)
        self._aircraft = aircraft
        self._frames = WordFrames()
        self._hash = hashlib.sha256()

    @property
    def log_hash(self) -> str:
        """See Carrier."""
        return self._hash.hexdigest()

    def tell(self, words: Sequence[PilotWord]) -> None:
        """See Carrier."""
        self._aircraft.receive(self._frames.of(words))

    def hear(self) -> bytes:
        """See Carrier."""
        data = self._aircraft.bytes_to_send()
        self._hash.update(_LOOP_HEAD.pack(self._aircraft.time_us, len(data)) + data)
        if self._has_pilot:
            self.heard.hear(data)
        return data


class DirectCarrier:
    """Writes to the board; what is heard of it needs no carrying (`AutopilotConfig.heard`)."""

    log_hash = ""

    def __init__(self, board: SimulatedBoard) -> None:
        self._write = board.write

    def tell(self, words: Sequence[PilotWord]) -> None:
        """See Carrier."""
        for definition, instance, payload in words:
            self._write(definition.object_id, instance, payload)

    def hear(self) -> bytes:
        """See Carrier."""
        return b""

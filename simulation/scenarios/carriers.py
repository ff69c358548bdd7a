"""Carriers between a pilot and its aircraft: a UAVTalk link, or none in the same process.

Which of them carries changes nothing of the flight: the same objects are written and heard at the
same instants. Nor does it change what the aircraft sends to others by its link.
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


class SentBytes:
    """What an aircraft sends by its link, and the digest of all that was taken of it."""

    def __init__(self, aircraft: PoweredAircraft) -> None:
        self._aircraft = aircraft
        self._hash = hashlib.sha256()

    @property
    def log_hash(self) -> str:
        """See Carrier."""
        return self._hash.hexdigest()

    def take(self) -> bytes:
        """What was sent since it was taken last."""
        data = self._aircraft.bytes_to_send()
        self._hash.update(_LOOP_HEAD.pack(self._aircraft.time_us, len(data)) + data)
        return data


class LinkCarrier:
    """Carries frames, as a radio does; `heard` is what the pilot hears of them."""

    def __init__(self, aircraft: PoweredAircraft, definitions: Sequence[ObjectDefinition]) -> None:
        self.heard = HeardObjects(definitions)
        self._receive = aircraft.receive
        self._frames = WordFrames()
        self._sent = SentBytes(aircraft)

    @property
    def log_hash(self) -> str:
        """See Carrier."""
        return self._sent.log_hash

    def tell(self, words: Sequence[PilotWord]) -> None:
        """See Carrier."""
        self._receive(self._frames.of(words))

    def hear(self) -> bytes:
        """See Carrier."""
        data = self._sent.take()
        self.heard.hear(data)
        return data


class DirectCarrier:
    """Writes to the board; what is heard of it needs no carrying (`AutopilotConfig.heard`)."""

    def __init__(self, board: SimulatedBoard, sent: SentBytes | None) -> None:
        """`sent`: what goes to others, None without a link."""
        self._write = board.write
        self._sent = sent

    @property
    def log_hash(self) -> str:
        """See Carrier."""
        return self._sent.log_hash if self._sent is not None else ""

    def tell(self, words: Sequence[PilotWord]) -> None:
        """See Carrier."""
        for definition, instance, payload in words:
            self._write(definition.object_id, instance, payload)

    def hear(self) -> bytes:
        """See Carrier."""
        return self._sent.take() if self._sent is not None else b""

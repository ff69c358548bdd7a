"""Stream intake: what arrives of streams, into the media tracks of a recording."""

from dataclasses import replace
from typing import Final

from telemetry.protocol.streams.clock_map import ClockMap
from telemetry.protocol.streams.framing import (
    ClockMessage,
    SampleMessage,
    StreamDecoder,
    StreamMessage,
    StreamsMessage,
)
from telemetry.protocol.streams.samples import StreamDescription
from telemetry.recording.media_track import MEMORY_BYTES, MediaTrack
from telemetry.recording.recording import Recording

ALL_MEMORY_BYTES: Final = 3 * MEMORY_BYTES
LATEST_S: Final = 60.0
"""What is said to have been taken so long before it came has a clock of its own."""


class StreamIntake:
    """Takes the bytes of one connection. It is the one writer of the tracks that it fills, until
    `end`; a stream that is the same as one recorded before goes on in its track. All tracks
    together have so much memory for their newest samples."""

    def __init__(self, recording: Recording, memory_bytes: int = ALL_MEMORY_BYTES) -> None:
        self._recording = recording
        self._memory_bytes = memory_bytes
        self._decoder = StreamDecoder()
        self._clock = ClockMap()
        self._tracks: dict[str, MediaTrack] = {}
        self._dropped_before: dict[str, int] = {}

    def take(self, data: bytes, arrived_s: float) -> None:
        """Take what arrived at a second of the flight. Raises StreamError for what no sender of
        ours says; nothing more can be taken then."""
        for message in self._decoder.decode(data):
            self._take(message, arrived_s)

    def end(self) -> None:
        """Nothing more comes."""
        for track in self._tracks.values():
            track.is_live = False
        self._recording.stopped_sensors = {}

    def _take(self, message: StreamMessage, arrived_s: float) -> None:
        if isinstance(message, StreamsMessage):
            self._begin(message.descriptions)
        elif isinstance(message, ClockMessage):
            self._clock.take(message.now_us, message.speed, arrived_s)
            for name, track in self._tracks.items():
                track.dropped = self._dropped_before[name] + message.dropped.get(name, 0)
            self._recording.stopped_sensors = {
                self._recorded_name(name): why for name, why in message.stopped.items()
            }
        elif isinstance(message, SampleMessage):
            track = self._tracks[message.description.name]
            track.append(self._taken_s(message.sample.time_us, arrived_s), message.sample)

    def _recorded_name(self, name: str) -> str:
        track = self._tracks.get(name)
        return track.description.name if track is not None else name

    def _taken_s(self, time_us: int, arrived_s: float) -> float:
        """When a sample with that stamp was taken. Nothing was taken after it came: where a
        sensor's clock is ahead, the flight goes by when it came."""
        taken_s = self._clock.flight_s(time_us)
        if taken_s is None or taken_s < arrived_s - LATEST_S:
            return arrived_s
        return min(taken_s, arrived_s)

    def _begin(self, descriptions: tuple[StreamDescription, ...]) -> None:
        self.end()
        before, self._tracks = self._tracks, {}
        share = min(MEMORY_BYTES, self._memory_bytes // max(1, len(descriptions)))
        for description in descriptions:
            known = before.get(description.name)
            is_same = known is not None and known.description == replace(
                description, name=known.description.name
            )
            track = known if known is not None and is_same else self._track(description, share)
            self._tracks[description.name] = track
            if track is not before.get(description.name):
                self._dropped_before[description.name] = track.dropped
            track.is_live = True

    def _track(self, description: StreamDescription, share: int) -> MediaTrack:
        """The track of this stream, under another name where one of its name is another one."""
        number, named = 2, description
        while (known := self._recording.media(named.name)) is not None:
            if known.description == named:
                return known
            named = replace(description, name=f"{description.name[:36]}-{number}")
            number += 1
        track = MediaTrack(named, memory_bytes=share)
        self._recording.add_media(track)
        return track

"""Edits of a video by hand: how it runs, how its picture stands; each can be undone."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.picture_turn import PictureTurn
from telemetry.review.flights.anchors import has_own_lines, nudged, sync_with_anchors
from telemetry.review.flights.flight import Flight, flight_of
from telemetry.review.flights.sync import Anchor, Piece, Sync
from telemetry.vehicle.vehicle import Vehicle

_MOST_STEPS = 200
SAME_INSTANT_S = 0.5
"""An anchor so close to another one takes its place."""


class SyncEdits:
    """Changes how the videos of one flight run with it. For the GUI thread.

    What cannot be raises ValueError with a sentence, and nothing has changed then.
    """

    def __init__(self, flight: Flight) -> None:
        self._flight = flight
        self._before: list[tuple[str, dict[str, Any]]] = []
        """Of which video, and what of it was how before a change."""

    def set_here(self, name: str, flight_s: float, medium_s: float) -> None:
        """What the video shows at `medium_s` happened at `flight_s`: an anchor."""
        sync = self._sync(name)
        others = [
            anchor
            for anchor in (sync.anchors if sync else ())
            if abs(anchor.flight_s - flight_s) >= SAME_INSTANT_S
        ]
        self._change(name, sync=sync_with_anchors(sync, [*others, Anchor(flight_s, medium_s)]))

    def remove_anchor(self, name: str, anchor: Anchor) -> None:
        """Take an anchor away; one that is gone is no error."""
        sync = self._sync(name)
        if sync is not None and anchor in sync.anchors:
            left = [one for one in sync.anchors if one != anchor]
            self._change(name, sync=sync_with_anchors(sync, left))

    def nudge(self, name: str, medium_s: float) -> None:
        """Show what is later in the video by so much at every instant."""
        sync = self._sync(name)
        if sync is not None:
            self._change(name, sync=nudged(sync, medium_s))

    def type_line(self, name: str, offset_s: float, rate: float, number: int = 0) -> None:
        """Have the video run as typed: `video = offset + rate x flight`; of several pieces with
        lines of their own the one of that number alone. Anchors are gone."""
        sync = self._sync(name)
        if sync is not None and has_own_lines(sync):
            pieces = list(sync.pieces)
            pieces[number] = replace(pieces[number], offset_s=offset_s, rate=rate)
            self._change(name, sync=Sync(tuple(pieces), method="manual"))
        elif sync is not None and len(sync.pieces) > 1 and rate == sync.pieces[number].rate:
            moved = sync.shifted(offset_s - sync.pieces[number].offset_s)
            self._change(name, sync=replace(moved, anchors=()))
        else:
            self._change(name, sync=Sync((Piece(offset_s, rate),), method="manual"))

    def accept(self, name: str, sync: Sync, camera: CameraSettings) -> None:
        """Take over what was found by itself, with how the camera was found to stand."""
        self._change(name, sync=sync, camera=camera)

    def turn(self, name: str, turn: PictureTurn | None) -> None:
        """Show its picture turned like that; None leaves it to itself."""
        self._change(name, turn=turn)

    def undo(self, name: str) -> bool:
        """Take the last change of this video back; False if there is none."""
        video = self._flight.video(name)
        for number in reversed(range(len(self._before))):
            changed, before = self._before[number]
            if changed == name and video is not None:
                del self._before[number]
                self._flight.replace_video(name, replace(video, **before))
                return True
        return False

    def can_undo(self, name: str) -> bool:
        """Whether there is a change of this video to take back."""
        return any(changed == name for changed, _ in self._before)

    def _sync(self, name: str) -> Sync | None:
        video = self._flight.video(name)
        return video.sync if video else None

    def _change(self, name: str, **wanted: Any) -> None:
        video = self._flight.video(name)
        if video is None:
            return
        old = {key: getattr(video, key) for key in wanted}
        before = {key: value for key, value in old.items() if value != wanted[key]}
        if before:
            self._before = [*self._before, (name, before)][-_MOST_STEPS:]
            self._flight.replace_video(name, replace(video, **wanted))


def sync_edits_of(vehicle: Vehicle) -> SyncEdits:
    """What changes the synchronisations of this vehicle's flight, the same for all panels."""
    return vehicle.attachment("video.sync_edits", lambda: SyncEdits(flight_of(vehicle)))


def anchors_of(sync: Sync | None) -> Sequence[Anchor]:
    """The anchors of a synchronisation, none where there is none."""
    return sync.anchors if sync is not None else ()

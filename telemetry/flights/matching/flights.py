"""Flights of what was matched: one for each log that has videos."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from telemetry.flights.flight import FlightContent, FlightVideo
from telemetry.flights.flight_file import SUFFIX, write_flight
from telemetry.flights.matching.proposals import MatchProposal
from telemetry.flights.naming import unused_name
from telemetry.flights.sync import Piece, Sync

_SOUND_SIGMA_S: Final = 0.5


def content_of(proposals: Sequence[MatchProposal]) -> FlightContent:
    """A flight with these videos; where the sound told an offset, roughly synchronised."""
    videos: list[FlightVideo] = []
    for proposal in proposals:
        name = unused_name(proposal.video.name, [video.name for video in videos])
        videos.append(FlightVideo(name, proposal.video.files, _sync(proposal.offset_s)))
    return FlightContent(videos=tuple(videos))


def write_flights(proposals: Sequence[MatchProposal]) -> tuple[list[Path], list[str]]:
    """Write a flight beside every log that has videos; return the files, and sentences about
    those that are there already, which stay. Raises OSError."""
    written: list[Path] = []
    kept: list[str] = []
    logs = dict.fromkeys(proposal.log for proposal in proposals if proposal.log is not None)
    for log in logs:
        path = log.with_suffix(SUFFIX)
        if path.exists():
            kept.append(f"{path.name} is there already and stays as it is.")
            continue
        write_flight(path, log, content_of([one for one in proposals if one.log == log]))
        written.append(path)
    return written, kept


def _sync(offset_s: float | None) -> Sync | None:
    if offset_s is None:
        return None
    return Sync((Piece(offset_s),), method="sound", offset_sigma_s=_SOUND_SIGMA_S)

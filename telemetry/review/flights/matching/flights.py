"""Matched flights: one for each log that has videos."""

from collections.abc import Sequence
from pathlib import Path

from telemetry.base.unused_names import unused_name
from telemetry.review.flights.flight import FlightContent, FlightVideo
from telemetry.review.flights.lapwing_file import SUFFIX, write_flight
from telemetry.review.flights.matching.proposals import MatchProposal


def content_of(proposals: Sequence[MatchProposal]) -> FlightContent:
    """A flight with these videos, synchronised as far as matching them has told."""
    videos: list[FlightVideo] = []
    for proposal in proposals:
        name = unused_name(proposal.video.name, [video.name for video in videos])
        videos.append(FlightVideo(name, proposal.video.files, proposal.sync))
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

"""Flight review for the time bar: findings and video lengths, worked out whatever view shows."""

from concurrent.futures import Executor

from app.background_jobs import BackgroundJobs
from telemetry.base.clock import monotonic_s
from telemetry.review.flights.findings_search import findings_search_of
from telemetry.review.flights.flight import flight_of
from telemetry.review.flights.video_lengths import video_lengths_of
from telemetry.vehicle.vehicle import Vehicle


class FlightReview:
    """Looks through the flight that is shown, in jobs: its findings, and how long its videos are.
    It waits while anything is being opened or exported, which the user waits for."""

    def __init__(self, jobs: Executor, work: BackgroundJobs) -> None:
        self._jobs = jobs
        self._work = work

    def look_through(self, vehicle: Vehicle | None) -> None:
        """Take what was found, begin what is next; call it now and then."""
        if vehicle is None or self._work.is_busy:
            return
        findings_search_of(vehicle).poll(vehicle.recording, self._jobs, monotonic_s())
        if not vehicle.is_live:  # a live camera's file grows, and only its view follows that
            video_lengths_of(vehicle).poll(flight_of(vehicle), self._jobs)

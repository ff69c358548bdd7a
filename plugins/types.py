"""Types for plugins: what functions take and return that a manifest of `plugins.api` names.

Their names here stay, wherever in the station they are defined. No Qt is imported.
"""

from telemetry.base.escaping import csv_text, file_name_text, markup_text
from telemetry.base.finding import Finding, Level
from telemetry.configuration.settings.configuration import Configuration
from telemetry.missions.files.errors import MissionFileError
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import HeightReference, LegAction, Mission, MissionWaypoint
from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.export.request import ExportCancelled, ExportError, ExportRequest
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.logs.reader import LogError, LogReading, read_log
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.recording.timeline import Timeline
from telemetry.recording.track import Track
from telemetry.review.analysis.findings.flight_finding import FindingKind, FlightFinding, found
from telemetry.review.analysis.findings.reviewed_flight import ReviewedFlight
from telemetry.review.flights.flight import Flight
from telemetry.vehicle.commands import Commands, Ticket
from telemetry.vehicle.vehicle import Fleet, Vehicle
from telemetry.warnings.rule import Premise, RuleComparison, WarningOutput, WarningRule
from telemetry.warnings.watched_flight import StationValueError, WatchedFlight

__all__ = [
    "Catalogue",
    "Commands",
    "Configuration",
    "ExportCancelled",
    "ExportError",
    "ExportRequest",
    "Finding",
    "FindingKind",
    "Fleet",
    "Flight",
    "FlightFinding",
    "FlightState",
    "HeightReference",
    "LegAction",
    "Level",
    "Link",
    "LinkError",
    "LogError",
    "LogReading",
    "Mission",
    "MissionFileError",
    "MissionHome",
    "MissionWaypoint",
    "Premise",
    "Recording",
    "ReviewedFlight",
    "RuleComparison",
    "Sample",
    "StationValueError",
    "Ticket",
    "Timeline",
    "Track",
    "Vehicle",
    "WarningOutput",
    "WarningRule",
    "WatchedFlight",
    "csv_text",
    "file_name_text",
    "found",
    "markup_text",
    "read_flight_state",
    "read_log",
]

"""Board plan: what of a plan a board holds, asked object by object."""

from collections.abc import Generator, Sequence
from typing import Final

from telemetry.missions.board.calls import BoardCalls
from telemetry.missions.board.encoding import PlanImage
from telemetry.missions.board.plan_definitions import INVALID, MissionBoardError, PlanDefinitions
from telemetry.missions.local_coordinates import MissionHome
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Request
from telemetry.vehicle.vehicle import Vehicle

Steps = Generator[BoardCalls, None, None]
"""What is done one after the other; each yields what it waits for."""
_PARTS: Final = ("Waypoint", "PathAction", "PathPlan")
_AT_ONCE: Final = 16
_MOST: Final = 1000


class BoardPlan:
    """A vehicle's plan as its recording has it."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.vehicle = vehicle
        self.definitions: PlanDefinitions | None = None
        self.image = PlanImage()
        """What was read last."""

    def newest(self, name: str, instance: int = 0) -> Sample | None:
        """What the board said last of an object."""
        track = self.vehicle.recording.track(name, instance)
        return track.sample(track.count - 1) if track is not None and track.count else None

    def row(self, name: str, instance: int) -> bytes:
        """The packed values that the board said last; empty if it said nothing."""
        sample = self.newest(name, instance)
        return sample.row.tobytes() if sample is not None else b""

    def calls(self, name: str, instances: Sequence[int]) -> BoardCalls:
        """Ask for instances."""
        return BoardCalls(self.vehicle.commands, [Request(name, i) for i in instances])

    def read_definitions(self) -> Steps:
        """Learn how the board says plans, and its state and home. Raises MissionBoardError."""
        names = (*_PARTS, "FlightStatus", "HomeLocation", "FirmwareIAPObj")
        calls = BoardCalls(self.vehicle.commands, [Request(name) for name in names])
        yield calls
        for name, outcome in zip(names[:4], calls.outcomes[:4], strict=True):
            if outcome is TransactionOutcome.SILENT:
                raise MissionBoardError(f"The board does not answer for {name}. Try again.")
        self.definitions = self._known_definitions()

    def _known_definitions(self) -> PlanDefinitions:
        waypoint = self._definition("Waypoint")
        if waypoint is None:
            raise MissionBoardError(
                "This board flies no plans: its firmware has no path planner (CC3D has not, "
                "Revolution has; with Tau Labs and dRonin switch that module on)."
            )
        action, plan = self._definition("PathAction"), self._definition("PathPlan")
        return PlanDefinitions(waypoint, action, plan, self.vehicle.status.release)

    def _definition(self, name: str) -> ObjectDefinition | None:
        sample = self.newest(name)
        return sample.definition if sample is not None else None

    def read_image(self) -> Steps:
        """Read the plan on board into `image`. Raises MissionBoardError."""
        definitions = self.definitions
        assert definitions is not None
        if not definitions.has_actions:
            yield from self._read_to_the_mark()
            return
        plan = self.newest("PathPlan")
        waypoints = int(plan["WaypointCount"]) if plan is not None else 0
        actions = int(plan["PathActionCount"]) if plan is not None else 0
        if not waypoints:
            self.image = PlanImage()
            return
        if max(waypoints, actions) > _MOST:
            raise MissionBoardError(
                f"The board says that its plan has {waypoints} waypoints. Upload one anew."
            )
        yield from self.read_rows("Waypoint", waypoints)
        yield from self.read_rows("PathAction", actions)
        self.image = PlanImage(
            tuple(self.row("Waypoint", i) for i in range(waypoints)),
            tuple(self.row("PathAction", i) for i in range(actions)),
        )

    def read_rows(self, name: str, count: int) -> Steps:
        """Ask for the first instances of an object. Raises MissionBoardError."""
        calls = self.calls(name, range(count))
        yield calls
        for i, outcome in enumerate(calls.outcomes):
            if outcome is not TransactionOutcome.DONE:
                raise MissionBoardError(f"The board did not send {name} {i}. Try again.")

    def _read_to_the_mark(self) -> Steps:
        """Tau Labs and dRonin: to the first waypoint that is invalid or does not exist."""
        rows: list[bytes] = []
        while len(rows) < _MOST:
            calls = self.calls("Waypoint", range(len(rows), len(rows) + _AT_ONCE))
            yield calls
            for outcome in calls.outcomes:
                if outcome is TransactionOutcome.SILENT:
                    raise MissionBoardError(f"The board did not send Waypoint {len(rows)}.")
                sample = self.newest("Waypoint", len(rows))
                is_there = outcome is TransactionOutcome.DONE and sample is not None
                if not is_there or sample is None or sample["Mode"] == INVALID:
                    self.image = PlanImage(tuple(rows))
                    return
                rows.append(sample.row.tobytes())

    def is_intact(self, image: PlanImage) -> bool:
        """Whether the board itself takes the plan for whole, by its checksum."""
        plan = self.newest("PathPlan")
        return plan is None or int(plan["Crc"]) == image.crc


def board_home(recording: Recording) -> MissionHome | None:
    """Where a board counts from, its altitude above sea level; None while it has no home.

    OpenPilot and LibrePilot keep home's altitude above the ellipsoid (setHomeLocation in
    flight/modules/GPS/GPS.c).
    """
    home = recording.latest("HomeLocation", float("inf"))
    if home is None or str(home["Set"]).upper() != "TRUE":
        return None
    altitude_m = float(home["Altitude"])
    gps = recording.latest("GPSPositionSensor", float("inf"))
    if gps is not None and gps.definition.has_field("GeoidSeparation"):
        altitude_m -= float(gps["GeoidSeparation"])
    return MissionHome(home["Latitude"] * 1e-7, home["Longitude"] * 1e-7, altitude_m)

"""Board statement: what is known of the plan on board of an aircraft, beside the plan here."""

from typing import Final

from telemetry.base.finding import Level
from telemetry.base.statement import Statement
from telemetry.missions.board.comparison import WaypointDifference
from telemetry.missions.board.encoding import PlanImage
from telemetry.missions.board.plan_definitions import PlanDefinitions
from telemetry.missions.board.plan_reading import (
    BoardSession,
    PlanReading,
    board_session,
    plan_samples,
)
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import GroundHeights
from telemetry.recording.timeline import format_time
from telemetry.vehicle.vehicle import Vehicle
from widgets.change_detector import ChangeDetector

_ENDS: Final = (
    "the plan here or home changes, another transfer begins, the aircraft says that its plan is "
    "another one, or its link is lost"
)


class BoardKnowledge:
    """Of one aircraft: what was read of its plan last, or why a transfer failed."""

    def __init__(self, vehicle: Vehicle) -> None:
        self._vehicle = vehicle
        self._reading: PlanReading | None = None
        self._problem: Statement | None = None
        self._heard, self._compared = ChangeDetector(), ChangeDetector()
        self._is_changed = False
        self._differences: tuple[WaypointDifference, ...] | None = None

    @property
    def reading(self) -> PlanReading | None:
        """What was read, while the board still holds that as far as anybody has heard."""
        found, vehicle = self._reading, self._vehicle
        if found is None or found.session != board_session(vehicle):
            return None
        if self._heard.has_changed(plan_samples(vehicle, found)):
            self._is_changed = self._is_changed or found.is_heard_otherwise(vehicle)
        return None if self._is_changed else found

    def take_read(
        self, image: PlanImage, definitions: PlanDefinitions, session: BoardSession
    ) -> None:
        """This was read back, in a session of the board that need not go on."""
        self.forget()
        self._reading = PlanReading(image, definitions, self._vehicle.end_s, session)

    def take_problem(self, text: str, mission: Mission) -> None:
        """A transfer failed, or was stopped; `mission` is the plan here that it was about."""
        self.forget()
        self._problem = Statement(
            text,
            self._vehicle.name,
            (board_session(self._vehicle), mission),
            self._vehicle.end_s,
            "the plan here changes, another transfer begins, or the link is lost",
            Level.ERROR,
        )

    def forget(self) -> None:
        """Something is being carried: nothing is known of it before its end."""
        self._reading = self._problem = None
        self._is_changed = False
        self._heard.forget()
        self._compared.forget()

    def problem(self, mission: Mission) -> Statement | None:
        """Why the last transfer failed, while that is still about this plan and this link."""
        version = (board_session(self._vehicle), mission)
        return self._problem and self._problem.if_of(self._vehicle.name, version)

    def differences(
        self, mission: Mission, ground: GroundHeights
    ) -> tuple[WaypointDifference, ...] | None:
        """What of a plan differs from what is on board; None while that is not known."""
        found, vehicle = self.reading, self._vehicle
        if found is None:
            return None
        home = vehicle.recording.track("HomeLocation")
        if self._compared.has_changed(found, mission, ground, home.count if home else 0):
            self._differences = found.differences(mission, vehicle, ground)
        return self._differences

    def statement(self, mission: Mission, ground: GroundHeights) -> Statement | None:
        """What is to be said beside this plan; None while nothing was read."""
        found, name = self._reading, self._vehicle.name
        if found is None:
            return None
        session = board_session(self._vehicle)
        at, count = format_time(found.read_s), len(found.image.waypoints)
        level = Level.INFO
        differences = self.differences(mission, ground)
        if found.session != session:
            text = (
                f"The plan of {name} was read back at {at}, before its link was lost or it "
                "restarted. Compare it."
            )
        elif self._is_changed:
            text = f"The plan of {name} was changed after it was read back at {at}. Compare it."
        elif not count:
            text = f"{name} had no plan when it was read at {at}."
        elif differences is None:
            text = f"{count} waypoints on board of {name}, read back at {at}."
        elif differences:
            text = f"This plan differs from that on board of {name}, read back at {at}."
            level = Level.WARNING
        else:
            text = f"{count} waypoints on board of {name} as here, read back at {at}."
        return Statement(text, name, (session, mission), found.read_s, _ENDS, level)


def board_knowledge_of(vehicle: Vehicle) -> BoardKnowledge:
    """That of an aircraft, the same for all panels."""
    return vehicle.attachment("plan.board", lambda: BoardKnowledge(vehicle))

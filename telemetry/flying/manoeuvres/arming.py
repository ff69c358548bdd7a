"""Arming and taking off as manoeuvres, by `ArmingProcedure`."""

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Final

from telemetry.configuration.arming.by_sticks import AUTO_TAKEOFF
from telemetry.configuration.arming.procedure import ArmingProcedure, ArmingStage
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.vehicle.sticks import Sticks

OUT_OF_SIGHT: Final = (
    "Not armed. The controls were out of sight. Keep them in sight until it is armed."
)
TAKE_OFF: Final = "Take off"
_ALREADY: Final = "It is armed already, and may be flying. Land it or disarm it first."


@dataclass(frozen=True, slots=True)
class ArmingRules:
    """For whom it arms: how many seconds it is asked, after how many without an update it is given
    up, and whether that an aircraft is armed already is a reason not to begin."""

    within_s: float
    unwatched_s: float
    refuses_armed: bool

    @property
    def too_late(self) -> str:
        """The beginning of what is said when it took too long."""
        is_waited_for = math.isinf(self.unwatched_s)
        return f"Not armed within {self.within_s:.0f} s." if is_waited_for else "Not armed."


FOR_A_PILOT: Final = ArmingRules(within_s=10.0, unwatched_s=2.0, refuses_armed=False)
"""Whoever held the button still stands where motors may turn: not for long, nor out of sight. The
button has looked whether it is armed."""
FOR_A_SCRIPT: Final = ArmingRules(within_s=60.0, unwatched_s=math.inf, refuses_armed=True)
"""Until nothing forbids arming: a GPS receiver finds its place by then."""


class Arm(Manoeuvre):
    """Arms for flying by hand; `for_take_off` in AutoTakeoff, where the switch has that."""

    _good_end: ClassVar[ArmingStage] = ArmingStage.ARMED

    def __init__(
        self, aircraft: AircraftView, rules: ArmingRules, *, for_take_off: bool = False
    ) -> None:
        super().__init__("Arm")
        has_mode = for_take_off and aircraft.switches.position_of(AUTO_TAKEOFF) is not None
        mode = AUTO_TAKEOFF if has_mode else ""
        self._begin(ArmingProcedure(mode, past=aircraft.read_past), aircraft, rules)

    def _begin(
        self, procedure: ArmingProcedure, aircraft: AircraftView, rules: ArmingRules
    ) -> None:
        self.needs_watching = not math.isinf(rules.unwatched_s)
        self.procedure = procedure
        self._rules = rules
        self._asked_s = self._updated_s = aircraft.now_s
        is_refused = rules.refuses_armed and not procedure.has_armed and aircraft.state.is_armed
        self.problem = _ALREADY if is_refused else ""

    @property
    def stage(self) -> ArmingStage | None:
        return self.procedure.stage

    @property
    def progress(self) -> str:
        stage, reason = self.procedure.stage.value, self.procedure.reason
        return f"{stage[0].upper()}{stage[1:]}{f': {reason}' if reason else '.'}"

    def update(self, aircraft: AircraftView) -> None:
        if self.problem or self.is_done:
            return
        procedure, rules, now_s = self.procedure, self._rules, aircraft.now_s
        unwatched_s, self._updated_s = now_s - self._updated_s, now_s
        if not procedure.has_armed and unwatched_s > rules.unwatched_s:
            self.problem = OUT_OF_SIGHT
        elif not procedure.has_armed and now_s - self._asked_s > rules.within_s:
            self.problem = self._refusal(rules.too_late)
        else:
            self._go_on(aircraft)
            self.is_done = procedure.stage is self._good_end
            if procedure.stage is ArmingStage.REFUSED:
                what = "Not taken off." if procedure.has_armed else "Not armed."
                self.problem = self._refusal(what)

    def _go_on(self, aircraft: AircraftView) -> None:
        self.procedure.update(aircraft.now_s, aircraft.read)

    def _refusal(self, what: str) -> str:
        """What stands in the way, in the checklist's words."""
        obstacle = self.procedure.obstacle
        remedy = obstacle.remedy if obstacle is not None else ""
        return f"{what} {self.procedure.reason} {remedy}".rstrip()

    def request(self, before: PilotRequest) -> PilotRequest:
        """Just the procedure's sticks, whatever the input says; once it has ended its switches
        stay. A throttle that was raised goes to the middle, as guided modes want it: cut, the
        aircraft would fall."""
        sticks = self.procedure.sticks
        if self.problem:
            sticks = Sticks(flight_mode_position=sticks.flight_mode_position)
        if not self.is_done:
            return replace(before, transmitting=True, fixed=sticks)
        return replace(
            before,
            transmitting=True,
            fixed=None,
            arm=sticks.arm,
            flight_mode_position=sticks.flight_mode_position,
            throttle="middle" if sticks.throttle > 0.0 else "cut",
        )


class TakeOff(Arm):
    """Arms if that has not been done, and takes off by AutoTakeoff, until it surely climbs."""

    _good_end: ClassVar[ArmingStage] = ArmingStage.CLIMBING

    def __init__(
        self, aircraft: AircraftView, rules: ArmingRules, armed_by: Arm | None = None
    ) -> None:
        """`armed_by` has armed it for that."""
        Manoeuvre.__init__(self, TAKE_OFF)
        self._raises = armed_by is not None
        procedure = (
            ArmingProcedure(takes_off=True, past=aircraft.read_past)
            if armed_by is None
            else armed_by.procedure
        )
        self._begin(procedure, aircraft, rules)

    def _go_on(self, aircraft: AircraftView) -> None:
        if self._raises and self.procedure.stage is ArmingStage.ARMED:
            self._raises = False
            self.procedure.take_off(aircraft.now_s, aircraft.read)
        super()._go_on(aircraft)

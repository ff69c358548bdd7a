"""Behaviour flight: a behaviour begun on request, seen while it flies, ended by a touch."""

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.base.finding import Finding, Level
from telemetry.flying import actions
from telemetry.flying.behaviours.pose import PilotPose, read_pose
from telemetry.flying.behaviours.routes import Route, Waypoints, WorldPoint
from telemetry.flying.behaviours.script_behaviour import ScriptBehaviour
from telemetry.flying.behaviours.steering import StickFeel, read_feel
from telemetry.flying.behaviours.stick_behaviours import RouteBehaviour, TurnBehaviour
from telemetry.flying.controls import FlightControls
from telemetry.flying.inputs.behaviour_slot import Behaviour
from telemetry.flying.manoeuvres.manoeuvre import FLOWN_RATES_MS
from telemetry.flying.situation import Situation
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.vehicle.notices import notices_of
from telemetry.vehicle.update_rates import UpdateRates
from telemetry.vehicle.vehicle import Vehicle

_TURNED_DEG: Final = 4.0
START_S: Final = 10.0
"""So long a script may take until it says its first sticks: it may load large libraries."""
NO_VARIO = (
    "A behaviour needs a mode in which the throttle stick sets the climb, and no position of the "
    "flight mode switch has one. In Configure, on the Flight modes page, give a position the "
    "thrust Altitude vario."
)
NO_WING = "A behaviour flies what can stand still in the air, and no aeroplane."
NO_POSE = "The aircraft does not say where it is. Wait for GPS."
SILENT = "Its sticks are sent no longer. Press Fly by hand to take over."
TOUCHED = "You have the controls: a stick was touched, and the behaviour ended."
ASKED_ELSE = "You have asked for something else meanwhile."


@dataclass(frozen=True, slots=True)
class _ScriptStart:
    """A script that has said no sticks yet: the aircraft goes on with what was asked for."""

    behaviour: ScriptBehaviour
    asked: PilotRequest
    end_s: float


class BehaviourFlight:
    """Begins and ends behaviours through the controls. Call `poll` while one flies."""

    def __init__(self, vehicle: Vehicle, controls: FlightControls) -> None:
        self._vehicle = vehicle
        self._controls = controls
        self._slot = controls.inputs.behaviours
        self._rates = UpdateRates(vehicle.commands)
        self._was_flying = self._is_silence_told = False
        self._start: _ScriptStart | None = None

    @property
    def flying(self) -> Behaviour | None:
        """What flies now, or will as soon as it says sticks."""
        return self._start.behaviour if self._start is not None else self._slot.flying

    def pose(self) -> PilotPose | None:
        """Where the aircraft is."""
        return read_pose(self._vehicle)

    def why_not(self, situation: Situation) -> str | None:
        """Why a behaviour cannot fly it now, or None."""
        if situation.is_fixed_wing:
            return NO_WING
        refusal = actions.why_not("Fly by hand", situation)
        if refusal is None and not situation.is_flying:
            refusal = "The aircraft is not flying. Take off first."
        if refusal is None and situation.switches.vario is None:
            refusal = NO_VARIO
        if refusal is None and self._controls.is_device_throttle_down:
            refusal = actions.THROTTLE_DOWN  # who touches a stick would have that throttle, too
        return refusal or (None if self.pose() is not None else NO_POSE)

    def fly(self, route: Route, situation: Situation) -> None:
        """Have a route flown by hand."""
        self._begin(RouteBehaviour(route, self.pose, self._feel), situation)

    def run(self, script: Path, situation: Situation) -> str:
        """Have a script fly from its first sticks on; returns why it does not, or ""."""
        if self.why_not(situation) is not None:
            return self.why_not(situation) or ""
        self.give_up_start()
        try:
            behaviour = ScriptBehaviour(script, self.pose, self._vehicle.recording)
        except OSError as error:
            return f"{script} cannot be started ({error.strerror})."
        self._start = _ScriptStart(behaviour, self._controls.request, monotonic_s() + START_S)
        return ""

    def give_up_start(self) -> None:
        """Have a script that has said nothing yet not fly any more."""
        start, self._start = self._start, None
        if start is not None:
            start.behaviour.close()

    def turn(self, heading_deg: float) -> None:
        """Turn the nose while it holds."""
        self.give_up_start()
        self._controls.begin_behaviour(TurnBehaviour(heading_deg, self.pose))

    def add(self, point: WorldPoint) -> bool:
        """Add a point to the waypoints that are flown; False if none are."""
        flying = self.flying
        if not isinstance(flying, RouteBehaviour) or not isinstance(flying.route, Waypoints):
            return False
        flying.route.points += (point,)
        return True

    def end(self) -> None:
        """Give the sticks back to the pilot."""
        self.give_up_start()
        self._controls.end_behaviour()

    def poll(self) -> str:
        """Give it a sign of life, and show that it flies. Returns what the pilot must be told."""
        if self._start is not None and (refusal := self._go_on_starting(self._start)):
            return refusal
        flying = self._slot.flying
        self._show(flying)
        if flying is None:
            was_flying, self._was_flying = self._was_flying, False
            return TOUCHED if was_flying and self._slot.was_touched else ""
        self._was_flying = True
        self._slot.beat()
        self._rates.want(FLOWN_RATES_MS, self._vehicle.end_s)
        if self._slot.is_silent != self._is_silence_told:
            self._is_silence_told = self._slot.is_silent
            return self._silence(flying) if self._is_silence_told else ""
        if isinstance(flying, TurnBehaviour) and self._has_turned(flying.heading_deg):
            self.end()
            self._was_flying = False
            return f"Turned to {flying.heading_deg:.0f}°."
        return ""

    def _go_on_starting(self, start: _ScriptStart) -> str:
        """Give it the sticks once it says some; returns why it gets none, or ""."""
        script, situation = start.behaviour, self._controls.situation_at(self._vehicle.end_s)[1]
        why_not = self.why_not(situation)
        if why_not is None and self._controls.request != start.asked:
            why_not = ASKED_ELSE
        if why_not is None and not script.is_running:
            why_not = script.problem or "The script has ended."
        if why_not is None and monotonic_s() > start.end_s:
            why_not = script.problem or f"It has said no sticks for {START_S:.0f} s."
        if why_not is not None:
            self.give_up_start()
            return f"Behaviour {script.name} was not begun: {why_not}"
        if script.has_spoken:
            self._start = None
            self._begin(script, situation)
        return ""

    def _silence(self, flying: Behaviour) -> str:
        """Why nothing is sent, with what to do."""
        why = NO_POSE if self.pose() is None else "It says nothing."
        if isinstance(flying, ScriptBehaviour):
            ended = "" if flying.is_running else "The script has ended."
            why = flying.problem or ended or why
        return f"Behaviour {flying.name}: {why} {SILENT}"

    def _begin(self, behaviour: Behaviour, situation: Situation) -> None:
        self.give_up_start()
        self._controls.act("Fly by hand", situation)
        self._controls.begin_behaviour(behaviour)

    def _has_turned(self, heading_deg: float) -> bool:
        pose = self.pose()
        if pose is None:
            return False
        return abs((heading_deg - pose.yaw_deg + 180.0) % 360.0 - 180.0) < _TURNED_DEG

    def _show(self, flying: Behaviour | None) -> None:
        found = None
        if flying is not None:
            found = Finding(
                Level.WARNING,
                "behaviour",
                "The station moves the sticks by itself.",
                "Touch any stick to take over, or end it in Guided flight.",
                title=f"Behaviour flies: {flying.name}",
            )
        elif self._was_flying:
            self._rates.want({}, self._vehicle.end_s)
        notices_of(self._vehicle).say("pilot.behaviour", found)

    def _feel(self) -> StickFeel:
        return read_feel(self._vehicle.recording.latest("StabilizationBank", self._vehicle.end_s))

"""HITL pilot: a scenario on a real board, its sticks to the board, its weather to our world."""

from simulation.scenarios.experiment import RunOutcome
from simulation.scenarios.flight_measures import measure
from simulation.scenarios.heard_objects import HeardObjects
from simulation.scenarios.pilot import Pilot, heard_by_pilot
from simulation.scenarios.scenario import Scenario, ScenarioError
from simulation.scenarios.scripted_world import ScriptedWorld
from simulation.scenarios.track import OutputTrack
from simulation.scenarios.words import WordFrames
from simulation.simulator.simulator import Simulator
from telemetry.configuration.arming.checklist import Read
from telemetry.protocol.objects.catalogue import Catalogue


class HitlPilot:
    """Flies by GCSReceiver; what a scenario changes in the world is changed in the simulator."""

    def __init__(
        self, scenario: Scenario, catalogue: Catalogue, settings: Read, simulator: Simulator
    ) -> None:
        """`settings` gives the board's settings objects."""
        self._heard = HeardObjects(heard_by_pilot(scenario, catalogue))
        self._frames = WordFrames()
        self._pilot = Pilot(scenario, catalogue, settings, self._heard.read)
        self.scenario = scenario
        self.track = OutputTrack()
        """How the aircraft really moved."""
        self._script_ended: bool | None = None
        """Whether it had when it was left; None while it is followed."""
        self._simulator = simulator
        self._world = ScriptedWorld(simulator, scenario.world)

    @property
    def is_done(self) -> bool:
        """Whether the script has ended."""
        return self._pilot.is_done if self._script_ended is None else self._script_ended

    @property
    def failure(self) -> str:
        """Which step could not be done, and why, as a sentence; "" if none failed."""
        return self._pilot.failure

    @property
    def is_armed(self) -> bool:
        """Whether the board's motors may turn, as last heard."""
        return self._pilot.armed != "Disarmed"

    def disarm(self) -> None:
        """Leave the script: from now on `update` cuts the throttle and asks to disarm."""
        self._script_ended = self._pilot.is_done
        self._pilot.disarm()

    def hear(self, data: bytes) -> None:
        """Take what the board sent."""
        self._heard.hear(data)

    def update(self) -> bytes:
        """Go on with the script; return what is to be sent."""
        words = self._pilot.update(self._simulator.time_us)
        self._world.follow(self._pilot)
        self.track.add(self._simulator.output, self._pilot.step_index)
        return self._frames.of(words)

    def outcome(self) -> RunOutcome:
        """What was measured on the flight so far, and what went wrong with the script."""
        scenario = self.scenario
        metrics = {}
        if len(self.track):
            metrics = {m.metric: measure(m, self.track, scenario.steps) for m in scenario.measures}
        return RunOutcome(
            metrics,
            crashed=bool(self._simulator.output["crashed"]),
            script=self.failure or ("" if self.is_done else "The script did not come to its end."),
        )


def check_flyable(scenario: Scenario) -> None:
    """Raise ScenarioError for what no pilot can fly on a real board."""
    if scenario.experiment:
        raise ScenarioError(
            f"{scenario.name} is an experiment with the simulator itself; give a scripted flight."
        )
    if scenario.settings:
        raise ScenarioError(
            f"{scenario.name} changes settings, which are the board's own here; "
            "set them on the board and leave them out of the scenario."
        )

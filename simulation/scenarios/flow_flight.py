"""Flies the coaxial helicopter through a world by what its ring of cameras sees: the whole loop of
seed 003, ring, image interpolation, de-rotation, filter, controller, every 16 ms."""

import math
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.mathematics.random_numbers import gaussian_pair
from simulation.perception.flow.low_pass import LowPass
from simulation.perception.flow.ring import FlowRing
from simulation.perception.flow.ring_layout import LAYOUTS, RingLayout
from simulation.perception.grey_scene import SeenScene
from simulation.scenarios.coaxial_flight import CYCLE_S, SERVO_CONSTANT, CoaxialFlight
from simulation.scenarios.experiment import Experiment, RunOutcome
from simulation.scenarios.figure import Axes, Figure, series
from simulation.scenarios.flow_view import FlowController, FlowView
from simulation.scenarios.scenario import ScenarioError
from simulation.worlds.make_scene import make_scene
from simulation.worlds.world import WorldError
from simulation.worlds.world_file import load_world

Array = npt.NDArray[np.float64]
Triple = tuple[float, float, float]

FLOW_PER_RADPS: Final = 29.77
"""Counts of flow to the left while the nose turns right with 1 rad/s, configuration A (the seed's
`flow_constant`; turning left makes positive flow)."""
ALPHA: Final = 0.2
HEIGHT_NOISE_M: Final = 0.01
"""Standard deviation of the height that controllers are told."""
_HEIGHT_STREAM: Final = 0xA171


def seen_world(name: str, seed: int = 1) -> SeenScene:
    """A shipped world, ready for rings, with the textures of a seed. Raises ScenarioError."""
    try:
        return SeenScene(make_scene(load_world(name), seed))
    except WorldError as error:
        raise ScenarioError(str(error)) from None


class FlowFlight:
    """A flight, its ring and its controller."""

    def __init__(
        self,
        flight: CoaxialFlight,
        ring: FlowRing,
        controller: FlowController,
        flow_per_radps: float = FLOW_PER_RADPS,
    ) -> None:
        self.flight = flight
        self.ring = ring
        self._controller = controller
        self._flow_per_radps = flow_per_radps
        self._filter = LowPass(ALPHA)
        self._azimuths = np.array(ring.layout.azimuths_rad)
        self._output = flight.simulator.output
        self._cycle = 0

    def advance(self) -> FlowView:
        """One cycle: look, decide, fly on. What the controller was told."""
        self.ring.look(*self.flight.pose())
        view = self._view()
        self.flight.command(self._controller(view))
        self.flight.advance()
        return view

    def _view(self) -> FlowView:
        rate = math.radians(float(self._output["gyro"][2]))
        flow = self.ring.flow
        if self.ring.has_flow:
            flow[:, 0] += self._flow_per_radps * rate
        filtered = self._filter.add(flow)
        self._cycle += 1
        return FlowView(
            self.flight.simulator.time_us / 1e6,
            self._azimuths,
            filtered[:, 0],
            filtered[:, 1],
            rate,
            measured_height_m(self.flight, self._cycle),
            self.ring.pictures,
        )

    def fly_for(self, seconds: float, heed: Callable[[FlowView], object] = lambda _: None) -> float:
        """So long, or until it touches something; how long it flew. `heed` is called with what the
        controller was told, every cycle."""
        return CYCLE_S * self.fly(self.cycles_of(seconds), heed)

    @staticmethod
    def cycles_of(seconds: float) -> int:
        """How many cycles that is."""
        return round(seconds / CYCLE_S)

    def fly(self, cycles: int, heed: Callable[[FlowView], object] = lambda _: None) -> int:
        """So many cycles, or until it touches something; how many it flew."""
        for cycle in range(cycles):
            heed(self.advance())
            if self.flight.touches_something:
                return cycle + 1
        return cycles

    def outcome(self, metrics: Mapping[str, float], walls_m: tuple[float, ...] = ()) -> RunOutcome:
        """What came of a flight that ends here: it crashed if it touches something, which its
        rotors would not survive. `walls_m` are lines east of the origin for its figure."""
        flight, track = self.flight, self.flight.track
        touches = flight.touches_something
        note = (
            f"It touched something after {flight.simulator.time_us / 1e6:.1f} s." if touches else ""
        )
        place = np.asarray(track["true_position"])
        lines = (series("flown", place[:, 0], place[:, 1]),)
        seen = Axes("Seen from above", "north, m", "east, m", lines, bands=walls_m)
        figure = Figure("By optic flow", (seen,))
        crashed = touches or flight.has_crashed
        return RunOutcome(metrics, figure, track.digest(), crashed, note=note)


def measured_height_m(flight: CoaxialFlight, cycle: int) -> float:
    """The height with its noise, which the simulator's seed decides."""
    noise, _ = gaussian_pair(flight.simulator.seed, _HEIGHT_STREAM, cycle)
    return flight.height_m + HEIGHT_NOISE_M * noise


def fly_in_world(
    experiment: Experiment,
    controller: FlowController,
    start_m: Triple,
    layout: RingLayout = LAYOUTS["direct"],
    servo_constant: float = SERVO_CONSTANT,
    heading_rad: float = 0.0,
) -> FlowFlight:
    """A flight that begins in the experiment's world at NED `start_m`, at rest, the nose so far to
    the right of north. Raises ScenarioError where there is no world."""
    world = experiment.flown_world
    if world is None:
        raise ScenarioError(
            f"The scenario '{experiment.scenario.name}' flies by what cameras see; give it a world."
        )
    there = replace(experiment, world=world)
    flight = CoaxialFlight(there, start_m, heading_rad, servo_constant)
    ring = FlowRing(SeenScene(world.scene, world.grid), layout)
    return FlowFlight(flight, ring, controller)

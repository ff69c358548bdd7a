"""Flies a helicopter through a corridor by optic flow, with a controller to be changed.

    python -m examples.flow.fly_your_own

It prints where it is. The controllers that come with the program are beside each other in
`simulation/scenarios/controllers`: copy one of them into this file, or change this one.
"""

from simulation.scenarios.coaxial_flight import CYCLE_S, CoaxialCommand
from simulation.scenarios.controllers.altitude import AltitudeSwitch
from simulation.scenarios.experiment import Experiment
from simulation.scenarios.flow_flight import fly_in_world
from simulation.scenarios.flow_view import FlowView
from simulation.scenarios.scenario_file import load_scenario
from simulation.simulator.flown_world import open_world
from telemetry.protocol.objects.catalogue import load_catalogue

WORLD = "corridor:width_m=2.5,texture=bricks"
START_M = (0.0, 0.6, -1.5)
"""North, east, down: near the right wall, 1.5 m high."""


class Controller:
    """Balances the flow of both sides, and turns the nose to where there is less of it."""

    def __init__(self) -> None:
        self._altitude = AltitudeSwitch()

    def __call__(self, view: FlowView) -> CoaxialCommand:
        balance = float(view.flow.sum())  # positive: the right wall is nearer
        return CoaxialCommand(
            throttle=self._altitude.at(view.height_m),
            yaw=-0.01 * view.yaw_rate_radps - 1e-5 * balance,
            pitch=-0.6,
            roll=-0.01 * balance,
        )


def main() -> None:
    """Fly for twenty seconds."""
    scenario = load_scenario("corridor")
    world = open_world(WORLD)
    experiment = Experiment(scenario, 1, scenario.aircraft, load_catalogue(), world=world)
    loop = fly_in_world(experiment, Controller(), START_M)
    for second in range(1, 21):
        flown = loop.fly(round(1.0 / CYCLE_S))
        north, east, down = loop.flight.place
        print(f"{second:3} s: {north:5.2f} m along, {east:5.2f} m right, {-down:4.2f} m high")
        if flown < round(1.0 / CYCLE_S):
            print("It touched the wall.")
            return


if __name__ == "__main__":
    main()

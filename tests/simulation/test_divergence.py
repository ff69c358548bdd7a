"""A motion that cannot be ends the simulation at the last one that could, and says so."""

import math

import numpy as np
import pytest

from simulation.aircraft.performance import steady_speed
from simulation.autopilot.autopilot import Autopilot, AutopilotConfig
from simulation.autopilot.preset import Preset
from simulation.physics.divergence import (
    DIVERGED_ATTITUDE,
    DIVERGED_POSITION,
    DIVERGED_RATES,
    DIVERGED_ROTOR,
    DIVERGED_VELOCITY,
    check_motion,
    keep_motion,
)
from simulation.records.flight import ATTITUDE, POSITION, RATES, ROTOR, VELOCITY
from simulation.serving.real_time_flight import RealTimeFlight
from simulation.simulator.simulator import Diverged, Simulator
from telemetry.protocol.links.memory import pair
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.flights import parked, thrown


def no_number(simulator: Simulator) -> None:
    simulator.command["external"] = 1
    simulator.output["actuator_command"] = math.nan


@pytest.mark.parametrize(
    ("row", "what"),
    [
        (POSITION, DIVERGED_POSITION),
        (VELOCITY, DIVERGED_VELOCITY),
        (ATTITUDE, DIVERGED_ATTITUDE),
        (RATES, DIVERGED_RATES),
        (ROTOR, DIVERGED_ROTOR),
    ],
)
@pytest.mark.parametrize("value", [math.nan, -math.inf, 1e7])
def test_what_cannot_be_is_named(row: int, what: int, value: float) -> None:
    flight = thrown(parked(), 50.0).record
    state, scratch = flight["state"], flight["scratch"]
    keep_motion(state, scratch)
    before = state["motion"].copy()
    check_motion(state, scratch)
    assert state["diverged"] == 0
    state["motion"][row] = value
    check_motion(state, scratch)
    assert state["diverged"] == what
    assert (state["motion"] == before).all()


def test_it_stops_and_says_when_and_why() -> None:
    simulator = thrown(parked(), 50.0)
    simulator.advance(100)
    no_number(simulator)
    with pytest.raises(Diverged, match=r"0\.100 s because a command") as caught:
        simulator.advance(100)
    assert caught.value.time_us == simulator.time_us == 100_000


def test_the_last_good_state_stands_until_reset() -> None:
    simulator = thrown(parked(), 50.0, velocity=(3.0, 0.0, 0.0))
    simulator.advance(100)
    before = simulator.record["state"]["motion"].copy()
    no_number(simulator)
    for _ in range(2):
        with pytest.raises(Diverged) as caught:
            simulator.advance(100)
        assert (simulator.record["state"]["motion"] == before).all()
        assert caught.value.output["true_position"] == pytest.approx(before[:3])
    simulator.reset()
    simulator.advance(100)
    assert simulator.time_us == 100_000


@pytest.mark.parametrize("name", ["ar100b", "sea-vixen"])
@pytest.mark.parametrize(
    "member",
    [
        "thrust",
        "throttle_stick",
        "down_m",
        "velocity_down",
        "north_m",
        "east_m",
        "velocity_north",
        "velocity_east",
        "end_speed",
        "axis_setpoint",
        "outputs",
    ],
)
def test_a_command_that_is_no_number_stops_any_aircraft_the_same_way(
    name: str, member: str
) -> None:
    simulator = parked(1, name)
    simulator.command["outputs_supplied"] = member == "outputs"
    simulator.advance(10)
    value = simulator.command[member]
    simulator.command[member] = math.nan if value.ndim == 0 else [*value[:-1], math.nan]
    before = simulator.record["state"]["motion"].copy()
    with pytest.raises(Diverged, match=r"0\.010 s because a command it was given is no number"):
        simulator.advance(1)
    assert (simulator.record["state"]["motion"] == before).all()


def test_outputs_that_nobody_supplies_may_be_no_numbers() -> None:
    """Negative control."""
    simulator = parked()
    simulator.command["outputs"] = math.nan
    simulator.advance(10)
    assert simulator.time_us == 10_000


@pytest.mark.slow
@pytest.mark.parametrize(("inertia", "diverges"), [(1e-7, True), (1.7e-6, False)])
def test_the_least_rotor_inertia_that_files_may_have_is_followed(
    inertia: float, diverges: bool
) -> None:
    """1.69e-6 kg m2 is what the reader of aircraft files asks the AR100B for."""
    simulator = parked()
    simulator.record["parameters"]["rotor_inertia"] = inertia
    simulator.command["external"] = 1
    simulator.output["actuator_command"] = 2000.0
    if diverges:
        with pytest.raises(Diverged, match="rotor"):
            simulator.advance(1000)
        return
    simulator.advance(1000)
    expected = steady_speed(simulator.aircraft.parameters, 12.0)
    assert simulator.output["rotor_speed"][0] == pytest.approx(expected, rel=0.1)


def test_wild_motion_within_the_limits_is_no_divergence() -> None:
    """Negative control: tumbling at 1,000 deg/s is physics, not a fault."""
    simulator = thrown(parked(), 200.0, rates=(17.0, -9.0, 4.0))
    simulator.advance(2000)
    assert np.isfinite(simulator.output["true_rates"]).all()


def test_the_autopilot_lives_on_with_a_wreck(preset: Preset, catalogue: Catalogue) -> None:
    autopilot = Autopilot(AutopilotConfig(preset), catalogue)
    autopilot.run_loop()
    no_number(autopilot.simulator)
    for _ in range(10):
        autopilot.run_loop()
    assert autopilot.diverged is not None
    assert autopilot.time_us == 220_000
    assert autopilot.simulator.time_us < 40_000
    assert autopilot.simulator.output["crashed"] == 1
    alarms = autopilot.board["SystemAlarms"]
    field = alarms.definition.field_named("Alarm")
    place = field.element_names.index("Stabilization")
    assert alarms.row["Alarm"][place] == field.option_number("Error")


def test_a_served_flight_reports_it_once_and_goes_on(
    preset: Preset, catalogue: Catalogue, capsys: pytest.CaptureFixture[str]
) -> None:
    now_s = 0.0
    near, far = pair()
    config = AutopilotConfig(preset)
    flight = RealTimeFlight(lambda: Autopilot(config, catalogue), near, lambda: now_s)
    no_number(flight.autopilot.simulator)
    for _ in range(150):
        now_s += 0.02
        flight.catch_up()
    assert flight.autopilot.now_s > 2.9
    assert far.read(0.0)
    assert capsys.readouterr().err.count("The simulation stopped at") == 1

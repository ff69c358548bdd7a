"""Level flight of the Sea Vixen against the design's table, which an older program computed."""

import math
from dataclasses import replace

import pytest

from simulation.aircraft.aircraft import AircraftParameters, load_aircraft
from simulation.aircraft.trim import NoTrimError, modes, nominal_voltage, trim

# speed m/s: angle of attack deg, throttle, battery A, endurance min
TABLE = {
    10: (10.6, 0.52, 2.53, 35.6),
    12: (6.4, 0.55, 2.73, 33.0),
    14: (4.0, 0.60, 3.28, 27.5),
    16: (2.4, 0.67, 4.12, 21.8),
    18: (1.3, 0.74, 5.27, 17.1),
    20: (0.5, 0.82, 6.74, 13.3),
    22: (-0.1, 0.90, 8.58, 10.5),
    24: (-0.5, 0.98, 10.8, 8.3),
}


@pytest.fixture(scope="module")
def sea_vixen() -> AircraftParameters:
    return load_aircraft("sea-vixen")


@pytest.mark.parametrize("speed", TABLE)
def test_trims_as_the_table_says(sea_vixen: AircraftParameters, speed: int) -> None:
    alpha, duty, current, endurance = TABLE[speed]
    state = trim(sea_vixen, speed, nominal_voltage(sea_vixen))
    assert math.degrees(state.alpha) == pytest.approx(alpha, abs=0.06)
    assert state.duty == pytest.approx(duty, abs=0.006)
    assert state.current == pytest.approx(current, rel=0.01)
    assert state.endurance / 60.0 == pytest.approx(endurance, rel=0.01)


@pytest.mark.parametrize("speed", [5.0, 9.0, 9.5])
def test_does_not_trim_below_the_stall(sea_vixen: AircraftParameters, speed: float) -> None:
    with pytest.raises(NoTrimError, match="stalls"):
        trim(sea_vixen, speed, 11.1)


def test_does_not_trim_beyond_its_battery(sea_vixen: AircraftParameters) -> None:
    with pytest.raises(NoTrimError, match="V at the motor"):
        trim(sea_vixen, 26.0, 11.1)
    with pytest.raises(NoTrimError, match="V at the motor"):
        trim(sea_vixen, 22.0, 9.0)


def outside_the_wash(aircraft: AircraftParameters) -> AircraftParameters:
    """As the design had it."""
    parameters = aircraft.parameters.copy()
    parameters["tail_in_wash"] = 0.0
    return replace(aircraft, parameters=parameters)


def test_the_slipstream_stiffens_and_damps_the_short_period(
    sea_vixen: AircraftParameters,
) -> None:
    inside, outside = (
        modes(aircraft, trim(aircraft, 14.0, 11.1), 11.1).longitudinal[1]
        for aircraft in (sea_vixen, outside_the_wash(sea_vixen))
    )
    assert outside.imag + 0.2 < inside.imag < outside.imag + 1.0
    assert outside.real - 1.0 < inside.real < outside.real - 0.2


def test_swings_as_the_design_computed(sea_vixen: AircraftParameters) -> None:
    """Short period, phugoid, roll, dutch roll and the slowly unstable spiral at 14 m/s."""
    found = modes(outside_the_wash(sea_vixen), trim(sea_vixen, 14.0, 11.1), 11.1)
    short_period, phugoid = found.longitudinal[1], found.longitudinal[3]
    assert short_period == pytest.approx(-7.1 + 10.0j, abs=0.1)
    assert phugoid == pytest.approx(-0.16 + 0.80j, abs=0.02)
    roll, _, dutch_roll, spiral = found.lateral
    assert roll == pytest.approx(-22.0, abs=0.2)
    assert dutch_roll == pytest.approx(-1.8 + 8.2j, abs=0.1)
    assert spiral == pytest.approx(0.043, abs=0.003)


def test_a_tail_the_wrong_way_round_is_unstable(sea_vixen: AircraftParameters) -> None:
    """Negative control of the modes: C_ma of the other sign has no short period."""
    parameters = sea_vixen.parameters.copy()
    state = trim(sea_vixen, 14.0, 11.1)
    parameters["pitching"][1] *= -1.0
    unstable = modes(AircraftParameters("", "", parameters), state, 11.1)
    assert max(value.real for value in unstable.longitudinal) > 1.0

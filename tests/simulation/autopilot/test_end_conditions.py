"""Each end condition on both sides of its limit, as LibrePilot has them: the functions condition...
of flight/modules/PathPlanner/pathplanner.c, PIOS_DELAY_DiffuS of flight/pios/stm32f4xx."""

from dataclasses import replace
from typing import Any

import pytest

from simulation.autopilot.end_conditions import CONDITIONS, ConditionInputs, TimeOutClock

NOW = ConditionInputs(
    elapsed_s=10.0,
    position=(10.0, 0.0, -20.0),
    velocity=(3.0, 4.0, 0.0),
    airspeed_mps=9.0,
    target=(13.0, 4.0, -32.0),
    next_leg=(30.0, 40.0, 0.0),
    fraction=0.8,
    error_m=1.5,
)

TABLE = [
    ("None", (0.0, 0.0), {}, False),
    ("PythonScript", (0.0, 0.0), {}, True),
    ("Immediate", (0.0, 0.0), {}, True),
    ("TimeOut", (10.0, 0.0), {}, True),
    ("TimeOut", (10.1, 0.0), {}, False),
    ("DistanceToTarget", (5.0, 0.0), {}, True),
    ("DistanceToTarget", (4.9, 0.0), {}, False),
    ("DistanceToTarget", (12.9, 1.0), {}, False),
    ("DistanceToTarget", (13.0, 1.0), {}, True),
    ("LegRemaining", (0.25, 0.0), {}, True),
    ("LegRemaining", (0.15, 0.0), {}, False),
    ("LegRemaining", (0.0, 0.0), {"fraction": 1.0}, True),
    ("BelowError", (1.5, 0.0), {}, True),
    ("BelowError", (1.4, 0.0), {}, False),
    ("AboveAltitude", (20.0, 0.0), {}, True),
    ("AboveAltitude", (21.0, 0.0), {}, False),
    ("AboveAltitude", (-21.0, 0.0), {}, True),
    ("AboveSpeed", (5.0, 0.0), {}, True),
    ("AboveSpeed", (5.1, 0.0), {}, False),
    ("AboveSpeed", (8.9, 1.0), {}, True),
    ("AboveSpeed", (9.1, 1.0), {}, False),
    ("PointingTowardsNext", (1.0, 0.0), {}, True),
    ("PointingTowardsNext", (89.0, 0.0), {"velocity": (4.0, -3.0, 0.0)}, False),
    ("PointingTowardsNext", (91.0, 0.0), {"velocity": (4.0, -3.0, 0.0)}, True),
    # Either side of south: 2 degrees apart. Of west: 358, to the firmware.
    (
        "PointingTowardsNext",
        (3.0, 0.0),
        {"velocity": (0.0174, -1.0, 0.0), "next_leg": (-0.0174, -1.0, 0.0)},
        False,
    ),
    (
        "PointingTowardsNext",
        (3.0, 0.0),
        {"velocity": (-1.0, 0.0174, 0.0), "next_leg": (-1.0, -0.0174, 0.0)},
        True,
    ),
]


@pytest.mark.parametrize(("name", "parameters", "changes", "met"), TABLE)
def test_a_condition(
    name: str, parameters: tuple[float, ...], changes: dict[str, Any], met: bool
) -> None:
    assert CONDITIONS[name](replace(NOW, **changes), (*parameters, 0.0, 0.0)) is met


def test_every_condition_of_the_object_is_in_the_table() -> None:
    assert {row[0] for row in TABLE} == set(CONDITIONS)


def test_the_clock_of_time_outs_counts_32_bits_of_168_mhz() -> None:
    """So no TimeOut above 25 s ever holds."""
    clock = TimeOutClock()
    assert clock.read_s(3, 1_000_000) == 0.0
    assert clock.read_s(3, 26_000_000) == pytest.approx(25.0)
    assert max(clock.read_s(3, 1_000_000 + 100_000 * i) for i in range(900)) < 25.6
    assert clock.read_s(4, 90_000_000) == 0.0
    clock.expire()
    assert clock.read_s(4, 95_000_000) == 0.0, "the same waypoint again starts again"


def test_the_clock_of_the_first_waypoint_runs_since_power_up() -> None:
    """`toWaypoint` and `toStarttime` of conditionTimeOut begin as 0."""
    assert TimeOutClock().read_s(0, 7_000_000) == 7.0

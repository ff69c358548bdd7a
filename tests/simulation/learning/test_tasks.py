"""What is observed, commanded and rewarded, by hand: mechanics, geometry, and a written policy."""

import runpy
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import hover
from tests.simulation.learning.flying import GRAVITY, Array, towards, vector
from tests.test_house_rules import ROOT

STILL = np.zeros(4, np.float32)


def _held(asked: Array, steps: int, **options: Any) -> dict[str, Array]:
    """The truth of four aircraft after so many steps of one action."""
    envs = vector("Hover", 4, **options)
    _, info = envs.reset(seed=3)
    for _ in range(steps):
        *_, info = envs.step(np.tile(asked, (4, 1)).astype(np.float32))
    return info


@pytest.mark.parametrize("axis", [0, 1, 2])
@pytest.mark.parametrize("sign", [-1.0, 1.0])
def test_body_rates_are_flown(axis: int, sign: float) -> None:
    """Half of the most, after half a second: 60 and 45 deg/s; right, up and right are positive."""
    action = STILL.copy()
    action[axis] = 0.5 * sign
    rates = np.degrees(_held(action, 10)["rates_radps"])
    wanted = sign * (45.0 if axis == 2 else 60.0)
    assert rates[:, axis] == pytest.approx(wanted, abs=8.0)
    assert np.delete(rates, axis, axis=1) == pytest.approx(0.0, abs=8.0)


def _change_mps2(action: Array, **options: Any) -> Array:
    """How fast the speed downwards grows between 0.2 and 0.4 s, before drag counts."""
    speeds = [_held(action, steps, **options)["velocity_mps"][:, 2] for steps in (4, 8)]
    return np.asarray((speeds[1] - speeds[0]) / 0.2)


@pytest.mark.slow
def test_thrust_carries_lifts_and_falls() -> None:
    """Zero carries the weight but for tilt, thinner air and a battery that sags, 8 %; one lifts by
    more than half of what it would with a battery that does not sag and air that does not come
    from above; what is a half heavier sinks with g (1 - 1 / 1.5)."""
    most = GRAVITY * (1.0 - hover(load_aircraft("ar100b").parameters).thrust_to_weight)
    assert _change_mps2(STILL) == pytest.approx(0.0, abs=0.8)
    lifted = _change_mps2(np.array([0.0, 0.0, 0.0, 1.0])) / most
    assert ((lifted > 0.5) & (lifted < 1.0)).all()
    heavy = {"aircraft.mass_kg": {"choices": [1.95]}}
    assert _change_mps2(STILL, vary=heavy) == pytest.approx(GRAVITY / 3.0, rel=0.2)


@pytest.mark.slow
def test_motors_turn_it_as_their_places_have_it() -> None:
    """Those on the left, first and last, lift it: it rolls to the right."""
    level = np.full(4, -0.1)
    rolls = [
        _held(level + push * np.array([0.1, -0.1, -0.1, 0.1]), 5, action="motors")["rates_radps"]
        for push in (-1.0, 0.0, 1.0)
    ]
    assert (rolls[0][:, 0] < -0.3).all()
    assert abs(rolls[1][:, 0]).max() < 0.2
    assert (rolls[2][:, 0] > 0.3).all()


@pytest.mark.slow
def test_what_is_observed_is_the_truth_or_near_it() -> None:
    """An estimate is off by noise, not by frames or units."""
    for observe, most in (("truth", 1e-5), ("estimate", 0.3)):
        envs = vector("Hover", 6, observe=observe)
        envs.reset(seed=2)
        for _ in range(4):
            seen, *_, info = envs.step(np.tile(np.float32([0.2, -0.1, 0.3, 0.1]), (6, 1)))
        target = np.array([0.0, 0.0, -10.0]) - info["position_m"]
        true = np.hstack([target, info["velocity_mps"], info["q_wxyz"], info["rates_radps"]])
        assert seen == pytest.approx(true, abs=most)
        assert np.array_equal(seen, true.astype(np.float32)) == (observe == "truth")
        assert [c.frame for c in envs.observation_columns][::3][:2] == ["NED", "NED"]


def test_the_target_of_track_moves_as_it_says() -> None:
    envs = vector("Track", 3)
    seen, info = envs.reset(seed=4)
    places, speeds = [], []
    for _ in range(3):
        places.append(info["position_m"] + seen[:, :3])
        speeds.append(seen[:, 3:6])
        seen, *_, info = envs.step(np.zeros((3, 4), np.float32))
    moved = (places[2] - places[0]) / 0.1
    assert moved == pytest.approx(speeds[1], abs=3e-3)
    assert np.linalg.norm(moved, axis=1).min() > 1.0


def _ends(task: str, sign: float = 1.0, **options: Any) -> Array:
    """The last reward of eight episodes that a written policy flies; NaN for one that goes on.
    `sign` -1 has it lean the wrong way."""
    envs = vector(task, 8, **options)
    seen, _ = envs.reset(seed=6)
    last = np.full(8, np.nan)
    for _ in range(399):
        way, rest = (_landing if task == "Land" else _middle)(seen)
        action = towards(way, seen[:, rest : rest + 3], seen[:, rest + 3 : rest + 7])
        action[:, :2] *= sign
        seen, reward, ended, _, _ = envs.step(action)
        last = np.where(np.isnan(last) & ended, reward, last)
        if np.isfinite(last).all():
            break
    return last


def _landing(seen: Array) -> tuple[Array, int]:
    way = seen[:, :3].copy()
    way[:, 2] = np.minimum(way[:, 2], 0.5) + 0.2
    return way, 3


def _middle(seen: Array) -> tuple[Array, int]:
    """North, between what is to the right and to the left, 1.2 m above the floor."""
    ahead = np.full(len(seen), 2.4)
    return np.stack([ahead, 0.5 * (seen[:, 2] - seen[:, 6]), seen[:, 9] - 1.2], axis=1), 10


@pytest.mark.slow
@pytest.mark.parametrize(("task", "options"), [("Land", {"wind_mps": 3.0}), ("Corridor", {})])
def test_a_written_policy_earns_the_prize(task: str, options: dict[str, Any]) -> None:
    """And loses it by leaning the wrong way."""
    assert _ends(task, **options) == pytest.approx(10.0, abs=0.2)
    assert _ends(task, sign=-1.0, **options) == pytest.approx(-10.0, abs=0.5)


def test_to_fall_is_no_landing() -> None:
    envs = vector("Land", 4)
    envs.reset(seed=1)
    last = np.zeros(4)
    for _ in range(60):
        _, reward, ended, _, _ = envs.step(np.tile(np.float32([0.0, 0.0, 0.0, -1.0]), (4, 1)))
        last = np.where(ended, reward, last)
    assert last == pytest.approx(-10.0, abs=0.5)


@pytest.mark.slow
def test_distances_are_those_of_the_walls() -> None:
    """Of a corridor 4 m wide and 2.5 m high that begins 1.5 m south of where it starts; a body
    that leans sees them longer by less than 3 %."""
    envs = vector("Corridor", 5)
    seen, info = envs.reset(seed=8)
    north, east, down = info["position_m"].T
    yaw = 2.0 * info["q_wxyz"][:, 3]
    for number, gap in ((2, 2.0 - east), (6, 2.0 + east), (4, 1.5 + north)):
        assert seen[:, number] == pytest.approx(gap / np.cos(yaw), rel=0.03)
    assert pytest.approx(np.array([2.5 + down, -down]), rel=0.03) == seen[:, 8:10].T
    assert seen[:, 0] == pytest.approx(10.0)


@pytest.mark.slow
def test_the_notebook_learns_to_hover() -> None:
    """Who has learned nothing does not stay."""
    found = runpy.run_path(str(ROOT / "examples" / "learning" / "train_hover.py"))
    assert np.isinf(found["untrained_m"]).all()
    assert found["trained_m"].max() < 0.5

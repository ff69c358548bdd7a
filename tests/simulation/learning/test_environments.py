"""Environments as Gymnasium wants them, alone and as a vector the same to the bit."""

import copy
import pickle
import sys
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from simulation.learning import LapwingEnv, LapwingVectorEnv
from tests.simulation.learning.flying import Array, single, vector

VARY = {
    "aircraft.mass_kg": {"normal": [1.3, 0.05], "limits": [1.1, 1.5]},
    "sensors.gyro.turn_on": {"uniform": [0.1, 2.0]},
    "settings.StabilizationSettingsBank1.RollRatePID.Kp": {"log_uniform": [0.002, 0.004]},
}
WHOLE: dict[str, Any] = {
    "observe": "estimate",
    "action": "attitude",
    "wind_mps": 4.0,
    "turbulence_mps": 4.0,
    "vary": VARY,
}


@pytest.mark.slow
@pytest.mark.parametrize("task", ["Hover", "Track", "Land", "Corridor"])
def test_gymnasium_has_nothing_to_say_against_them(task: str) -> None:
    """Its warnings are errors here."""
    check_env(single(task).unwrapped)


def _bits(values: Any) -> bytes:
    return np.asarray(values).tobytes()


def _flown(task: str, count: int, seed: int, **options: Any) -> list[tuple[Array, ...]]:
    """What three of a vector tell at each of 30 steps; episodes end within them."""
    envs = vector(task, count, max_episode_steps=12, **options)
    generator = np.random.default_rng(5)
    told = [(envs.reset(seed=seed)[0][:3],)]
    for _ in range(30):
        actions = np.resize(generator.uniform(-1.0, 1.0, (3, 4)), (count, 4)).astype(np.float32)
        step = envs.step(actions)
        told.append((*(column[:3] for column in step[:4]), step[4]["position_m"][:3]))
    envs.close()
    return told


@pytest.mark.slow
@pytest.mark.parametrize(("task", "options"), [("Land", WHOLE), ("Track", {}), ("Corridor", {})])
def test_alone_and_among_others_they_fly_the_same(task: str, options: dict[str, Any]) -> None:
    """In a larger vector, on two threads, and each in an environment of its own that is reset
    where its episode ended; another seed flies otherwise."""
    few = _flown(task, 3, 11, **options)
    many = _flown(task, 7, 11, threads=2, **options)
    assert [list(map(_bits, a)) for a in few] == [list(map(_bits, b)) for b in many]
    assert _bits(few[0][0]) != _bits(_flown(task, 3, 12, **options)[0][0])
    for i in range(3):
        _compare_alone(single(task, max_episode_steps=12, **options), few, i)


def _compare_alone(env: Any, told: list[tuple[Array, ...]], i: int) -> None:
    generator = np.random.default_rng(5)
    assert _bits(env.reset(seed=11 + i)[0]) == _bits(told[0][0][i])
    is_over = False
    for observation, reward, terminated, truncated, place in told[1:]:
        action = generator.uniform(-1.0, 1.0, (3, 4)).astype(np.float32)[i]
        if is_over:
            step = (env.reset()[0], 0.0, False, False, {"position_m": place[i]})
        else:
            step = env.step(action)
        assert _bits(step[0]) == _bits(observation[i])
        assert step[1:4] == (reward[i], terminated[i], truncated[i])
        assert _bits(step[4]["position_m"]) == _bits(place[i])
        is_over = bool(terminated[i] or truncated[i])


def test_who_has_ended_begins_anew_at_the_next_step() -> None:
    envs = vector("Hover", 2, max_episode_steps=3)
    envs.reset(seed=1)
    still = np.zeros((2, 4), np.float32)
    steps = [envs.step(still) for _ in range(4)]
    assert [step[3].tolist() for step in steps] == [
        [False] * 2,
        [False] * 2,
        [True] * 2,
        [False] * 2,
    ]
    assert [step[4]["time_s"][0] for step in steps] == pytest.approx([0.05, 0.1, 0.15, 0.0])
    assert steps[3][1].tolist() == [0.0, 0.0]
    assert not np.array_equal(steps[3][0], steps[2][0])


@pytest.mark.slow
def test_the_action_of_who_begins_anew_is_ignored_whatever_it_is() -> None:
    """The other's is not."""
    flown = []
    for odd in (0.0, np.nan):
        envs = vector("Hover", 2)
        envs.reset(seed=1)
        fall = np.array([[0.0] * 4, [0.0, 0.0, 0.0, -1.0]], np.float32)
        while not (ended := envs.step(fall)[2]).any():
            pass
        assert ended.tolist() == [False, True]
        fall[1] = odd
        flown.append(_bits(envs.step(fall)[0]))
        with pytest.raises(ValueError, match="no number"):
            envs.step(np.full((2, 4), np.nan, np.float32))
    assert flown[0] == flown[1]


def test_a_sequence_of_seeds_and_none_among_them() -> None:
    envs = vector("Hover", 2)
    first, _ = envs.reset(seed=[21, 22])
    again, _ = envs.reset(seed=[21, None])
    assert _bits(again[0]) == _bits(first[0])
    assert _bits(again[1]) != _bits(first[1])
    assert _bits(envs.reset(seed=np.array([21, 22]))[0]) == _bits(first)
    assert _bits(envs.reset(seed=[21, np.int64(22)])[0]) == _bits(first)


@pytest.mark.parametrize("seed", [[], [1], [1, 2, 3], [1, -2], [1, 2.5], -1, 1.5, "ab", np.eye(2)])
def test_seeds_that_are_none_are_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="0 or more, or 2 of them"):
        vector("Hover", 2).reset(seed=seed)


@pytest.mark.slow
@pytest.mark.parametrize("kind", [LapwingEnv, partial(LapwingVectorEnv, 2, threads=2)])
@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
def test_a_copy_begins_anew_with_the_same_options(kind: Any, copied: Any) -> None:
    env = kind("Hover", wind_mps=5.0)
    first, _ = env.reset(seed=3)
    still = np.zeros(env.action_space.shape, np.float32)
    second = env.step(still)[0]
    other = copied(env)
    with pytest.raises(ResetNeeded):
        other.step(still)
    assert _bits(other.reset(seed=3)[0]) == _bits(first)
    assert _bits(other.step(still)[0]) == _bits(second)


def test_there_is_no_reset_mask() -> None:
    with pytest.raises(ValueError, match="no reset_mask"):
        vector("Hover", 2).reset(options={"reset_mask": np.array([True, False])})


def test_scalars_of_info_are_plain() -> None:
    info = single("Hover").reset(seed=1)[1]
    assert type(info["broken"]) is bool
    assert type(info["time_s"]) is float


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"observe": "all"}, "no 'all' to observe; give one of truth, estimate"),
        ({"action": "wings"}, "no actions 'wings'; give one of rates, attitude, motors"),
        ({"control_ms": 7}, "cannot last 7 ms; give an even number"),
        ({"control_ms": 1002}, "at most 1000"),
        ({"control_ms": 50.0}, "cannot last 50.0 ms"),
        ({"wind_mps": np.nan}, "wind_mps cannot be nan; give a number from 0 to 20"),
        ({"wind_mps": -1.0}, "wind_mps cannot be -1.0"),
        ({"wind_mps": "4"}, "wind_mps cannot be '4'"),
        ({"turbulence_mps": np.inf}, "turbulence_mps cannot be inf; give a number from 0 to 30"),
        ({"threads": 0}, "threads cannot be 0; give a whole number, at least 1"),
        ({"max_episode_steps": 0}, "max_episode_steps cannot be 0"),
        ({"aircraft": "sea-vixen"}, "sea-vixen is no multirotor"),
        ({"vary": {"scenario.wind_mps": {"uniform": [0.0, 9.0]}}}, "names begin with aircraft."),
        ({"vary": {"aircraft.mass_kg": {"uniform": [2.0, 1.0]}}}, "is empty"),
        ({"vary": "no/such.toml"}, "Cannot read no/such.toml"),
    ],
)
def test_what_cannot_be_flown_is_refused_in_a_sentence(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        vector("Hover", 1, **options)


@pytest.mark.parametrize("task", ["Land", "Corridor"])
def test_where_touching_ends_it_actions_are_short(task: str) -> None:
    """A longer one might touch and part again, unseen."""
    with pytest.raises(ValueError, match="at most 50"):
        vector(task, 1, control_ms=52)


def test_what_there_is_not_is_said_so() -> None:
    with pytest.raises(ValueError, match="num_envs cannot be 0"):
        LapwingVectorEnv(0, "Hover")
    with pytest.raises(ValueError, match="no task 'Hoover'; give one of Hover, Track"):
        LapwingEnv("Hoover")
    with pytest.raises(TypeError, match="no option 'wind'; give some of aircraft, action"):
        LapwingEnv("Hover", wind=4.0)
    with pytest.raises(TypeError, match="There is no picture"):
        LapwingEnv("Hover", render_mode="human")
    assert LapwingEnv("Hover", render_mode=None).render_mode is None


def test_an_action_that_is_no_number_is_refused() -> None:
    envs = vector("Hover", 1)
    envs.reset(seed=1)
    with pytest.raises(ValueError, match="no number; check what the policy"):
        envs.step(np.full((1, 4), np.nan, np.float32))
    for shape in ((4,), (1, 3), (2, 4)):
        with pytest.raises(ValueError, match=r"it must be \(1, 4\)"):
            envs.step(np.zeros(shape, np.float32))


@pytest.mark.parametrize("kind", [LapwingEnv, partial(LapwingVectorEnv, 1)])
def test_before_the_first_reset_no_step_is_flown(kind: Any) -> None:
    env = kind("Hover")
    with pytest.raises(ResetNeeded, match="reset the environment before"):
        env.step(np.zeros(env.action_space.shape, np.float32))


@pytest.mark.slow
def test_a_study_says_what_varies(tmp_path: Path) -> None:
    """The file of a study means what its table does."""
    kp = "settings.StabilizationSettingsBank1.RollRatePID.Kp"
    study = tmp_path / "study.toml"
    study.write_text(f'name = "gains"\n[vary]\n"{kp}" = {{ uniform = [0.001, 0.01] }}\n')
    of_file = _flown("Hover", 3, 1, vary=str(study))
    of_table = _flown("Hover", 3, 1, vary={kp: {"uniform": [0.001, 0.01]}})
    assert _bits(of_file[-1][0]) == _bits(of_table[-1][0])
    assert _bits(of_file[-1][0]) != _bits(_flown("Hover", 3, 1)[-1][0])


def test_without_gymnasium_one_sentence_names_the_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gymnasium", None)
    monkeypatch.delitem(sys.modules, "simulation.learning")
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'lapwing\[studies\]'"):
        __import__("simulation.learning")

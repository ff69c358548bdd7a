"""What an aircraft may be, of identified values and of assumptions."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.tuning.conditions import (
    FULL,
    NEARLY_EMPTY,
    WINDY_MPS,
    conditions_of_search,
    conditions_of_validation,
)
from simulation.tuning.uncertainty import (
    ASSUMPTION,
    UncertaintyError,
    assumed,
    identified,
    read_identified,
)

_PARAMETERS = load_aircraft("ar100b").parameters
_NAMES = ["thrust_per_mass", "wind_north_mps", "torque_per_inertia_roll"]


def _found(**changes: Any) -> dict[str, Any]:
    values = dict(zip(_NAMES, (1.1, 3.0, 0.8), strict=True))
    return {
        "refused": None,
        "parameters": {
            **{name: {"value": v, "sigma": 0.1, "excited": True} for name, v in values.items()},
            "motor_time_constant_ms": {"value": None, "sigma": None, "excited": False},
        },
        "covariance": {
            "names": _NAMES,
            "matrix": [[0.01, 0.0, 0.009], [0.0, 1.0, 0.0], [0.009, 0.0, 0.01]],
        },
        **changes,
    }


def test_identified_values_and_their_covariance_count() -> None:
    known = identified(_found(), "flight.json", _PARAMETERS)
    drawn = known.draw(4000, seed=3)
    assert drawn[0]["thrust_per_mass"] == pytest.approx(1.1)
    assert "wind_north_mps" not in drawn[0]  # it is no matter of the aircraft
    thrust, torque = (
        np.array([one[name] for one in drawn])
        for name in ("thrust_per_mass", "torque_per_inertia_roll")
    )
    assert np.corrcoef(thrust, torque)[0, 1] == pytest.approx(0.9, abs=0.03)
    assert thrust.std() == pytest.approx(0.1, rel=0.2)


def test_what_was_not_told_is_assumed_and_said() -> None:
    known = identified(_found(), "flight.json", _PARAMETERS)
    nominal = assumed(_PARAMETERS)
    name = "motor_time_constant_ms"
    assert known.values[known.names.index(name)] == nominal.values[nominal.names.index(name)]
    assert "Assumed, as of any aircraft: " in known.text
    assert "motor time constant" in known.text
    assert nominal.text == ASSUMPTION


def test_nothing_is_believed_to_be_exact() -> None:
    sure = _found(covariance={"names": _NAMES, "matrix": np.zeros((3, 3)).tolist()})
    drawn = identified(sure, "flight.json", _PARAMETERS).draw(2000, seed=3)
    assert np.std([one["thrust_per_mass"] for one in drawn]) == pytest.approx(0.022, rel=0.2)


def test_no_draw_is_beyond_two_sigmas() -> None:
    drawn = assumed(_PARAMETERS).draw(500, seed=1)
    thrust = [one["thrust_per_mass"] for one in drawn]
    assert 0.9 <= min(thrust) < 0.92
    assert 1.08 < max(thrust) <= 1.1


@pytest.mark.parametrize(
    ("found", "why"),
    [
        (_found(refused="The flight hovers in calm air."), "hovers in calm air"),
        ({"parameters": {}}, "not what 'lapwing identify --json' prints"),
        (_found(covariance={"names": _NAMES, "matrix": []}), "not what"),
        ([1], "not what"),
    ],
)
def test_other_files_are_refused(found: Any, why: str, tmp_path: Path) -> None:
    path = tmp_path / "found.json"
    path.write_text(json.dumps(found))
    with pytest.raises(UncertaintyError, match=why):
        read_identified(path, _PARAMETERS)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UncertaintyError, match="cannot be read"):
        read_identified(tmp_path / "none.json", _PARAMETERS)


def test_conditions_have_wind_and_a_low_battery() -> None:
    searched = conditions_of_search(assumed(_PARAMETERS), seed=1)
    weather = {(one.wind_mps, one.charge) for one in searched}
    assert weather == {(w, c) for w in (0.0, WINDY_MPS) for c in (FULL, NEARLY_EMPTY)}
    assert searched[0].values["thrust_per_mass"] == 1.0
    unseen = conditions_of_validation(assumed(_PARAMETERS), 50, seed=1)
    assert len({one.seed for one in unseen}) == len(unseen)
    assert all(NEARLY_EMPTY <= one.charge <= FULL for one in unseen)

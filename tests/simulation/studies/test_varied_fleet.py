"""A fleet filled from presets: the same aircraft as alone, and varied as asked."""

import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import load_preset
from simulation.studies.distribution import StudyError
from simulation.studies.varied_fleet import Vary, varied_fleet
from telemetry.protocol.objects.catalogue import Catalogue

AR100B, HECTOR = load_preset("ar100b"), load_preset("hector")
MASS, INERTIA = "aircraft.mass_kg", "aircraft.inertia_kgm2"
GAIN = "settings.StabilizationSettingsBank1.RollRatePID.Kp"
DRAWS = 400 if "LAPWING_ALL_WAYS" in os.environ else 100
TENTH = {"normal": [1.0, 0.1], "limits": [0.5, 1.5], "relative": True}


def test_without_variation_each_is_the_preset_to_the_bit(catalogue: Catalogue) -> None:
    fleet = varied_fleet([AR100B, HECTOR], catalogue, seed=5)
    for i, preset in enumerate((AR100B, HECTOR)):
        alone = factory_simulator(preset, catalogue, 5 + i)
        assert fleet.simulators[i].snapshot() == alone.snapshot()


def test_arrays_are_taken_over(catalogue: Catalogue) -> None:
    inertia = np.array([[0.01, 0.01, 0.02], [0.02, 0.01, 0.03]])
    vary: Vary = {MASS: [1.0, 2.0], INERTIA: inertia, GAIN: [0.0, 0.004]}
    fleet = varied_fleet([AR100B] * 2, catalogue, vary=vary)
    fleet.simulators[0].reset()  # what varies is the aircraft, not one of its flights
    records = fleet.records
    assert records["parameters"]["mass"].tolist() == [1.0, 2.0]
    assert records["parameters"]["inertia"].tolist() == inertia.tolist()
    assert records["settings"]["rate_pid"][:, 0, 0] == pytest.approx([0.0, 0.004])
    untouched = factory_simulator(AR100B, catalogue).settings["rate_pid"]
    assert records["settings"]["rate_pid"][1, 1].tolist() == untouched[1].tolist()


@pytest.mark.slow
def test_factors_spread_as_said_and_belong_to_the_seed(catalogue: Catalogue) -> None:
    """Mean and deviation of the draws, within four standard errors of what they come from. Of n
    draws none is within 8 / n of an end once in 3000 times."""
    drag_force = {"uniform": [0.5, 1.5], "relative": True}
    vary: dict[str, Mapping[str, Any]] = {
        MASS: TENTH,
        "aircraft.drag_force_ns2pm2": drag_force,
        GAIN: {"uniform": [0.9, 1.1], "relative": True},
    }
    fleet = varied_fleet([AR100B] * DRAWS, catalogue, seed=1, vary=vary)
    nominal = factory_simulator(AR100B, catalogue)
    mass = fleet.records["parameters"]["mass"] / nominal.record["parameters"]["mass"]
    assert abs(mass.mean() - 1.0) < 4 * 0.1 / math.sqrt(DRAWS)
    assert abs(mass.std() - 0.1) < 4 * 0.1 / math.sqrt(2 * DRAWS)
    drag = fleet.records["parameters"]["drag_force"] / nominal.record["parameters"]["drag_force"]
    assert np.ptp(drag, axis=1).max() < 1e-12  # one factor for all axes
    assert 0.5 <= drag.min() < 0.5 + 8 / DRAWS
    assert 1.5 - 8 / DRAWS < drag.max() <= 1.5
    assert abs(np.corrcoef(mass, drag[:, 0])[0, 1]) < 4 / math.sqrt(DRAWS)
    others = {name: vary[name] for name in reversed(vary) if name != GAIN}
    fewer = varied_fleet([AR100B] * 30, catalogue, seed=1, vary=others)
    assert fewer.records["parameters"].tobytes() == fleet.records["parameters"][:30].tobytes()


@pytest.mark.parametrize(
    ("vary", "words"),
    [
        ({"weight": TENTH}, "'weight' cannot vary here; names begin with aircraft"),
        ({"aircraft.mass_g": TENTH}, "no 'aircraft.mass_g' to vary; the nearest are .*mass_kg"),
        ({"settings.Nothing.Kp": TENTH}, "There is no 'settings.Nothing.Kp' to vary"),
        ({"settings.SystemSettings.Nothing": TENTH}, "There is no 'settings.SystemSettings.Noth"),
        ({"settings.RevoSettings.FusionAlgorithm": TENTH}, "which no factor changes"),
        ({"scenario.wind_mps": TENTH}, "cannot vary here"),
        ({MASS: [1.0]}, "1 values for 2 aircraft"),
        ({MASS: [1.0, -1.0]}, "mass_kg' is -1, which is not possible; it takes a number from 0.0"),
        ({MASS: [1.0, math.nan]}, "is nan"),
        ({INERTIA: [0.1, 0.2]}, "has the wrong form"),
        ({MASS: {"uniform": [0.1, 0.1]}}, "is empty"),
        ({MASS: {"normal": [1.0, 0.1]}}, "has no end; give 'aircraft.mass_kg' limits"),
    ],
)
def test_what_cannot_be_is_said(vary: Vary, words: str, catalogue: Catalogue) -> None:
    with pytest.raises(StudyError, match=words):
        varied_fleet([AR100B] * 2, catalogue, vary=vary)


@pytest.mark.slow
def test_a_heavier_one_accelerates_less(catalogue: Catalogue) -> None:
    """At full thrust twice the mass has half the thrust per mass: a = T/m - g, with T from the
    lighter one's. The air and the voltage differ little in the first tenth of a second."""
    fleet = varied_fleet([HECTOR] * 2, catalogue, vary={MASS: [1.0, 2.0]})
    with fleet:
        for simulator in fleet.simulators:
            simulator.record["state"]["motion"][2] = -50.0
            simulator.command["external"] = 1
            simulator.output["actuator_command"][:4] = 2000.0
        fleet.advance(100)
        thrust = -fleet.records["output"]["true_specific_force"][:, 2] * (1.0, 2.0)
        assert thrust[1] == pytest.approx(thrust[0], rel=0.05)
        fleet.advance(200)
        climb = -fleet.records["output"]["true_velocity"][:, 2]
    assert climb[0] > climb[1] + 1.0

"""The assistant's mixers, output by output, against what a real firmware makes of them.

LibrePilot *next* (8c101adc), built for a PC, was set up from erased by the assistant's plan of each
frame and armed; ActuatorDesired was supplied in the place of its stabilization, and ActuatorCommand
read. So signs, weights, curves, ends of the channels and how motors are moved and compressed are
those of actuator.c, not ours.
"""

import numpy as np
import numpy.typing as npt
import pytest

from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.factory import factory_simulator
from simulation.autopilot.preset import Preset
from simulation.control.mixer import mix
from simulation.records.interface import CHANNELS, MIX_PITCH, MIX_ROLL, MIX_YAW
from telemetry.protocol.objects.catalogue import Catalogue
from tests.simulation.frames import REARRANGED, SHIPPED, FlownFrame
from tests.simulation.set_up_board import planned

DESIRED = (
    (0.0, 0.0, 0.0, 0.5),
    (0.2, 0.0, 0.0, 0.5),
    (0.0, 0.2, 0.0, 0.5),
    (0.0, 0.0, 0.2, 0.5),
    (-0.6, -0.6, -0.6, 0.9),
    (0.13, -0.13, 0.13, 1.0),
    (0.3, -0.5, 0.2, 0.0),
)
"""Roll, pitch, yaw and thrust: a row of pulses each."""
FIRMWARE_US = {
    "QuadX": """
        1496 1496 1496 1496
        1596 1396 1396 1596
        1596 1596 1396 1396
        1396 1596 1396 1596
        1000 1000 2000 1000
        1740 1740 1740 2000
        1000 1000 1000 1000
    """,
    "QuadP": """
        1496 1496 1496 1496
        1496 1297 1496 1694
        1694 1496 1297 1496
        1396 1596 1396 1596
        1335 1664 2000 1000
        1612 1742 1870 2000
        1000 1000 1000 1000
    """,
    "HexaX": """
        1496 1496 1496 1496 1496 1496
        1396 1297 1396 1596 1694 1596
        1694 1496 1297 1297 1496 1694
        1297 1694 1297 1694 1297 1694
        1600 1500 2000 1399 1500 1000
        1354 1677 1612 2000 1677 1742
        1000 1000 1000 1000 1000 1000
    """,
    "HexaCoax": """
        1496 1496 1496 1496 1496 1496
        1667 1667 1324 1324 1496 1496
        1596 1596 1596 1596 1297 1297
        1297 1694 1297 1694 1297 1694
        1457 1000 1854 1396 2000 1542
        1659 1917 1436 1694 1742 2000
        1000 1000 1000 1000 1000 1000
    """,
    "Octo": """
        1496 1496 1496 1496 1496 1496 1496 1496
        1496 1353 1297 1353 1496 1638 1694 1638
        1694 1638 1496 1353 1297 1353 1496 1638
        1297 1694 1297 1694 1297 1694 1297 1694
        1548 1323 2000 1646 2000 1323 1548 1000
        1428 1630 1428 1815 1686 2000 1686 1815
        1000 1000 1000 1000 1000 1000 1000 1000
    """,
    "Tri": """
        1496 1496 1496 1500
        1694 1297 1496 1500
        1596 1596 1297 1500
        1496 1496 1496 1599
        1000 1798 2000 1203
        1935 1677 2000 1564
        1000 1000 1000 1599
    """,
    "FixedWing": """
        1496 1500 1500 1500
        1496 1500 1599 1599
        1496 1599 1500 1500
        1496 1500 1500 1500
        1892 1203 1203 1203
        1992 1436 1564 1564
        1000 1252 1648 1648
    """,
    "FixedWingElevon": """
        1500 1500 1496
        1599 1599 1496
        1401 1599 1496
        1500 1500 1496
        1500 1000 1892
        1628 1500 1992
        1896 1401 1000
    """,
    "FixedWingVtail": """
        1500 1500 1496 1500 1500
        1599 1599 1496 1500 1500
        1500 1500 1496 1401 1599
        1500 1500 1496 1401 1401
        1203 1203 1892 2000 1500
        1564 1564 1992 1500 1372
        1648 1648 1000 1648 1153
    """,
    "Hexa": """
        1496 1496 1496 1496 1496 1496
        1496 1297 1297 1496 1694 1694
        1694 1596 1396 1297 1396 1596
        1297 1694 1297 1694 1297 1694
        1500 1399 2000 1500 1600 1000
        1484 1677 1549 2000 1807 1935
        1000 1000 1000 1000 1000 1000
    """,
    "HexaH": """
        1496 1496 1496 1496 1496 1496
        1396 1297 1396 1596 1694 1596
        1694 1496 1297 1297 1496 1694
        1396 1694 1396 1596 1297 1596
        1501 1500 2000 1498 1500 1000
        1482 1741 1740 2000 1741 1742
        1000 1000 1000 1000 1000 1000
    """,
    "OctoX": """
        1496 1496 1496 1496 1496 1496 1496 1496
        1413 1297 1297 1413 1578 1694 1694 1578
        1694 1578 1413 1297 1297 1413 1578 1694
        1297 1694 1297 1694 1297 1694 1297 1694
        1586 1413 2000 1586 1827 1172 1413 1000
        1376 1634 1484 1892 1742 2000 1634 1742
        1000 1000 1000 1000 1000 1000 1000 1000
    """,
    "OctoV": """
        1496 1496 1496 1496 1496 1496 1496 1496
        1446 1446 1446 1446 1546 1546 1546 1546
        1513 1546 1446 1478 1478 1446 1546 1513
        1446 1546 1446 1546 1446 1546 1446 1546
        1798 1400 2000 1601 1601 1400 1400 1198
        1826 1869 1869 1913 1913 2000 1869 1956
        1000 1000 1000 1000 1000 1000 1000 1000
    """,
    "OctoCoaxP": """
        1496 1496 1496 1496 1496 1496 1496 1496
        1496 1496 1297 1297 1496 1496 1694 1694
        1694 1694 1496 1496 1297 1297 1496 1496
        1396 1596 1396 1596 1396 1596 1396 1596
        1335 1000 2000 1664 2000 1664 1335 1000
        1612 1742 1612 1742 1870 2000 1870 2000
        1000 1000 1000 1000 1000 1000 1000 1000
    """,
    "OctoCoaxX": """
        1496 1496 1496 1496 1496 1496 1496 1496
        1596 1596 1396 1396 1396 1396 1596 1596
        1596 1596 1596 1596 1396 1396 1396 1396
        1396 1596 1396 1596 1396 1596 1396 1596
        1333 1000 1666 1333 2000 1666 1666 1333
        1740 1870 1610 1740 1740 1870 1870 2000
        1000 1000 1000 1000 1000 1000 1000 1000
    """,
}
ROUNDING_US = 1.0


Pulses = npt.NDArray[np.float64]


def pulses_us(frame: FlownFrame, catalogue: Catalogue, turned: int | None = None) -> Pulses:
    """A row for each of DESIRED, of the outputs that are used; `turned`: with this column of all
    mixer vectors the other way round."""
    erased = Preset(frame.frame, frame.frame, frame.aircraft)
    plan = planned(frame.answers, SimulatedBoard(catalogue, erased))
    simulator = factory_simulator(Preset(frame.frame, frame.frame, frame.aircraft, plan), catalogue)
    if turned is not None:
        simulator.settings["mixer_vector"][:, turned] *= -1.0
    simulator.command["armed"] = 1
    rows = []
    for desired in DESIRED:
        simulator.output["actuator_desired"][:] = desired
        mix(simulator.settings, simulator.command, simulator.output, np.zeros(CHANNELS))
        rows.append(simulator.output["actuator_command"].tolist())
    return np.array(rows)


def firmwares_us(frame: FlownFrame) -> Pulses:
    lines = FIRMWARE_US[frame.frame].strip().splitlines()
    return np.array([line.split() for line in lines], np.float64)


@pytest.mark.parametrize("frame", SHIPPED + REARRANGED, ids=lambda frame: frame.frame)
def test_each_output_is_what_firmware_makes_of_it(frame: FlownFrame, catalogue: Catalogue) -> None:
    expected = firmwares_us(frame)
    used = expected.shape[1]
    found = pulses_us(frame, catalogue)
    assert np.abs(found[:, :used] - expected).max() <= ROUNDING_US
    assert (found[:, used:] == found[0, used:]).all()


@pytest.mark.parametrize("column", [MIX_ROLL, MIX_PITCH, MIX_YAW])
def test_a_column_turned_round_is_found(column: int, catalogue: Catalogue) -> None:
    found = pulses_us(SHIPPED[0], catalogue, column)
    assert np.abs(found[:, :4] - firmwares_us(SHIPPED[0])).max() > 100.0

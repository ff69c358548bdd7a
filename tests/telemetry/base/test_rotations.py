"""Rotations, by SciPy's."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from telemetry.base.rotations import angles_deg_of, matrices_of, matrix_by_angles, matrix_of

ANGLES_DEG = [(10.0, -20.0, 130.0), (-170.0, 45.0, -30.0), (0.0, 89.0, 5.0)]


@pytest.mark.parametrize("angles_deg", ANGLES_DEG)
def test_angles_quaternion_and_matrix_say_the_same(angles_deg: tuple[float, float, float]) -> None:
    turned = Rotation.from_euler("ZYX", angles_deg[::-1], degrees=True)
    w, x, y, z = turned.as_quat(scalar_first=True).tolist()
    np.testing.assert_allclose(matrix_by_angles(*angles_deg), turned.as_matrix(), atol=1e-12)
    np.testing.assert_allclose(matrix_of((w, x, y, z)), turned.as_matrix(), atol=1e-12)
    assert angles_deg_of((w, x, y, z)) == pytest.approx(angles_deg)


def test_many_are_turned_as_one_is() -> None:
    rows = Rotation.from_euler("ZYX", ANGLES_DEG, degrees=True).as_quat(scalar_first=True)
    assert (matrices_of(rows) == [matrix_of(row) for row in rows]).all()

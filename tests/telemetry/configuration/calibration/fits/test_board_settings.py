"""The settings on board, read from a recording."""

import numpy as np
import pytest

from telemetry.configuration.calibration.fits.board_settings import field_at_home, settings_at
from telemetry.configuration.calibration.fits.correction import correction_from
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.recording import Recording


def test_settings_are_those_that_held_then() -> None:
    catalogue, recording = load_catalogue(), Recording()
    mag = catalogue.find("RevoCalibration")
    home = catalogue.find("HomeLocation")
    for t, bias in ((1.0, [1.0, 2.0, 3.0]), (5.0, [4.0, 5.0, 6.0])):
        row = row_of(mag, pack_values(mag, {"mag_bias": bias}))
        recording.extend(mag, 0, np.array([t]), np.array([row]))
    row = row_of(home, pack_values(home, {"Be": [207.0, 13.0, 434.0]}))
    recording.extend(home, 0, np.array([6.0]), np.array([row]))
    early, late = settings_at(recording, 2.0), settings_at(recording, 9.0)
    assert correction_from(early).mag_bias == pytest.approx([1.0, 2.0, 3.0])
    assert correction_from(late).mag_bias == pytest.approx([4.0, 5.0, 6.0])
    assert correction_from(late).mag_transform == pytest.approx(np.eye(3))
    assert field_at_home(early) == (0.0, 0.0, 0.0)
    assert field_at_home(late) == pytest.approx((207.0, 13.0, 434.0))
    assert late["HomeLocation"]["g_e"] == pytest.approx(9.81)
    assert "AttitudeSettings" not in late

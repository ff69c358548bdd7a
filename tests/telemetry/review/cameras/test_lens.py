"""Pixels to directions, against OpenCV's own projection."""

import math

import cv2
import numpy as np
import pytest

from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of

RAYS = np.array([[0.0, 0.0, 1.0], [0.3, -0.2, 1.0], [-0.4, 0.25, 1.0]])


def test_the_field_of_view_reaches_from_border_to_border() -> None:
    lens = lens_of(CameraSettings(field_of_view_deg=60.0), (320, 240), 640)
    borders = lens.directions(np.array([[-0.5, 119.5], [319.5, 119.5]]))
    tangent = math.tan(math.radians(30.0))
    assert borders == pytest.approx(np.array([[-tangent, 0.0], [tangent, 0.0]]))
    assert lens.directions(lens.pixels(RAYS)) == pytest.approx(RAYS[:, :2])


def test_a_calibrated_lens_is_scaled_with_the_picture_and_its_distortion_undone() -> None:
    distortion = (-0.25, 0.08, 0.001, -0.002, 0.0)
    camera = CameraSettings(
        focal_px=(560.0, 548.0), centre_px=(325.0, 236.0), distortion=distortion
    )
    matrix = np.array([[560.0, 0.0, 325.0], [0.0, 548.0, 236.0], [0.0, 0.0, 1.0]])
    seen, _ = cv2.projectPoints(RAYS, np.zeros(3), np.zeros(3), matrix, np.array(distortion))
    # Half as large: the centre of a pixel pair lies half a pixel beside the first one's.
    halved = (np.asarray(seen).reshape(-1, 2) + 0.5) / 2.0 - 0.5
    found = lens_of(camera, (320, 240), 640).directions(halved)
    assert found == pytest.approx(RAYS[:, :2], abs=1e-4)


def test_pixels_are_opencvs_and_lead_back() -> None:
    camera = CameraSettings(
        focal_px=(560.0, 548.0), centre_px=(325.0, 236.0), distortion=(-0.25, 0.08, 0.001, -0.002)
    )
    lens = lens_of(camera, (640, 480))
    expected, _ = cv2.projectPoints(
        RAYS, np.zeros(3), np.zeros(3), lens.matrix(), np.array(camera.distortion)
    )
    assert lens.pixels(RAYS) == pytest.approx(np.asarray(expected).reshape(-1, 2))
    assert lens.directions(lens.pixels(RAYS)) == pytest.approx(RAYS[:, :2], abs=1e-4)


def test_a_fisheye_is_opencvs_and_leads_back() -> None:
    camera = CameraSettings(
        focal_px=(262.0, 260.0),
        centre_px=(318.0, 241.0),
        distortion=(-0.02, 0.005, -0.003, 0.0004),
        is_fisheye=True,
    )
    lens = lens_of(camera, (640, 480))
    expected, _ = cv2.fisheye.projectPoints(
        RAYS[:, None], np.zeros(3), np.zeros(3), lens.matrix(), np.array(lens.distortion)
    )
    assert lens.pixels(RAYS) == pytest.approx(np.asarray(expected).reshape(-1, 2))
    assert lens.directions(lens.pixels(RAYS)) == pytest.approx(RAYS[:, :2], abs=1e-4)
    aside = lens.pixels(np.array([[5.0, 0.0, 1.0], [0.0, 0.0, -1.0]]))
    assert 300.0 < aside[0, 0] - 318.0 < 400.0  # 79 degrees, where a pinhole would have 1310
    assert np.isnan(aside[1]).all()


def test_the_field_of_view_of_a_fisheye_is_an_angle_a_pixel() -> None:
    lens = lens_of(CameraSettings(field_of_view_deg=160.0, is_fisheye=True), (640, 480))
    (border,) = lens.directions(np.array([[639.5, 239.5]]))
    assert math.degrees(math.atan(border[0])) == pytest.approx(80.0)

"""Land on a marker by the camera that looks down, in wind, and measure how well.

    .venv/bin/python -m examples.robot.land_on_marker [SEED]

GPS brings it to the pad; from there on the picture says where the pad is, and velocities ahead and
to the right are renewed with each picture. It flies in lock-step, so that each seed is the same
flight every time; with `connect(...)` in the place of `connect_in_step(...)` a real aircraft does
it, if its camera is streamed.
"""

import math
import sys
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt

from examples.robot.markers import DICTIONARY, MARKERS, corners_m
from simulation.robots.connecting import SteppedRobot, connect_in_step
from simulation.simulator.controls import apply
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.robot import Robot
from telemetry.protocol.streams.samples import PictureSample
from telemetry.recording.flight_state import FlightState

YARD = "examples/robot/yard"
PAD_NORTH_M, PAD_EAST_M = 6.0, 3.0
HEIGHT_M = 5.0
SINK_MPS, LAST_SINK_MPS = 0.5, 0.7
LAST_M = 0.4  # so near above the pad it goes on down
NEAR_M, CENTRED_M = 0.6, 0.08  # above its middle from here on
LAST_S = 3.0
RATE_HZ, PERIOD_S = 5.0, 0.2
UNSEEN_S, SEARCHED_MPS = 0.8, 0.8
CLIMBED_S, SUNK_S = 5.0, 12.0  # GPS may have its height wrong by metres, in either direction
TOWARDS_PER_S, FASTEST_MPS = 0.9, 1.0
LEAD_S = 0.7  # a velocity is there so late, and a picture so old
AGAINST_PER_S, AGAINST_FROM_M, MOST_AGAINST_MPS = 0.35, 0.8, 0.5
PATIENCE_S = 60.0
LARGER = 3  # markers of 20 pixels are found better in a larger picture

Array = npt.NDArray[np.float64]


def main(seed: int = 1) -> float:
    """How far from the pad's middle it has touched down, in metres, by the truth."""
    with connect_in_step(
        f"sim:ardrone-rotors@{YARD}?seed={seed}", rates_hz={"bottom": RATE_HZ}
    ) as it:
        blow(it)
        land_on_pad(it)
        return off_pad_m(it)


def blow(robot: SteppedRobot) -> None:
    """Have wind blow, 2.5 m/s from the south-east."""
    apply(robot.simulator, "wind_north_mps", 2.0)
    apply(robot.simulator, "wind_east_mps", -1.5)


def off_pad_m(robot: SteppedRobot) -> float:
    """How far from the pad's middle it truly is."""
    north_m, east_m, _ = robot.simulator.output["true_position"].tolist()
    return math.hypot(north_m - PAD_NORTH_M, east_m - PAD_EAST_M)


def land_on_pad(robot: Robot) -> None:
    robot.take_off()
    robot.go_to(PAD_NORTH_M, PAD_EAST_M, robot.ground_m + HEIGHT_M, heading=0.0)
    eye, approach = Eye(robot), Approach()
    end_s = robot.time_s + PATIENCE_S
    low_s = math.inf
    while robot.time_s < low_s + LAST_S:
        if robot.time_s > end_s:
            raise RobotError(f"The pad was not reached within {PATIENCE_S:.0f} s.")
        velocity = approach.velocity(eye.look(), body_velocity(robot.state))
        if approach.is_low and low_s == math.inf:
            low_s = robot.time_s
        robot.set_body_velocity(*velocity, heading=0.0)
        robot.step(PERIOD_S)
    robot.disarm()


class Approach:
    """The velocity to where the pad is: it sinks while that is below it, in a cone, and looks
    for it higher and lower where it is not seen. Once it is low it goes on down whatever it sees.

    The velocity that the aircraft estimates is wrong by a decimetre a second or two, and wind adds
    to that: what stays of the way to the pad is added up against it.
    """

    def __init__(self) -> None:
        self.is_low = False
        self._unseen_s = UNSEEN_S
        self._pad = np.zeros(3)
        self._against = np.zeros(2)

    def velocity(self, pad: Array | None, moves_mps: Array) -> tuple[float, float, float]:
        """Ahead, to the right and up, in m/s, for one period. `moves_mps` is how it moves now."""
        if pad is None:
            self._unseen_s += PERIOD_S
            self._pad = self._pad - PERIOD_S * moves_mps
        else:
            self._unseen_s, self._pad = 0.0, pad
            if math.hypot(*pad[:2]) < AGAINST_FROM_M:
                self._against += AGAINST_PER_S * PERIOD_S * pad[:2]
                self._against.clip(-MOST_AGAINST_MPS, MOST_AGAINST_MPS, out=self._against)
        ahead = self._pad[:2] - LEAD_S * moves_mps[:2]
        away_m, below_m = math.hypot(*ahead), self._pad[2]
        if pad is not None:
            is_centred = max(away_m, math.hypot(*pad[:2])) < CENTRED_M
            self.is_low = self.is_low or pad[2] < LAST_M or (pad[2] < NEAR_M and is_centred)
        towards = min(TOWARDS_PER_S, FASTEST_MPS / max(away_m, 1e-6)) * ahead + self._against
        if self.is_low:
            up_mps = -LAST_SINK_MPS
        elif self._unseen_s > UNSEEN_S:
            is_climbing = (self._unseen_s - UNSEEN_S) % (CLIMBED_S + SUNK_S) < CLIMBED_S
            up_mps = SEARCHED_MPS if is_climbing else -SEARCHED_MPS
        else:
            up_mps = -SINK_MPS * max(-0.3, 1.0 - away_m / (0.02 + 0.15 * below_m))
        return float(towards[0]), float(towards[1]), up_mps


class Eye:
    """Where the pad is, by the camera that looks down."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        (camera,) = (sensor for sensor in robot.sensors if sensor.name == "bottom")
        self._matrix, self._distortion = lens_of(camera.details)
        self._place = np.array(camera.position_m)
        self._detector = cv2.aruco.ArucoDetector(DICTIONARY)
        self._seen_us = -1

    def look(self) -> Array | None:
        """Metres ahead, to the right and below of the aircraft, level; None where it is not seen in
        the newest picture."""
        picture = self._robot.newest("bottom")
        if not isinstance(picture, PictureSample):
            return None
        corners, numbers, _ = self._detector.detectMarkers(enlarged(picture.pixels))
        if numbers is None:
            return None
        pairs = zip(corners, numbers.ravel().tolist(), strict=True)
        found = [(shape, number) for shape, number in pairs if number in MARKERS]
        if not found:
            return None
        pixels = np.concatenate([(c.reshape(-1, 2) + 0.5) / LARGER - 0.5 for c, _ in found])
        places = np.concatenate([corners_m(n) for _, n in found])
        is_found, _, shift = cv2.solvePnP(
            places, pixels.astype(float), self._matrix, self._distortion, flags=cv2.SOLVEPNP_IPPE
        )
        if not is_found:
            return None
        right, down, ahead = shift.ravel()  # as the picture has it: its top is ahead
        return level(np.array([-down, right, ahead]) + self._place, self._robot)


def enlarged(pixels: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    size = pixels.shape[1] * LARGER, pixels.shape[0] * LARGER
    return np.asarray(cv2.resize(pixels, size, interpolation=cv2.INTER_CUBIC), np.uint8)


def lens_of(details: Mapping[str, Any]) -> tuple[Array, Array]:
    """Matrix and distortion, as OpenCV takes them."""
    lens = details["lens"]
    (fx, fy), (cx, cy) = lens["focal_px"], lens["centre_px"]
    matrix = np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])
    return matrix, np.array(lens["distortion"], float)


def body_velocity(state: FlightState) -> Array:
    """Ahead, to the right and down, in m/s."""
    north, east = state.velocity_north_mps or 0.0, state.velocity_east_mps or 0.0
    yaw = math.radians(state.yaw_deg or 0.0)
    ahead = north * math.cos(yaw) + east * math.sin(yaw)
    right = east * math.cos(yaw) - north * math.sin(yaw)
    return np.array([ahead, right, -(state.climb_mps or 0.0)])


def level(body: Array, robot: Robot) -> Array:
    """A vector ahead, right and down of the aircraft, as if it were level."""
    roll, pitch = (
        math.radians(deg or 0.0) for deg in (robot.state.roll_deg, robot.state.pitch_deg)
    )
    x, y, z = body
    down = y * math.sin(roll) + z * math.cos(roll)
    return np.array(
        [
            x * math.cos(pitch) + down * math.sin(pitch),
            y * math.cos(roll) - z * math.sin(roll),
            -x * math.sin(pitch) + down * math.cos(pitch),
        ]
    )


if __name__ == "__main__":
    print(f"{main(*map(int, sys.argv[1:])):.2f} m from the middle of the pad")

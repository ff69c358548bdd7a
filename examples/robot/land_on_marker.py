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
LAST_M = 0.3  # so near above the pad it goes on down
NEAR_M, CENTRED_M = 0.6, 0.06  # above its middle from here on
LAST_S = 1.6
RATE_HZ, PERIOD_S = 5.0, 0.2
UNSEEN_S, SEARCHED_MPS = 0.8, 0.8
CLIMBED_S, SUNK_S = 5.0, 12.0  # GPS may have its height wrong by metres, in either direction
TOWARDS_PER_S, FASTEST_MPS = 0.9, 1.0
LEAD_S = 0.7  # a velocity is there so late
UPWIND_M = 0.4  # it moves so far, times its lean, when it goes down out of the wind
LEAN_KEPT = 0.9  # of the lean before, each period
BELIEVED, WRONG_PER_S = 0.5, 0.8  # of what a picture says otherwise
PATIENCE_S = 60.0
LARGER = 3  # markers of 20 pixels are found better in a larger picture

UPWARDS = np.array([0.0, 0.0, -1.0])
Array = npt.NDArray[np.float64]


def main(seed: int = 1) -> float:
    """How far from the pad's middle it has touched down, in metres, by the truth."""
    with connect_in_step(
        f"sim:ardrone-rotors@{YARD}?seed={seed}", rates_hz={"bottom": RATE_HZ}
    ) as it:
        blow(it)
        fly_to_pad(it)
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


def fly_to_pad(robot: Robot) -> None:
    """Take off and fly to where the pad is by GPS."""
    robot.take_off()
    robot.go_to(PAD_NORTH_M, PAD_EAST_M, robot.ground_m + HEIGHT_M, heading=0.0)


def land_on_pad(robot: Robot) -> None:
    """Find it by the camera, and land on its middle."""
    eye, approach = Eye(robot), Approach()
    end_s = robot.time_s + PATIENCE_S
    low_s = math.inf
    while robot.time_s < low_s + LAST_S:
        if robot.time_s > end_s:
            raise RobotError(f"The pad was not reached within {PATIENCE_S:.0f} s.")
        velocity = approach.velocity(eye.look(), eye.age_s, robot.state)
        if approach.is_low and low_s == math.inf:
            low_s = robot.time_s
        robot.set_body_velocity(*velocity, heading=0.0)
        robot.step(PERIOD_S)
    robot.disarm()


class Approach:
    """The velocity to where the pad is: it sinks while that is below it, in a cone, and looks
    for it higher and lower where it is not seen. Once it is low it goes on down whatever it sees.

    The velocity that the aircraft estimates is wrong by a decimetre a second or two. And it leans
    against a wind that dies away towards the ground, which moves it upwind in the last half metre.
    So the way the pad moves in the pictures tells how it truly moves; it stands still a little
    downwind of the middle, and goes down from there, fast.
    """

    def __init__(self) -> None:
        self.is_low = False
        self._unseen_s = UNSEEN_S
        self._pad = np.zeros(3)
        self._wrong_mps = np.zeros(3)  # the estimated velocity is too large by so much
        self._lean = np.zeros(2)  # ahead and to the right, against the wind

    def velocity(
        self, pad: Array | None, age_s: float, state: FlightState
    ) -> tuple[float, float, float]:
        """Ahead, to the right and up, in m/s, for one period. The pad was there so long ago."""
        moves_mps = self._look(pad, age_s, body_velocity(state))
        self._lean = LEAN_KEPT * self._lean + (1.0 - LEAN_KEPT) * level(UPWARDS, state)[:2]
        aim = self._pad[:2] - UPWIND_M * self._lean
        ahead = aim - LEAD_S * moves_mps[:2]
        away_m, below_m = math.hypot(*ahead), self._pad[2]
        is_centred = max(away_m, math.hypot(*aim)) < CENTRED_M
        if pad is not None:
            self.is_low = self.is_low or below_m < LAST_M or (below_m < NEAR_M and is_centred)
        towards = min(TOWARDS_PER_S, FASTEST_MPS / max(away_m, 1e-6)) * ahead + self._wrong_mps[:2]
        if self.is_low:
            up_mps = -LAST_SINK_MPS
        elif self._unseen_s > UNSEEN_S:
            is_climbing = (self._unseen_s - UNSEEN_S) % (CLIMBED_S + SUNK_S) < CLIMBED_S
            up_mps = SEARCHED_MPS if is_climbing else -SEARCHED_MPS
        else:
            cone_m = CENTRED_M + 0.15 * max(below_m - NEAR_M, 0.0)
            up_mps = -SINK_MPS * max(-0.3, 1.0 - away_m / cone_m)
        return float(towards[0]), float(towards[1]), up_mps

    def _look(self, pad: Array | None, age_s: float, estimated_mps: Array) -> Array:
        """Where the pad is now, and how it truly moves, as far as the pictures tell."""
        moves_mps = estimated_mps - self._wrong_mps
        self._pad = self._pad - PERIOD_S * moves_mps
        if pad is None:
            self._unseen_s += PERIOD_S
            return moves_mps
        surprise = pad - age_s * moves_mps - self._pad
        if self._unseen_s < UNSEEN_S:
            self._pad = self._pad + BELIEVED * surprise
            self._wrong_mps = self._wrong_mps + WRONG_PER_S * surprise
        else:
            self._pad = self._pad + surprise
        self._unseen_s = 0.0
        return estimated_mps - self._wrong_mps


class Eye:
    """Where the pad is, by the camera that looks down."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        (camera,) = (sensor for sensor in robot.sensors if sensor.name == "bottom")
        self._matrix, self._distortion = lens_of(camera.details)
        self._place = np.array(camera.position_m)
        self._detector = cv2.aruco.ArucoDetector(DICTIONARY)
        self.age_s = 0.0  # of the newest picture

    def look(self) -> Array | None:
        """Metres ahead, to the right and below of the aircraft, level, when the newest picture was
        taken; None where it is not seen in that."""
        picture, taken_s = self._robot.newest("bottom"), self._robot.newest_s("bottom")
        self.age_s = self._robot.time_s - taken_s
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
        return level(np.array([-down, right, ahead]) + self._place, self._robot.state_at(taken_s))


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


def level(body: Array, state: FlightState) -> Array:
    """A vector ahead, right and down of the aircraft, as if it were level."""
    roll, pitch = math.radians(state.roll_deg or 0.0), math.radians(state.pitch_deg or 0.0)
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

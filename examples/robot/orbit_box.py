"""Circle a box and look at it, by the camera that looks ahead, in wind, and measure how well.

    .venv/bin/python -m examples.robot.orbit_box [SEED]

GPS is off by a metre or two, which is ten degrees and more at ten metres: so the picture says where
the box is. The nose turns after it, the height follows it, and how large it is tells how far away.
"""

import math
import sys
from collections.abc import Iterator
from dataclasses import dataclass

import cv2
import numpy as np

from examples.robot.land_on_marker import YARD, blow, lens_of
from simulation.mathematics.rotation import to_body
from simulation.robots.connecting import SteppedRobot, connect_in_step
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.robot import Robot
from telemetry.protocol.streams.samples import PictureSample

BOX, BOX_TALL_M = (0.0, 12.0, -4.0), 2.0  # north, east and down, by which it is judged
HEIGHT_M, RADIUS_M, SPEED_MPS = 4.0, 8.0, 1.2
RATE_HZ, PERIOD_S = 5.0, 0.2
TURN_PER_S, CLIMB_PER_S, TOWARDS_PER_S = 1.2, 0.8, 0.4
SETTLED_S, SECONDS = 8.0, 45.0
LOST_S, LEAST_PIXELS = 3.0, 30


def main(seed: int = 1) -> float:
    """By how many degrees the box was off the picture's middle at most, by the truth."""
    with connect_in_step(
        f"sim:ardrone-rotors@{YARD}?seed={seed}", rates_hz={"front": RATE_HZ}
    ) as it:
        blow(it)
        it.take_off()
        return most_off_deg(it, SECONDS)


def most_off_deg(robot: SteppedRobot, seconds: float) -> float:
    """By how much it was off in so many seconds of circling, once it had settled."""
    robot.go_to(0.0, 0.0, robot.ground_m + HEIGHT_M, heading=BOX[:2])
    flown = circle(robot, SETTLED_S + seconds)
    return max(off_box_deg(robot) for second in flown if second > SETTLED_S)


def off_box_deg(robot: SteppedRobot) -> float:
    """By how much the box's middle is off straight ahead, in any direction, by the truth."""
    output = robot.simulator.output
    box = to_body(output["true_quaternion"], *np.subtract(BOX, output["true_position"]))
    return math.degrees(math.acos(box[0] / np.linalg.norm(box)))


def circle(robot: Robot, seconds: float) -> Iterator[float]:
    """Fly around the box; how many seconds it has so far, period by period."""
    eye = BoxEye(robot)
    began_s = seen_s = robot.time_s
    while robot.time_s < began_s + seconds:
        box = eye.look()
        if box is not None:
            seen_s = robot.time_s
            robot.set_body_velocity(
                TOWARDS_PER_S * (box.away_m - RADIUS_M),
                SPEED_MPS,
                -CLIMB_PER_S * box.away_m * math.tan(math.radians(box.below_deg)),
                turn_degps=TURN_PER_S * box.right_deg - math.degrees(SPEED_MPS / box.away_m),
            )
        elif robot.time_s > seen_s + LOST_S:
            raise RobotError("The box was lost from sight.")
        robot.step(PERIOD_S)
        yield robot.time_s - began_s


@dataclass(frozen=True)
class SeenBox:
    """Where the box is in the picture, and how far away."""

    right_deg: float
    below_deg: float
    away_m: float


class BoxEye:
    """Finds the red box in the pictures of the camera that looks ahead."""

    def __init__(self, robot: Robot) -> None:
        self._robot = robot
        (camera,) = (sensor for sensor in robot.sensors if sensor.name == "front")
        self._lens = lens_of(camera.details)

    def look(self) -> SeenBox | None:
        """The box in the newest picture; None where it is not in it."""
        picture = self._robot.newest("front")
        if not isinstance(picture, PictureSample):
            return None
        blue, green, red = cv2.split(picture.pixels.astype(np.int16))
        rows, columns = np.nonzero((red > 70) & (red > 2 * np.maximum(green, blue)))
        if len(rows) < LEAST_PIXELS:
            return None
        middle, top, bottom = columns.mean(), rows.min() - 0.5, rows.max() + 0.5
        edges = np.array([(middle, top), (middle, bottom)], float).reshape(-1, 1, 2)
        (right, above), (_, below) = cv2.undistortPoints(edges, *self._lens).reshape(2, 2)
        return SeenBox(
            math.degrees(math.atan(right)),
            math.degrees(math.atan((above + below) / 2.0)),
            BOX_TALL_M / (below - above),
        )


if __name__ == "__main__":
    print(f"{main(*map(int, sys.argv[1:])):.1f} degrees off the picture's middle at most")

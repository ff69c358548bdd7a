"""Pilots with sticks only, who see how high and where an aircraft is and how it leans, as by eye.

A pilot looks 25 times a second. What he sees is the truth of the simulation; his sticks go over
the receiver's channels. `fly` notes what happened as it was, for whoever judges the flight.
"""

import math
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from simulation.autopilot.autopilot import LOOP_US, Autopilot
from simulation.mathematics.rotation import euler_of
from telemetry.protocol.objects.values import pack_values
from telemetry.vehicle.sticks import Sticks, channels_us

LOOK_S = 0.04
Array = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Seen:
    """What there is to be seen: NED in m and m/s, angles in degrees."""

    time_s: float
    position: Array
    velocity: Array
    roll_deg: float
    pitch_deg: float
    yaw_deg: float
    has_crashed: bool

    @property
    def height_m(self) -> float:
        return -float(self.position[2])

    @property
    def climb_mps(self) -> float:
        return -float(self.velocity[2])


@dataclass
class Flight:
    """What happened, by the name of the phase it happened in."""

    autopilot: Autopilot
    phases: dict[str, list[Seen]] = field(default_factory=dict)

    @property
    def seen(self) -> Seen:
        """How it is now."""
        output = self.autopilot.simulator.output
        roll, pitch, yaw = (math.degrees(angle) for angle in euler_of(output["true_quaternion"]))
        place, speed = output["true_position"].copy(), output["true_velocity"].copy()
        crashed = bool(output["crashed"])
        return Seen(self.autopilot.now_s, place, speed, roll, pitch, yaw, crashed)

    def move(self, phase: str, sticks: Sticks) -> Seen:
        """Hold the sticks so until the next look."""
        self.wait(LOOK_S, sticks)
        seen = self.seen
        self.phases.setdefault(phase, []).append(seen)
        return seen

    def wait(self, seconds: float, sticks: Sticks) -> None:
        """Hold the sticks still."""
        receiver = self.autopilot.board["GCSReceiver"].definition
        pulses = channels_us(sticks, mode_positions=self._positions)
        payload = pack_values(receiver, {"Channel": pulses})
        for _ in range(round(seconds * 1e6 / LOOP_US)):
            self.autopilot.board.write(receiver.object_id, 0, payload)
            self.autopilot.run_loop()

    @property
    def is_armed(self) -> bool:
        return self.autopilot.board["FlightStatus"].option("Armed") != "Disarmed"

    @property
    def _positions(self) -> int:
        return int(self.autopilot.board["ManualControlSettings"].row["FlightModeNumber"])


def turned(to_deg: float, from_deg: float) -> float:
    """The way from one heading to another, degrees, positive to the right."""
    return (to_deg - from_deg + 180.0) % 360.0 - 180.0


def clipped(value: float, most: float) -> float:
    return min(max(value, -most), most)


class HoverPilot:
    """Flies a multirotor in Attitude: leans it against what drifts, and raises the throttle until
    it lifts."""

    LEAN_DEG, YAW_DPS = 35.0, 120.0
    """What a full stick means: RollMax and ManualRate of the templates."""

    def __init__(self, flight: Flight) -> None:
        self.flight = flight
        self._lift = 0.0
        """The throttle that he has found to carry it."""
        self._drift = np.zeros(2)

    def fly(self, height_m: float = 4.0) -> None:
        """Take off, hover 10 s, turn by 90 degrees to the right, land, and disarm."""
        flight = self.flight
        flight.wait(3.0, Sticks())
        flight.wait(2.0, Sticks(arm=True))
        self._stay("take-off", 12.0, height_m, 0.0)
        self._stay("hover", 10.0, height_m, 0.0)
        self._stay("turn", 5.0, height_m, 90.0)
        self._stay("turned", 2.0, height_m, 90.0)
        self._land(90.0)
        flight.wait(1.0, Sticks(arm=True))
        flight.wait(3.0, Sticks())

    def _stay(self, phase: str, seconds: float, height_m: float, heading_deg: float) -> None:
        for _ in range(round(seconds / LOOK_S)):
            seen = self.flight.seen
            if seen.has_crashed:
                return
            climb_mps = clipped(0.8 * (height_m - seen.height_m), 1.0)
            self.flight.move(phase, self._sticks(seen, climb_mps, heading_deg))

    def _land(self, heading_deg: float) -> None:
        for _ in range(round(20.0 / LOOK_S)):
            seen = self.flight.seen
            if seen.has_crashed or (seen.height_m < 0.4 and abs(seen.climb_mps) < 0.05):
                return
            self.flight.move("landing", self._sticks(seen, -0.5, heading_deg))

    def _sticks(self, seen: Seen, climb_mps: float, heading_deg: float) -> Sticks:
        missing = climb_mps - seen.climb_mps
        self._lift = min(self._lift + 0.15 * missing * LOOK_S, 1.0)
        throttle = min(max(self._lift + 0.12 * missing, 0.0), 1.0)
        speed = np.clip(-0.5 * seen.position[:2], -1.0, 1.0) - seen.velocity[:2]
        self._drift = np.clip(self._drift + 0.4 * speed * LOOK_S, -3.0, 3.0)
        north, east = 1.2 * speed + self._drift
        yaw = math.radians(seen.yaw_deg)
        ahead = north * math.cos(yaw) + east * math.sin(yaw)
        right = east * math.cos(yaw) - north * math.sin(yaw)
        return Sticks(
            roll=clipped(math.degrees(right / 9.81) / self.LEAN_DEG, 0.6),
            pitch=clipped(-math.degrees(ahead / 9.81) / self.LEAN_DEG, 0.6),
            yaw=clipped(1.5 * turned(heading_deg, seen.yaw_deg) / self.YAW_DPS, 0.4),
            throttle=throttle,
            arm=True,
        )


@dataclass(frozen=True, slots=True)
class WingManners:
    """How an aeroplane wants to be flown: its speed through the air, m/s, and the throttle and the
    pitch that hold it about level."""

    speed_mps: float
    throttle: float
    pitch_deg: float


class WingPilot:
    """Flies an aeroplane in Attitude: banks for its course, pitches for height, and has the
    throttle hold its speed."""

    BANK_DEG, PITCH_DEG = 45.0, 25.0
    """What a full stick means: RollMax and PitchMax of the templates."""

    def __init__(self, flight: Flight, manners: WingManners) -> None:
        self.flight, self.manners = flight, manners
        self._trim_deg = manners.pitch_deg

    def fly(self, height_m: float = 25.0) -> None:
        """Throw it, climb, fly straight, turn by 180 degrees to the right and back to the left,
        land on its belly, and disarm."""
        flight = self.flight
        flight.wait(3.0, Sticks())
        flight.wait(2.0, Sticks(arm=True))
        for _ in range(round(12.0 / LOOK_S)):
            if flight.seen.height_m > 0.8 * height_m or flight.seen.has_crashed:
                break
            pitch_deg = 12.0 if flight.seen.height_m > 3.0 else 8.0
            flight.move("take-off", self._lean(self._bank(0.0), pitch_deg, 1.0))
        self._hold("straight", 6.0, height_m, 0.0)
        self._turn("right", height_m, 180.0, 30.0)
        self._hold("back", 2.0, height_m, 180.0)
        self._turn("left", height_m, 0.0, -30.0)
        self._hold("straight again", 2.0, height_m, 0.0)
        self._land(0.0)
        flight.wait(2.0, Sticks(arm=True))
        flight.wait(3.0, Sticks())

    def _hold(self, phase: str, seconds: float, height_m: float, course_deg: float) -> None:
        for _ in range(round(seconds / LOOK_S)):
            if self.flight.seen.has_crashed:
                return
            self._level(phase, height_m, self._bank(course_deg))

    def _turn(self, phase: str, height_m: float, course_deg: float, bank_deg: float) -> None:
        for _ in range(round(25.0 / LOOK_S)):
            seen = self.flight.seen
            if seen.has_crashed or abs(turned(course_deg, seen.yaw_deg)) < 15.0:
                return
            self._level(phase, height_m, bank_deg)

    def _land(self, course_deg: float) -> None:
        for _ in range(round(60.0 / LOOK_S)):
            seen = self.flight.seen
            speed = float(np.hypot(*seen.velocity[:2]))
            if seen.has_crashed or speed < 0.5:
                return
            sink_mps = min(max(0.4 * seen.height_m, 0.4), 2.5)
            throttle = self._throttle(seen, 0.85) if seen.height_m > 1.0 else 0.0
            pitch_deg = self._pitch(seen, -sink_mps)
            self.flight.move("landing", self._lean(self._bank(course_deg), pitch_deg, throttle))

    def _bank(self, course_deg: float) -> float:
        return clipped(1.5 * turned(course_deg, self.flight.seen.yaw_deg), 30.0)

    def _level(self, phase: str, height_m: float, bank_deg: float) -> None:
        seen = self.flight.seen
        pitch_deg = self._pitch(seen, clipped(0.4 * (height_m - seen.height_m), 2.0))
        self.flight.move(phase, self._lean(bank_deg, pitch_deg, self._throttle(seen, 1.0)))

    def _pitch(self, seen: Seen, climb_mps: float) -> float:
        missing = climb_mps - seen.climb_mps
        self._trim_deg = clipped(self._trim_deg + 1.5 * missing * LOOK_S, 15.0)
        return self._trim_deg + 4.0 * missing

    def _throttle(self, seen: Seen, share: float) -> float:
        air = self.flight.autopilot.simulator.output["true_wind"]
        speed = float(np.linalg.norm(seen.velocity - air))
        missing = share * self.manners.speed_mps - speed
        return min(max(self.manners.throttle + 0.08 * missing, 0.0), 1.0)

    def _lean(self, bank_deg: float, pitch_deg: float, throttle: float) -> Sticks:
        return Sticks(
            roll=bank_deg / self.BANK_DEG,
            pitch=clipped(pitch_deg, 18.0) / self.PITCH_DEG,
            throttle=throttle,
            arm=True,
        )

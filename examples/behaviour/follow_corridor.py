"""A behaviour that sees by optic flow: follows a corridor along its middle, without GPS.

Connect to sim:mcx2-indoor@corridor, arm, Fly by hand, raise the throttle until it leaves the ground
(after some eight seconds), and have Lapwing run this file at once (Guided flight, Behaviour,
Script): it climbs on and flies ahead. What passes on the right moves to the right in the pictures
of its ring of cameras, on the left to the left, the faster the nearer it is: the sum of both is
positive near the right wall (Cherney, seed 003, equation 35). The autopilot holds the attitude, so
that the sum steers the bank, and how it changes has to damp that. If it ends, the stream of sticks
stops and the aircraft's failsafe acts. Touch any stick to take over.
"""

import sys
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from telemetry.flying.behaviours.script_moment import ScriptMoment, read_moments, sticks_line
from telemetry.protocol.streams.samples import ValueSample

RING = "ring"
HEIGHT_M = 1.2
AHEAD = 0.3  # stick, of 5 degrees
PER_COUNT, PER_COUNT_PER_S = 0.01, 0.01
SMOOTH_S, SMOOTH_RATE_S = 0.1, 0.14
CLIMB_PER_M, MOST_CLIMB = 1.0, 0.6


@dataclass
class FollowCorridor:
    """Steers from moment to moment. `balance` is the sum of the flow of all cameras, in counts."""

    balance: float = 0.0
    balance_rate: float = 0.0
    seen_us: int | None = None

    def steer(self, moment: ScriptMoment) -> dict[str, float]:
        """Where the sticks shall be."""
        ring = moment.samples.get(RING)
        if isinstance(ring, ValueSample):
            self._look(ring, flow_names(moment))
        roll = -PER_COUNT * self.balance - PER_COUNT_PER_S * self.balance_rate
        climb = CLIMB_PER_M * (HEIGHT_M - moment.pose["height_m"])
        throttle = float(np.clip(climb, -MOST_CLIMB, MOST_CLIMB))
        return {"roll": roll, "pitch": -AHEAD, "throttle": throttle}

    def _look(self, ring: ValueSample, is_flow: np.ndarray) -> None:
        seen = float(ring.values[is_flow].sum())
        before_us, self.seen_us = self.seen_us, ring.time_us
        passed_s = 0.0 if before_us is None else (ring.time_us - before_us) / 1e6
        if passed_s <= 0.0:
            self.balance, self.balance_rate = seen, 0.0
            return
        change = (seen - self.balance) * passed_s / (passed_s + SMOOTH_S)
        self.balance += change
        share = passed_s / (passed_s + SMOOTH_RATE_S)
        self.balance_rate += share * (change / passed_s - self.balance_rate)


def flow_names(moment: ScriptMoment) -> np.ndarray:
    """Which of the ring's values are flow to the right."""
    details: Mapping[str, list[str]] = moment.descriptions[RING].details
    return np.array([name.endswith(" right") for name in details["names"]])


def main() -> None:
    behaviour = FollowCorridor()
    for moment in read_moments(sys.stdin):
        print(sticks_line(**behaviour.steer(moment)), flush=True)


if __name__ == "__main__":
    main()

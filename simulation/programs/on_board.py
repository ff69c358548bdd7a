"""On-board program: estimate and control, from sensor values and commands only.

`fly` is compiled and cached apart from physics and sensors (see `simulation.programs.kernel`),
which call it by its address, as it calls the extended Kalman filter (`simulation.programs.kalman`):
none has to be compiled anew when another changes, and all can be compiled at the same time.
"""

from typing import Any, Final

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Handle, Program, call
from simulation.compiler.source_digest import sources_digest
from simulation.control.fixed_wing_guidance import guide_wing
from simulation.control.guidance import PERIOD as GUIDANCE_PERIOD
from simulation.control.guidance import guide, holds_height
from simulation.control.mixer import mix
from simulation.control.stabilization import stabilize
from simulation.estimation.airspeed_filter import estimate_airspeed
from simulation.estimation.attitude_filter import start
from simulation.estimation.estimator import choose, complement, is_ins13, is_kalman
from simulation.estimation.field_alarm import judge_field_at_home
from simulation.estimation.override import replace_states
from simulation.mathematics.rotation import attitude_deg_of, clamp
from simulation.records.flight import FLIGHT
from simulation.records.interface import HORIZONTAL_WING, VERTICAL_MANUAL


@njit_part
def _estimate(flight: Any, step: int, kalman: Handle) -> bool:
    """One IMU sample: bring the estimate in OUTPUT up to date. False while there is none yet."""
    c, f, o = flight["settings"], flight["filter"], flight["output"]
    if flight["command"]["armed"] == 0:
        choose(c, f, o)
    if is_ins13(f):  # control runs before it is ready, as on a board, and nobody can arm
        call(kalman, flight, 0)
        return True
    judge_field_at_home(c, f, o)
    begins = o["attitude_valid"] == 0
    if begins and not start(c, f, o):
        return False
    if is_kalman(f):
        call(kalman, flight, int(begins))
    else:
        complement(c, f, o, step)
    return True


@njit_part
def _take_sticks(m: Any, k: Any, o: Any) -> None:
    """Thrust by hand; and what StabilizationDesired says of it, if no path follower does."""
    if m["vertical_mode"] == VERTICAL_MANUAL:
        k["thrust"] = clamp(m["thrust"], -1.0, 1.0)
        o["thrust_desired"] = m["thrust"]
    elif holds_height(m):
        o["thrust_desired"] = m["start_thrust"]


@njit_part
def _fly_aircraft(flight: Any, step: int, kalman: Handle) -> None:
    """What runs on board: estimate and control, from sensor values only."""
    c, m, o = flight["settings"], flight["command"], flight["output"]
    f, k = flight["filter"], flight["control"]
    if not _estimate(flight, step, kalman):
        return
    replace_states(m["override"], o)
    if step % GUIDANCE_PERIOD == 0:
        attitude_deg_of(o["quaternion"], o["attitude_deg"])
        estimate_airspeed(c, f, o)
        if m["horizontal_mode"] == HORIZONTAL_WING:
            guide_wing(c, m, k, o)
            o["thrust_desired"] = k["thrust"]
        else:
            guide(c, m, k, o)
    _take_sticks(m, k, o)
    stabilize(c, m, k, o, step)
    mix(c, m, o, flight["scratch"]["mixed"])


def _make_fly(code: int) -> Program:
    def fly(flight: Any, kalman: Handle) -> None:
        flight["control"]["code"] = code
        _fly_aircraft(flight, int(flight["output"]["step"]), kalman)

    return Program(fly, FLIGHT, sources=code, numbers=1)


FLY_CODE: Final = sources_digest(__name__)
"""What CONTROL.code is after this program has flown."""

fly = _make_fly(FLY_CODE)
"""The program for `simulation.programs.kernel.run`; it is given the handle of
`simulation.programs.kalman.kalman`."""

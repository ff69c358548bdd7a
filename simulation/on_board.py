"""The program on board: estimate and control, from sensor values and commands only.

`fly` is compiled and cached apart from physics and sensors (see `simulation.kernel`), which call
it by its address: neither has to be compiled anew when the other changes, and both can be
compiled at the same time.
"""

from typing import Any, Final

from simulation.control.fixed_wing_guidance import guide_wing
from simulation.control.guidance import PERIOD as GUIDANCE_PERIOD
from simulation.control.guidance import guide, take_manual_thrust
from simulation.control.mixer import mix
from simulation.control.stabilization import stabilize
from simulation.estimation.airspeed_filter import estimate_airspeed
from simulation.estimation.estimator import estimate
from simulation.estimation.override import replace_states
from simulation.interface import HORIZONTAL_WING
from simulation.program import Program
from simulation.records import FLIGHT
from simulation.sources import sources_digest
from telemetry.compiled import njit_part


@njit_part
def _fly_aircraft(flight: Any, step: int) -> None:
    """What runs on board: estimate and control, from sensor values only."""
    c, m, o = flight["settings"], flight["command"], flight["output"]
    f, k = flight["filter"], flight["control"]
    if not estimate(c, m, f, o, step):
        return
    replace_states(m["override"], o)
    if step % GUIDANCE_PERIOD == 0:
        estimate_airspeed(c, f, o)
        if m["horizontal_mode"] == HORIZONTAL_WING:
            guide_wing(c, m, k, o)
        else:
            guide(c, m, k, o)
    if m["armed"] == 0:
        k["thrust"] = -1.0
    take_manual_thrust(m, k)
    stabilize(c, m, k, o, flight["scratch"]["attitude"])
    mix(c, m, o, flight["scratch"]["mixed"])


def _make_fly(code: int) -> Program:
    def fly(flight: Any) -> None:
        flight["control"]["code"] = code
        _fly_aircraft(flight, int(flight["output"]["step"]))

    return Program(fly, FLIGHT)


FLY_CODE: Final = sources_digest(__name__)
"""What CONTROL.code is after this program has flown."""

fly = _make_fly(FLY_CODE)
"""The program for `simulation.kernel.run`."""

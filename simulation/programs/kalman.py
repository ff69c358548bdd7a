"""The Kalman filters, INS13 and Lapwing's own, as a program for the one on board to call.

It is as large as all that `simulation.programs.on_board` contains and much slower than a call, so
it is compiled and cached apart: at the same time, and anew only when it has changed itself.
"""

from typing import Any, Final

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Program
from simulation.compiler.source_digest import sources_digest
from simulation.estimation.ekf import update_ekf
from simulation.estimation.ekf_start import begin_ekf
from simulation.estimation.ins13 import update_ins13
from simulation.records.flight import FLIGHT


@njit_part
def _follow(flight: Any, begins: int) -> None:
    c, m, f, o = flight["settings"], flight["command"], flight["filter"], flight["output"]
    if f["own"] == 0:
        update_ins13(c, f, o)
        return
    if begins != 0:
        begin_ekf(c, f, o)
    update_ekf(c, m, f, o, int(o["step"]))


def _make_kalman(code: int) -> Program:
    def kalman(flight: Any, begins: int) -> None:
        flight["filter"]["ekf"]["code"] = code
        _follow(flight, begins)

    return Program(kalman, FLIGHT, sources=code, numbers=1)


KALMAN_CODE: Final = sources_digest(__name__)
"""What EKF.code is after this program has run."""

kalman = _make_kalman(KALMAN_CODE)
"""One IMU sample through the filter. Lapwing's own is begun from the attitude in OUTPUT if the
number it is given is not 0, INS13 begins by itself."""

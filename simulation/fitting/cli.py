"""`lapwing fit-thrust`: thrust and torque curves of a propeller from a bench table.

The table is a CSV file whose first line names columns and units, for example
speed_rpm,thrust_g,torque_nm. Prints alpha, beta (and k_t, gamma) with their standard errors and
the lines for an aircraft file.
"""

import argparse
import json
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from telemetry.base.command_line import print_lines
from telemetry.base.number_text import significant

if TYPE_CHECKING:
    from simulation.fitting.curves import Fit, FittedCurves
    from simulation.scenarios.figure import Axes, Figure

_BAD_INPUT, _ENVIRONMENT = 1, 2


def add_commands(subparsers: "argparse._SubParsersAction[argparse.ArgumentParser]") -> None:
    """Add `fit-thrust` to the command line; its `run` returns the exit code."""
    parser = subparsers.add_parser(
        "fit-thrust",
        help="thrust and torque curves from a bench table",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("table", metavar="FILE.csv", type=Path)
    parser.add_argument("--plot", metavar="PNG", type=Path, help="draw points, curves, residuals")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Fit and print. 1: the table cannot be used; 2: the picture cannot be written."""
    from simulation.fitting.bench_table import read_bench_table
    from simulation.fitting.curves import fit_curves
    from simulation.scenarios.plot import PlotError, check_picture, write_picture

    try:
        if options.plot is not None:
            check_picture(options.plot)
        curves = fit_curves(read_bench_table(options.table))
        report = _report(options.table, curves)
        print_lines([json.dumps(report)] if options.json else _as_lines(curves))
        if options.plot is not None:
            write_picture(_figure(curves), options.plot)
    except ValueError as error:  # BenchError among them
        print(f"lapwing fit-thrust: {error}", file=sys.stderr)
        return _BAD_INPUT
    except PlotError as error:
        print(f"lapwing fit-thrust: {error}", file=sys.stderr)
        return _ENVIRONMENT
    return 0


def toml_lines(curves: "FittedCurves") -> list[str]:
    """The lines for [propulsion] of an aircraft file."""
    torque = curves.torque
    if torque is not None and min(torque.values["k_t_m"], torque.values["gamma_nms"]) < 0.0:
        # Where both cannot be told apart one comes out negative: then the simpler curve is safer.
        torque = curves.torque_by_speed
    lines = ["[propulsion]"]
    for fit in (curves.thrust, *((torque,) if torque else ())):
        lines += [
            f"{name} = {value:.5g} # +- {fit.errors[name]:.2g}"
            for name, value in fit.values.items()
        ]
    return lines


def _report(path: Path, curves: "FittedCurves") -> dict[str, Any]:
    return {
        "file": path.name,
        "points": len(curves.table.speed_radps),
        "thrust": _fit_report(curves.thrust),
        "torque": _fit_report(curves.torque),
        "torque_by_speed": _fit_report(curves.torque_by_speed),
        "toml": "\n".join(toml_lines(curves)),
    }


def _fit_report(fit: "Fit | None") -> dict[str, Any] | None:
    if fit is None:
        return None
    return {
        "values": fit.values,
        "standard_errors": fit.errors,
        "r2": fit.r2 if math.isfinite(fit.r2) else None,  # all points alike
        "rms_residual": fit.rms,
        "residuals": fit.residuals.tolist(),
    }


def _as_lines(curves: "FittedCurves") -> list[str]:
    lines = [f"{len(curves.table.speed_radps)} points"]
    for title, unit, fit in (
        ("Thrust = alpha n^2 + beta n", "N", curves.thrust),
        ("Torque = k_t thrust + gamma n", "Nm", curves.torque),
        ("Torque = gamma n (seed 000, eq. 14)", "Nm", curves.torque_by_speed),
    ):
        if fit is None:
            continue
        lines.append(f"{title}: R2 {fit.r2:.5f}, residuals {significant(fit.rms, 3)} {unit} rms")
        lines += [
            f"  {name:11} {value:.5g} +- {fit.errors[name]:.2g}"
            for name, value in fit.values.items()
        ]
    return [*lines, "", "n in rad/s. For the aircraft file:", *toml_lines(curves)]


def _figure(curves: "FittedCurves") -> "Figure":
    from simulation.scenarios.figure import Axes, Figure, series

    table = curves.table
    n = table.speed_radps
    axes = [
        _measured("Thrust", "N", curves, (("alpha n^2 + beta n", curves.thrust),)),
        Axes(
            "Residuals of thrust",
            "n, rad/s",
            "N",
            (series("", n, curves.thrust.residuals, "dots"),),
        ),
    ]
    if curves.torque is not None and curves.torque_by_speed is not None:
        fits = (("k_t thrust + gamma n", curves.torque), ("gamma n", curves.torque_by_speed))
        axes.append(_measured("Torque", "Nm", curves, fits))
    return Figure("Propeller on the bench", tuple(axes))


def _measured(
    title: str, unit: str, curves: "FittedCurves", fits: "tuple[tuple[str, Fit], ...]"
) -> "Axes":
    """Measured points and the curves through them."""
    import numpy as np

    from simulation.scenarios.figure import Axes, series

    table = curves.table
    smooth = np.linspace(0.0, table.speed_radps.max(), 100)
    is_thrust = title == "Thrust"
    points = table.thrust_n if is_thrust else table.torque_nm
    drawn = [series("measured", table.speed_radps, points, "dots")]
    for number, (label, fit) in enumerate(fits):
        values = curves.thrust_at(smooth) if is_thrust else curves.torque_at(smooth, fit)
        drawn.append(series(label, smooth, values, "dashed" if number else "line"))
    return Axes(title, "n, rad/s", unit, tuple(drawn))

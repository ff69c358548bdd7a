"""Tables of force and moment: looked up, refused, and flown by `--force`."""

import argparse
import json
import math
from pathlib import Path

import numpy as np
import pytest

from simulation.command.cli import add_commands
from simulation.records.interface import STEP_S
from simulation.simulator.external_force import ForceError
from simulation.simulator.force_table import ForceTable, force_table, read_force_table, table_force
from simulation.simulator.simulator import Simulator
from tests.simulation.sil.flying import needs_compiler
from tests.simulation.simulator.test_external_force import airless


def flown(table: ForceTable, steps: int = 400) -> Simulator:
    simulator = airless(roll_deg=0.0)
    simulator.act_with(table_force(table))
    simulator.advance(steps)
    return simulator


@pytest.mark.slow
def test_between_rows_it_changes_in_straight_lines_and_beyond_it_stays() -> None:
    """From 0 at 0.1 s to 2 N at 0.2 s, then 2 N: the impulse until 0.4 s is 2 (0.05 + 0.2) Ns."""
    simulator = flown(force_table({"time_s": [0.1, 0.2], "force_north_n": [0.0, 2.0]}))
    mass = float(simulator.record["parameters"]["mass"])
    assert simulator.output["true_velocity"][0] * mass == pytest.approx(0.5, rel=1e-6)


@pytest.mark.slow
def test_it_may_be_over_the_state_of_flight() -> None:
    """A drag of c v^2 by the airspeed, in a table of 0.1 m/s: v' = g - c v^2 / m has the terminal
    speed sqrt(m g / c) and reaches it as a hyperbolic tangent."""
    speeds = np.arange(0.0, 30.0, 0.1)
    simulator = airless(roll_deg=0.0)
    mass = float(simulator.record["parameters"]["mass"])
    terminal, gravity = 10.0, 9.81
    drag = mass * gravity * (speeds / terminal) ** 2
    simulator.act_with(table_force(force_table({"airspeed_mps": speeds, "force_z_n": -drag})))
    simulator.advance(1500)
    wanted = terminal * math.tanh(gravity * 1500 * STEP_S / terminal)
    assert simulator.output["true_velocity"][2] == pytest.approx(wanted, rel=1e-3)


def test_a_file_says_the_same(tmp_path: Path) -> None:
    path = tmp_path / "push.csv"
    path.write_text(
        "# a push at the nose, and a twist\n"
        "height_m, force_y_n, point_x_m, moment_x_nm, force_down_n\n"
        "0, 1, 0.2, 0.01, 3\n\n100, 1, 0.2, 0.01, 4\n"
    )
    table = read_force_table(path)
    assert (table.over, table.places.tolist()) == (1, [0.0, 100.0])
    assert table.acting.tolist() == [
        [0, 1, 0, 0, 0, 3, 0.2, 0, 0, 0.01, 0, 0],
        [0, 1, 0, 0, 0, 4, 0.2, 0, 0, 0.01, 0, 0],
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "columns are missing"),
        ("time_s\n1\n", "columns are missing"),
        ("force_x_n,time_s\n1,1\n", "unknown column 'time_s'"),
        ("time_s,thrust\n1,1\n", "unknown column 'thrust'"),
        ("time_s,force_x_n,force_x_n\n1,1,1\n", "stands there twice"),
        ("time_s,force_x_n\n1\n", "line 2: not one number for each column"),
        ("time_s,force_x_n\n1,nan\n", "row 1: not all are numbers"),
        ("time_s,force_x_n\n1,1\n1,2\n", "row 2: its first column is not above"),
        ("time_s,force_x_n\n", "has 0 rows"),
    ],
)
def test_what_is_no_table_is_said(text: str, words: str, tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(ForceError, match=words):
        read_force_table(path)


def call(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    options = parser.parse_args(["sim", *arguments])
    return int(options.run(options))


FORCES = {
    "a.csv": "time_s,force_down_n\n0,-100\n",
    "a.py": "def push(e):\n    e['force_ned'][2] = -100.0\n",
    "a.c": '#include "lapwing_force.h"\n'
    "int lapwing_force_begin(struct lapwing_force *f, uint32_t n) { return n != sizeof *f; }\n"
    "void lapwing_force(struct lapwing_force *f) { f->force_ned[2] = -100.0; }\n",
}


@pytest.mark.slow
@needs_compiler
def test_the_command_lifts_an_aircraft_that_stands(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """By more than its weight; the same flight whatever the force is written in."""
    for name, text in FORCES.items():
        (tmp_path / name).write_text(text)
    flight = ("--duration", "0.5", "--json")
    forces = [tmp_path / "a.csv", f"{tmp_path / 'a.py'}:push", tmp_path / "a.c"]
    assert [call(*flight, "--force", str(force)) for force in forces] == [0, 0, 0]
    assert call(*flight) == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    hashes = [report["log_hash"] for report in reports]
    assert len(set(hashes[:3])) == 1
    assert hashes[3] != hashes[0]


@pytest.mark.parametrize(
    ("force", "words"),
    [
        ("rope", "'rope' is no force; give FILE.csv"),
        ("rope.py", "'rope.py' is no force"),
        ("/nowhere/rope.c", "There is no file"),
        ("/nowhere/rope.csv", "cannot be read"),
        ("{tmp}/broken.py:rope", "broken.py raised NameError"),
        ("{tmp}/empty.py:rope", "empty.py has no function or ExternalForce rope"),
    ],
)
def test_what_is_no_force_is_said(
    force: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "broken.py").write_text("nothing\n")
    (tmp_path / "empty.py").write_text("")
    assert call("--duration", "1", "--force", force.format(tmp=tmp_path)) == 1
    captured = capsys.readouterr()
    assert words in captured.err
    assert captured.err.count("\n") == 1

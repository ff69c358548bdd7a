"""`lapwing fit-thrust`: known curves are found again, and bad tables are refused by line."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from simulation.aircraft.aircraft import FOLDER, load_aircraft
from simulation.fitting.bench_table import BenchError, read_bench_table
from simulation.fitting.curves import FittedCurves, fit_curves

_TRUE = {"alpha_ns2": 3.4e-5, "beta_ns": 4.0e-4, "k_t_m": 0.0158, "gamma_nms": 1.6e-5}


def _table(folder: Path, noise: float, seed: int = 1) -> Path:
    """Thirty noisy points of a known propeller, in rpm, gram-force and Nm."""
    draw = np.random.default_rng(seed)
    n = np.linspace(60.0, 420.0, 30)
    thrust = _TRUE["alpha_ns2"] * n**2 + _TRUE["beta_ns"] * n
    torque = _TRUE["k_t_m"] * thrust + _TRUE["gamma_nms"] * n
    thrust = thrust + noise * draw.standard_normal(30)
    torque = torque + 0.015 * noise * draw.standard_normal(30)
    lines = ["speed_rpm,thrust_gf,torque_nm"]
    for row in zip(n * 60 / (2 * np.pi), thrust / 9.80665e-3, torque, strict=True):
        lines.append(",".join(f"{abs(value):.9g}" for value in row))
    path = folder / "bench.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def _fitted(path: Path) -> FittedCurves:
    return fit_curves(read_bench_table(path))


def test_without_noise_the_coefficients_are_exact(tmp_path: Path) -> None:
    curves = _fitted(_table(tmp_path, 0.0))
    assert curves.torque is not None
    for name, value in {**curves.thrust.values, **curves.torque.values}.items():
        assert value == pytest.approx(_TRUE[name], rel=1e-5)
    assert curves.thrust.r2 == pytest.approx(1.0, abs=1e-9)


def test_noisy_coefficients_lie_within_their_errors(tmp_path: Path) -> None:
    """Over 100 benches the errors are as large as told: 95 % within two, neither all nor few."""
    within = total = 0
    for seed in range(100):
        curves = _fitted(_table(tmp_path, 0.05, seed))
        assert curves.torque is not None
        for fit in (curves.thrust, curves.torque):
            for name, value in fit.values.items():
                total += 1
                within += abs(value - _TRUE[name]) < 2.0 * fit.errors[name]
    assert 0.90 < within / total < 0.99


def test_torque_by_speed_alone_is_told_to_be_worse(tmp_path: Path) -> None:
    """Seed 000's eq. 14 cannot follow the torque of eq. 13's propeller."""
    curves = _fitted(_table(tmp_path, 0.02))
    assert curves.torque is not None
    assert curves.torque_by_speed is not None
    assert curves.torque_by_speed.rms > 5.0 * curves.torque.rms
    assert curves.torque.r2 > 0.99 > curves.torque_by_speed.r2


def test_the_lines_to_paste_make_an_aircraft(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["fit-thrust", str(_table(tmp_path, 0.02)), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    text = (FOLDER / "ar100b.toml").read_text(encoding="utf-8")
    for line in report["toml"].splitlines()[1:]:
        key = line.split(" = ")[0]
        text = "\n".join(line if old.startswith(f"{key} =") else old for old in text.splitlines())
    path = tmp_path / "mine.toml"
    path.write_text(text, encoding="utf-8")
    assert load_aircraft(path).parameters["alpha"] == pytest.approx(_TRUE["alpha_ns2"], rel=0.05)
    assert len(report["thrust"]["residuals"]) == report["points"] == 30


@pytest.mark.slow
def test_text_and_picture(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    picture = tmp_path / "fit.png"
    assert main(["fit-thrust", str(_table(tmp_path, 0.02)), "--plot", str(picture)]) == 0
    told = capsys.readouterr().out
    for word in ("alpha_ns2", "beta_ns", "k_t_m", "gamma_nms", "R2", "+-", "[propulsion]"):
        assert word in told
    assert picture.read_bytes().startswith(b"\x89PNG")
    assert main(["fit-thrust", str(_table(tmp_path, 0.02)), "--plot", str(tmp_path)]) == 1


def test_tables_of_other_benches_are_understood(tmp_path: Path) -> None:
    """Semicolons, decimal commas, comments, other units, no torque, a column more."""
    path = tmp_path / "bench.csv"
    n = np.array([100.0, 200.0, 300.0, 400.0])
    lines = ["# 15 inch", "", "Speed [rad/s]; Strom (A); Thrust (N)"]
    for speed in n:
        thrust = f"{3e-5 * speed**2:.6f}".replace(".", ",")
        lines.append(f"{speed:g}; 1,5 ; {thrust}")
    path.write_text("\ufeff" + "\n".join(lines), encoding="utf-8")
    curves = _fitted(path)
    assert curves.thrust.values["alpha_ns2"] == pytest.approx(3e-5, rel=1e-6)
    assert curves.torque is None


_GOOD = "speed_rpm,thrust_n\n1000,0.4\n2000,1.6\n3000,3.6\n4000,6.4\n"


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("thrust_n", "thrust_psi", ["line 1", "'psi' is no unit of thrust", "kgf"]),
        ("speed_rpm", "speed_mps", ["line 1", "'mps' is no unit of speed", "rpm"]),
        ("thrust_n", "thrust_nm", ["line 1", "'nm' is no unit of thrust"]),
        ("thrust_n", "thrust", ["line 1", "'thrust' has no unit"]),
        ("thrust_n", "force_n", ["line 1", "no column 'thrust'"]),
        ("speed_rpm,thrust_n", "speed_rpm,thrust_n,thrust_g", ["two columns 'thrust'"]),
        ("2000,1.6", "2000,much", ["line 3", "'much'", "no number"]),
        ("2000,1.6", "2000,nan", ["line 3", "nan"]),
        ("2000,1.6", "-2000,1.6", ["line 3", "-2000"]),
        ("2000,1.6", "2000,1,6", ["line 3", "3 values", "semicolons"]),
        ("2000,1.6\n3000,3.6", "2000,x\n3000,y", ["line 3", "line 4", "# before"]),
        ("3000,3.6\n4000,6.4\n", "", ["2 speeds", "at least 4"]),
        ("3000,3.6\n4000,6.4", "1000,0.4\n1000,0.5", ["2 speeds"]),
        (_GOOD, "", ["empty"]),
        ("4000,6.4", "4000,0.0", ["square of the speed", "units"]),
        (_GOOD[19:], "1000,1\n2000,2\n3000,3\n4000,4\n", ["square of the speed"]),
        ("4000,6.4", "4e200,6.4", ["line 5", "4e+200"]),
        (_GOOD[19:], "1.5,1\n2.5,2\n3.5,3\n4.5,4\n", ["0.471 rad/s", "thousands"]),
    ],
)
def test_bad_tables_are_refused_with_place_and_remedy(
    tmp_path: Path, old: str, new: str, told: list[str]
) -> None:
    path = tmp_path / "bench.csv"
    path.write_text(_GOOD.replace(old, new), encoding="utf-8")
    with pytest.raises(BenchError) as caught:
        _fitted(path)
    for part in told:
        assert part in str(caught.value)


def test_spreadsheets_quote_what_they_like(tmp_path: Path) -> None:
    path = tmp_path / "bench.csv"
    path.write_text(_GOOD.replace(",", '","').replace("\n", '"\n"').strip('"').join(('"', "")))
    assert _fitted(path).thrust.values["alpha_ns2"] == pytest.approx(3.6476e-5, rel=1e-4)


def test_a_torque_of_nothing_is_no_nan_in_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "bench.csv"
    lines = _GOOD.splitlines()
    path.write_text("\n".join([f"{lines[0]},torque_nm", *(f"{line},0" for line in lines[1:])]))
    assert main(["fit-thrust", str(path), "--json"]) == 0
    report = json.loads(capsys.readouterr().out, parse_constant=pytest.fail)
    assert report["torque"]["r2"] is None


def test_a_missing_file_is_bad_input(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["fit-thrust", str(tmp_path / "nothing.csv")]) == 1
    assert "nothing.csv" in capsys.readouterr().err

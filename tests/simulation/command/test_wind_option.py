"""`lapwing sim --wind`: schedules and recordings from files."""

import json
from pathlib import Path

import numpy as np
import pytest

from app.cli import main
from simulation.command.wind_option import load_wind
from simulation.environment.wind_table import WindTableError


class _Options:
    def __init__(self, wind: Path | None, wind_series: str | None = None) -> None:
        self.wind, self.wind_series = wind, wind_series


def _sim(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    main(["sim", "--json", "--duration", "1", *words])
    report: dict[str, object] = json.loads(capsys.readouterr().out)
    return report


@pytest.mark.slow
def test_a_flight_in_a_scheduled_wind_is_another_flight(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "wind.csv"
    file.write_text("time_s,north_mps,east_mps\n0,8,0\n", encoding="utf-8")
    calm, windy = _sim(capsys), _sim(capsys, "--wind", str(file))
    assert calm["log_hash"] != windy["log_hash"]
    assert windy["log_hash"] == _sim(capsys, "--wind", str(file))["log_hash"]


@pytest.mark.slow
def test_wind_comes_from_fields_of_a_flight_log(tmp_path: Path) -> None:
    log = tmp_path / "flight.opl"
    main(["sim", "--json", "--duration", "3", "--record", str(log)])
    series = "VelocityState.North,VelocityState.East,VelocityState.Down"
    table = load_wind(_Options(log, series))  # type: ignore[arg-type]
    assert table is not None
    assert table.rows[0, 0] == 0.0
    assert table.rows[-1, 0] == pytest.approx(2.9, abs=0.2)
    assert np.isfinite(table.rows).all()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("series", "words"),
    [
        ("VelocityState.North", "two or three"),
        ("No such path!,A.B", "cannot be read"),
        ("Nothing.North,Nothing.East", "has no Nothing.North"),
    ],
)
def test_wrong_fields_are_refused(tmp_path: Path, series: str, words: str) -> None:
    log = tmp_path / "flight.opl"
    main(["sim", "--json", "--duration", "1", "--record", str(log)])
    with pytest.raises(WindTableError, match=words):
        load_wind(_Options(log, series))  # type: ignore[arg-type]

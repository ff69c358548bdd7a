"""A track as a table: names with units, a DataFrame, a Parquet file, and a remedy without them."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.records.interface import OUTPUT
from simulation.scenarios.track import OutputTrack
from simulation.scenarios.track_columns import ENDINGS, column_names
from telemetry.base.table_files import TableError

UNITS = ("_us", "_m", "_deg", "_c", "_kpa", "_pa", "_mah", "_mps", "_v", "_a")
SHARES = {"true_charge", "true_air_density_ratio", "gps_pdop", "gps_hdop", "gps_vdop"}


def recorded() -> OutputTrack:
    """Two rows whose numbers are known."""
    track = OutputTrack(("true_position", "gyro", "baro_altitude_m", "crashed"))
    row: Any = np.zeros(1, OUTPUT)[0]
    for step, height in ((1, 10.0), (2, 10.5)):
        row["step"] = step
        row["true_position"] = (1.0, 2.0, -height)
        row["gyro"] = (0.1, 0.2, 0.3)
        row["baro_altitude_m"] = height + 0.25
        track.add(row, script=4)
    return track


def numbers(track: OutputTrack) -> Iterator[tuple[str, list[float]]]:
    return ((name, values.tolist()) for name, values in track.columns().items())


def test_columns_bear_axis_and_unit() -> None:
    assert dict(numbers(recorded())) == {
        "time_s": [0.001, 0.002],
        "step": [1, 2],
        "true_position_north_m": [1.0, 1.0],
        "true_position_east_m": [2.0, 2.0],
        "true_position_down_m": [-10.0, -10.5],
        "crashed": [0, 0],
        "gyro_x_dps": [0.1, 0.1],
        "gyro_y_dps": [0.2, 0.2],
        "gyro_z_dps": [0.3, 0.3],
        "baro_altitude_m": [10.25, 10.75],
        "script": [4, 4],
    }


@pytest.mark.parametrize("member", OUTPUT.names or ())
def test_every_number_of_the_output_has_a_name_of_its_own(member: str) -> None:
    kind, count = OUTPUT[member].base, int(np.prod(OUTPUT[member].shape))
    assert len(set(column_names(member))) == count
    is_named = member in ENDINGS or member in SHARES or member.endswith(UNITS)
    assert is_named or (kind == np.int64 and count == 1), f"add {member} to ENDINGS"


def test_nothing_is_named_that_is_not_there() -> None:
    assert set(ENDINGS) <= set(OUTPUT.names or ())


@pytest.mark.slow
def test_a_data_frame_and_a_parquet_file_hold_the_same_numbers(tmp_path: Path) -> None:
    import pandas as pd

    track, path = recorded(), tmp_path / "flight.parquet"
    track.save(path)
    wanted = dict(numbers(track))
    assert track.frame().to_dict("list") == wanted
    assert pd.read_parquet(path).to_dict("list") == wanted


@pytest.mark.parametrize(("module", "call"), [("pandas", "frame"), ("pyarrow", "save")])
def test_without_the_library_a_sentence_names_the_remedy(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, module: str, call: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    arguments = (tmp_path / "flight.parquet",) if call == "save" else ()
    with pytest.raises(TableError, match=rf"{module}.*pip install 'lapwing\[data\]'"):
        getattr(recorded(), call)(*arguments)


@pytest.mark.slow
def test_a_file_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(TableError, match=r"Cannot write .*missing"):
        recorded().save(tmp_path / "missing" / "flight.parquet")

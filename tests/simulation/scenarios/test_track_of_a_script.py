"""Tracks of scripted flights say which step was being done."""

import argparse
import json
from pathlib import Path

import numpy as np
import pytest

from simulation.command.cli import add_commands

STEPS_S = (1.0, 0.4, 0.2)


def track_of(path: Path, *words: str) -> dict[str, list[float]]:
    from pyarrow import parquet

    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    options = parser.parse_args(["sim", *words, "--track", str(path), "--record-rate", "500"])
    assert options.run(options) == 0
    columns: dict[str, list[float]] = parquet.read_table(path).to_pydict()
    return columns


@pytest.mark.slow
def test_a_track_has_the_number_of_the_step_that_is_being_done(tmp_path: Path) -> None:
    scenario = tmp_path / "waits.json"
    steps = [{"do": "wait", "seconds": seconds} for seconds in STEPS_S]
    measures = {"metric": "high_m", "measure": "max_altitude_m"}
    words = {"name": "waits", "title": "Waits", "steps": steps, "measures": [measures]}
    scenario.write_text(json.dumps({**words, "bands": {"high_m": [None, 1]}}))
    columns = track_of(tmp_path / "a.parquet", "fly", str(scenario))
    begins_s = np.cumsum((0.0, *STEPS_S))
    times_s = np.array(columns["time_s"])
    # The row at the instant at which a step ends belongs to it.
    expected = np.searchsorted(begins_s + 1e-9, times_s) - 1
    assert columns["script"] == expected.tolist()
    assert set(columns["script"]) == {0, 1, 2, 3}  # with the loop in which it has ended


def test_a_flight_without_a_script_has_none(tmp_path: Path) -> None:
    assert set(track_of(tmp_path / "b.parquet", "stand", "0.1")["script"]) == {-1}

"""The file of `--record`, from its first byte to what is left of it."""

from contextlib import ExitStack
from pathlib import Path

import pytest

from simulation.serving.recording_file import open_recording
from telemetry.recording.logs.world import world_note_path
from telemetry.recording.simulated_world import SimulatedWorld


def _refused(log: Path, is_begun: bool) -> None:
    with ExitStack() as resources:
        record = open_recording(log, print, resources, SimulatedWorld("office"))
        if record is not None and is_begun:
            record(0.0, b"something")
        raise ValueError("refused")


@pytest.mark.parametrize("is_begun", [True, False])
def test_only_of_a_flight_that_had_begun_something_is_left(tmp_path: Path, is_begun: bool) -> None:
    log = tmp_path / "flight.opl"
    with pytest.raises(ValueError, match="refused"):
        _refused(log, is_begun)
    assert log.exists() is is_begun
    assert world_note_path(log).exists() is is_begun

"""The command line's words for films."""

import argparse
import json
from pathlib import Path

import pytest

from simulation.command import cli
from simulation.worlds import film
from telemetry.recording.video_files.reader import open_video
from tests.simulation.worlds.scenes import plain


def sim(*words: str) -> int:
    """Run `lapwing sim` with these words."""
    parser = argparse.ArgumentParser()
    cli.add_commands(parser.add_subparsers(required=True))
    options = parser.parse_args(["sim", *words])
    code: int = options.run(options)
    return code


@pytest.mark.slow
def test_a_flight_is_filmed_beside_its_log(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(film, "make_scene", lambda world, seed: plain())
    log, video = tmp_path / "f.opl", tmp_path / "f.avi"
    words = ["--duration", "2", "--record", str(log), "--record-rate", "100", "--video", str(video)]
    faults = "offset=0.5,rate=1.01,broken=0.1,rolling_shutter=0.02,exposure=1,vibration=0.1,blur=1"
    camera = "pitch=-10,roll=3,yaw=1,fov=70,width=64,height=48,fps=10"
    assert sim(*words, "--video-fault", faults, "--video-camera", camera) == 0
    assert log.stat().st_size > 1000
    truth = json.loads((tmp_path / "f.avi.truth.json").read_text())
    assert (truth["offset_s"], truth["rate"], truth["frames"]) == (0.5, 1.01, 25)
    assert truth["camera"]["mount_pitch_deg"] == -10.0
    assert truth["camera"]["mount_roll_deg"] == 3.0
    assert truth["camera"]["mount_yaw_deg"] == 1.0
    assert truth["camera"]["field_of_view_deg"] == 70.0
    assert truth["camera"]["shutter_s"] == 0.02
    source = open_video([video])
    assert source.size == (64, 48)
    assert len(source.times()) == 25
    source.close()
    assert "Filming" not in capfd.readouterr().err, "progress is for terminals"
    # Nothing is flown over: the same words again are refused before the flight.
    log.unlink()
    assert sim(*words) == 2
    assert "is there already" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["--video", "f.avi"], "add --record"),
        (["--video-fault", "rate=1"], "add --video"),
        (["--video-camera", "fov=60"], "add --video"),
        (["--record", "f.opl", "--video", "f.avi", "--serve", "tcp:127.0.0.1:0"], "leave out"),
        (["--record", "f.opl", "--video", "f.mp4"], ".avi"),
        (["--gpu"], "add --video"),
    ],
)
def test_what_does_not_go_together_is_said(
    words: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sim(*words) == 1
    assert sentence in capsys.readouterr().err


@pytest.mark.parametrize(
    ("option", "text", "sentence"),
    [
        ("--video-fault", "brokn=0.1", "there is no 'brokn'"),
        ("--video-fault", "broken=1.5", "from 0 to 1"),
        ("--video-fault", "rate=nan", "from 0.5 to 2"),
        ("--video-fault", "offset=ten", "'ten' is no number"),
        ("--video-fault", "offset=1,offset=2", "twice"),
        ("--video-camera", "fov=0", "from 5 to 140"),
        ("--video-camera", "width=65", "even"),
        ("--video-camera", "tilt=3", "there is no 'tilt'"),
    ],
)
def test_wrong_numbers_are_named(
    option: str, text: str, sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        sim("--record", "f.opl", "--video", "f.avi", option, text)
    assert sentence in capsys.readouterr().err

"""Films against the motion that they were made of."""

import json
import math
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.records.interface import OUTPUT
from simulation.worlds import film
from simulation.worlds.camera import CarriedCamera, FilmCamera
from simulation.worlds.camera_pictures import CameraPictures
from simulation.worlds.file_damage import damage_frames
from simulation.worlds.film import FilmMaker, FilmPlan
from simulation.worlds.film_error import FilmError, NoRendererError
from simulation.worlds.film_files import film_files
from simulation.worlds.flight_path import PathRecorder
from simulation.worlds.motor_sound import SAMPLES_PER_S
from simulation.worlds.shared_renderer import SharedRenderer
from simulation.worlds.video_faults import VideoFaults
from telemetry.recording.video_files.avi import read_layout
from telemetry.recording.video_files.reader import open_video
from telemetry.recording.video_files.writer import VideoEncoding, VideoWriter
from telemetry.review.cameras.camera_settings import CameraSettings
from tests.simulation.worlds.scenes import flown, horizon_deg, path_of, plain

CAMERA = FilmCamera((128, 96), 10, CameraSettings(60.0))
SWAYING = flown(6.0, lambda t: (0.5 * math.sin(1.9 * t), 0.0, 0.0))


@pytest.fixture(autouse=True)
def over_a_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(film, "make_scene", lambda world, seed: plain())


def filmed(folder: Path, recorder: PathRecorder = SWAYING, **faults: float) -> dict[str, Any]:
    """The truth of a film, which stands in the folder as flight.avi."""
    maker = FilmMaker(FilmPlan(folder / "flight.avi", VideoFaults(**faults), CAMERA))
    maker.recorder = recorder
    maker.make()
    truth: dict[str, Any] = json.loads((folder / "flight.avi.truth.json").read_text())
    return truth


def rolls(files: list[Path]) -> tuple[np.ndarray, np.ndarray]:
    """Times of the film, and how the horizon stands in the pictures, in degrees."""
    source = open_video(files)
    times = source.times()
    angles = []
    for t in times:
        frame = source.frame_at(t)
        assert frame is not None
        angles.append(horizon_deg(frame.pixels))
    source.close()
    return times, np.array(angles)


def wanted_rolls(truth: dict[str, Any], video_s: np.ndarray, late_s: float = 0.0) -> np.ndarray:
    """How SWAYING rolls, in degrees, where the truth puts times of the film; or late."""
    flight_s = np.full(len(video_s), np.nan)
    for piece in truth["pieces"]:
        start_s, end_s = piece["medium_start_s"] - 1e-6, piece["medium_end_s"] - 1e-6
        inside = (video_s >= start_s) & (video_s < end_s)
        flight_s[inside] = (video_s[inside] - piece["offset_s"]) / piece["rate"]
    return np.degrees(0.5 * np.sin(1.9 * np.clip(flight_s + late_s, 0.0, 6.0)))


@pytest.mark.slow
@pytest.mark.parametrize(
    "faults", [{"offset": 1.3, "rate": 0.97}, {"offset": -2.05, "rate": 1.03}, {"loop": 2.0}]
)
def test_every_frame_shows_the_attitude_of_its_time(
    tmp_path: Path, faults: dict[str, float]
) -> None:
    truth = filmed(tmp_path, **faults)
    assert truth["offset_s"] == faults.get("offset", 0.0)
    assert truth["rate"] == faults.get("rate", 1.0)
    assert truth["world"] == "field"
    times, seen = rolls([tmp_path / piece["file"] for piece in truth["pieces"]])
    assert len(times) == truth["frames"]
    np.testing.assert_allclose(seen, wanted_rolls(truth, times), atol=1.5)
    for wrong_s in (-0.1, 0.1):  # it turns by 54 degrees a second
        assert np.abs(seen - wanted_rolls(truth, times, wrong_s)).max() > 4.0


def test_the_files_of_a_loop_recording_lose_time_at_their_borders() -> None:
    faults, random = VideoFaults(loop=2.0, rate=0.99), np.random.default_rng(1)
    files = film_files(Path("out/flight.avi"), faults, 6.0, 10, random)
    assert [str(file.path.name) for file in files] == [f"flight_00{n}.avi" for n in (1, 2, 3)]
    assert [(file.first, file.end) for file in files[:2]] == [(0, 20), (20, 40)]
    pieces = [file.truth() for file in files]
    lost = -np.diff([piece["offset_s"] for piece in pieces])
    assert ((lost >= 0.2) & (lost <= 0.5)).all()
    assert [p["medium_end_s"] for p in pieces[:-1]] == [p["medium_start_s"] for p in pieces[1:]]
    # What the camera ran, without what it lost, is filmed; to the frame.
    assert files[-1].end == int((0.99 * 6.0 - lost.sum()) * 10)


@pytest.mark.slow
def test_a_rolling_shutter_bends_the_horizon_as_far_as_it_turns_meanwhile(tmp_path: Path) -> None:
    # Yawing right at 90 deg/s, rows 33 ms apart from top to bottom: an upright post leans.
    recorder = flown(0.5, lambda t: (0.0, 0.0, 1.57 * (t - 0.25)), height_m=10.0)
    leans = []
    for shutter in (0.0, 0.033):
        renderer = SharedRenderer(plain((40.0, 0.0)))
        faults = VideoFaults(rolling_shutter=shutter, blur=0.0)
        pictures = CameraPictures(renderer, CAMERA, faults)
        carried = CarriedCamera(CAMERA, path_of(recorder))
        (picture,) = pictures.take(carried, np.array([0.25]), iter([film.CLOCK]))
        red = (picture[..., 2] > 150) & (picture[..., 1] < 100)
        rows = np.flatnonzero(red.any(axis=1))
        columns = [np.flatnonzero(red[row]).mean() for row in (rows[0], rows[-1])]
        leans.append((columns[1] - columns[0], rows[-1] - rows[0]))
    assert abs(leans[0][0]) < 1.5
    share = leans[1][1] / CAMERA.size[1]
    turned_px = math.radians(90.0) * 0.033 * share * CAMERA.focal_px
    assert leans[1][0] == pytest.approx(-turned_px, abs=1.2), "what comes later stands further left"


@pytest.mark.slow
def test_broken_frames_are_those_that_the_truth_names(tmp_path: Path) -> None:
    truth = filmed(tmp_path, broken=0.2)
    assert 4 < len(truth["broken"]) < 25
    times, seen = rolls([tmp_path / "flight.avi"])
    wrong = np.flatnonzero(np.abs(seen - wanted_rolls(truth, times)) > 2.0)
    assert set(wrong.tolist()) <= set(truth["broken"]), "damage is not handed on"


def test_damage_is_done_to_the_frames_that_are_named_and_to_no_other(tmp_path: Path) -> None:
    path = tmp_path / "f.avi"
    picture = np.random.default_rng(1).integers(0, 255, (48, 64, 3), np.uint8)
    with VideoWriter(path, VideoEncoding((64, 48))) as writer:
        for number in range(10):
            writer.frame(np.roll(picture, 3 * number, axis=1), number / 30)
    before, chunks = path.read_bytes(), frames_of(path)
    damage_frames(path, (3, 7), np.random.default_rng(2))
    after = path.read_bytes()
    assert len(after) == len(before)
    changed = [before[a:b] != after[a:b] for a, b in chunks]
    assert changed == [number in (3, 7) for number in range(10)]
    for start, end in reversed(chunks):
        before, after = before[:start] + before[end:], after[:start] + after[end:]
    assert before == after, "nothing between the frames"


def frames_of(path: Path) -> list[tuple[int, int]]:
    """Where each stands in the file."""
    with path.open("rb") as file:
        layout = read_layout(file)
    assert layout is not None
    stream = layout.first(b"vids")
    assert stream is not None
    return [(chunk.offset, chunk.offset + chunk.size) for chunk in stream.chunks]


@pytest.mark.slow
def test_a_truncated_file_ends_early_and_has_no_index(tmp_path: Path) -> None:
    truth = filmed(tmp_path, flown(2.0), truncate=0.5)
    source = open_video([tmp_path / "flight.avi"])
    assert 2 < len(source.times()) < truth["frames"] - 4
    source.close()
    with (tmp_path / "flight.avi").open("rb") as file:
        layout = read_layout(file)
    assert layout is not None
    assert not layout.has_index


@pytest.mark.slow
def test_the_same_words_give_the_same_film_to_the_byte(tmp_path: Path) -> None:
    made = []
    for folder in (tmp_path / "one", tmp_path / "two"):
        folder.mkdir()
        truth = filmed(
            folder, flown(1.0), broken=0.3, exposure=1, rolling_shutter=0.02, vibration=1
        )
        made.append(((folder / "flight.avi").read_bytes(), truth))
    assert made[0] == made[1]


@pytest.mark.slow
def test_a_camera_on_the_ground_sees_nothing_move_and_says_so(tmp_path: Path) -> None:
    truth = filmed(tmp_path, flown(2.0, lambda t: (t, 0.0, 0.0)), static=1)
    assert truth["moves"] is False
    assert "OpenGL" in truth["renderer"]
    _, angles = rolls([tmp_path / "flight.avi"])
    assert np.ptp(angles) < 0.5


@pytest.mark.slow
@pytest.mark.parametrize("faults", [{"offset": 1.5, "rate": 1.03}, {"offset": -0.7}])
def test_the_motor_is_heard_when_it_starts(tmp_path: Path, faults: dict[str, float]) -> None:
    import av

    truth = filmed(tmp_path, flown(3.0, rotor_speed=lambda t: 900.0 if t > 2.0 else 0.0), **faults)
    with av.open(str(tmp_path / "flight.avi")) as file:
        blocks = [block.to_ndarray().ravel() for block in file.decode(audio=0)]
    loud = np.abs(np.concatenate(blocks).astype(float) - 128.0) > 60.0
    heard_s = np.flatnonzero(loud)[0] / SAMPLES_PER_S
    assert heard_s == pytest.approx(truth["offset_s"] + truth["rate"] * 2.0, abs=0.01)


@pytest.mark.slow
def test_there_is_no_sound_where_none_is_wanted(tmp_path: Path) -> None:
    import av

    for folder, sound in ((tmp_path / "with", 1), (tmp_path / "without", 0)):
        folder.mkdir()
        filmed(folder, flown(0.5), sound=sound)
        with av.open(str(folder / "flight.avi")) as file:
            assert len(file.streams.audio) == sound


@pytest.mark.slow
def test_a_film_that_would_not_begin_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match="larger offset"):
        filmed(tmp_path, flown(1.0), offset=-5.0)
    with pytest.raises(FilmError, match="fly longer"):
        filmed(tmp_path, PathRecorder())
    assert not list(tmp_path.iterdir())


def test_an_existing_file_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "flight.avi").write_text("mine")
    with pytest.raises(FilmError, match="there already"):
        filmed(tmp_path)
    assert (tmp_path / "flight.avi").read_text() == "mine"


@pytest.mark.parametrize("number", [1, 2])
def test_no_file_of_another_loop_recording_is_written_over(tmp_path: Path, number: int) -> None:
    """The first is told before the flight; of the rest nobody knows before how many there are."""
    there = tmp_path / f"flight_00{number}.avi"
    there.write_bytes(b"mine")
    with pytest.raises(FilmError, match=f"flight_00{number}.avi is there already"):
        filmed(tmp_path, loop=3.0)
    assert there.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [there]


@pytest.mark.slow
@pytest.mark.parametrize("room", [20_000, 50_000])
def test_a_full_disk_leaves_nothing_behind(tmp_path: Path, room: int) -> None:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        with pytest.raises(FilmError, match=r"flight_00.*more room"):
            filmed(tmp_path, flown(6.0, lambda t: (t, 0.0, 0.0)), loop=3.5)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert not list(tmp_path.iterdir())


def test_a_folder_that_is_not_there_is_named_before_the_flight(tmp_path: Path) -> None:
    with pytest.raises(FilmError, match=r"no folder.*nowhere"):
        FilmMaker(FilmPlan(tmp_path / "nowhere" / "flight.avi"))


def test_a_machine_that_cannot_draw_is_told_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import moderngl

    def none(**kwargs: object) -> None:
        raise Exception("libEGL.so not loaded")

    monkeypatch.setattr(moderngl, "create_context", none)
    monkeypatch.setattr("platform.system", lambda: "Linux")
    with pytest.raises(NoRendererError, match=r"libEGL.so not loaded.*apt-get install libegl1"):
        FilmMaker(FilmPlan(tmp_path / "flight.avi"))


def test_of_a_simulator_that_begins_anew_the_first_flight_is_filmed() -> None:
    output = np.zeros(1, OUTPUT)[0]
    output["true_quaternion"][0] = 1.0
    recorder = PathRecorder()
    for step in (5, 10, 15, 5, 10, 15, 20, 25):
        output["step"] = step
        recorder.add(output)
    assert path_of(recorder).end_s == 0.015

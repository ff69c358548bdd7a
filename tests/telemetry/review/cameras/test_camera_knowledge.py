"""What is known of a camera: measured, told, set, or nothing."""

from dataclasses import replace

from telemetry.protocol.streams.samples import StreamDescription, StreamKind
from telemetry.review.cameras.camera_knowledge import knowledge_of
from telemetry.review.cameras.camera_settings import CameraSettings, camera_of_stream

PICTURES = StreamDescription(
    "front",
    StreamKind.PICTURES,
    "Front",
    20.0,
    (0.1, 0.0, -0.05),
    details={"size_px": [64, 48], "lens": {"field_of_view_deg": 60.0, "shutter_s": 0.0}},
)


def test_of_settings_that_nobody_has_touched_nothing_is() -> None:
    known = knowledge_of(CameraSettings())
    assert (known.field_of_view, known.mount, known.distortion, known.shutter) == ("",) * 4
    assert known.place_m is None


def test_what_was_typed_is_not_known_how_sure() -> None:
    known = knowledge_of(CameraSettings(90.0, mount_pitch_deg=-90.0))
    assert known.field_of_view == known.mount == "as set, not known how sure"


def test_a_stream_tells_what_looks_untouched() -> None:
    """It may look straight ahead with 60 degrees and a global shutter."""
    camera = camera_of_stream(PICTURES)
    assert camera == CameraSettings()
    known = knowledge_of(camera, PICTURES)
    assert known.field_of_view == known.mount == known.shutter == "told by the camera"
    assert known.distortion == ""
    assert known.place_m == (0.1, 0.0, -0.05)
    changed = knowledge_of(replace(camera, mount_roll_deg=5.0), PICTURES)
    assert changed.mount == "as set, not known how sure"


def test_a_calibrated_lens_without_distortion_is_known_to_have_none() -> None:
    known = knowledge_of(CameraSettings(focal_px=(50.0, 50.0), centre_px=(31.5, 23.5)))
    assert known.field_of_view == known.distortion == "calibrated"

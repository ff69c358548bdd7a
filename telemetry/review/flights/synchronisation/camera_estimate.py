"""Camera estimate: lens and mount as a film beside its log shows them, and what is taken over.

A figure that was typed, or never touched, is not known how well: one that was measured wins. Of two
that were measured the one with the smaller standard error does. A lens that was calibrated stays.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from telemetry.review.cameras.camera_settings import CameraSettings

MOST_FIELD_SIGMA_DEG: Final = 2.0
MOST_MOUNT_SIGMA_DEG: Final = 3.0
"""What is known less well than this is not taken over: most settings by eye are better."""
_FAR_SIGMAS: Final = 4.0
_FAR_SHARE: Final = 0.03
"""A film that is both further from a calibrated lens contradicts it."""

_AXES = ("roll", "pitch", "yaw")
Angles = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class CameraEstimate:
    """What a film says of its camera, each with its standard error.

    `field_of_view_deg` is horizontal and before distortion, `mount_deg` is (roll, pitch, yaw), both
    as in `CameraSettings`. `distortion` is the lens's (k1, k2, 0, 0), empty where the picture does
    not tell. `calibrated_deg` is the field of view of the calibrated lens that was assumed.
    """

    field_of_view_deg: float
    field_of_view_sigma_deg: float
    mount_deg: Angles
    mount_sigma_deg: Angles
    distortion: tuple[float, ...] = ()
    distortion_sigma: tuple[float, ...] = ()
    calibrated_deg: float | None = None

    def as_json(self) -> dict[str, Any]:
        """What `lapwing sync --json` prints of it."""
        return {
            "field_of_view_deg": round(self.field_of_view_deg, 3),
            "field_of_view_sigma_deg": round(self.field_of_view_sigma_deg, 4),
            "mount_deg": [round(angle, 3) for angle in self.mount_deg],
            "mount_sigma_deg": [round(sigma, 4) for sigma in self.mount_sigma_deg],
            "distortion": [round(term, 5) for term in self.distortion],
            "distortion_sigma": [round(sigma, 5) for sigma in self.distortion_sigma],
        }

    @property
    def lines(self) -> tuple[str, ...]:
        """Field of view, mount and distortion, a line each."""
        field = with_sigma(self.field_of_view_deg, self.field_of_view_sigma_deg)
        mount = _mount_words(self.mount_deg, self.mount_sigma_deg)
        return (
            f"Field of view: {field} degrees.",
            f"Mount: {mount}.",
            *_distortion_lines(self),
        )


def taken_over(
    estimate: CameraEstimate, camera: CameraSettings
) -> tuple[CameraSettings, tuple[str, ...]]:
    """The camera with what is known better than what stood there, and sentences that say what that
    is, and what stays and why."""
    camera, lens = _lens_taken_over(estimate, camera)
    camera, mount = _mount_taken_over(estimate, camera)
    return camera, (lens, mount)


def turn_sigma_deg(mount_deg: Angles, sigma_deg: Angles) -> float:
    """How well the mount is known as a whole. The more steeply a camera looks up or down, the more
    its roll and yaw are one turn: each alone is told badly then, both together are not."""
    steepness = math.cos(math.radians(mount_deg[1]))
    roll, pitch, yaw = sigma_deg
    return max(pitch, steepness * roll, steepness * yaw)


def _lens_taken_over(
    estimate: CameraEstimate, camera: CameraSettings
) -> tuple[CameraSettings, str]:
    found, sigma = estimate.field_of_view_deg, estimate.field_of_view_sigma_deg
    said = f"{with_sigma(found, sigma)}°"
    if camera.focal_px:
        return camera, _calibrated_words(estimate, said)
    before_sigma = camera.field_of_view_sigma_deg
    before = _known(camera.field_of_view_deg, before_sigma)
    if sigma > MOST_FIELD_SIGMA_DEG:
        return camera, f"The field of view stays {before}: the film tells it to ±{sigma:.1f}° only."
    if before_sigma is not None and before_sigma <= sigma:
        return camera, f"The field of view stays {before}: the film says {said}, no better."
    bent = f", k1 {estimate.distortion[0]:.3f}" if estimate.distortion else ""
    taken = replace(
        camera, field_of_view_deg=round(found, 2), field_of_view_sigma_deg=round(sigma, 3)
    )
    if estimate.distortion:
        taken = replace(
            taken,
            distortion=tuple(round(term, 5) for term in estimate.distortion),
            distortion_sigma=tuple(round(one, 5) for one in estimate.distortion_sigma),
        )
    return taken, f"Field of view: {said}{bent} (was {before})."


def _calibrated_words(estimate: CameraEstimate, said: str) -> str:
    """That a calibrated lens stays; where the film contradicts it, what may be wrong with it."""
    lens_deg = estimate.calibrated_deg
    most_deg = max(_FAR_SIGMAS * estimate.field_of_view_sigma_deg, _FAR_SHARE * (lens_deg or 0.0))
    if lens_deg is None or abs(estimate.field_of_view_deg - lens_deg) <= most_deg:
        return f"The calibrated lens stays (the film says {said} of field of view)."
    return (
        f"The calibrated lens stays, and contradicts the film: {lens_deg:.1f}° of field of view "
        f"against {said}. Calibrate it with pictures of this size and zoom."
    )


def _mount_taken_over(
    estimate: CameraEstimate, camera: CameraSettings
) -> tuple[CameraSettings, str]:
    sigma, before_sigma = estimate.mount_sigma_deg, camera.mount_sigma_deg
    said, before = _angles(estimate.mount_deg, sigma), _angles(camera.mount_deg, before_sigma)
    turn_sigma = turn_sigma_deg(estimate.mount_deg, sigma)
    if turn_sigma > MOST_MOUNT_SIGMA_DEG:
        return camera, f"The mount stays {before}: the film tells it to ±{turn_sigma:.1f}° only."
    if before_sigma is not None and turn_sigma_deg(camera.mount_deg, before_sigma) <= turn_sigma:
        return camera, f"The mount stays {before}: the film says {said}, no better."
    roll, pitch, yaw = (round(angle, 2) for angle in estimate.mount_deg)
    taken = replace(
        camera,
        mount_roll_deg=roll,
        mount_pitch_deg=pitch,
        mount_yaw_deg=yaw,
        mount_sigma_deg=(round(sigma[0], 3), round(sigma[1], 3), round(sigma[2], 3)),
    )
    return taken, f"Mount: {_mount_words(estimate.mount_deg, sigma)} (was {before})."


def _mount_words(mount_deg: Angles, sigma_deg: Angles) -> str:
    """The angles, and what is known of roll and yaw together where each alone is not."""
    said, together = (
        f"{_angles(mount_deg, sigma_deg)} degrees",
        turn_sigma_deg(mount_deg, sigma_deg),
    )
    if max(sigma_deg) < 2.0 * together:
        return said
    return f"{said}, roll and yaw together to ±{together:.1f}"


def _known(value: float, sigma: float | None) -> str:
    if sigma is None:
        return f"{value:g}°, not known how sure"
    return f"{with_sigma(value, sigma)}°"


def _angles(angles: Sequence[float], sigmas: Sequence[float] | None) -> str:
    if sigmas is None:
        words = [f"{angle:g}" for angle in angles]
    else:
        words = [with_sigma(*pair) for pair in zip(angles, sigmas, strict=True)]
    told = ", ".join(f"{name} {word}" for name, word in zip(_AXES, words, strict=True))
    return told if sigmas is not None else f"{told}, not known how sure"


def with_sigma(value: float, sigma: float) -> str:
    """A figure and its standard error, with as many digits as are known."""
    digits = 1 if sigma >= 0.1 else 2
    return f"{round(value, digits) + 0.0:.{digits}f} ± {sigma:.{digits}f}"


def _distortion_lines(estimate: CameraEstimate) -> tuple[str, ...]:
    if not estimate.distortion:
        return ()
    return (f"Distortion: k1 {estimate.distortion[0]:.3f} ± {estimate.distortion_sigma[0]:.3f}.",)

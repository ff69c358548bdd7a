"""A layer over a picture, worked out by hand."""

import numpy as np
import pytest
from av.video.reformatter import VideoReformatter

from telemetry.recording.video_files.yuv_layer import YuvLayer
from telemetry.recording.video_files.yuv_picture import YuvPicture

WHITE, BLACK, GREY = 235, 16, 128


def below() -> YuvPicture:
    """Every value there can be, in a picture of 32 x 32."""
    return YuvPicture((np.arange(48 * 32) % 256).astype(np.uint8).reshape(48, 32))


def layer(alpha: int, shade: int, opacity: float = 1.0) -> YuvLayer:
    """8 x 8 pixels of one shade, multiplied by alpha."""
    pixels = np.full((8, 8, 4), round(shade * alpha / 255), np.uint8)
    pixels[:, :, 3] = alpha
    return YuvLayer(VideoReformatter(), pixels, opacity)


def test_where_it_is_transparent_nothing_changes() -> None:
    picture = below()
    layer(0, 255).lay_over(picture, 4, 8)
    assert np.array_equal(picture.pixels, below().pixels)


def test_where_it_is_opaque_nothing_of_the_picture_is_left() -> None:
    picture = below()
    layer(255, 255).lay_over(picture, 4, 8)
    for plane, before, value in zip(
        picture.planes, below().planes, (WHITE, GREY, GREY), strict=True
    ):
        scale = 32 // plane.shape[0]
        place = (slice(8 // scale, 16 // scale), slice(4 // scale, 12 // scale))
        assert (plane[place] == value).all()
        plane[place] = before[place]
        assert np.array_equal(plane, before), "and beside it all is as it was"


@pytest.mark.parametrize(("alpha", "opacity", "share"), [(128, 1.0, 0.502), (255, 0.4, 0.4)])
def test_between_it_is_mixed(alpha: int, opacity: float, share: float) -> None:
    """White over grey 100: the share of 235, and the rest of 100."""
    picture = YuvPicture.black((16, 16))
    picture.planes[0][:] = 100
    layer(alpha, 255, opacity).lay_over(picture, 0, 0)
    expected = share * WHITE + (1 - share) * 100
    assert picture.planes[0][:8, :8].mean() == pytest.approx(expected, abs=1.0)
    assert (picture.planes[1] == GREY).all()
    assert (picture.planes[0][8:] == 100).all()


def test_black_darkens() -> None:
    picture = YuvPicture.black((16, 16))
    picture.planes[0][:] = WHITE
    layer(128, 0).lay_over(picture, 0, 0)
    assert picture.planes[0][0, 0] == pytest.approx(0.498 * WHITE + 0.502 * BLACK, abs=1.0)

"""Where an exported video has its picture, views and instruments."""

import itertools
from pathlib import Path

import pytest
from PySide6.QtCore import QRect

from app.exporting.arrangement import arrange, usual_size
from app.exporting.video_template import Instrument, VideoTemplate, VideoTemplates

BESIDE = VideoTemplate("beside", "", 0.25)
SHAPES = ((1280, 720), (960, 720), (1080, 1920), (1706, 720), (640, 480), (720, 720))
SHIPPED = VideoTemplates(Path("none"))


@pytest.mark.parametrize(
    ("size", "picture", "views", "expected"),
    [
        ((1280, 720), (640, 480), 3, (0, 0, 960, 720)),
        ((1280, 720), (1280, 720), 2, (0, 90, 960, 540)),
        ((1280, 720), (640, 480), 0, (160, 0, 960, 720)),
        ((1280, 720), (480, 640), 2, (0, 0, 540, 720)),
    ],
)
def test_the_picture_keeps_its_aspect_and_views_fill_the_rest(
    size: tuple[int, int],
    picture: tuple[int, int],
    views: int,
    expected: tuple[int, int, int, int],
) -> None:
    found = arrange(BESIDE, size, picture, views)
    assert found.picture is not None
    assert found.picture.getRect() == expected
    assert len(found.views) == views
    for view in found.views:
        assert view.left() == expected[2]
        assert view.right() == size[0] - 1
    if views:
        assert found.views[-1].bottom() == size[1] - 1


def test_no_colour_is_shared_by_two_parts() -> None:
    """Encoders keep one colour for two pixels each way."""
    for views in range(4):
        for picture in ((641, 479), (333, 1000), None):
            found = arrange(BESIDE, (1278, 714), picture, views)
            parts = [*found.views, *([found.picture] if found.picture else [])]
            edges = [number for part in parts for number in part.getRect()]
            assert all(number % 2 == 0 for number in edges), (views, picture)


@pytest.mark.parametrize("name", SHIPPED.names())
@pytest.mark.parametrize("size", SHAPES)
def test_no_instrument_covers_another_or_leaves_the_picture(
    name: str, size: tuple[int, int]
) -> None:
    template = SHIPPED.load(name)
    found = arrange(template, size, size, len(template.views))
    assert found.picture is not None
    for place in found.instruments:
        assert found.picture.contains(place)
        assert all(number % 2 == 0 for number in place.getRect())
    assert not any(a.intersects(b) for a, b in itertools.combinations(found.instruments, 2))


def test_an_instrument_is_a_share_of_the_shorter_side_off_the_edge() -> None:
    """A margin of 0.05 and a size of 0.2 x 0.1 of 720 lines, in the middle of the foot."""
    one = Instrument("a", "speed", "bottom centre", 0.2, 0.1)
    template = VideoTemplate("own", "", instruments=(one,), margin=0.05)
    (place,) = arrange(template, (1280, 720), (1280, 720), 0).instruments
    assert place == QRect(640 - 72, 720 - 36 - 72, 144, 72)


def test_those_of_a_place_stand_side_by_side_in_rows_from_the_edge() -> None:
    at = "bottom left"
    ones = [
        Instrument(name, "speed", at, 0.2, 0.1, row)
        for name, row in zip("abc", (1, 1, 2), strict=True)
    ]
    template = VideoTemplate("own", "", instruments=tuple(ones), margin=0.1)
    a, b, c = arrange(template, (1000, 1000), (1000, 1000), 0).instruments
    assert (a.left(), b.left(), c.left()) == (100, 350, 100), "half a margin apart"
    assert (a.top(), b.top(), c.top()) == (800, 800, 650)


def test_instruments_that_would_meet_are_smaller_all_of_them() -> None:
    left = Instrument("a", "speed", "top left", 0.8, 0.1)
    right = Instrument("b", "speed", "top right", 0.8, 0.1)
    template = VideoTemplate("own", "", instruments=(left, right))
    wide = arrange(template, (1920, 1080), (1920, 1080), 0).instruments
    tall = arrange(template, (1080, 1920), (1080, 1920), 0).instruments
    assert wide[0].width() == 864
    assert tall[0].width() < 540
    assert not tall[0].intersects(tall[1])


def test_the_usual_size_is_the_pictures_own_shape() -> None:
    over = VideoTemplate("own", "", instruments=(Instrument("a", "speed", "top left", 0.2, 0.1),))
    assert usual_size(over, (640, 480)) == (960, 720)
    assert usual_size(over, (1080, 1920)) == (720, 1280)
    assert usual_size(over, None) == (1280, 720)
    assert usual_size(BESIDE, (640, 480)) == (1280, 720)

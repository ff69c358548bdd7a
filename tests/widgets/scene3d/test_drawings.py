"""Both ways of drawing show the same: what lies where, in front of what, and in which colours."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtGui import QImage

from tests.widgets.scene3d.scenes import (
    BLUE,
    GREEN,
    NORTH,
    RED,
    SIZE,
    WHITE_SKY,
    cube,
    name_at,
    order,
    wall,
)
from widgets.scene3d.camera import ViewCamera, inset_place, looking
from widgets.scene3d.draw_request import DrawRequest, SceneDrawing
from widgets.scene3d.gl_context import NoOpenGLError
from widgets.scene3d.gl_drawing import GlDrawing
from widgets.scene3d.painter_drawing import PainterDrawing
from widgets.scene3d.scene import LinePoints, PlacedMesh, PointCloud, SpaceLine, SpaceScene
from widgets.scene3d.solids import box


def open_gl_drawing() -> GlDrawing:
    try:
        return GlDrawing()
    except NoOpenGLError as error:
        pytest.skip(f"no OpenGL here: {error}")


@pytest.fixture(params=["OpenGL", "painter"])
def drawing(request: pytest.FixtureRequest) -> Iterator[SceneDrawing]:
    made: SceneDrawing = PainterDrawing() if request.param == "painter" else open_gl_drawing()
    yield made
    made.close()


def test_what_is_near_hides_what_is_far_and_nothing_else(drawing: SceneDrawing) -> None:
    meshes = cube(10.0, 0.0, 0.0, RED), cube(30.0, 0.0, 0.0, GREEN), cube(30.0, 9.0, -5.0, BLUE)
    for some in (meshes, meshes[::-1]):  # in whatever order they are told
        image = drawing.draw(order(SpaceScene(some, light=WHITE_SKY)))
        assert (image.width(), image.height()) == SIZE
        assert name_at(image, 100, 50) == "red"
        x, y, _ = NORTH.project(np.array([[29.0, 9.0, -5.0]]), *SIZE)[0]
        assert name_at(image, x, y) == "blue"
        assert x > 100, "east is right of north"
        assert y < 50, "and above is up"
        assert name_at(image, 200 - x, y) == "white"


def test_what_reaches_behind_the_eye_is_cut_there(drawing: SceneDrawing) -> None:
    floor = PlacedMesh(box((-500.0, -500.0, 1.0), (500.0, 500.0, 2.0), GREEN))
    image = drawing.draw(order(SpaceScene((floor,), light=WHITE_SKY)))
    assert name_at(image, 100, 95) == "green", "under the feet"
    assert name_at(image, 100, 55) == "green", "and far ahead"
    assert name_at(image, 100, 40) == "white"
    behind = drawing.draw(order(SpaceScene((cube(-10.0, 0.0, 0.0, RED),), light=WHITE_SKY)))
    assert name_at(behind, 100, 50) == "white"


def test_a_picture_stands_upright_on_a_wall(drawing: SceneDrawing) -> None:
    picture = np.zeros((2, 2, 3), np.uint8)
    picture[0, 0], picture[0, 1] = (255, 0, 0), (0, 255, 0)
    picture[1, 0], picture[1, 1] = (0, 0, 255), (255, 255, 255)
    square = wall(np.kron(picture, np.ones((8, 8, 1), np.uint8)))
    image = drawing.draw(order(SpaceScene((square,), light=WHITE_SKY)))
    if isinstance(drawing, PainterDrawing):  # one colour for each half
        assert {name_at(image, 110, 30), name_at(image, 90, 70)} <= {
            "red",
            "green",
            "blue",
            "white",
        }
        return
    found = [name_at(image, x, y) for y in (30, 70) for x in (80, 120)]
    assert found == ["red", "green", "blue", "white"]


def test_a_line_is_broken_and_cut_and_a_point_is_where_it_is(drawing: SceneDrawing) -> None:
    points = np.array([[-50, 0, 1], [50, 0, 1], [np.nan] * 3, [20, 2, -1], [20, 5, -1]], np.float32)
    line = SpaceLine(LinePoints(points, BLUE), 6.0)
    cloud = PointCloud(np.array([[20.0, -4.0, -3.0]], np.float32), RED, 7.0)
    image = drawing.draw(order(SpaceScene((), (line,), (cloud,), light=WHITE_SKY)))
    for place, name in (((10, 0, 1), "blue"), ((20, 3, -1), "blue"), ((20, -4, -3), "red")):
        x, y, _ = NORTH.project(np.array([place]), *SIZE)[0]
        assert name_at(image, x, y) == name, place
    x, y, _ = NORTH.project(np.array([[30.0, 1.0, 0.0]]), *SIZE)[0]
    assert name_at(image, x, y) == "white", "where the line is broken"


def test_a_second_eye_has_the_corner(drawing: SceneDrawing) -> None:
    scene = SpaceScene((cube(10.0, 0.0, 0.0, RED), cube(-10.0, 0.0, 0.0, GREEN)), light=WHITE_SKY)
    south = ViewCamera((0.0, 0.0, 0.0), looking(180.0, 0.0))
    image = drawing.draw(order(scene, inset=south))
    x, y, width, height = inset_place(*SIZE)
    assert width == 0, "too small a picture for another one"
    large = type(order(scene))(scene, NORTH, 400, 300, south)
    image = drawing.draw(large)
    x, y, width, height = inset_place(400, 300)
    assert name_at(image, 200, 150) == "red"
    assert name_at(image, x + width / 2, y + height / 2) == "green"
    assert name_at(image, x + 3, y + 3) == "white", "nothing of the first one is left there"
    small = drawing.draw(type(large)(scene, NORTH, 160, 120, south, (400, 300)))
    x, y = 0.4 * (x + width / 2), 0.4 * (y + height / 2)
    assert name_at(small, x, y) == "green", "in a picture with fewer pixels than it is shown in"


def test_what_is_small_far_away_is_still_seen_and_the_carrier_not_from_within(
    drawing: SceneDrawing,
) -> None:
    far = cube(1000.0, 0.0, 0.0, RED)
    seen = PlacedMesh(far.mesh, far.position, least_px=10.0, is_carrier=True)
    assert name_at(drawing.draw(order(SpaceScene((far,), light=WHITE_SKY))), 97, 50) == "white"
    scene = SpaceScene((seen,), light=WHITE_SKY)
    assert name_at(drawing.draw(order(scene)), 97, 50) == "red"
    within = ViewCamera(NORTH.position, NORTH.to_eye, is_carried=True)
    assert name_at(drawing.draw(order(scene, within)), 97, 50) == "white"


def test_only_what_changed_is_uploaded_and_what_is_gone_is_let_go_of() -> None:
    drawing = open_gl_drawing()
    first, second = cube(10.0, 0.0, 0.0, RED), cube(20.0, 5.0, 0.0, GREEN)
    drawing.draw(order(SpaceScene((first, second))))
    assert (drawing.uploads, drawing.held) == (2, 2)
    moved = PlacedMesh(first.mesh, (12.0, 1.0, 0.0))
    drawing.draw(order(SpaceScene((moved, second))))
    assert drawing.uploads == 2, "what moves only is not uploaded again"
    drawing.draw(order(SpaceScene((second, cube(5.0, 0.0, 0.0, BLUE)))))
    assert (drawing.uploads, drawing.held) == (3, 2)
    drawing.close()


def test_backs_of_closed_bodies_are_left_out_but_for_who_is_inside() -> None:
    drawing = open_gl_drawing()
    outer = box((-2.0, -2.0, -2.0), (2.0, 2.0, 2.0), RED)
    inner = cube(20.0, 0.0, 0.0, GREEN)
    # Turned the other way, what is left out of it is its front.
    for triangles, name in ((outer.triangles, "red"), (outer.triangles[:, ::-1], "green")):
        closed = replace(outer, triangles=np.ascontiguousarray(triangles), body_m=7.0)
        scene = SpaceScene((PlacedMesh(closed, (20.0, 0.0, 0.0)), inner), light=WHITE_SKY)
        assert name_at(drawing.draw(order(scene)), 100, 50) == name
        around = SpaceScene((PlacedMesh(closed),), light=WHITE_SKY)
        assert name_at(drawing.draw(order(around)), 100, 50) == "red"
    drawing.close()


def test_a_large_mesh_is_drawn_in_parts() -> None:
    """Of which those behind the eye are left out, and none that is seen."""
    drawing = open_gl_drawing()
    side = 60
    rows = np.arange(side * side, dtype=np.int32).reshape(side, side)
    corners = np.stack([rows[:-1, :-1], rows[1:, :-1], rows[1:, 1:]], -1).reshape(-1, 3)
    others = np.stack([rows[:-1, :-1], rows[1:, 1:], rows[:-1, 1:]], -1).reshape(-1, 3)
    north, east = np.meshgrid(np.linspace(-90, 90, side), np.linspace(-90, 90, side))
    ground = cube(0.0, 0.0, 0.0, GREEN).mesh
    mesh = type(ground)(
        np.stack([north, east, np.full_like(north, 2.0)], -1).reshape(-1, 3).astype(np.float32),
        np.tile(np.array([0, 0, -1], np.float32), (side * side, 1)),
        np.tile(np.array(GREEN, np.float32), (side * side, 1)),
        np.concatenate([corners, others]),
    )
    for azimuth in range(0, 360, 60):
        eye = ViewCamera((0.0, 0.0, 0.0), looking(azimuth, 10.0))
        image = drawing.draw(order(SpaceScene((PlacedMesh(mesh),), light=WHITE_SKY), eye))
        seen = [name_at(image, x, y) for x in (5, 100, 195) for y in (60, 80, 98)]
        assert seen == ["green"] * 9, azimuth
    drawing.close()


@pytest.mark.parametrize("at", [(40, 30), (170, 80)])
def test_an_eye_that_is_aimed_sees_what_is_cut_out_of_a_larger_picture(
    drawing: SceneDrawing, at: tuple[int, int]
) -> None:
    """Sky and horizon too, and what stands at its edge."""
    width, height = SIZE
    eye = ViewCamera((0.0, 0.0, -3.0), looking(20.0, 12.0))
    view_deg = 2.0 * np.degrees(np.arctan(3.0 * np.tan(np.radians(eye.view_deg) / 2.0)))
    cubes = [cube(11.0, east, 0.0, GREEN) for east in range(-40, 60, 5)]
    scene = SpaceScene(tuple(cubes), light=replace(WHITE_SKY, below=RED))
    large = DrawRequest(scene, replace(eye, view_deg=view_deg), 3 * width, 3 * height)
    offset = 3 * width // 2 - at[0], 3 * height // 2 - at[1]
    cut = drawing.draw(large).copy(*offset, width, height)
    assert differing(drawing.draw(order(scene, eye.aimed(at, *SIZE))), cut) < 0.02
    assert differing(drawing.draw(order(scene, eye)), cut) > 0.15


def differing(one: QImage, other: QImage) -> float:
    """The share of pixels that differ by more than a little."""
    a, b = (
        np.frombuffer(image.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8)
        for image in (one, other)
    )
    far = np.abs(a.astype(int) - b.astype(int)).reshape(-1, 4).max(axis=1) > 12
    return float(far.mean())

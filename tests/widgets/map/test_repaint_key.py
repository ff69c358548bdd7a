"""What of a map's scene can be told apart on screen."""

from dataclasses import replace

from tests.widgets.map.test_canvas import eastward_scene
from widgets.map.projection import GeoPoint, Viewport, project
from widgets.map.repaint_key import look_of
from widgets.map.scene import MapScene

SCENE = eastward_scene()
PLACE = SCENE.vehicles[0].place
VIEW = Viewport(*project(PLACE), zoom=18.0, width=600, height=400)


def moved(scene: MapScene, pixels: float) -> MapScene:
    """The same scene with the aircraft so far to the south."""
    x, y = VIEW.place_px(PLACE)
    place = VIEW.place_at(x, y + pixels)
    return replace(scene, vehicles=(replace(scene.vehicles[0], place=place),))


def turned(scene: MapScene, course_deg: float, speed_mps: float) -> MapScene:
    mark = replace(scene.vehicles[0], course_deg=course_deg, groundspeed_mps=speed_mps)
    return replace(scene, vehicles=(mark,))


def test_what_moves_by_less_than_half_a_pixel_looks_the_same() -> None:
    assert look_of(moved(SCENE, 0.1), VIEW) == look_of(SCENE, VIEW)
    assert look_of(moved(SCENE, 1.0), VIEW) != look_of(SCENE, VIEW)


def test_the_course_of_an_aircraft_at_rest_is_not_shown() -> None:
    assert look_of(turned(SCENE, 10.0, 0.1), VIEW) == look_of(turned(SCENE, 200.0, 0.1), VIEW)
    assert look_of(turned(SCENE, 10.0, 5.0), VIEW) != look_of(turned(SCENE, 200.0, 5.0), VIEW)


def test_where_one_looks_and_how_much_was_flown_is_seen() -> None:
    assert look_of(SCENE, VIEW.panned(1.0, 0.0)) != look_of(SCENE, VIEW)
    assert look_of(eastward_scene(past=50), VIEW) != look_of(SCENE, VIEW)
    home = replace(SCENE, home=GeoPoint(48.95, 9.43))
    assert look_of(home, VIEW) != look_of(SCENE, VIEW)

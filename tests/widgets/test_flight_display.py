"""The flight display shows the right attitude, on the right side, or says why it does not."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QColor, QImage
from pytestqt.qtbot import QtBot

from telemetry.recording.flight_state import FlightState
from telemetry.vehicle.vehicle import LinkState, LinkStatus
from widgets.flight_display import FlightDisplay, attitude_fault, link_fault
from widgets.instruments.heading import turn_deg
from widgets.instruments.layout import Layout, lay_out
from widgets.instruments.pens import PenSet
from widgets.instruments.status_texts import battery_words, gps_word, link_word
from widgets.instruments.tapes import TAPE_SCALES, Tape, show_number
from widgets.theme import Theme, load_theme

LEVEL = FlightState(
    t=10.0, roll_deg=0.0, pitch_deg=0.0, yaw_deg=90.0, attitude_age_s=0.05, height_m=20.0
)
CONNECTED = LinkStatus(state=LinkState.CONNECTED, quality_percent=98)
Render = Callable[..., QImage]


@pytest.fixture(params=["light", "dark", "sunlight"])
def theme(request: pytest.FixtureRequest) -> Theme:
    return load_theme(str(request.param))


@pytest.fixture
def render(qtbot: QtBot, theme: Theme) -> Render:
    def _render(state: FlightState | None, size: int = 500, fault: str | None = None) -> QImage:
        display = FlightDisplay(theme)
        qtbot.addWidget(display)
        display.resize(size, size)
        display.show_state(state, CONNECTED, fault)
        return display.grab().toImage()

    return _render


def world_at(image: QImage, theme: Theme, point: QPoint) -> str:
    """Whether sky, ground or something else is painted at a point."""
    seen = image.pixelColor(point)
    choices = {
        name: min(_distance(seen, theme.color(f"{name}_{end}")) for end in ("top", "bottom"))
        for name in ("sky", "ground")
    }
    best = min(choices, key=lambda name: choices[name])
    return best if choices[best] < 40 else "other"


def _distance(a: QColor, b: QColor) -> int:
    return abs(a.red() - b.red()) + abs(a.green() - b.green()) + abs(a.blue() - b.blue())


def probe(layout: Layout, right: float, up: float) -> QPoint:
    """A point of the attitude field, in shares of its half width and half height."""
    rect = layout.attitude
    x = rect.x() + rect.width() * (1.0 + right) / 2.0
    y = rect.y() + rect.height() * (1.0 - up) / 2.0
    return QPoint(round(x), round(y))


def sides(image: QImage, theme: Theme) -> tuple[str, str]:
    """What is at the left and right edge, level with the aircraft symbol."""
    layout = lay_out(image.width(), image.height())
    left, right = probe(layout, -0.93, 0.0), probe(layout, 0.93, 0.0)
    return world_at(image, theme, left), world_at(image, theme, right)


def heights(image: QImage, theme: Theme) -> tuple[str, str]:
    """What is above and below the middle, beside the marks."""
    layout = lay_out(image.width(), image.height())
    above, below = probe(layout, -0.93, 0.15), probe(layout, -0.93, -0.15)
    return world_at(image, theme, above), world_at(image, theme, below)


def test_rolled_right_the_right_side_is_ground(render: Render, theme: Theme) -> None:
    assert sides(render(replace(LEVEL, roll_deg=30.0)), theme) == ("sky", "ground")


def test_rolled_left_the_left_side_is_ground(render: Render, theme: Theme) -> None:
    assert sides(render(replace(LEVEL, roll_deg=-30.0)), theme) == ("ground", "sky")


def test_level_flight_has_sky_above_and_ground_below(render: Render, theme: Theme) -> None:
    assert heights(render(LEVEL), theme) == ("sky", "ground")


def test_nose_up_the_middle_is_sky_and_nose_down_it_is_ground(render: Render, theme: Theme) -> None:
    assert heights(render(replace(LEVEL, pitch_deg=12.0)), theme) == ("sky", "sky")
    assert heights(render(replace(LEVEL, pitch_deg=-12.0)), theme) == ("ground", "ground")


def test_upside_down_the_ground_is_above(render: Render, theme: Theme) -> None:
    assert heights(render(replace(LEVEL, roll_deg=180.0)), theme) == ("ground", "sky")


@pytest.mark.parametrize("pitch", [-88.0, 88.0])
def test_in_a_steep_dive_or_climb_both_sky_and_ground_show(
    render: Render, theme: Theme, pitch: float
) -> None:
    image = render(replace(LEVEL, pitch_deg=pitch))
    layout = lay_out(500, 500)
    ends = {world_at(image, theme, probe(layout, -0.8, up)) for up in (0.97, -0.97)}
    assert ends == {"sky", "ground"}


@pytest.mark.parametrize("theme", ["dark", "sunlight"], indirect=True)
@pytest.mark.parametrize("roll", [0.0, 17.3, -44.0, 90.0])
def test_no_pixel_of_the_world_stays_unpainted(render: Render, theme: Theme, roll: float) -> None:
    image = render(replace(LEVEL, roll_deg=roll, pitch_deg=3.3), 400)
    rect = lay_out(400, 400).attitude
    margins = (
        *range(rect.left() + 14, rect.left() + 30),
        *range(rect.right() - 30, rect.right() - 14),
    )
    ground = theme.color("surface").rgb()
    assert not any(
        image.pixel(x, y) == ground
        for x in margins
        for y in range(rect.top() + 14, rect.bottom() - 14)
    )


def count_of(image: QImage, color: QColor, area: Layout, part: str) -> int:
    """How many pixels of exactly this colour a part of the display has."""
    rect = getattr(area, part)
    return sum(
        image.pixel(x, y) == color.rgb()
        for x in range(rect.left(), rect.right() + 1)
        for y in range(rect.top(), rect.bottom() + 1)
    )


@pytest.mark.parametrize(
    ("part", "token", "desired"),
    [
        ("altitude", "commanded", {"desired_height_m": 26.0}),
        ("heading", "commanded", {"desired_yaw_deg": 110.0}),
        ("attitude", "command_bar", {"desired_roll_deg": 10.0, "desired_pitch_deg": 5.0}),
    ],
)
def test_bugs_show_only_what_is_commanded(
    render: Render, theme: Theme, part: str, token: str, desired: dict[str, float]
) -> None:
    layout, color = lay_out(300, 300), theme.color(token)
    assert count_of(render(LEVEL, 300), color, layout, part) == 0
    assert count_of(render(replace(LEVEL, **desired), 300), color, layout, part) > 10


def test_a_height_bug_above_stands_above_the_reading(render: Render, theme: Theme) -> None:
    layout, color = lay_out(300, 300), theme.color("commanded")
    rect = layout.altitude

    def rows(desired_m: float) -> list[int]:
        image = render(replace(LEVEL, desired_height_m=desired_m), 300)
        column = rect.left() + 1
        return [
            y for y in range(rect.top(), rect.bottom()) if image.pixel(column, y) == color.rgb()
        ]

    assert max(rows(28.0)) < rect.center().y() < min(rows(12.0))


@pytest.mark.parametrize(
    ("state", "fault"),
    [
        (None, "No aircraft. Connect one, or open a log."),
        (FlightState(t=3.0), "No attitude received yet"),
        (replace(LEVEL, attitude_age_s=3.2), "Attitude is 3 s old"),
        (replace(LEVEL, attitude_age_s=0.99), ""),
    ],
)
def test_why_an_attitude_is_not_shown(state: FlightState | None, fault: str) -> None:
    assert attitude_fault(state) == fault


def test_a_stale_attitude_is_crossed_out_and_never_frozen(render: Render, theme: Theme) -> None:
    layout, danger = lay_out(300, 300), theme.color("danger")
    fresh, stale = render(LEVEL, 300), render(replace(LEVEL, attitude_age_s=2.0), 300)
    assert count_of(fresh, danger, layout, "attitude") == 0
    assert count_of(stale, danger, layout, "attitude") > 100
    sky = {theme.color("sky_top").rgb(), theme.color("sky_bottom").rgb()}
    assert stale.pixel(probe(layout, -0.9, 0.5)) not in sky
    assert world_at(stale, theme, probe(layout, -0.9, 0.5)) == "other"


def test_a_fault_given_from_outside_wins(qtbot: QtBot) -> None:
    display = FlightDisplay(load_theme("dark"))
    qtbot.addWidget(display)
    display.show_state(LEVEL, CONNECTED, "Link lost")
    assert display.fault == "Link lost"
    display.show_state(LEVEL, CONNECTED)
    assert display.fault == ""


def test_only_a_lost_link_is_a_fault() -> None:
    assert link_fault(LinkStatus(state=LinkState.LOST)) == "Link lost"
    assert link_fault(LinkStatus(state=LinkState.REPLAY)) == ""


def test_the_same_state_is_not_painted_again(qtbot: QtBot) -> None:
    display = FlightDisplay(load_theme("dark"))
    qtbot.addWidget(display)
    painted = []
    display.update = lambda *_: painted.append(1)  # type: ignore[method-assign]
    display.show_state(LEVEL, CONNECTED)
    display.show_state(replace(LEVEL, t=11.0, attitude_age_s=0.1), CONNECTED)
    display.show_state(replace(LEVEL, roll_deg=0.02, pitch_deg=0.01), CONNECTED)  # a tenth of a px
    assert len(painted) == 1
    display.show_state(replace(LEVEL, roll_deg=1.0), CONNECTED)
    assert len(painted) == 2


@pytest.mark.parametrize("size", [(250, 200), (1000, 800), (1000, 300), (300, 800), (546, 400)])
@pytest.mark.parametrize("has_words", [True, False])
def test_the_parts_fit_and_do_not_overlap(size: tuple[int, int], has_words: bool) -> None:
    layout = lay_out(*size, has_words=has_words)
    assert layout.mode.isEmpty() != has_words
    parts = [layout.mode, layout.armed, layout.speed, layout.attitude, layout.altitude]
    parts += [layout.climb, layout.left_corner, layout.heading, layout.right_corner]
    for index, part in enumerate(parts):
        assert part.left() >= 0
        assert part.top() >= 0
        assert part.right() < size[0]
        assert part.bottom() < size[1]
        assert not any(part.intersects(other) for other in parts[index + 1 :])


@pytest.mark.parametrize("size", [(240, 180), (1000, 800), (300, 800)])
def test_it_paints_at_any_shape_with_anything_missing(
    qtbot: QtBot, size: tuple[int, int], theme: Theme
) -> None:
    display = FlightDisplay(theme)
    qtbot.addWidget(display)
    display.resize(*size)
    for state in (None, FlightState(t=0.0), LEVEL, replace(LEVEL, height_m=-12345.0)):
        display.show_state(state, CONNECTED)
        assert not display.grab().isNull()


def test_what_the_strip_says_already_leaves_its_room_to_the_attitude() -> None:
    """On the card of *Fly* it is half of the height, and more than half of the width."""
    with_words, without = (lay_out(330, 248, has_words=has).attitude for has in (True, False))
    assert without.height() > with_words.height() + 20
    assert min(without.width() / 330, without.height() / 248) > 0.55


@pytest.mark.parametrize(
    ("size", "title"),
    [((330, 248), "m above home"), ((240, 180), "m above home"), ((170, 180), "above home")],
)
@pytest.mark.usefixtures("qapp")
def test_the_height_says_above_what(size: tuple[int, int], title: str) -> None:
    """With its unit, where there is room for it."""
    layout = lay_out(*size, has_words=False)
    ink, spare_px = PenSet(load_theme("dark"), layout), layout.climb.width() + layout.px(6)
    scale = TAPE_SCALES["m"]
    tape = Tape(layout.altitude, ink, scale, faces_right=False, spare_px=spare_px)
    assert tape.title_of(("m above home", "above home")) == title


def test_words() -> None:
    assert gps_word(FlightState(t=0.0)).text == "GPS –"
    fixed = FlightState(t=0.0, gps_fix="Fix3D", gps_satellites=12, gps_age_s=0.4)
    assert gps_word(fixed).text == "GPS 3D · 12"
    assert gps_word(replace(fixed, gps_age_s=30.0)).text == "GPS silent"
    assert gps_word(replace(fixed, gps_fix="NoFix")).token == "caution"
    assert link_word(CONNECTED).text == "Link 98 %"
    assert link_word(replace(CONNECTED, quality_percent=40)).token == "danger"
    assert link_word(LinkStatus(state=LinkState.REPLAY)).text == "Replay"
    battery = FlightState(t=0.0, battery_v=11.42, battery_a=8.24, battery_percent=12.0)
    assert [word.text for word in battery_words(battery)] == ["11.4 V  12 %", "8.2 A"]
    assert battery_words(battery)[0].token == "danger"


def test_numbers_keep_their_room() -> None:
    assert [show_number(v) for v in (7.25, -0.04, -3.1, 1203.4)] == ["7.2", "0.0", "−3.1", "1203"]


def test_turns_take_the_short_way() -> None:
    assert turn_deg(10.0, 350.0) == 20.0
    assert turn_deg(350.0, 10.0) == -20.0

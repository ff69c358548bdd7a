"""Themes: the files are complete, readable in the light they are for, and the only colours."""

import json
import re
from dataclasses import replace
from importlib import resources
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFontMetricsF, QPalette
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDoubleSpinBox,
    QLineEdit,
    QPushButton,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from widgets.parts import make_column
from widgets.theme import (
    SERIES_COUNT,
    TOKENS,
    Density,
    Theme,
    ThemeError,
    desktop_scale,
    load_theme,
    parse_theme,
)
from widgets.theme import apply_theme as apply
from widgets.theme import theme_names as names

pytestmark = pytest.mark.usefixtures("kept_look")

ROOT = Path(__file__).resolve().parents[2]
LEAST_CONTRAST = {"light": 4.5, "dark": 4.5, "sunlight": 7.0}

SURFACES = ("window", "surface", "raised")
TEXT_PAIRS = (
    *((text, ground) for ground in SURFACES for text in ("text", "muted", "accent", "danger")),
    *((text, ground) for ground in SURFACES for text in ("caution", "ok", "commanded")),
    *((text, ground) for ground in SURFACES for text in ("selected",)),
    *((text, "input") for text in ("text", "muted", "danger", "caution")),
    *(("text", ground) for ground in ("hover", "pressed", "accent_soft")),
    *(("text", f"{tone}_soft") for tone in ("ok", "caution", "danger")),
    *((tone, f"{tone}_soft") for tone in ("ok", "caution", "danger", "accent")),
    *((f"text_on_{tone}", tone) for tone in ("accent", "ok", "caution", "danger")),
    *((f"text_on_{tone}", tone) for tone in ("selected", "commanded", "readout", "attention")),
    *(("scale", ground) for ground in ("sky_top", "sky_bottom", "ground_top", "ground_bottom")),
    *((text, "tape") for text in ("text", "muted", "tape_mark", "commanded", "caution", "danger")),
    *((text, ground) for ground in ("plot_background", "plot_gap") for text in ("text", "muted")),
    *((text, "map_background") for text in ("text", "muted")),
    *((text, "map_water") for text in ("text", "muted")),
)


@pytest.mark.parametrize(
    ("text_px", "factor"),
    [(12, 1.0), (13, 1.0), (15, 1.0), (18, 1.2), (30, 2.0), (9, 0.75), (0, 1.0)],
)
def test_text_of_the_desktop_larger_than_usual_is_followed(text_px: float, factor: float) -> None:
    assert desktop_scale(text_px) == pytest.approx(factor)


def luminance(color: QColor) -> float:
    """Relative luminance after WCAG 2."""
    channels = np.array([color.redF(), color.greenF(), color.blueF()])
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    return float(linear @ [0.2126, 0.7152, 0.0722])


def contrast(a: QColor, b: QColor) -> float:
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


@pytest.fixture(params=names())
def theme(request: pytest.FixtureRequest) -> Theme:
    return load_theme(str(request.param))


def test_contrast_formula_knows_black_on_white() -> None:
    assert contrast(QColor("black"), QColor("white")) == pytest.approx(21.0)


def test_every_text_is_readable_on_its_ground(theme: Theme) -> None:
    least = LEAST_CONTRAST[theme.name]
    poor = [
        f"{text} on {ground}: {ratio:.2f}"
        for text, ground in TEXT_PAIRS
        if (ratio := contrast(theme.color(text), theme.color(ground))) < least
    ]
    assert not poor


def test_curves_stand_out_from_the_plot(theme: Theme) -> None:
    ground = theme.color("plot_background")
    assert all(contrast(theme.series(i), ground) >= 3.0 for i in range(SERIES_COUNT))


# How the three kinds of colour blindness see linear RGB (Machado, Oliveira, Fernandes 2009,
# complete deficiency), and the OKLab space in which equal distances look equally different.
EYES = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.1523, 1.0526, -0.2049], [0.1145, 0.7863, 0.0992], [-0.0039, -0.0481, 1.0520]]
    ),
    "deutan": np.array(
        [[0.3673, 0.8606, -0.2280], [0.2801, 0.6725, 0.0474], [-0.0118, 0.0429, 0.9689]]
    ),
    "tritan": np.array(
        [[1.2555, -0.0767, -0.1788], [-0.0784, 0.9309, 0.1476], [0.0047, 0.6914, 0.3039]]
    ),
}
TO_LMS = np.array(
    [[0.41222, 0.53633, 0.05145], [0.21190, 0.68070, 0.10740], [0.08830, 0.28172, 0.62998]]
)
TO_LAB = np.array(
    [[0.21045, 0.79362, -0.00407], [1.97800, -2.42859, 0.45059], [0.02590, 0.78277, -0.80868]]
)


def nearest_pair(colors: list[QColor], eye: np.ndarray) -> float:
    """The smallest perceived distance between any two of these colours."""
    rgb = np.array([[c.redF(), c.greenF(), c.blueF()] for c in colors])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    seen = np.clip(linear @ eye.T, 0.0, 1.0)
    lab = np.cbrt(seen @ TO_LMS.T) @ TO_LAB.T
    return min(float(np.linalg.norm(a - b)) for a, b in combinations(lab, 2))


def test_red_and_green_look_alike_to_a_deutan_eye() -> None:
    pair = [QColor(200, 90, 60), QColor(120, 130, 60)]
    assert nearest_pair(pair, EYES["normal"]) > 2.0 * nearest_pair(pair, EYES["deutan"])


@pytest.mark.parametrize("eye", EYES)
def test_curves_differ_for_every_eye(theme: Theme, eye: str) -> None:
    colors = [theme.series(i) for i in range(SERIES_COUNT)]
    assert nearest_pair(colors[:6], EYES[eye]) > (0.17 if eye == "normal" else 0.08)
    assert nearest_pair(colors, EYES[eye]) > (0.11 if eye == "normal" else 0.045)


@pytest.mark.parametrize("ground", ["sky_top", "sky_bottom", "ground_top", "ground_bottom"])
def test_commanded_attitude_stands_out_from_the_world(theme: Theme, ground: str) -> None:
    assert contrast(theme.color("command_bar"), theme.color(ground)) >= 2.9


def test_series_repeat_after_the_last(theme: Theme) -> None:
    assert theme.series(SERIES_COUNT + 2) == theme.series(2)


def test_faults_in_a_theme_file_are_named() -> None:
    text = resources.files("resources").joinpath("themes", "dark.json").read_text("utf-8")
    table = json.loads(text)
    broken = {
        "has no colour for danger": lambda t: t["colors"].pop("danger"),
        "nothing is called purple": lambda t: t["colors"].update(purple="#800080"),
        "line must be written #rrggbb": lambda t: t["colors"].update(line="grey"),
        "'dark' must be a bool": lambda t: t.update(dark="yes"),
        'needs an object with "colors"': lambda t: t.pop("colors"),
    }
    for message, spoil in broken.items():
        copy = json.loads(json.dumps(table))
        spoil(copy)
        with pytest.raises(ThemeError, match=re.escape(message)):
            parse_theme("mine", json.dumps(copy))
    with pytest.raises(ThemeError, match="line 1"):
        parse_theme("mine", "{")
    with pytest.raises(ThemeError, match="choose one of light, dark, sunlight"):
        load_theme("neon")


def test_the_color_handed_out_is_a_copy(theme: Theme) -> None:
    theme.color("text").setAlpha(0)
    assert theme.color("text").alpha() == 255


def test_sizes_follow_the_users_factor_within_limits() -> None:
    assert load_theme("dark", 1.5).font_px("title") == 27
    assert load_theme("dark", 9.0).font_px("body") == 28
    assert load_theme("dark").font("display").pixelSize() == 28


@pytest.mark.parametrize(
    ("density", "least_px", "most_px"), [("compact", 28, 32), ("comfortable", 40, 40)]
)
def test_what_is_pressed_is_as_high_as_its_density_says(
    qtbot: QtBot, theme: Theme, density: Density, least_px: int, most_px: int
) -> None:
    """And as high with the focus as without; what flies is 40 px high in both."""
    qapp = QApplication.instance()
    assert isinstance(qapp, QApplication)
    apply(qapp, replace(theme, density=density))
    try:
        window = QWidget()
        qtbot.addWidget(window)
        parts = [QPushButton("Apply"), QLineEdit(), QComboBox(), QDoubleSpinBox(), QToolButton()]
        flight = QPushButton("Hold")
        flight.setProperty("dense", True)
        window.setLayout(make_column(*parts, flight))
        window.show()
        for part in parts:
            before = part.sizeHint()
            part.setFocus()
            assert least_px <= part.sizeHint().height() <= most_px, part
            assert part.sizeHint() == before
        assert flight.sizeHint().height() == 40
    finally:
        qapp.setStyleSheet("")


def test_digits_have_one_width(theme: Theme, qapp: QApplication) -> None:
    metrics = QFontMetricsF(theme.font())
    assert len({metrics.horizontalAdvance(digit) for digit in "0123456789"}) == 1


def test_applying_a_theme_changes_palette_and_keeps_targets_large(
    qapp: QApplication, qtbot: object, theme: Theme
) -> None:
    apply(qapp, theme)
    try:
        assert qapp.palette().color(QPalette.ColorRole.Window) == theme.color("window")
        button = QPushButton("Save on board")
        button.ensurePolished()
        assert button.sizeHint().height() >= theme.target_px()
        button.deleteLater()
    finally:
        qapp.setStyleSheet("")


@pytest.mark.parametrize(
    ("icon", "token"), [("tick", "text_on_accent"), ("up", "muted"), ("down", "muted")]
)
def test_icons_have_the_colors_of_their_theme(theme: Theme, icon: str, token: str) -> None:
    drawing = resources.files("resources").joinpath("themes", theme.name, f"{icon}.svg")
    assert theme.color(token).name() in drawing.read_text("utf-8")


COLOR_LITERALS = re.compile(
    r"""["']\#[0-9a-fA-F]{3,8}\b       # a hex string
    |\#[0-9a-fA-F]{6}\b                # ... or a hex colour inside a style sheet
    |QColor\(\s*\d                     # QColor(255, ...)
    |QColor\(\s*["']                   # QColor("red")
    |from(Rgb|Hsl|Hsv|Cmyk)F?\(\s*\d|qRgba?\(\s*\d
    |Qt\.(GlobalColor\.)?(black|white|red|green|blue|cyan|magenta|yellow|gray|darkGray|lightGray)\b
    |Qt\.GlobalColor\.(?!transparent)
    |mk(Pen|Brush|Color)\(\s*["'\d(]   # pyqtgraph's ways to name a colour
    |(?<![\w-])color:\s*(?!\$)[a-z]+\s*; # a colour word in a style sheet
    """,
    re.VERBOSE,
)


def color_literals(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if COLOR_LITERALS.search(line)]


@pytest.mark.parametrize(
    "line",
    [
        'pen = QPen("#ff0000")',
        "QColor(255, 0, 0)",
        'QColor("red")',
        "Qt.red",
        "Qt.GlobalColor.darkCyan",
        "pg.mkPen('r')",
        "QColor.fromRgbF(0.5, 0, 0)",
        "pg.mkPen((1, 2, 3))",
        "QLabel { color: red; }",
        "setStyleSheet('border: 1px solid #445566')",
    ],
)
def test_the_search_for_colors_finds(line: str) -> None:
    assert color_literals(line)


def test_the_search_for_colors_spares() -> None:
    fine = 'theme.color("danger")\nQColor(self._colors[token])\n# issue #12\nborder: $line;'
    assert not color_literals(fine)


@pytest.mark.parametrize("room", ["app", "widgets", "plugins"])
def test_only_themes_name_colors(room: str) -> None:
    found = {
        str(path.relative_to(ROOT)): lines
        for path in sorted((ROOT / room).rglob("*.py"))
        if (lines := color_literals(path.read_text(encoding="utf-8")))
    }
    assert not found


def test_every_token_is_known_to_every_theme(theme: Theme) -> None:
    assert all(theme.color(token).isValid() for token in TOKENS)

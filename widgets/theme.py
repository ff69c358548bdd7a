"""Themes: colours, type sizes and the look of the whole station, from one table each.

A theme is a file `resources/themes/<name>.json`. Nothing else in the program names a colour:
widgets ask for a token (`theme.color("caution")`), which says what the colour means. A test reads
the source to keep it so.
"""

import json
import re
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib import resources
from typing import Any, Literal

from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from widgets.display_units import METRIC, DisplayUnits
from widgets.stylesheet import style_sheet
from widgets.visible_first import VisibleFirst

THEME_NAMES = ("light", "dark", "sunlight")
SERIES_COUNT = 12
TOKENS = (
    # Surfaces, from the back to the front, and what stands on them.
    *("window", "surface", "raised", "input", "line", "hover", "pressed"),
    *("text", "muted", "disabled"),
    # Meanings: accent = can be acted on, commanded = desired value, selected = chosen by the user;
    # attention = the amber fill of a badge that is not readable as a text colour on light ground.
    *("accent", "accent_soft", "focus", "commanded", "selected"),
    *("ok", "ok_soft", "caution", "caution_soft", "danger", "danger_soft"),
    *("attention", "text_on_attention"),
    *("text_on_accent", "text_on_ok", "text_on_caution", "text_on_danger"),
    *("text_on_selected", "text_on_commanded"),
    # Instruments.
    *("sky_top", "sky_bottom", "ground_top", "ground_bottom", "horizon"),
    *("symbol", "symbol_outline", "command_bar", "scale"),
    *("tape", "tape_mark", "readout", "text_on_readout"),
    # Plots and map.
    *("plot_background", "plot_grid", "plot_gap"),
    *(
        "map_background",
        "map_grid",
        "map_water",
        "map_border",
        "track",
        "track_low",
        "track_middle",
        "track_high",
        "home",
    ),
    *(f"series_{number}" for number in range(1, SERIES_COUNT + 1)),
)
SIZES_PX = {"small": 12, "body": 14, "title": 18, "display": 28}
SCALE_RANGE = (0.8, 2.0)
_USUAL_TEXT_PX = (12.0, 15.0)
FLIGHT_TARGET_PX = 40
"""What flies the aircraft is as large in each density."""
RADIUS_PX = 6
"""Of the corners of all that has a border."""

Size = Literal["small", "body", "title", "display"]
Density = Literal["comfortable", "compact"]
DENSITIES_PX: Mapping[Density, tuple[int, int]] = {"comfortable": (40, 32), "compact": (28, 26)}
"""By density the least side of what is clicked or touched, and the height of a row of a table."""

_HEX = re.compile(r"#[0-9a-fA-F]{6}")
_FAMILIES = ["Inter", "Segoe UI", "SF Pro Text", "Ubuntu", "Cantarell", "Noto Sans", "DejaVu Sans"]


class ThemeError(ValueError):
    """A theme file cannot be used; the message names the file, the fault and the remedy."""


@dataclass(frozen=True, slots=True)
class Theme:
    """One look of the station. `scale` is the user's factor on all sizes, 0.8 to 2.0; `density`
    says how much room fields, rows and buttons take; `units` are those that values are shown in.
    """

    name: str
    title: str
    is_dark: bool
    is_bold: bool
    line_px: float
    scale: float = 1.0
    density: Density = "compact"
    units: DisplayUnits = METRIC
    _colors: Mapping[str, QColor] = field(default_factory=dict, repr=False)

    def color(self, token: str) -> QColor:
        """Return the colour of `token`, one of TOKENS. KeyError for any other name."""
        return QColor(self._colors[token])

    def series(self, index: int) -> QColor:
        """Return the colour of the curve `index` (from 0); after twelve they start again."""
        return self.color(f"series_{index % SERIES_COUNT + 1}")

    def font_px(self, size: Size = "body") -> int:
        """Return the height of a type size in logical pixels, the user's scale included."""
        return round(SIZES_PX[size] * self.scale)

    def target_px(self) -> int:
        """Return the least side of a button in logical pixels, the user's scale included."""
        return round(DENSITIES_PX[self.density][0] * self.scale)

    def row_px(self) -> int:
        """Return the height of a row of a table in logical pixels, the user's scale included."""
        return round(DENSITIES_PX[self.density][1] * self.scale)

    def font(self, size: Size = "body", *, bold: bool = False) -> QFont:
        """Return the interface font in one of the four sizes, with digits of equal width."""
        return self.font_of(self.font_px(size), bold=bold)

    def font_of(self, pixels: int, *, bold: bool = False) -> QFont:
        """Return the interface font `pixels` high, for instruments that scale with their size."""
        return QFont(_font(max(1, pixels), bold or self.is_bold))

    def palette(self) -> QPalette:
        """Return the palette that makes the Fusion style follow this theme."""
        palette = QPalette()
        for role, token in _PALETTE.items():
            palette.setColor(role, self.color(token))
        for role in _DISABLED_ROLES:
            palette.setColor(QPalette.ColorGroup.Disabled, role, self.color("disabled"))
        return palette


def desktop_scale(text_px: float) -> float:
    """How much larger than usual everything is on a desktop whose text is `text_px` high.

    Our body text is made for desktops of usual text: 12 px (9 pt at 96 dpi) to 15 px (11 pt),
    where the factor is 1. It follows larger and smaller text from there on.
    """
    least, most = _USUAL_TEXT_PX
    return text_px / min(max(text_px, least), most) if text_px > 0.0 else 1.0


@lru_cache
def _font(pixels: int, is_bold: bool) -> QFont:
    """One font, kept: whoever is given it takes a copy."""
    font = QFont(_FAMILIES)
    font.setPixelSize(pixels)
    font.setWeight(QFont.Weight.DemiBold if is_bold else QFont.Weight.Normal)
    if hasattr(font, "setFeature"):  # since Qt 6.7; before, the system font must do
        font.setFeature(QFont.Tag("tnum"), 1)
    return font


_Role = QPalette.ColorRole
_PALETTE = {
    _Role.Window: "window",
    _Role.WindowText: "text",
    _Role.Base: "input",
    _Role.AlternateBase: "surface",
    _Role.ToolTipBase: "raised",
    _Role.ToolTipText: "text",
    _Role.PlaceholderText: "muted",
    _Role.Text: "text",
    _Role.Button: "raised",
    _Role.ButtonText: "text",
    _Role.BrightText: "danger",
    _Role.Light: "hover",
    _Role.Midlight: "hover",
    _Role.Mid: "line",
    _Role.Dark: "line",
    _Role.Shadow: "readout",
    _Role.Highlight: "accent",
    _Role.Accent: "accent",
    _Role.HighlightedText: "text_on_accent",
    _Role.Link: "accent",
    _Role.LinkVisited: "accent",
}
_DISABLED_ROLES = (_Role.WindowText, _Role.Text, _Role.ButtonText)


def theme_names() -> tuple[str, ...]:
    """Return the names of the shipped themes."""
    return THEME_NAMES


def load_theme(name: str, scale: float = 1.0) -> Theme:
    """Read a shipped theme. ThemeError when there is none of that name or its file is broken."""
    if name not in THEME_NAMES:
        raise ThemeError(f"There is no theme {name!r}; choose one of {', '.join(THEME_NAMES)}.")
    source = resources.files("resources").joinpath("themes", f"{name}.json")
    return parse_theme(name, source.read_text(encoding="utf-8"), scale)


def parse_theme(name: str, text: str, scale: float = 1.0) -> Theme:
    """Build a theme from the text of its file. ThemeError says what to correct."""
    try:
        table = json.loads(text)
    except json.JSONDecodeError as error:
        raise ThemeError(f"Theme {name}, line {error.lineno}: {error.msg}.") from error
    if not isinstance(table, dict) or not isinstance(table.get("colors"), dict):
        raise ThemeError(f'Theme {name} needs an object with "colors" in it.')
    return Theme(
        name=name,
        title=str(_setting(name, table, "title", str)),
        is_dark=bool(_setting(name, table, "dark", bool)),
        is_bold=bool(_setting(name, table, "bold", bool)),
        line_px=float(_setting(name, table, "line_px", float)),
        scale=min(max(scale, SCALE_RANGE[0]), SCALE_RANGE[1]),
        _colors=_colors(name, table["colors"]),
    )


def apply_theme(app: QApplication, theme: Theme) -> None:
    """Give the whole application this look: style, palette, font, style sheet, plot colours.

    Widgets that stand already follow within the next events, those that show first.
    """
    walk = app.findChild(VisibleFirst)
    if walk is None:
        app.setStyle("Fusion")
        walk = VisibleFirst(app)
    scheme = Qt.ColorScheme.Dark if theme.is_dark else Qt.ColorScheme.Light
    if hasattr(app.styleHints(), "setColorScheme"):  # since Qt 6.8: title bars and file dialogs
        app.styleHints().setColorScheme(scheme)
    walk.start(lambda: _set_sheet(app, theme), _polish, lambda widget: _hand_theme(widget, theme))
    app.setPalette(theme.palette())
    app.setFont(theme.font())
    if "pyqtgraph" in sys.modules:
        configure_plots(theme)


def _set_sheet(app: QApplication, theme: Theme) -> None:
    """Qt would polish all widgets that it has rules for anew, hidden ones too, and each once for
    every ancestor: seconds for a station. With its rules dropped first it finds none to polish.
    """
    colors = {token: theme.color(token).name() for token in TOKENS}
    icons = str(resources.files("resources").joinpath("themes", theme.name)).replace("\\", "/")
    app.style().unpolish(app)
    lengths: dict[str, int] = {
        "target": theme.target_px(),
        "flight_target": round(FLIGHT_TARGET_PX * theme.scale),
        "row": theme.row_px(),
        "hair": max(1, round(theme.line_px)),
        "small": theme.font_px("small"),
        "title": theme.font_px("title"),
        "display": theme.font_px("display"),
        "radius": RADIUS_PX,
    }
    app.setStyleSheet(style_sheet(colors, lengths, theme.scale, icons))


def _polish(widget: QWidget) -> None:
    """Have a widget that stands already take the present style sheet."""
    widget.style().polish(widget)
    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))


def hand_theme(root: QWidget, theme: Theme) -> None:
    """Have `root` and all below it that paint with theme colours (they have a function
    `apply_theme`) take them over; for widgets that were just built.
    """
    for widget in (root, *root.findChildren(QWidget)):
        _hand_theme(widget, theme)


def _hand_theme(widget: QWidget, theme: Theme) -> None:
    """What a plugin's widget raises is for what holds it: the nearest one with `run_guarded`."""
    take = getattr(widget, "apply_theme", None)
    if take is None:
        return
    host = widget.parentWidget()
    while host is not None and not hasattr(host, "run_guarded"):
        host = host.parentWidget()
    if host is None:
        take(theme)
    else:
        host.run_guarded(take, theme)


def mixed(color: QColor, ground: QColor, share: float) -> QColor:
    """`share` of a colour on a ground, opaque."""
    ours, theirs = ((c.redF(), c.greenF(), c.blueF()) for c in (color, ground))
    return QColor.fromRgbF(
        *(a * share + b * (1 - share) for a, b in zip(ours, theirs, strict=True))
    )


class ThemedWidget(QWidget):
    """Paints in the colours of `_theme`, and again when it is handed another."""

    _theme: Theme | None = None

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours."""
        self._theme = theme
        self.update()


class PaintedWidget(ThemedWidget):
    """Paints by `paint`, with smooth edges, once it has been handed a theme."""

    def paintEvent(self, _event: QPaintEvent) -> None:
        """Have it painted."""
        if self._theme is not None:
            with QPainter(self) as painter:
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                self.paint(painter, self._theme)

    def paint(self, painter: QPainter, theme: Theme) -> None:
        """Paint all of it."""
        raise NotImplementedError


def configure_plots(theme: Theme) -> None:
    """Set pyqtgraph's defaults; call it before making the first plot (the import is slow)."""
    import pyqtgraph

    pyqtgraph.setConfigOptions(
        background=theme.color("plot_background"), foreground=theme.color("muted"), antialias=False
    )


def _setting(name: str, table: Mapping[str, Any], key: str, kind: type) -> Any:
    value = table.get(key)
    accepted = (int, float) if kind is float else kind
    if not isinstance(value, accepted):
        raise ThemeError(f"Theme {name}: {key!r} must be a {kind.__name__}, not {value!r}.")
    return value


def _colors(name: str, table: Mapping[str, Any]) -> dict[str, QColor]:
    missing = [token for token in TOKENS if token not in table]
    if missing:
        raise ThemeError(f"Theme {name} has no colour for {', '.join(missing)}; add it.")
    unknown = [token for token in table if token not in TOKENS]
    if unknown:
        raise ThemeError(f"Theme {name}: nothing is called {', '.join(unknown)}; remove it.")
    for token, value in table.items():
        if not isinstance(value, str) or not _HEX.fullmatch(value):
            raise ThemeError(f"Theme {name}: {token} must be written #rrggbb, not {value!r}.")
    return {token: QColor(value) for token, value in table.items()}

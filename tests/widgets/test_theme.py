"""Themes: the files are complete, readable in the light they are for, and the only colours."""

import json
import re
from importlib import resources
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QColor, QFontMetricsF, QPalette
from PySide6.QtWidgets import QApplication, QPushButton

from widgets.theme import SERIES_COUNT, TOKENS, Theme, ThemeError, load_theme, parse_theme
from widgets.theme import apply_theme as apply
from widgets.theme import theme_names as names

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
    *((f"text_on_{tone}", tone) for tone in ("selected", "commanded", "readout")),
    *(("scale", ground) for ground in ("sky_top", "sky_bottom", "ground_top", "ground_bottom")),
    *((text, "tape") for text in ("text", "muted", "tape_mark", "commanded", "caution", "danger")),
    *((text, "plot_background") for text in ("text", "muted")),
    *((text, "map_background") for text in ("text", "muted")),
)


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

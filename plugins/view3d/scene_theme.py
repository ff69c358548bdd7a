"""Scene theme: the colours and the light that a theme makes of a scene."""

from dataclasses import dataclass

from PySide6.QtGui import QColor

from widgets.display_units import DisplayUnits
from widgets.map.scene import SHADES
from widgets.map.track_layer import shade
from widgets.scene3d.aircraft_meshes import AircraftColours
from widgets.scene3d.scene import Rgb, SpaceLight
from widgets.theme import Theme


@dataclass(frozen=True, slots=True)
class SceneTheme:
    """Colours of what is drawn, light, units."""

    ground: Rgb
    grid: Rgb
    track: Rgb
    truth: Rgb
    outline: Rgb
    plan: Rgb
    target: Rgb
    fence_inside: Rgb
    fence_outside: Rgb
    wind: Rgb
    scan: Rgb
    shades: tuple[Rgb, ...]
    """Of a track's quantity, from low to high."""
    aircraft: AircraftColours
    light: SpaceLight
    units: DisplayUnits


def scene_theme_of(theme: Theme) -> SceneTheme:
    """The look of a scene that has no world of its own."""

    def rgb(token: str) -> Rgb:
        return _rgb(theme.color(token))

    light = SpaceLight(
        haze=rgb("sky_bottom"),
        zenith=rgb("sky_top"),
        below=rgb("ground_bottom"),
    )
    return SceneTheme(
        ground=rgb("ground_top"),
        grid=rgb("scale"),
        track=rgb("track"),
        truth=rgb("scale"),
        outline=rgb("symbol_outline"),
        plan=rgb("commanded"),
        target=rgb("attention"),
        fence_inside=rgb("caution"),
        fence_outside=rgb("danger"),
        wind=rgb("scale"),
        scan=rgb("attention"),
        shades=tuple(_rgb(shade(theme, level)) for level in range(SHADES)),
        aircraft=AircraftColours(rgb("symbol"), rgb("commanded"), rgb("scale")),
        light=light,
        units=theme.units,
    )


def _rgb(color: QColor) -> Rgb:
    return color.redF(), color.greenF(), color.blueF()

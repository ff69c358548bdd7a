"""Small scenes, and waiting for their pictures."""

import numpy as np
from PySide6.QtGui import QColor, QImage

from widgets.scene3d.camera import ViewCamera, looking
from widgets.scene3d.draw_request import DrawRequest
from widgets.scene3d.scene import PlacedMesh, SolidMesh, SpaceLight, SpaceScene
from widgets.scene3d.solids import box

NORTH = ViewCamera((0.0, 0.0, 0.0), looking(0.0, 0.0))
"""Looks north from the origin."""
SIZE = (200, 100)
WHITE_SKY = SpaceLight(
    sun=(0.0, 0.0, 0.0),
    ambient=(1.0, 1.0, 1.0),
    haze=(1.0, 1.0, 1.0),
    zenith=(1.0, 1.0, 1.0),
    below=(1.0, 1.0, 1.0),
    haze_per_m=0.0,
)
RED, GREEN, BLUE = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


def cube(north: float, east: float, down: float, colour: tuple[float, float, float]) -> PlacedMesh:
    """Two metres wide around a place."""
    return PlacedMesh(box((-1.0, -1.0, -1.0), (1.0, 1.0, 1.0), colour), (north, east, down))


def wall(picture: np.ndarray) -> PlacedMesh:
    """A square of 10 m, 10 m to the north, with a picture on it as one who looks there sees it."""
    corners = np.array([[10, -5, -5], [10, 5, -5], [10, 5, 5], [10, -5, 5]], np.float32)
    return PlacedMesh(
        SolidMesh(
            corners,
            np.tile(np.array([-1, 0, 0], np.float32), (4, 1)),
            np.ones((4, 3), np.float32),
            np.array([[0, 1, 2], [0, 2, 3]], np.int32),
            uv=np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32),
            picture=picture,
        )
    )


def order(
    scene: SpaceScene, eye: ViewCamera = NORTH, inset: ViewCamera | None = None
) -> DrawRequest:
    """A picture of SIZE."""
    return DrawRequest(scene, eye, *SIZE, inset)


def name_at(image: QImage, x: float, y: float) -> str:
    """Which of red, green, blue, white and black a pixel is closest to."""
    names = {"red": RED, "green": GREEN, "blue": BLUE, "white": (1, 1, 1), "black": (0, 0, 0)}
    color = QColor(image.pixel(round(x), round(y)))
    seen = (color.redF(), color.greenF(), color.blueF())
    return min(
        names,
        key=lambda name: (
            float(np.hypot(*np.subtract(names[name], seen)[:2])) + abs(names[name][2] - seen[2])
        ),
    )

"""Draw request: the scene and its cameras, and the protocol of what draws it."""

from dataclasses import dataclass
from typing import Protocol

from PySide6.QtGui import QImage

from widgets.scene3d.camera import ViewCamera, inset_place
from widgets.scene3d.scene import SpaceScene


@dataclass(frozen=True, slots=True, eq=False)
class DrawRequest:
    """A scene from where an eye looks, in so many pixels; with a picture of a second eye in it."""

    scene: SpaceScene
    eye: ViewCamera
    width: int
    height: int
    inset: ViewCamera | None = None
    shown: tuple[int, int] | None = None
    """The size at which it is shown, where that is another one."""

    @property
    def inset_place(self) -> tuple[int, int, int, int]:
        """Where the second picture stands in it: x, y, width and height; of no width where what is
        shown has no room for one."""
        wide, high = self.shown or self.size
        x, y, width, height = inset_place(wide, high)
        across, down = self.width / wide, self.height / high
        left, upper = round(x * across), round(y * down)
        return left, upper, round((x + width) * across) - left, round((y + height) * down) - upper

    @property
    def size(self) -> tuple[int, int]:
        """Width and height."""
        return self.width, self.height


class SceneDrawing(Protocol):
    """Draws pictures of scenes, all in one thread."""

    @property
    def title(self) -> str:
        """What draws, for the user."""

    @property
    def least_s(self) -> float:
        """How much time there shall be at least from one picture to the next."""

    @property
    def uploads(self) -> int:
        """How many values were handed to the driver so far."""

    def draw(self, order: DrawRequest) -> QImage:
        """The picture, of the order's size."""

    def close(self) -> None:
        """Let go of what it draws with."""

"""Resolution scaling of pictures, so that they keep coming on a computer that is slow at them."""

_WANTED_S = 1.0 / 32.0
"""How long a picture may take."""
_SPARE = 0.5
"""A picture that takes less than this share of it may become larger."""
_SMALLER, _LARGER = 0.85, 1.1
_LEAST = 0.4


class ResolutionScale:
    """The share of the screen's rows and columns: less after pictures that took long, all of them
    for a picture that stands still."""

    def __init__(self) -> None:
        self.value = 1.0

    def take(self, took_s: float) -> None:
        """A picture of this share took so long."""
        if took_s > _WANTED_S:
            self.value = max(self.value * _SMALLER, _LEAST)
        elif took_s < _SPARE * _WANTED_S:
            self.value = min(self.value * _LARGER, 1.0)

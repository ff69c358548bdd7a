"""A clock that goes on only when it is told to."""


class SteppedClock:
    """Call it for the seconds that have passed."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def advance(self, seconds: float) -> None:
        self.now_s += seconds

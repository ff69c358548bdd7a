"""What the check of the speed lets pass."""

import json

from benchmarks.gate import RECORDED, too_slow


def test_every_recorded_figure_may_be_half_as_slow_again_and_no_slower() -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert len(recorded) == 4
    assert too_slow({name: 1.5 * value for name, value in recorded.items()}, recorded) == []
    for name, value in recorded.items():
        assert too_slow({**recorded, name: 1.51 * value}, recorded) == [name]

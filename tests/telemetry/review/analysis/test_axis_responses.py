"""Step responses of all of a flight in which the sticks asked the loop."""

import numpy as np
import pytest

from telemetry.review.analysis.axis_responses import AxisResponse, axis_responses
from telemetry.review.analysis.axis_signals import Loop, steered_spans, steered_stretch
from telemetry.review.analysis.series import Inconclusive
from telemetry.review.analysis.step_response import StepResponse
from tests.telemetry.review.analysis.answering import answering
from tests.telemetry.review.analysis.axes import truth

WHOLE = ((-np.inf, np.inf),)


def roll(answers: tuple[AxisResponse, ...]) -> StepResponse | Inconclusive:
    return answers[0].found


@pytest.mark.slow
def test_all_stretches_count_in_which_the_stick_asked() -> None:
    recording = answering(8.0, 0.5, acro_s=(10.0, 14.0))
    spans = steered_spans(recording, Loop.ATTITUDE, "Roll", 0.0, 24.0)
    assert spans == ((0.0, 10.0), (14.0, 24.0))
    assert steered_stretch(recording, Loop.ATTITUDE, "Roll", 0.0, 24.0) == spans[-1]
    answers = axis_responses(recording, Loop.ATTITUDE, ((0.0, 24.0),))
    found = roll(answers)
    assert isinstance(found, StepResponse)
    rise_s, _, overshoot = truth(8.0, 0.5, 0.0)
    assert found.rise_s == pytest.approx(rise_s, rel=0.1)
    assert found.overshoot_percent == pytest.approx(overshoot, abs=3.0)
    # It jumps 37 times to somewhere else by chance: two thirds of such jumps go back.
    assert found.moves == pytest.approx(37 * 2 / 3, rel=0.2)
    assert answers[0].steered_s == pytest.approx(20.0)
    mislabelled = answering(8.0, 0.5, acro_s=(10.0, 14.0), mode="Attitude")
    assert not _is_good(roll(axis_responses(mislabelled, Loop.ATTITUDE, ((0.0, 24.0),))))


def _is_good(found: StepResponse | Inconclusive) -> bool:
    return isinstance(found, StepResponse) and found.explained > 0.95


def test_what_was_not_asked_says_how_to_fly_it() -> None:
    answers = axis_responses(answering(8.0, 0.5, 2.0), Loop.RATE, ((0.0, 2.0),))
    found = roll(answers)
    assert isinstance(found, Inconclusive)
    assert found.text == (
        "The stick never asked the rate loop directly. "
        "To see how it answers, fly roll in Acro+ or Rate or RateTrainer."
    )

"""The sound's pitch is the rotors'."""

import numpy as np
import pytest

from simulation.worlds.motor_sound import SAMPLES_PER_S, MotorSound
from tests.simulation.worlds.scenes import flown, path_of


def strongest_hz(sound: np.ndarray) -> float:
    spectrum = np.abs(np.fft.rfft(sound * np.hanning(len(sound))))
    return float(np.argmax(spectrum) * SAMPLES_PER_S / len(sound))


@pytest.mark.parametrize("turns_per_s", [60.0, 110.0])
def test_the_blades_pass_twice_a_turn(turns_per_s: float) -> None:
    path = path_of(flown(2.0, rotor_speed=lambda t: 2 * np.pi * turns_per_s))
    sound = MotorSound(path, 1).samples(0.5 + np.arange(SAMPLES_PER_S) / SAMPLES_PER_S)
    assert strongest_hz(sound) == pytest.approx(2 * turns_per_s, abs=1.0)


def test_the_pitch_follows_the_speed() -> None:
    path = path_of(flown(4.0, rotor_speed=lambda t: 2 * np.pi * (60.0 + 20.0 * t)))
    heard = MotorSound(path, 1)
    for t in (1.0, 3.0):
        sound = heard.samples(t + (np.arange(2000) - 1000) / SAMPLES_PER_S)
        assert strongest_hz(sound) == pytest.approx(2 * (60.0 + 20.0 * t), abs=5.0)


def test_a_motor_at_rest_is_silent_and_before_the_flight_as_well() -> None:
    path = path_of(flown(2.0, rotor_speed=lambda t: 600.0 if t > 1.0 else 0.0))
    heard = MotorSound(path, 1)
    times = np.arange(800) / SAMPLES_PER_S
    silent = max(float(np.abs(heard.samples(start + times)).max()) for start in (-5.0, 0.5))
    assert silent < 0.3
    assert float(np.abs(heard.samples(1.5 + times)).max()) > 0.8

"""[commands]: an aircraft whose own firmware follows commands of tilt, yaw rate and climb, see
simulation.physics.command_level. Where there are rotors besides, they do not count."""

import math
from typing import Final

import numpy as np

from simulation.files.parameter_file import NumberKey, ParameterFile, ParameterSection, Values
from simulation.records.flight import COMMANDED
from simulation.records.interface import CHANNELS

_RADIANS = math.pi / 180.0


def _finish(file: ParameterFile, commands: Values, p: np.void) -> None:
    p["kind"] = COMMANDED
    low, high = commands["pulse_us"]
    if high <= low or commands["off_us"] > low:
        what = "The pulses are in the wrong order."
        raise file.error("commands", "pulse_us", what, "Give off_us <= pulse_us[0] < pulse_us[1].")
    channels = commands["channel"]
    if len(set(channels)) < len(channels):
        what = "Two commands come by one channel."
        raise file.error("commands", "channel", what, "Give each a channel of its own.")
    p["command_channel"] = np.subtract(channels, 1)
    p["rotor_count"] = 0  # those of the file's base: this stands in their place
    p["climb_per_command"] = (commands["climb_mps"], commands["sink_mps"])


def check_commands(file: ParameterFile, p: np.void) -> None:
    """Complain about a wing on an aircraft that is described by its commands, and take from its
    sensors what rotors would shake them with."""
    if p["kind"] != COMMANDED:
        return
    if file.has("wing"):
        what = "[commands] describe a rotorcraft, but there is a [wing]."
        raise file.error("commands", "", what, "Remove one of them.")
    p["harmonics"] = p["vibration"] = 0.0


SECTIONS: Final = (
    ParameterSection(
        "commands",
        {
            "channel": NumberKey(1, CHANNELS, (4,), whole=True),
            "pulse_us": NumberKey(0.0, 5000.0, (2,), member="command_pulse_us"),
            "off_us": NumberKey(0.0, 5000.0, member="command_off_us"),
            "tilt_deg": NumberKey(1.0, 80.0, member="tilt_per_command", scale=_RADIANS),
            "tilt_limit": NumberKey(0.01, 1.0, member="tilt_command_limit", default=1.0),
            "tilt_tau_s": NumberKey(0.01, 10.0, member="tilt_tau"),
            "tilt_rate_tau_s": NumberKey(0.005, 10.0, member="tilt_rate_tau"),
            "speed_mps": NumberKey(0.1, 200.0, member="tilt_speed"),
            "drag_nspm": NumberKey(1e-6, 1e4, member="linear_drag"),
            "yaw_rate_dps": NumberKey(0.1, 1000.0, member="yaw_rate_per_command", scale=_RADIANS),
            "yaw_drag_nms": NumberKey(1e-9, 1e4, member="yaw_drag"),
            "climb_mps": NumberKey(0.01, 100.0),
            "sink_mps": NumberKey(0.01, 100.0),
            "climb_drag_nspm": NumberKey(1e-6, 1e4, member="climb_drag"),
            "power_w": NumberKey(0.0, 1e5, member="motors_power"),
        },
        _finish,
        is_optional=True,
    ),
)

"""Reports as `lapwing identify --json --series` and `lapwing tune --json` print them, made up."""

from pathlib import Path
from typing import Any

import numpy as np

BANK = "StabilizationSettingsBank1"
KP = "RollRatePID.Kp"
SENSORS = {"gyro_x": "deg/s", "accel_z": "m/s²", "velocity_north": "m/s"}
EXPLAINED = {"gyro_x": 0.95, "accel_z": 0.85, "velocity_north": -3.79}
"""Of a hover: what is left of the velocity is more than it changed by."""


def identify_report(log: Path, aircraft: str = "ar100b") -> dict[str, Any]:
    """A flight of 20 s with wind; it has not turned, so that a bias is not told."""
    names = ["wind_north_mps", "drag_per_mass"]
    time_s = np.linspace(0.0, 20.0, 401)
    time_s = time_s[(time_s < 8.0) | (time_s > 9.0)]  # a window that was left out
    series = {}
    for number, (name, unit) in enumerate(SENSORS.items()):
        synthesised = (number + 1) * np.sin(time_s + number)
        logged = synthesised + 0.1 * np.cos(7.0 * time_s)
        columns = {"time_s": time_s, "logged": logged, "synthesised": synthesised}
        series[name] = {"unit": unit, **{key: col.tolist() for key, col in columns.items()}}
    return {
        "file": log.name,
        "aircraft": aircraft,
        "from_s": 2.0,
        "windows": 16,
        "windows_left_out": 2,
        "to_s": 18.0,
        "parameters": {
            "wind_north_mps": _parameter("Wind to the north", 4.2345, 0.123, "m/s"),
            "drag_per_mass": _parameter("Drag per mass", 1.07321, 0.0098, "x file"),
            "gyro_bias_z_dps": _parameter(
                "Bias of the gyro, z",
                None,
                None,
                "deg/s",
                "Hover, and turn once around the vertical.",
            ),
        },
        "wind": {
            "title": "Wind",
            "value": 4.2345,
            "sigma": 0.123,
            "unit": "m/s",
            "from_deg": 180.4,
            "from_sigma_deg": 1.66,
        },
        "covariance": {"names": names, "matrix": [[0.015, 0.0], [0.0, 0.0001]]},
        "method": "shooting",
        "explained": 0.934,
        "validation": {
            "rms": 1.12,
            "sensors": {
                name: {"rms": 0.1, "unit": SENSORS[name], "explained": share, "moved": share > 0.0}
                for name, share in EXPLAINED.items()
            },
        },
        "residuals": {
            name: {"unit": unit, "rms": 0.0707, "whiteness": 0.83, "samples": 12_345}
            for name, unit in SENSORS.items()
        },
        "refused": None,
        "notes": ["Wind and drag were told apart by speeds over ground."],
        "series": series,
    }


def refused_report(log: Path, reason: str) -> dict[str, Any]:
    """A flight that does not carry it."""
    nothing: dict[str, Any] = {"parameters": {}, "validation": None, "residuals": {}, "series": {}}
    return {**identify_report(log), **nothing, "explained": None, "refused": reason, "notes": []}


def tune_report() -> dict[str, Any]:
    """Three choices from calm to sharp, of which the second one is chosen."""
    objectives = [
        _objective("roll_rise_s", "Rise time, roll", "s", 0.15),
        _objective("roll_overshoot", "Overshoot, roll", "share", 0.15),
        _objective("actuator_noise", "Actuator noise", "share", 0.03),
        _objective("phase_margin_deg", "Phase margin", "deg", 45.0, "more"),
    ]
    gains = {"calm": 0.003, "middle": 0.004, "sharp": 0.0055}
    choices = [_choice(title, kp) for title, kp in gains.items()]
    factors = np.linspace(0.7, 1.4, 8)
    return {
        "aircraft": "ar100b",
        "title": "AR100B quadrotor",
        "bank": BANK,
        "identified": None,
        "uncertainty": {
            "source": "assumed",
            "text": "Thrust was taken to be known to 5 %, inertia to 20 %.",
            "parameters": {},
        },
        "conditions": [],
        "objectives": objectives,
        "present": _choice("present", 0.0025),
        "choices": choices,
        "chosen": 1,
        "reason": "The fastest one that meets all targets.",
        "misses": [],
        "settings": choices[1]["settings"],
        "neighbours": [
            {
                "title": title,
                "paths": [path],
                "factors": factors.tolist(),
                "figures": {
                    "roll_rise_s": [None, *(0.12 / factors[1:] ** (n + 1)).tolist()],
                    "actuator_noise": (0.02 * factors ** (n + 1)).tolist(),
                },
            }
            for n, (title, path) in enumerate(
                {
                    "Kp of the roll and pitch rate": KP,
                    "Kd of the roll and pitch rate": "RollRatePID.Kd",
                }.items()
            )
        ],
        "validation": {"flights": 50, "inside": 49},
        "search": {"method": "differential evolution", "candidates": 200, "flown": 180},
        "refused": None,
        "notes": [],
    }


def _parameter(
    title: str, value: float | None, sigma: float | None, unit: str, reason: str = ""
) -> dict[str, Any]:
    return {
        "title": title,
        "value": value,
        "sigma": sigma,
        "unit": unit,
        "excited": not reason,
        "reason": reason,
    }


def _objective(
    name: str, title: str, unit: str, target: float, better: str = "less"
) -> dict[str, Any]:
    return {"name": name, "title": title, "unit": unit, "better": better, "target": target}


def _choice(title: str, kp: float) -> dict[str, Any]:
    rise_s = 0.0005 / kp
    time_s = np.linspace(0.0, 1.0, 101)
    steps = {}
    for axis, unit in (("roll", "deg"), ("pitch", "deg"), ("yaw", "deg/s"), ("heading", "deg")):
        mean = 10.0 * (1.0 - np.exp(-time_s / rise_s))
        columns = {
            "time_s": time_s,
            "asked": np.full(101, 10.0),
            "mean": mean,
            "low": 0.95 * mean,
            "high": 1.08 * mean,
        }
        steps[axis] = {"unit": unit, **{key: column.tolist() for key, column in columns.items()}}
    is_slow = kp < 0.0035
    return {
        "title": title,
        "settings": {BANK: {KP: kp, "PitchRatePID.Kp": kp}},
        "figures": {
            "roll_rise_s": rise_s,
            "roll_overshoot": 20.0 * kp,
            "actuator_noise": 5.0 * kp,
            "phase_margin_deg": 70.0 - 4000.0 * kp,
        },
        "meets": not is_slow,
        "misses": [f"Rise time of {1000 * rise_s:.0f} ms misses 150 ms."] if is_slow else [],
        "steps": steps,
    }

"""Propulsion knowledge of the autopilot, when a preset wants the propulsion inverted.

No UAVObject describes motors and propellers, so a preset says `"motor_control": "propulsion
model"`, and the aircraft's file is read once, as a table in the firmware would be. The physics
may differ from this copy later; see simulation.control.inverted_propulsion.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from simulation.aircraft.performance import hover, lifting_rotors, rotor_moment, static_thrust

_TURNING_SHARE: Final = 0.5
"""Full roll, pitch or yaw moves each rotor by this share of its thrust, as the usual mixer does."""
_COPIED: Final = (
    "rotor_count",
    "rotor_channel",
    "speed_controller_us",
    "alpha",
    "beta",
    "k_t",
    "gamma",
    "motor_model",
    "psi",
    "resistance",
    "alpha_m",
    "beta_m",
    "full_speed",
    "full_voltage",
)


def know_propulsion(settings: np.void, parameters: np.void) -> None:
    """Fill SETTINGS.propulsion from an aircraft's PARAMETERS, and use it from now on.

    Raises ValueError for an aircraft without rotors.
    """
    if parameters["rotor_count"] == 0:
        raise ValueError(
            '"motor_control": "propulsion model" needs rotors, and this aircraft has none; write '
            '"mixer".'
        )
    known = settings["propulsion"]
    for member in _COPIED:
        known[member] = parameters[member]
    count = int(parameters["rotor_count"])
    known["full_thrust"] = static_thrust(parameters) / lifting_rotors(parameters)
    known["hover_share"] = 1.0 / hover(parameters).thrust_to_weight
    known["allocation"][:count] = _allocation(parameters)
    known["known"] = 1


def _allocation(p: np.void) -> npt.NDArray[np.float64]:
    """(rotors, 4): shares of full thrust per roll, pitch, yaw and thrust desired; rotors on one
    output have the same."""
    count = int(p["rotor_count"])
    state = hover(p)
    torque_per_thrust = state.torque_nm / state.thrust_n
    # Moments about roll, pitch, yaw and the lift that a newton at each rotor makes, NED/FRD.
    moments = [rotor_moment(p, i, 1.0, torque_per_thrust) for i in range(count)]
    effect = np.vstack((np.transpose(moments), -p["rotor_axis"][:count, 2]))
    full = np.abs(effect).sum(axis=1) * (_TURNING_SHARE, _TURNING_SHARE, _TURNING_SHARE, 1.0)
    _, output = np.unique(p["rotor_channel"][:count], return_inverse=True)
    of_outputs = effect @ np.eye(output.max() + 1)[output]
    shares: npt.NDArray[np.float64] = (np.linalg.pinv(of_outputs) * full)[output]
    return shares

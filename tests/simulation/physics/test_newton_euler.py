"""The equations of motion against Newton and Euler written down a second time, with matrices.

Nothing here uses the simulation's quaternion algebra, sums or signs: vectors are numpy's, cross
products are numpy's, and the attitude is a matrix made from Euler angles.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from simulation.aircraft.aircraft import load_aircraft
from simulation.physics.invariants import angular_momentum
from simulation.physics.rigid_body import derivative, integrate
from simulation.records.flight import (
    ATTITUDE,
    LAW_MOMENTUM,
    LAW_SEED,
    MOTION,
    POSITION,
    RATES,
    ROTOR,
    SCRATCH,
    STATE,
    VELOCITY,
)
from simulation.records.interface import STEP_S
from tests.simulation.flights import settle_wake
from tests.simulation.physics.wing_textbook import airframe

Array = npt.NDArray[np.float64]
GRAVITY = np.array([0.0, 0.0, 9.81])
DENSITY = 1.225
DOWN = np.array([0.0, 0.0, 1.0])
BUFFET = 0.03
"""In the place of what wanders at random."""
HALF_S = 0.0025
"""The wakes are those in the middle of five steps."""


def rotation(roll: float, pitch: float, yaw: float) -> Array:
    """Body to NED: Rz(yaw) Ry(pitch) Rx(roll)."""
    cr, sr = math.cos(roll), math.sin(roll)
    cp, sp = math.cos(pitch), math.sin(pitch)
    cy, sy = math.cos(yaw), math.sin(yaw)
    about_x = np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
    about_y = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]])
    about_z = np.array([[cy, -sy, 0], [sy, cy, 0], [0, 0, 1]])
    return np.array(about_z @ about_y @ about_x)


def quaternion(turn: Array) -> Array:
    """Scalar first, by the eigenvector of Bar-Itzhack's matrix for eigenvalue 1."""
    xx, xy, xz, yx, yy, yz, zx, zy, zz = turn.flatten()
    k = np.array(
        [
            [xx - yy - zz, yx + xy, zx + xz, zy - yz],
            [yx + xy, yy - xx - zz, zy + yz, xz - zx],
            [zx + xz, zy + yz, zz - xx - yy, yx - xy],
            [zy - yz, xz - zx, yx - xy, xx + yy + zz],
        ]
    )
    x, y, z, w = np.linalg.eigh(k / 3.0)[1][:, -1]
    return np.array([w, x, y, z])


class Case:
    """A random state in moving, thinner air, as the simulation's record and as vectors."""

    def __init__(self, p: Any, seed: int, rotor_speed: float) -> None:
        rng = np.random.default_rng(seed)
        self.p = p
        count = int(p["rotor_count"])
        angles = rng.uniform((-3.0, -1.4, -3.0), (3.0, 1.4, 3.0))
        self.turn = rotation(*angles)
        self.place = np.array([3.0, -4.0, -rng.uniform(0.1, 0.5)])
        self.velocity = rng.normal(0.0, 5.0, 3)
        self.rates = rng.normal(0.0, 3.0, 3)
        self.wind = rng.normal(0.0, 4.0, 3)
        self.rotors = rotor_speed * rng.uniform(0.7, 1.3, count)
        self.voltage = rng.uniform(2.0, 10.0, count)
        self.push, self.twist = rng.normal(0.0, 2.0, 3), rng.normal(0.0, 0.1, 3)
        self.ratio = 0.9
        self.surface = rng.uniform(-0.3, 0.3, 3)
        self.air = self.turn.T @ (self.velocity - self.wind)
        self.state: Any = np.zeros(1, STATE)[0]
        self.air_rates = rng.normal(0.0, 1.0, 3)
        self.state["wind"], self.state["air_rates"] = self.wind, self.air_rates
        self.state["air_density_ratio"] = self.ratio
        self.state["contact_force"], self.state["contact_moment"] = self.push, self.twist
        self.state["voltage"][:count] = self.voltage
        self.state["surface"] = self.surface
        x = self.state["motion"]
        x[POSITION : POSITION + 3], x[VELOCITY : VELOCITY + 3] = self.place, self.velocity
        x[ATTITUDE : ATTITUDE + 4], x[RATES : RATES + 3] = quaternion(self.turn), self.rates
        x[ROTOR : ROTOR + count] = self.rotors

    def derivative(self) -> Array:
        slope = np.zeros(MOTION)
        settle_wake(self.p, self.state)
        s, wandering = self.state, BUFFET if self.p["law"] == LAW_MOMENTUM else 0.0
        s["thrust_gain"] = (1.0 + s["thrust_gain"]) * (1.0 + wandering) / (1.0 + s["buffet"]) - 1.0
        derivative(self.p, self.state, self.state["motion"], slope, np.zeros(6))
        return slope

    def expect(
        self, force: Array, moment: Array, spun: Array, spin_up: Array, near_by: float = 1e-9
    ) -> None:
        """Compare with m v' = F + m g and (J w)' + H' = M in a turning frame; `force` and
        `moment` (N, Nm, body) are those of the air alone, `spun` is H of the rotors and
        `spin_up` their accelerations, along `axis_of`."""
        p, slope = self.p, self.derivative()
        mass, j = float(p["mass"]), np.diag(p["inertia"])
        j[0, 2] = j[2, 0] = -p["inertia_xz"]
        accelerates = GRAVITY + (self.turn @ force + self.push) / mass
        rest = moment + self.twist - self.gained - np.cross(self.rates, j @ self.rates + spun)
        near: Any = lambda v: pytest.approx(v, rel=near_by, abs=near_by)  # noqa: E731
        assert slope[POSITION : POSITION + 3] == near(self.velocity)
        assert slope[VELOCITY : VELOCITY + 3] == near(accelerates)
        assert slope[RATES : RATES + 3] == near(np.linalg.solve(j, rest))
        assert slope[ROTOR : ROTOR + len(spin_up)] == near(spin_up)
        assert self.turn_rate(slope) == near(self.turn @ _across(self.rates))

    def turn_rate(self, slope: Array) -> Array:
        """R' from q', by R's partial derivatives."""
        q, step = self.state["motion"][ATTITUDE : ATTITUDE + 4].copy(), 1e-6
        change = slope[ATTITUDE : ATTITUDE + 4]
        ahead, behind = (_matrix(q + side * step * change) for side in (1.0, -1.0))
        return np.array((ahead - behind) / (2.0 * step))

    gained = np.zeros(3)
    """What the rotors' angular momentum gains in a second, body axes."""


def _across(w: Array) -> Array:
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def _matrix(q: Array) -> Array:
    w, v = q[0], q[1:]
    return np.array((w * w - v @ v) * np.eye(3) + 2.0 * np.outer(v, v) + 2.0 * w * _across(v)) / (
        q @ q
    )


def _motor(p: Any, voltage: float, speed: float) -> float:
    """Torque of the hector code's motor; I0 rubs at full above 20 rad/s."""
    ohm = float(p["resistance"])
    t = (voltage * p["beta_m"] - p["psi"] * speed) / (2.0 * ohm)
    current = t + math.sqrt(t * t + voltage * p["alpha_m"] / ohm)
    return float(p["psi"] * (current - p["no_load_current"]))


def _tilt(p: Any, seed: int) -> None:
    """Rotors that look anywhere, with discs that flap and turn their hubs."""
    axes = np.random.default_rng(seed).normal((0.0, 0.0, -1.0), (0.5, 0.5, 0.1), (4, 3))
    p["rotor_axis"][:4] = axes / np.linalg.norm(axes, axis=1)[:, None]
    p["tilted"], p["flapping"], p["flap_stiffness"], p["k_d"] = 1, 0.4, 0.7, 2e-5


def _in_its_wake(
    p: Any, speed: float, flow: tuple[float, float], ratio: float
) -> tuple[float, float]:
    """Thrust and torque of a rotor in steady air, as simulation.physics.rotor_wake and propulsion
    describe them, with every equation solved by bisection."""
    rho, area = ratio * DENSITY, math.pi * float(p["rotor_radius"]) ** 2
    v1, across = flow
    static = ratio * (p["alpha"] * speed**2 + p["beta"] * speed)

    def lift_at(inflow: float) -> float:
        return max(static + ratio * p["c_t1"] * inflow * speed, 0.0)

    def induced_at(hover: float) -> tuple[float, float]:
        """v_i, and what the ring adds to v1."""
        x, m = v1 / hover, across / hover
        alone = x / 2.0 + math.sqrt(x * x / 4.0 + 1.0)  # v_h / v_i without flow across
        if -2.042 < x < 0.0:
            alone = 1.0 / float(np.polyval([-0.655, -1.718, -1.372, -1.125, 1.0], x))
        elif x < 0.0:
            alone = -x / 2.0 + math.sqrt(x * x / 4.0 - 1.0)
        fades = max(1.0 - m * m, 0.0)
        ring = fades * min(max(-5.0 * x, 0.0), 1.0)
        low, high = 0.0, 3.0
        for _ in range(60):
            u = (low + high) / 2.0
            flow = m * m + (1.0 - ring) * (x + u) ** 2 + ring * alone**2
            low, high = (low, u) if u * u * flow > 1.0 else (u, high)
        return u * hover, fades * max(u - 1.0, 0.0) * hover

    def missing(hover: float) -> float:
        return math.sqrt(lift_at(v1 + induced_at(hover)[1]) / (2.0 * rho * area)) - hover

    least, most = 1e-6, 50.0
    for _ in range(60):
        hover = (least + most) / 2.0
        least, most = (hover, most) if missing(hover) > 0.0 else (least, hover)
    induced, added = induced_at(hover)
    lift = lift_at(v1 + added)
    bench = p["k_t"] * static + p["gamma"] * speed
    profile = bench - static * math.sqrt(static / (2.0 * rho * area)) / speed
    ratio_to_tip = min(across / (speed * float(p["rotor_radius"])), 0.5)
    grows = (4.65 if p["k_d"] == 0.0 else 2.65) * ratio_to_tip**2
    through = max(v1 + induced, 0.0)  # nothing windmills
    return lift, profile * (1.0 + grows) + lift * (1.0 + BUFFET) * through / speed


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    ("name", "rotor_speed"),
    [
        ("hector-seed", 480.0),
        ("ar100b", 300.0),
        ("ar100b, tilted", 300.0),
        ("ar200-payload", 230.0),
        ("crazyflie", 1500.0),
    ],
)
def test_rotorcraft_obeys_newton_and_euler(name: str, rotor_speed: float, seed: int) -> None:
    name, _, tilted = name.partition(", ")
    p = load_aircraft(name).parameters.copy()
    if tilted:
        _tilt(p, seed)
    case = Case(p, seed, rotor_speed)
    w, air = case.rates - case.air_rates, case.air
    past = air + np.cross(w, p["centre_of_pressure"])
    force = -case.ratio * p["drag_force"] * np.linalg.norm(past) * past
    moment = -case.ratio * p["drag_moment"] * np.linalg.norm(w) * w
    moment += np.cross(p["centre_of_pressure"], force)
    spun, gained, spin_up = np.zeros(3), np.zeros(3), np.zeros(len(case.rotors))
    for i, speed in enumerate(case.rotors):
        arm, spin = p["rotor_position"][i], p["rotor_spin"][i]
        hub, axis = air + np.cross(w, arm), p["rotor_axis"][i]
        v1 = float(hub @ axis)
        across = hub - v1 * axis
        static = p["alpha"] * speed**2 + p["beta"] * speed
        lift = case.ratio * max(static + p["c_t1"] * v1 * speed - p["c_t2"] * v1 * abs(v1), 0.0)
        load = max(p["k_t"] * lift + p["gamma"] * speed, 0.15 * p["k_t"] * lift)
        if p["law"] == LAW_MOMENTUM:
            lift, load = _in_its_wake(p, speed, (v1, float(np.linalg.norm(across))), case.ratio)
            lift *= 1.0 + BUFFET
        middle = -(case.place + HALF_S * case.velocity)[2]
        height = middle - (case.turn @ arm)[2]
        if case.turn[2, 2] > 0.0 and middle < 20.0 * p["rotor_radius"]:
            radius = float(p["rotor_radius"])
            lift /= 1.0 - p["ground_effect"] * (radius / (4.0 * max(height, radius / 2.0))) ** 2
        if name == "crazyflie":
            wish = p["full_speed"] * case.voltage[i] / p["full_voltage"]
            spin_up[i] = (wish - speed) / p["motor_tau"][0 if wish > speed else 1]
        else:
            spin_up[i] = (_motor(p, case.voltage[i], speed) - load) / p["rotor_inertia"]
        leaning = p["flapping"] / (speed * p["rotor_radius"]) * across  # of the disc, backwards
        on_hub = lift * (axis - leaning) - case.ratio * p["k_d"] * speed * across
        force = force + on_hub
        moment = moment + np.cross(arm, on_hub) + spin * load * axis
        moment = moment + p["flap_stiffness"] * np.cross(leaning, axis)
        spun -= spin * p["rotor_inertia"] * speed * axis
        gained -= spin * p["rotor_inertia"] * spin_up[i] * axis
    # Three steps of Newton's method leave 3e-7 of the induced velocity.
    case.gained = gained
    case.expect(force, moment, spun, spin_up, 1e-9 if p["law"] == LAW_SEED else 2e-6)


@pytest.mark.parametrize("seed", range(6))
def test_aeroplane_obeys_newton_and_euler(seed: int) -> None:
    """Beard & McLain 4.3 with the coefficients as they are printed, in stability axes."""
    p = load_aircraft("sea-vixen").parameters
    case = Case(p, seed, 900.0)
    case.velocity = case.wind + case.turn @ np.array([14.0, 1.0 - 0.5 * seed, 0.6 * seed])
    case.state["motion"][VELOCITY : VELOCITY + 3] = case.velocity
    air = case.turn.T @ (case.velocity - case.wind)
    rho = case.ratio * DENSITY
    turns, d = case.rotors[0] / (2.0 * math.pi), float(p["propeller_diameter"])
    advance = air[0] / (turns * d)
    c_thrust, c_torque = (
        np.polyval(p[name][::-1], advance) for name in ("propeller_c_t", "propeller_c_q")
    )
    load = rho * turns**2 * d**5 * c_torque
    thrust = rho * turns**2 * d**4 * c_thrust
    elevator, aileron = case.surface[0], 0.5 * (case.surface[1] - case.surface[2])
    # Thinner air: the same slipstream takes as much less thrust.
    both = airframe(air, case.rates - case.air_rates, elevator, aileron, thrust / case.ratio)
    force, moment = case.ratio * both[:3], case.ratio * both[3:]
    force[0] += thrust
    ahead = np.array([1.0, 0.0, 0.0])
    moment -= p["rotor_spin"][0] * load * ahead
    spin_up = np.array([(_motor(p, case.voltage[0], case.rotors[0]) - load) / p["rotor_inertia"]])
    spinning = p["rotor_spin"][0] * p["rotor_inertia"] * ahead
    spun, case.gained = spinning * case.rotors[0], spinning * spin_up[0]
    case.expect(force, moment, spun, spin_up)


@pytest.mark.parametrize("name", ["hector", "sea-vixen"])
def test_a_step_is_the_classical_runge_kutta_scheme(name: str) -> None:
    """All forces that depend on the motion are evaluated at every stage."""
    case = Case(load_aircraft(name).parameters, 3, 500.0)
    case.state["motion"][VELOCITY : VELOCITY + 3] += 10.0
    before = case.state["motion"].copy()

    def slope(x: Array) -> Array:
        out = np.zeros(MOTION)
        derivative(case.p, case.state, x, out, np.zeros(6))
        return out

    k1 = slope(before)
    k2 = slope(before + 0.5 * STEP_S * k1)
    k3 = slope(before + 0.5 * STEP_S * k2)
    k4 = slope(before + STEP_S * k3)
    expected = before + STEP_S / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
    attitude = slice(ATTITUDE, ATTITUDE + 4)
    expected[attitude] /= np.linalg.norm(expected[attitude])
    integrate(case.p, case.state, np.zeros(1, SCRATCH)[0])
    assert case.state["motion"] == pytest.approx(expected, rel=1e-13, abs=1e-14)


@pytest.mark.parametrize(("name", "axis"), [("hector", 2), ("sea-vixen", 0)])
def test_body_and_rotors_keep_their_angular_momentum_together(name: str, axis: int) -> None:
    """Without air, motors only exchange momentum: R (J w + sum s J_r W e) stays what it was. A
    reaction counted twice, or a gyroscopic moment left out, would not."""
    p = load_aircraft(name).parameters.copy()
    for member in ("alpha", "c_t1", "gamma", "drag_force", "drag_moment", "no_load_current"):
        p[member] = 0.0
    p["rotor_inertia"] = 1e-4
    case = Case(p, 1, 400.0)
    case.state["air_density_ratio"] = case.state["contact_moment"] = 0.0
    case.state["voltage"][:4] = (12.0, 2.0, 9.0, 4.0)
    motion, scratch = case.state["motion"], np.zeros(1, SCRATCH)[0]
    inertia = np.diag(p["inertia"])
    inertia[0, 2] = inertia[2, 0] = -p["inertia_xz"]

    def momentum() -> Array:
        spins = p["rotor_spin"][:4] @ motion[ROTOR : ROTOR + 4]
        body = inertia @ motion[RATES : RATES + 3] + p["rotor_inertia"] * spins * np.eye(3)[axis]
        return np.array(_matrix(motion[ATTITUDE : ATTITUDE + 4]) @ body)

    before, rotors = momentum(), motion[ROTOR : ROTOR + 4].copy()
    for _ in range(200):
        integrate(p, case.state, scratch)
    assert np.abs(motion[ROTOR : ROTOR + 4] - rotors).max() > 100.0
    assert momentum() == pytest.approx(before, abs=1e-9)
    assert angular_momentum(p, motion) == pytest.approx(before, abs=1e-9)

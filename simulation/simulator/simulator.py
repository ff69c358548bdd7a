"""Simulator of one aircraft: its records and the fixed-step loop; no wall clock, no objects."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from simulation.aircraft.aircraft import AircraftParameters
from simulation.aircraft.sensor_knowledge import know_sensors
from simulation.compiler.program import Handle, Memory, reference_to
from simulation.environment.earth import (
    FIELD_NEAR_BACKNANG,
    WorldOrigin,
    gravity_at,
    update_gravity,
)
from simulation.environment.wind_table import WindTable
from simulation.estimation.ins13_sensors import QUICK_BARO_SAMPLES
from simulation.mathematics.random_numbers import LARGEST_SEED
from simulation.mathematics.rotation import euler_of, set_euler, to_body
from simulation.physics.divergence import (
    DIVERGED_ATTITUDE,
    DIVERGED_COMMAND,
    DIVERGED_POSITION,
    DIVERGED_RATES,
    DIVERGED_ROTOR,
    DIVERGED_VELOCITY,
    POSITION_LIMIT_M,
    RATES_LIMIT,
    ROTOR_LIMIT,
    VELOCITY_LIMIT_MPS,
)
from simulation.programs.kalman import KALMAN_CODE
from simulation.programs.kernel import RUN_CODE
from simulation.programs.loading import programs
from simulation.programs.on_board import FLY_CODE
from simulation.programs.world import WORLD_CODE
from simulation.records.flight import ATTITUDE, FLIGHT, POSITION, RATES, VELOCITY
from simulation.records.interface import STEP_US
from simulation.records.members import members_of
from simulation.simulator.external_force import NO_FORCE, ExternalForce
from simulation.simulator.world_start import start_in_world
from telemetry.base.number_text import significant

if TYPE_CHECKING:
    from simulation.simulator.flown_world import FlownWorld

_ROUGHNESS_M = 0.03  # short grass
_GUST_LENGTH_M = 60.0
_BENCH_M = 0.5
"""Above the ground, whichever way it is turned."""
_DIVERGED = {
    DIVERGED_POSITION: f"the position is beyond {POSITION_LIMIT_M:.0e} m or no number",
    DIVERGED_VELOCITY: f"the velocity is beyond {VELOCITY_LIMIT_MPS:.0e} m/s or no number",
    DIVERGED_ATTITUDE: "the attitude is no rotation any more",
    DIVERGED_RATES: f"the body rates are beyond {RATES_LIMIT:.0e} rad/s or no numbers",
    DIVERGED_ROTOR: f"a rotor's speed is beyond {ROTOR_LIMIT:.0e} rad/s or no number",
    DIVERGED_COMMAND: "a command it was given is no number",
}


class Diverged(RuntimeError):  # noqa: N818 - reads as what has happened
    """The simulated motion has become impossible; it stands at the last possible one.

    `what` says which quantity left its bounds, `output` is a copy of OUTPUT with the last good
    truth, at `time_us`.
    """

    def __init__(self, what: str, output: np.void) -> None:
        self.what = what
        self.output: Any = output.copy()
        self.time_us = int(output["time_us"])
        super().__init__(
            f"The simulation stopped at {self.time_us / 1e6:.3f} s because {what}. The last good "
            f"state: position {_numbers(output['true_position'])} m, velocity "
            f"{_numbers(output['true_velocity'])} m/s, rates {_numbers(output['true_rates'])} "
            "deg/s. Check the aircraft's parameters, and whatever commands it."
        )


def _numbers(values: Any) -> str:
    return "(" + ", ".join(significant(float(value), 4) for value in values) + ")"


class Simulator:
    """A flight from reset on: write `settings` and `command`, call `advance`, read `output`.

    `world` is what the aircraft meets, changed through `simulation.simulator.controls`; `filter` is
    what its estimator remembers. The records are views that stay the same objects for the
    simulator's life; `output` and `filter` are only to be read. `record` is all of it, FLIGHT, for
    experiments that reach inside. The flight depends on the aircraft, the place, the seed, and on
    what was written before which step, not on the number of steps per call. It starts on the ground
    or in its thrower's hand, disarmed, facing north, the battery full. All settings are zero, so it
    cannot fly before they are written (see `KernelSettings`), but for home, which is set at the
    place.
    """

    def __init__(
        self,
        aircraft: AircraftParameters,
        seed: int = 1,
        place: WorldOrigin = FIELD_NEAR_BACKNANG,
        memory: "np.ndarray[Any, np.dtype[np.void]] | None" = None,
    ) -> None:
        """`seed`: after LARGEST_SEED they begin again with 0. `memory`: an array of one FLIGHT to
        live in; by default its own."""
        self.aircraft = aircraft
        self.place = place
        self._array = np.zeros(1, FLIGHT) if memory is None else memory
        self.record: Any = self._array[0]
        self._reference = reference_to(self._array, shared=("force",))
        self.settings = self.record["settings"]
        self.command = self.record["command"]
        self.output = self.record["output"]
        self.world = self.record["world"]
        self.filter = self.record["filter"]
        self._state = self.record["state"]
        self._diverged = members_of(self._state)["diverged"]
        self._seed = seed
        self._force = NO_FORCE
        self._flown_world: FlownWorld | None = None
        self.surroundings: tuple[Handle, Memory] = (NO_FORCE.handle, 0)
        """What the kernel is given besides the record: the force's handle, where the world is."""
        self._watchers: list[tuple[Callable[[np.void], object], int]] = []
        self.alarms_clear_s = 0.0
        """So long after power-up the estimation of a board that flies it is not ready."""
        self._set_home()
        self.reset()

    @property
    def seed(self) -> int:
        """What all randomness of the flight comes from."""
        return self._seed

    @property
    def time_us(self) -> int:
        """Simulated time since reset in microseconds."""
        return int(self.output["step"]) * STEP_US

    def reset(self, seed: int | None = None) -> None:
        """Back to time 0. Wind, faults and command start anew; settings stay."""
        if seed is not None:
            self._seed = seed
        flight = self.record
        settings = self.settings.copy()
        self._array.view(np.uint8)[:] = 0
        flight["settings"] = settings
        flight["parameters"] = self.aircraft.parameters
        self._set_world(flight["world"])
        state, parameters = flight["state"], flight["parameters"]
        state["seed"] = self._seed & LARGEST_SEED
        half_pitch = 0.5 * float(parameters["launch_pitch"])
        state["motion"][ATTITUDE] = math.cos(half_pitch)
        state["motion"][ATTITUDE + 2] = math.sin(half_pitch)
        state["motion"][POSITION + 2] = -_start_height(parameters)
        update_gravity(flight["world"], state)
        # It is at rest, and that is what the first samples feel.
        state["specific_force"] = to_body(
            state["motion"][ATTITUDE : ATTITUDE + 4], 0.0, 0.0, -gravity_at(state)
        )
        state["bus_voltage"] = parameters["cells"] * parameters["cell_ocv"][-1]
        self._force.begin(state["force"])
        flight["output"]["quaternion"][0] = 1.0
        flight["output"]["true_quaternion"][0] = 1.0
        if self._flown_world is not None:
            start_in_world(flight, self._flown_world, _start_height(parameters))

    def advance(self, steps: int) -> None:
        """Simulate `steps` steps of STEP_US.

        Raises Diverged if the motion becomes impossible, at once and at every call until `reset`.
        """
        if self._watchers:
            self._run_watched(int(self.output["step"]) + steps)
        else:
            self._run(steps)

    def advance_to_divergence(self, steps: int) -> None:
        """As `advance`, without watching; it stops at a motion that is impossible, and does not
        raise."""
        run, on_board = programs()
        run(self._reference, steps, *on_board, *self.surroundings)

    def watch(self, take: Callable[[np.void], object] | None, every: int = 1) -> None:
        """Have `take` called with `output` after each step whose number is a multiple of `every`,
        whatever the blocks of `advance`, beside those that watch already; None ends it for all.
        The flight does not depend on it.

        With the `add` of a `simulation.scenarios.track.OutputTrack` this records columns of truth,
        sensors, estimate and control at the full rate, 4 us a row.
        """
        if take is None:
            self._watchers.clear()
        else:
            self._watchers.append((take, every))

    def _run_watched(self, end: int) -> None:
        while self._watchers:
            step = int(self.output["step"])
            next_row = min(step + every - step % every for _, every in self._watchers)
            if next_row > end:
                break
            self._run(next_row - step)
            for take, every in tuple(self._watchers):
                if next_row % every == 0:
                    take(self.output)
        self._run(end - int(self.output["step"]))

    def _run(self, steps: int) -> None:
        run, on_board = programs()
        run(self._reference, steps, *on_board, *self.surroundings)
        error = self.divergence() if self._diverged else None
        if error is not None:
            raise error

    def divergence(self) -> Diverged | None:
        """What made the motion impossible, if anything did."""
        what = int(self._diverged)
        if not what:
            return None
        return Diverged(self._force.failure(self._state["force"]) or _DIVERGED[what], self.output)

    @property
    def flown_world(self) -> "FlownWorld | None":
        """The world it flies in; None: over level ground without end."""
        return self._flown_world

    def enter(self, world: "FlownWorld", starts: bool = True) -> None:
        """Fly in a world, from its start and at its place on Earth: back to time 0. Home is its
        origin. Without `starts` it stays as it is, to be given the state of one that has started
        there, which saves 10 ms."""
        self._flown_world = world
        self.surroundings = (self._force.handle, world.memory)
        self.place = world.origin
        if starts:
            self._set_home()
            self.reset()

    @property
    def force(self) -> ExternalForce:
        """What acts from outside."""
        return self._force

    def act_with(self, force: ExternalForce) -> None:
        """Have this act on the aircraft, from now on and again after each `reset`, in addition to
        air, ground and motors. While somebody holds the aircraft it is not asked."""
        self._force = force
        self.surroundings = (force.handle, self.surroundings[1])
        force.begin(self._state["force"])

    def set_wind(self, north: float, east: float, *, down: float = 0.0) -> None:
        """Let the air move with this velocity in m/s (where it blows to, 6.1 m above ground)."""
        self.world["wind"] = (north, east, down)

    def mount_board(self, axis: int, angle_deg: float) -> None:
        """Turn the board in the airframe: `angle_deg` about roll, pitch or yaw (0, 1, 2), which
        together are its attitude as seen from the airframe."""
        world = self.world
        world["board_turn"][axis] = angle_deg
        attitude = [0.0] * 4
        set_euler(attitude, *(math.radians(angle) for angle in world["board_turn"]))
        for column, body_axis in enumerate(np.eye(3)):
            world["body_to_board"][:, column] = to_body(attitude, *body_axis)

    def take_in_hands(self) -> None:
        """Lift it off the ground to hold it as `world` says (`bench_attitude`, `bench_tumble`)."""
        self.world["bench_held"] = 1
        clear = float(self.record["parameters"]["contact_reach"]) + _BENCH_M
        self._state["motion"][POSITION + 2] = float(self._state["ground"]) - clear

    def put_down(self) -> None:
        """Put what was held back on its feet, level and at rest, its nose where it points."""
        if not self.world["bench_held"]:
            return
        self.world["bench_held"] = 0
        motion = self._state["motion"]
        attitude = motion[ATTITUDE : ATTITUDE + 4]
        set_euler(attitude, 0.0, 0.0, euler_of(attitude)[2])
        height = _start_height(self.record["parameters"])
        motion[POSITION + 2] = float(self._state["ground"]) - height
        self._state["contact_place"] = math.inf
        motion[VELOCITY : VELOCITY + 3] = motion[RATES : RATES + 3] = 0.0

    def set_turbulence(self, w20: float) -> None:
        """Stir the air as a wind of this speed in m/s at 6.1 m (20 feet) does: 7.5 is light, 15
        moderate, 23 severe turbulence (MIL-F-8785C)."""
        self.world["turbulence_w20"] = w20

    def start_gust(self) -> None:
        """Meet the single gust that `world` describes (`gust`, `gust_length`) from now on."""
        self.world["gust_start"] = self.time_us / 1e6
        self._state["gust_travelled"] = 0.0

    def set_wind_table(self, table: WindTable) -> None:
        """Let the wind change over time, in addition to the constant one."""
        rows = len(table.rows)
        self.world["wind_rows"] = rows
        self.world["wind_table"][:rows] = table.rows
        self._state["wind_row"] = 0

    @property
    def charge(self) -> float:
        """What is left of the battery's charge, 0..1."""
        used = float(self.record["state"]["charge_used"])
        return max(1.0 - used / float(self.record["parameters"]["capacity_as"]), 0.0)

    def set_charge(self, share: float) -> None:
        """Set the battery's charge, 0..1."""
        used = (1.0 - share) * self.record["parameters"]["capacity_as"]
        self.record["state"]["charge_used"] = used

    def snapshot(self) -> bytes:
        """The whole state of the flight; equal bytes mean equal flights."""
        return self._array.tobytes()

    def restore(self, snapshot: bytes) -> None:
        """Go on from a snapshot, taken of this or another simulator by the same program.

        Raises ValueError if it was taken by another version, whose flights differ.
        """
        if len(snapshot) != self._array.nbytes:
            raise ValueError("The snapshot is of another version of the simulator. Fly it anew.")
        made = np.frombuffer(snapshot, FLIGHT)[0]
        for part, code in (
            (made["state"]["code"], RUN_CODE),
            (made["state"]["world_code"], WORLD_CODE),
            (made["control"]["code"], FLY_CODE),
            (made["filter"]["ekf"]["code"], KALMAN_CODE),
        ):
            if part not in (0, code):
                raise ValueError("The snapshot was made by other equations. Fly it anew.")
        self._array[0] = made

    def _set_home(self) -> None:
        place, settings = self.place, self.settings
        settings["home_latitude_deg"] = place.latitude_deg
        settings["home_longitude_deg"] = place.longitude_deg
        settings["home_altitude_m"] = place.altitude_m
        settings["home_declination_deg"] = place.declination_deg
        settings["home_field_mgauss"] = place.field_mgauss()
        settings["home_set"] = 1
        settings["baro_samples"] = QUICK_BARO_SAMPLES
        know_sensors(settings, self.aircraft.known_parameters)

    def _set_world(self, world: Any) -> None:
        self.place.lay(world)
        world["gps_satellites"] = self.aircraft.parameters["gps_satellites"]
        world["sensor_noise"] = 1.0
        world["body_to_board"] = np.eye(3)
        world["roughness"] = _ROUGHNESS_M
        world["gust_length"] = _GUST_LENGTH_M
        world["gust_start"] = math.inf  # until `start_gust`


def _start_height(parameters: Any) -> float:
    """Height of the centre of mass at the start: in the thrower's hand or standing on the feet."""
    held = float(parameters["launch_height"])
    lowest = float(parameters["point"][: int(parameters["foot_count"]), 2].max())
    return held if held > 0.0 else lowest - float(parameters["contact_depth"])

"""Kernel: the compiled loop of one flight, with physics and sensors step by step.

It calls the program on board.

Estimation and control are no part of `run`, nor is what a world does: they are programs of their
own, `simulation.programs.on_board`, `simulation.programs.kalman` and `simulation.programs.world`,
that it is given to call.
"""

import math
from typing import Any, Final

from simulation.compiler.decorators import njit_part, njit_shared
from simulation.compiler.program import Handle, Memory, Program, call, record_at
from simulation.compiler.source_digest import sources_digest
from simulation.environment.air import PERIOD as AIR_PERIOD
from simulation.environment.air import update_air
from simulation.environment.earth import place_on_earth
from simulation.environment.turbulence import begin_turbulence
from simulation.estimation.calibration import calibrate
from simulation.estimation.override import supply_outputs
from simulation.mathematics.rotation import attitude_deg_of
from simulation.physics.battery import apply_battery
from simulation.physics.bench import hold_on_bench, lift_to_bench
from simulation.physics.coaxial import move_swash_plate
from simulation.physics.command_level import take_commands
from simulation.physics.contact import apply_ground
from simulation.physics.divergence import check_command, check_motion, keep_motion
from simulation.physics.launch import hold, is_held, take_in_hand, throw
from simulation.physics.propulsion import drive_motors, pass_on_duty
from simulation.physics.rigid_body import integrate, tell_wake
from simulation.physics.rotor_wake import PERIOD as WAKE_PERIOD
from simulation.physics.rotor_wake import move_wake
from simulation.physics.servos import move_servos
from simulation.records.flight import (
    ATTITUDE,
    COAXIAL,
    COMMANDED,
    FIXED_WING,
    FLIGHT,
    POSITION,
    RATES,
    ROTOR,
    VELOCITY,
)
from simulation.records.interface import IMU_PERIOD, ROTORS, STEP_S, STEP_US
from simulation.sensors.sensors import replace_sensors, sample_sensors, turn_on
from simulation.worlds.world_record import LOOKS, TOUCHES, TURNS_BACK, WORLD_RECORD


@njit_shared
def _begin(p: Any, w: Any, s: Any) -> None:
    """What is computed once per flight."""
    begin_turbulence(s)
    turn_on(p, w, s)
    take_in_hand(p, s)


@njit_part
def _take_pulses(p: Any, s: Any, o: Any) -> None:
    if p["kind"] == COMMANDED:
        take_commands(p, s, o)
    else:
        drive_motors(p, s, o)


@njit_part
def _sense(flight: Any, step: int, world: Memory) -> None:
    """Let the air and all sensors come to this step."""
    p, w, s, o = flight["parameters"], flight["world"], flight["state"], flight["output"]
    if step == 0:
        _begin(p, w, s)
    if step % AIR_PERIOD == 0:
        update_air(p, w, s, step)
    if world != 0:
        call(record_at(world, WORLD_RECORD)["program"], flight, world, step, LOOKS)
    sample_sensors(p, w, s, o, step)
    calibrate(flight["settings"]["calibration"], o)
    replace_sensors(flight["command"]["override"], o)


@njit_part
def step_once(
    flight: Any, step: int, on_board: Handle, kalman: Handle, external: Handle, world: Memory
) -> None:
    p, w, s, o = flight["parameters"], flight["world"], flight["state"], flight["output"]
    _sense(flight, step, world)
    is_external = flight["command"]["external"] != 0
    if step % IMU_PERIOD == 0 and not is_external:
        call(on_board, flight, kalman)
    supply_outputs(flight["command"], o)
    if step % IMU_PERIOD == 0 or is_external:  # the outside may write at any step
        _take_pulses(p, s, o)
    pass_on_duty(p, s, step)
    apply_battery(p, w, s, (o, flight["scratch"]))
    if step % WAKE_PERIOD == 0:
        move_wake(p, s, flight["scratch"], step)
    if p["servo_count"] > 0:
        move_servos(p, s, o, STEP_S)
    elif p["kind"] == COAXIAL:
        move_swash_plate(p, s, o)
    if w["bench_held"] == 0 and p["kind"] == FIXED_WING and is_held(p, s):
        hold(p, s, flight["scratch"], STEP_S)
    else:
        _move(flight, step, external, world)


@njit_part
def _move(flight: Any, step: int, external: Handle, world: Memory) -> None:
    """Let contact, air and motors move it, or on a bench somebody's hands."""
    p, w, s, o = flight["parameters"], flight["world"], flight["state"], flight["output"]
    is_on_bench = w["bench_held"] != 0
    if is_on_bench:
        lift_to_bench(s, o)
    elif world != 0:
        call(record_at(world, WORLD_RECORD)["program"], flight, world, step, TOUCHES)
    else:
        apply_ground(p, s, o)
    if not is_on_bench:
        throw(p, s)
    keep_motion(s, flight["scratch"])
    integrate(p, s, flight["scratch"], 0 if is_on_bench else external, step * STEP_S)
    check_motion(s, flight["scratch"])
    if is_on_bench:
        hold_on_bench(w, s, flight["scratch"], step)
    elif world != 0 and s["clear_m"] <= 0.0 and s["diverged"] == 0:  # near a surface
        call(record_at(world, WORLD_RECORD)["program"], flight, world, step, TURNS_BACK)


@njit_shared
def _show_truth(p: Any, w: Any, s: Any, o: Any) -> None:
    x = s["motion"]
    for i in range(3):
        o["true_position"][i] = x[POSITION + i]
        o["true_velocity"][i] = x[VELOCITY + i]
        o["true_specific_force"][i] = s["specific_force"][i]
        o["true_rates"][i] = math.degrees(x[RATES + i])
        o["true_wind"][i] = s["wind"][i]
    for i in range(4):
        o["true_quaternion"][i] = x[ATTITUDE + i]
    for i in range(ROTORS):
        o["rotor_speed"][i] = x[ROTOR + i]
    o["true_air_density_ratio"] = s["air_density_ratio"]
    o["true_battery_voltage"] = s["bus_voltage"]
    o["true_battery_current"] = s["battery_current"]
    o["true_charge"] = 1.0 - s["charge_used"] / p["capacity_as"]
    latitude, longitude = place_on_earth(w, x[POSITION], x[POSITION + 1])
    o["true_latitude_deg"], o["true_longitude_deg"] = latitude, longitude
    o["true_altitude_m"] = w["altitude"] - x[POSITION + 2]


def _make_run(code: int) -> Program:
    def run(
        flight: Any, steps: int, on_board: Handle, kalman: Handle, external: Handle, world: Memory
    ) -> None:
        state, output = flight["state"], flight["output"]
        state["code"] = code
        if state["diverged"] == 0:  # commands change between blocks only
            check_command(flight["command"], state, output)
        for _ in range(steps):
            if state["diverged"] == 0:
                step_once(flight, int(output["step"]), on_board, kalman, external, world)
            if state["diverged"] != 0:
                break
            output["step"] += 1
            output["time_us"] = output["step"] * STEP_US
        # Angles for those who look on; on board they are worked out where they are used.
        attitude_deg_of(output["quaternion"], output["attitude_deg"])
        _show_truth(flight["parameters"], flight["world"], state, output)
        tell_wake(flight["parameters"], state, output)

    return Program(run, FLIGHT, sources=code, numbers=5)


RUN_CODE: Final = sources_digest(__name__)
"""What STATE.code is after a step by this program."""

run = _make_run(RUN_CODE)
"""Simulate so many steps of a FLIGHT record in place, with these handles' programs on board.

The last but one says what acts from outside, see `simulation.physics.external_force`; 0: nothing
does. The last is where in memory the WORLD_RECORD are; 0: the ground is level everywhere. Stops
before a step that would diverge, see STATE.diverged."""

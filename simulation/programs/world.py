"""World program: what a world does to the aircraft in it; only who flies in one needs it.

`run` calls it by its address, which stands in the record of the world.
"""

from typing import Any, Final

from simulation.compiler.decorators import njit_part
from simulation.compiler.program import Memory, Program
from simulation.compiler.source_digest import sources_digest
from simulation.environment.air import PERIOD as AIR_PERIOD
from simulation.mathematics.vectors import vector
from simulation.physics.surface_contact import apply_surfaces, keep_core_out
from simulation.records.flight import FLIGHT, POSITION
from simulation.records.sensor_table import SONAR
from simulation.sensors.sonar import echo_of_surfaces
from simulation.worlds.world_effects import (
    SKY_PERIOD,
    find_ground,
    grid_of,
    look_at_sky,
    shelter_air,
)
from simulation.worlds.world_record import TOUCHES, TURNS_BACK


@njit_part
def _look_around(p: Any, s: Any, world: Memory, step: int) -> None:
    """What acts from afar."""
    if step % AIR_PERIOD == 0:
        find_ground(s, world)
        shelter_air(s, world, step)
    if step % SKY_PERIOD == 0:
        look_at_sky(s, world)
    if s["sample_step"][SONAR] == step:
        s["echo"] = echo_of_surfaces(p, s, grid_of(world))


def _make_in_world(code: int) -> Program:
    def in_world(flight: Any, world: Memory, step: int, part: int) -> None:
        p, s = flight["parameters"], flight["state"]
        s["world_code"] = code
        if part == TOUCHES:
            apply_surfaces(p, s, flight["output"], world, step)
        elif part == TURNS_BACK:
            before = vector(flight["scratch"]["before"][POSITION : POSITION + 3])
            keep_core_out(p, s, flight["output"], world, before)
        else:
            _look_around(p, s, world, step)

    return Program(in_world, FLIGHT, sources=code, numbers=3)


WORLD_CODE: Final = sources_digest(__name__)
"""What STATE.world_code is after a step in a world by this program."""

in_world = _make_in_world(WORLD_CODE)
"""For a FLIGHT record at a step, in the world with these WORLD_RECORD, do the part LOOKS, after the
air has moved and before sensors measure, TOUCHES, in the place of the ground's
contact, or TURNS_BACK, when it has moved."""

"""Records of real flights and of what sensors see, as random arguments are made of them."""

import ctypes
import math
import random
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

import numpy as np

from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.parameters.mounts import SensorMount
from simulation.aircraft.propulsion_knowledge import know_propulsion
from simulation.compiler.plain_record import PlainRecord
from simulation.compiler.program import Program, reference_to
from simulation.compiler.program_record import ProgramCall, ProgramTables
from simulation.perception.flow.block_matching import BLOCKS, SIDE, match_blocks
from simulation.perception.flow.picture_flow import REAL, PictureFlow
from simulation.perception.flow.ring import FlowRing
from simulation.perception.flow.ring_layout import LAYOUTS
from simulation.perception.given_path import GivenPath
from simulation.perception.grey_scene import SeenScene
from simulation.perception.suite import PerceptionSuite
from simulation.programs.kalman import kalman
from simulation.programs.on_board import fly
from simulation.programs.shooting import Shooting
from simulation.programs.world import in_world
from simulation.records.flight import FLIGHT
from simulation.simulator.external_force import compiled_force
from simulation.worlds.make_scene import make_scene
from simulation.worlds.pixel_rays import rays_of
from simulation.worlds.row_motion import RowMotion
from simulation.worlds.surface_search import DrawnSurfaces, SurfaceSearch
from simulation.worlds.world_file import load_world
from telemetry.review.cameras.camera_settings import CameraSettings
from telemetry.review.cameras.lens import lens_of
from tests.simulation.perception.paths import winding
from tests.simulation.perception.rooms import room
from tests.simulation.test_determinism import CASES, standing, take_off, tether

_ADDRESSES_FROM: Final = 2**32
_PER_KIND: Final = 24
_MOST_CHANGED: Final = 40


class Found:
    """Records and arrays by their kind, and what is where in memory."""

    def __init__(self) -> None:
        self.at: dict[int, Any] = {}
        """By an address: what plain Python has there."""
        self.named: dict[str, list[int]] = {}
        """Addresses, by the parameters that they are given for."""
        self._records: dict[Any, list[Any]] = {}
        self._arrays: list[Any] = []
        self._kept: list[Any] = []

    # --- what was found ---

    def note(self, record: Any) -> None:
        """A record, and all in it."""
        known = self._records.setdefault((record.dtype, record.shape), [])
        if len(known) >= _PER_KIND:
            return
        known.append(record.copy())
        if record.dtype.fields is None:
            return
        for name in record.dtype.names:
            member = record[name]
            if member.ndim and member.dtype.fields:
                for one in member.reshape(-1)[:3]:
                    self.note(np.asarray(one))
            elif member.ndim or member.dtype.fields:
                self.note(np.asarray(member))

    def note_tables(self, tables: ProgramTables, record: Any, arrays: Mapping[str, Any]) -> None:
        """What stays as it is."""
        self._kept.append((tables, arrays))
        self.at |= {a.ctypes.data: a.reshape(-1).tolist() for a in arrays.values()}
        for name, array in arrays.items():
            self.named.setdefault(name, []).append(array.ctypes.data)
        self.named.setdefault("world" if "zones" in arrays else "table", []).append(tables.memory)
        self.at[tables.memory] = {n: self._there(v) for n, v in tables.plain().items()}
        place = (ctypes.c_char * record.itemsize).from_address(tables.memory)
        self.note(np.frombuffer(place, record)[0])

    def keep(self, *things: Any) -> None:
        """As long as this is."""
        self._kept.append(things)

    def note_handle(self, name: str, handle: Any, function: Any) -> None:
        """A program that others call."""
        self.at[handle.value] = function
        self.named.setdefault(name, []).append(handle.value)

    def note_array(self, array: Any) -> None:
        """One that programs may change."""
        if array.size and array.ctypes.data not in self.at:
            self._kept.append(array)
            self._arrays += [array] if array.flags.writeable else []
            self.at[array.ctypes.data] = array.reshape(-1).data

    def _there(self, value: Any) -> Any:
        return self.at.get(value, value) if isinstance(value, int) else value

    # --- arrays ---

    def arrays_now(self) -> list[Any]:
        """As they are."""
        return [array.copy() for array in self._arrays]

    def set_arrays(self, before: list[Any]) -> None:
        """Have them as they were."""
        for array, values in zip(self._arrays, before, strict=True):
            array[...] = values

    def put_arrays(self, plain: PlainRecord) -> Iterator[tuple[PlainRecord, str, int]]:
        """Put what is there in the place of addresses; the places, and the addresses."""
        for name, value in plain.items():
            if isinstance(value, PlainRecord):
                yield from self.put_arrays(value)
            elif isinstance(value, int) and value >= _ADDRESSES_FROM and value in self.at:
                yield plain, name, value
                dict.__setitem__(plain, name, self.at[value])

    # --- random arguments ---

    def fill(self, record: Any, member: str, parameter: str, chance: random.Random, n: int) -> None:
        """A member that belongs to a parameter of this name; of the records known the nth, so that
        those of a flight stay together."""
        dtype = record.dtype.fields[member][0]
        base, shape = dtype.subdtype or (dtype, ())
        if base.fields is None and not shape:
            record[member] = real(chance) if base == np.float64 else self._whole(parameter, chance)
            return
        known = self._records.get((base, shape), ())
        values = np.array(known[n % len(known)].copy()) if known else np.zeros(shape, base)
        _change(values, chance, chance.choice((0.0, 0.01, 0.1)) if known else 0.5)
        record[member] = values

    def _whole(self, parameter: str, chance: random.Random) -> int:
        named = self.named.get(parameter) or self.named.get(parameter.partition(".")[2])
        return chance.choice(named) if named else whole(chance)


def real(chance: random.Random) -> float:
    """Of any size, and often one that is special."""
    kind = chance.randrange(8)
    if kind == 0:
        return chance.choice((0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 1e9, math.inf, math.nan))
    return chance.gauss(0.0, 1.0) * chance.choice((0.01, 1.0, 1.0, 30.0, 1e4))


def whole(chance: random.Random) -> int:
    """Mostly small, as indices and numbers of steps are."""
    kind = chance.randrange(8)
    if kind == 0:
        return chance.choice((-1, 2**31, 2**62, -(2**40), chance.getrandbits(63)))
    return chance.randrange((3, 3, 8, 30, 3000)[chance.randrange(5)])


def _change(values: Any, chance: random.Random, share: float) -> None:
    """So many of its numbers, but no addresses."""
    wholes = values.reshape(-1).view(np.int64)
    reals, are_real = wholes.view(np.float64), _real_words(values.dtype)
    many = int(min(len(wholes) * share, _MOST_CHANGED) + chance.random())
    for i in chance.sample(range(len(wholes)), many):
        if are_real[i % len(are_real)]:
            reals[i] = (
                real(chance) if chance.random() < 0.5 else float(reals[i]) * chance.gauss(0.9, 0.2)
            )
        elif abs(int(wholes[i])) < _ADDRESSES_FROM:
            wholes[i] = chance.choice((0, 1, 2, 3, wholes[i] + 1, wholes[i] - 1))


@cache
def _real_words(dtype: Any) -> tuple[bool, ...]:
    """Which of its 64-bit words are real numbers."""
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return _real_words(base) * math.prod(shape)
    if dtype.fields is None:
        return (dtype.kind == "f",)
    return tuple(w for name in dtype.names for w in _real_words(dtype.fields[name][0]))


FOUND: Final = Found()


def noted_records() -> None:
    """Fly and look around, and note what programs work on meanwhile."""
    usual = Program.run, ProgramCall.__init__, ProgramCall.run, ProgramTables.__init__
    Program.run = property(_noted_run)  # type: ignore[assignment,method-assign]
    ProgramCall.__init__ = _noted_call  # type: ignore[method-assign]
    ProgramCall.run = _noted_call_run  # type: ignore[method-assign]
    ProgramTables.__init__ = _noted_tables  # type: ignore[method-assign]
    FOUND.keep(_flights(), _sights(), _windows())
    Program.run, ProgramCall.__init__, ProgramCall.run, ProgramTables.__init__ = usual  # type: ignore[method-assign]


_RUN: Final = Program.run.func
_CALL, _CALL_RUN, _TABLES = ProgramCall.__init__, ProgramCall.run, ProgramTables.__init__


@cache
def functions_of(program: Program) -> Mapping[tuple[Any, ...], Any]:
    """What it consists of, by function and kinds of arguments; its own function is the last one."""
    return program.translation()[1].translated


def _noted_run(program: Program) -> Any:
    run = _RUN(program)
    dtype = list(functions_of(program))[-1][1].dtype

    def noted(record: Any, *numbers: Any) -> None:
        run(record, *numbers)
        if dtype != FLIGHT:  # those are noted one by one
            place = (ctypes.c_char * dtype.itemsize).from_address(record.value)
            FOUND.note(np.frombuffer(place, dtype)[0])

    return noted


def _noted_call(self: ProgramCall, program: Any, record: Any, numbers: Any, arrays: Any) -> None:
    for array in arrays.values():
        FOUND.note_array(array)
    _CALL(self, program, record, numbers, arrays)


def _noted_call_run(self: ProgramCall, numbers: Any = None, arrays: Any = None) -> None:
    for array in (arrays or {}).values():
        FOUND.note_array(array)
    _CALL_RUN(self, numbers or {}, arrays or {})


def _noted_tables(self: ProgramTables, record: Any, arrays: Any, **numbers: Any) -> None:
    _TABLES(self, record, arrays, **numbers)
    FOUND.note_tables(self, record, arrays)


def _flights() -> list[Any]:
    for name, program in (("kalman", kalman), ("on_board", fly), ("in_world", in_world)):
        FOUND.note_handle(name, program.handle, list(functions_of(program))[-1][0])
    force = compiled_force(tether)
    FOUND.note_handle("external", force.handle, tether)
    FOUND.named["integrate.external"] = [0, *FOUND.named["external"]]
    FOUND.named["run.steps"] = [0, 1, 2]
    flown = [standing(case) for case in CASES]
    for simulator in flown[2:5]:  # of several kinds of motors, without the mixer
        know_propulsion(simulator.settings, simulator.aircraft.parameters)
    flown[2].settings["own_filter"] = 1  # the hexacopter by Lapwing's own filter
    for simulator in flown:
        simulator.advance(450)
        FOUND.note(simulator.record)
        take_off(simulator)
        simulator.advance(750)
        FOUND.note(simulator.record)
    FOUND.named["surroundings"] = FOUND.named["world"]
    return [force, *flown]


def _sights() -> list[Any]:
    path = GivenPath(winding)
    changes = {"rays": 9, "reach_m": 6.0, "ray_loss": 0.1}
    suite = PerceptionSuite(path, room(), [SensorMount("front", "utm-30lx", changes=changes)])
    path.advance(60)
    seen = SeenScene(make_scene(load_world("corridor:width_m=2.4,texture=noise")))
    grey = seen.grey
    for name, array in (("looks", grey.looks), ("texels", grey.texels)):
        FOUND.at[array.ctypes.data] = array.ravel().tolist()
        FOUND.named[name] = [array.ctypes.data]
    FOUND.named["look_of.memory"] = FOUND.named["grained.memory.0"] = FOUND.named["looks"]
    FOUND.named["memory"] = FOUND.named["grained.memory.1"] = FOUND.named["texels"]
    ring = FlowRing(seen, LAYOUTS["direct"], REAL)
    for place in ((10.0, 0.2, -1.4), (10.1, 0.2, -1.4)):
        ring.look(place, np.eye(3))
    return [suite, seen, ring, _post_seen_aslant(), *_pictures()]


def _windows() -> list[Any]:
    """Two windows of a flight that are flown again."""
    p = load_aircraft("ar100b").parameters
    steps = np.array([0, 6, 12])
    start = np.tile([1.0, 0.0, 0.2, 1.0, 0.0, 0.0, 0.0, 0.1, 0.0, 0.0], (2, 1))
    commands = np.full((12, 4), 0.6), np.full(12, 12.0)
    shooting = Shooting(steps[:-1], steps[1:])
    rows = shooting.fly(p, ((2.0, -1.0), 1.0), commands, start)
    FOUND.named["_begin.start"] = FOUND.named["_warm_up.start"] = [start.ctypes.data]
    FOUND.named["_warm_up.window"], FOUND.named["_warm_up.step"] = [0, 1], [0, 6]
    FOUND.named["_keep.rows"] = [rows.ctypes.data]
    return [shooting, start, commands, rows]


def _post_seen_aslant() -> Any:
    """By a camera that moves while its rows are exposed."""
    size = 12, 9
    nearness = np.zeros((13, 20), np.float32)
    nearness[:, 8:11] = 0.25
    turn = np.tile(np.eye(3, dtype=np.float32), (size[1], 1, 1))
    shift = np.linspace(-1.0, 1.0, size[1], dtype=np.float32)[:, None] * (0.2, 1.0, 0.1)
    search = SurfaceSearch(rays_of(lens_of(CameraSettings(60.0), size), size), 10.0)
    search.of(DrawnSurfaces(nearness), RowMotion(turn, shift.astype(np.float32)))
    return search


def _pictures() -> list[Any]:
    given = np.random.default_rng(5).uniform(0.0, 255.0, (3, 2, 12, 12))
    flow = PictureFlow((2, 12, 12), REAL)
    for pictures in given:
        flow.add(pictures)
    blocks = np.zeros(1, BLOCKS)
    blocks["search"], blocks["feature"], blocks["value"] = 4, 40, 5000
    picture = np.random.default_rng(5).integers(0, 255, SIDE * SIDE)
    blocks["before"], blocks["now"] = picture, np.roll(picture, 2)
    match_blocks.run(reference_to(blocks))
    return [flow, blocks]

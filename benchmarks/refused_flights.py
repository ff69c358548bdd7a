"""Flights that do not carry what `lapwing identify` looks for: it has to say so, each time.

`python -m benchmarks.refused_flights [FOLDER]` flies them in the simulator, whose truth is known,
has each identified, and prints what was said; the logs stay in FOLDER. Exits with 1 if one was
not refused, for its reason, or a parameter was told that is wrong.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np

from benchmarks.object_log import write_log
from simulation.aircraft.aircraft import load_aircraft
from simulation.identification.parameters import motor_time_constant_ms
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recording import RecordedColumns, Recording

_LAPWING: Final = (sys.executable, "-c", "import sys, lapwing; sys.exit(lapwing.main())")
_REFUSED: Final = 3
_TIMEOUT_S: Final = 300
_SIGMAS: Final = 4.0
_STABILIZED: Final = {"do": "fly", "mode": "Stabilized2", "throttle": 0.5}
_UP: Final = (
    {"do": "wait", "seconds": 4},
    {"do": "arm"},
    {"do": "takeoff"},
    {**_STABILIZED, "throttle": 0.9, "seconds": 4},
)
_WIND: Final = {"wind_north_mps": 3.0, "wind_east_mps": -2.0, "roughness_m": 0.0}
_VELOCITIES: Final = ("VelocityState", "GPSVelocitySensor", "GPSPositionSensor", "PositionState")
_INERTIA: Final = tuple(f"torque_per_inertia_{axis}" for axis in ("roll", "pitch", "yaw"))
_DRAG, _THRUST = "drag_per_mass", "thrust_per_mass"
_DELAYS: Final = ("motor_time_constant_ms", "dead_time_ms")
_WINDS: Final = ("wind_north_mps", "wind_east_mps")


def _doublet(axis: str, stick: float, width_s: float) -> list[Mapping[str, object]]:
    pulses = ((stick, width_s), (-stick, 2 * width_s), (stick, width_s), (0.0, 1.0))
    return [{**_STABILIZED, axis: size, "seconds": seconds} for size, seconds in pulses]


def _out_and_back(axis: str, stick: float) -> list[Mapping[str, object]]:
    pulses = ((stick, 5.0), (-stick, 10.0), (stick, 5.0), (0.0, 2.0))
    return [{**_STABILIZED, axis: size, "seconds": seconds} for size, seconds in pulses]


_MANOEUVRES: Final[tuple[Mapping[str, Any], ...]] = (
    *_UP,
    *(step for axis in ("roll", "pitch") for step in _doublet(axis, 0.6, 0.4)),
    *_doublet("yaw", 0.5, 0.8),
    *(step for axis in ("roll", "pitch") for step in _out_and_back(axis, 0.4)),
    {"do": "fly", "mode": "PositionHold", "throttle": 0.5, "yaw": 0.2, "seconds": 20},
    {"do": "hold", "seconds": 10},
)
FLIGHTS: Final[Mapping[str, tuple[Mapping[str, float], tuple[Mapping[str, Any], ...]]]] = {
    "manoeuvres": (_WIND, _MANOEUVRES),
    "turbulence": ({**_WIND, "turbulence_mps": 2.0}, _MANOEUVRES),
    "calm": ({}, (*_UP, {"do": "hold", "seconds": 60})),
    "ground": ({}, ({"do": "wait", "seconds": 30}, {"do": "arm"}, {"do": "wait", "seconds": 30})),
    "full throttle": (
        {},
        (*_UP, {"do": "fly", "mode": "Stabilized1", "throttle": 1.0, "seconds": 25}),
    ),
    "lost motor": (
        {},
        (
            *_UP,
            {"do": "hold", "seconds": 3},
            {"do": "set", "values": {"motor_4_lost": 1}},
            {"do": "hold", "seconds": 30},
        ),
    ),
    "tumbling": (
        {},
        (
            *_UP,
            {**_STABILIZED, "throttle": 0.95, "seconds": 12},
            {"do": "set", "values": {"motor_1_lost": 1}},
            {"do": "wait", "seconds": 20},
        ),
    ),
}
"""What acts on it from the start, and the script."""

Change = Callable[[Recording], list[RecordedColumns]]


@dataclass(frozen=True, slots=True)
class Case:
    """A log, by whose file it is judged, and what has to be said.

    `refused` is what the sentence has to be like if all is refused; None: `silent` parameters have
    to be refused, each with a reason, and what is told of others has to be the `truth`.
    """

    title: str
    flight: str
    flown: str = "ar100b"
    judged: str = "ar100b"
    rate_hz: int | None = 500
    span_s: tuple[int, int] | None = None
    change: Change | None = None
    refused: str | None = None
    silent: tuple[str, ...] = ()
    truth: Mapping[str, float] = field(default_factory=dict)


def _without(*names: str) -> Change:
    return lambda recording: [one for one in _all(recording) if one.definition.name not in names]


def _seconds_in_the_air(seconds: float) -> Change:
    """From before the flight to so long after its motors have lifted it."""

    def cut(recording: Recording) -> list[RecordedColumns]:
        times, down = recording.series("AttitudeSimulated.Position.Down")
        lifted_s = times[np.argmax(down < down[0] - 0.3)]
        return [_until(one, lifted_s + seconds) for one in _all(recording)]

    return cut


def _with_outputs_swapped(recording: Recording) -> list[RecordedColumns]:
    """The commands of the first two motors in each other's place."""
    columns = _all(recording)
    commands = next(one for one in columns if one.definition.name == "ActuatorCommand")
    swapped = commands.rows.copy()
    swapped["Channel"][:, [0, 1]] = commands.rows["Channel"][:, [1, 0]]
    others = [one for one in columns if one is not commands]
    return [*others, commands._replace(rows=swapped)]


def _until(columns: RecordedColumns, end_s: float) -> RecordedColumns:
    stop = int(np.searchsorted(columns.times, end_s))
    return columns._replace(times=columns.times[:stop], rows=columns.rows[:stop])


def _all(recording: Recording) -> list[RecordedColumns]:
    tracks = recording.tracks()
    return [RecordedColumns(t.definition, t.instance, t.times, t.rows) for t in tracks]


_FILE: Final = {
    **dict.fromkeys((_DRAG, _THRUST, *_INERTIA), 1.0),
    "motor_time_constant_ms": motor_time_constant_ms(load_aircraft("ar100b").parameters),
    "dead_time_ms": 0.0,
}
_IN_CALM: Final = {**_FILE, "wind_north_mps": 0.0, "wind_east_mps": 0.0}
_IN_WIND: Final = {
    **_IN_CALM,
    "wind_north_mps": _WIND["wind_north_mps"],
    "wind_east_mps": _WIND["wind_east_mps"],
}

CASES: Final = (
    Case(
        "hover in calm",
        "calm",
        span_s=(26, 80),
        silent=(_DRAG, *_INERTIA, *_DELAYS),
        truth=_IN_CALM,
    ),
    Case("recorded once a second", "manoeuvres", rate_hz=None, refused="Hz|rate|second"),
    Case("on the ground", "ground", refused="air|fl(y|own)|armed"),
    Case("of six rotors, by a file of four", "manoeuvres", "ar100x6", refused="aircraft|rotor"),
    Case("of 27 g, by a file of 1.3 kg", "manoeuvres", "crazyflie", refused="aircraft|file"),
    Case("outputs swapped", "manoeuvres", change=_with_outputs_swapped, refused="aircraft|file"),
    Case("no motor commands", "manoeuvres", change=_without("ActuatorCommand"), refused="motor"),
    Case("no attitude", "manoeuvres", change=_without("AttitudeState"), refused="attitude"),
    Case("no velocity", "manoeuvres", change=_without(*_VELOCITIES), refused="velocit"),
    Case(
        "five seconds in the air", "manoeuvres", change=_seconds_in_the_air(5.0), refused="air|s "
    ),
    Case("by the file of a coaxial helicopter", "manoeuvres", judged="mcx2", refused="rotor|coax"),
    Case("by the file of an aeroplane", "manoeuvres", judged="sea-vixen", refused="wing|rotor"),
    Case("tumbling in the end", "tumbling", silent=(_DRAG, *_INERTIA, *_DELAYS), truth=_IN_CALM),
    Case("one of six motors lost", "lost motor", "ar100x6", "ar100x6", refused="."),
    Case("every second command missing", "manoeuvres", rate_hz=250, truth=_IN_WIND),
    Case("in turbulence", "turbulence", truth=_IN_WIND),
    Case("at full throttle", "full throttle", silent=(*_INERTIA, *_DELAYS), truth=_IN_CALM),
)
CONTROL: Final = Case("manoeuvres, complete", "manoeuvres", truth=_IN_WIND)
"""Has to be told: what is refused above is refused for what it lacks."""


@dataclass(frozen=True, slots=True)
class IdentifyAnswer:
    """Of `lapwing identify`: exit code, its JSON if there is any, and what it complained of."""

    code: int
    told: Mapping[str, Any]
    words: str


def main(words: Sequence[str]) -> int:
    """1 if something was said that must not have been."""
    with TemporaryDirectory() as temporary:
        folder = Path(words[0] if words else temporary)
        folder.mkdir(exist_ok=True)
        faults = _faults_of_control(_answer(CONTROL, folder))
        _tell(CONTROL, faults)
        failed = bool(faults)
        for case in CASES:
            faults = _faults(case, _answer(case, folder))
            _tell(case, faults)
            failed |= bool(faults)
    return int(failed)


def _tell(case: Case, faults: Sequence[str]) -> None:
    print(f"{case.title}: {'; '.join(faults) or 'as it should be'}", flush=True)


def _answer(case: Case, folder: Path) -> IdentifyAnswer:
    log = _log(case, folder)
    first, last = case.span_s or ("", "")
    span = ("--from", str(first), "--to", str(last)) if case.span_s else ()
    done = _run("identify", str(log), "--aircraft", case.judged, *span, "--json")
    told = json.loads(done.stdout) if done.stdout.strip() else {}
    words = str(told.get("refused") or (done.stderr.splitlines() or [""])[-1])
    print(f"  {case.title}: exit {done.returncode}, {words}")
    return IdentifyAnswer(done.returncode, told, words)


def _log(case: Case, folder: Path) -> Path:
    rate = f"-{case.rate_hz}" if case.rate_hz else ""
    flown = folder / f"{case.flight}-{case.flown}{rate}.opl".replace(" ", "-")
    if not flown.exists():
        _fly(case, flown)
    if case.change is None:
        return flown
    path = folder / f"{case.title.replace(' ', '-')}.opl"
    write_log(path, case.change(read_log(flown, load_catalogue()).recording))
    return path


def _fly(case: Case, path: Path) -> None:
    world, steps = FLIGHTS[case.flight]
    script = path.with_suffix(".json")
    scenario = {
        "name": path.stem,
        "title": case.flight,
        "world": world,
        "steps": steps,
        "measures": ["max_altitude_m"],
        "bands": {"max_altitude_m": [None, None]},
        "may_crash": True,
    }
    script.write_text(json.dumps(scenario))
    rate = ("--record-rate", str(case.rate_hz)) if case.rate_hz else ()
    done = _run("sim", "fly", str(script), "--aircraft", case.flown, "--record", str(path), *rate)
    if not path.exists():
        raise RuntimeError(f"{case.title} was not flown: {done.stderr or done.stdout}")


def _run(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*_LAPWING, *words], capture_output=True, text=True, timeout=_TIMEOUT_S, check=False
    )


def _faults(case: Case, answer: IdentifyAnswer) -> list[str]:
    if case.refused is not None:
        return _unrefused(case.refused, answer)
    told = answer.told.get("parameters", {})
    loud = [
        f"{name} told: {_figure(one)}"
        for name, one in told.items()
        if name in case.silent and one["excited"]
    ]
    mute = [f"{name} without a reason" for name, one in told.items() if not _is_explained(one)]
    return loud + mute + _wrong(answer, case.truth)


def _unrefused(wanted: str, answer: IdentifyAnswer) -> list[str]:
    told = answer.told.get("parameters", {}).items()
    values = [f"{name} {_figure(one)}" for name, one in told if one["excited"]]
    if answer.code not in (1, _REFUSED) or values:
        return [f"not refused (exit {answer.code}), told {', '.join(values) or 'nothing'}"]
    return [] if re.search(wanted, answer.words) else [f"for another reason: {answer.words}"]


def _faults_of_control(answer: IdentifyAnswer) -> list[str]:
    if answer.code:
        return [f"exit {answer.code}: {answer.words}"]
    wanted = (*_WINDS, _DRAG, _THRUST, *_INERTIA, *_DELAYS)
    missing = [name for name in wanted if not answer.told["parameters"][name]["excited"]]
    faults = [f"{name}: {answer.told['parameters'][name]['reason']}" for name in missing]
    return faults + _wrong(answer, CONTROL.truth)


def _wrong(answer: IdentifyAnswer, truth: Mapping[str, float]) -> list[str]:
    """What is told and further from the truth than so many of its deviations."""
    found = []
    for name, true in truth.items():
        told = answer.told["parameters"].get(name)
        if told is None or not told["excited"]:
            continue
        if abs(told["value"] - true) > _SIGMAS * told["sigma"]:
            found.append(f"{name} {_figure(told)}, true {true:.3g}")
    return found


def _is_explained(told: Mapping[str, Any]) -> bool:
    return bool(told["excited"] or told["reason"])


def _figure(told: Mapping[str, Any]) -> str:
    return f"{told['value']:.3g} ± {told['sigma']:.2g}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

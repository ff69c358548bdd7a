"""`--streams`: what the aircraft's sensors see of its world, kept beside the log."""

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING

from simulation.command.options import Options, flag, value
from simulation.perception.pixel_truth import PIXEL_TRUTH

if TYPE_CHECKING:
    from simulation.perception.sensor_recorder import SensorRecorder


STREAMS_OPTIONS: Options = {
    "--streams": flag(
        "keep what the aircraft's cameras, lidars and other sensors see of the world "
        "beside --record, as a station does (FILE_SENSOR.npz, .mkv), and the truth of each sample "
        "(FILE.truth_SENSOR.npz)"
    ),
    "--truth": value(
        "NAME,...",
        "with --streams, keep what is true of every pixel of a camera's pictures too: "
        f"{', '.join(PIXEL_TRUTH)} (all of them without names); megabytes a picture",
        nargs="?",
        const=",".join(PIXEL_TRUTH),
        default="",
    ),
    "--lossless": flag(
        "with --streams, keep pictures as FFV1 in .mkv, to the bit, instead of as MPEG-4"
    ),
}


def check_streams_options(options: argparse.Namespace) -> None:
    """Refuse what does not go together. Raises ValueError."""
    if not options.streams:
        if faults := sensor_faults(options):
            name = ".".join(next(iter(faults)))
            raise ValueError(f"{name} is a fault of a sensor that looks at a world; add --streams.")
        if options.truth or options.lossless:
            raise ValueError("--truth and --lossless say how --streams are kept; add --streams.")
        return
    if unknown := set(pixel_truth(options)) - set(PIXEL_TRUTH):
        raise ValueError(
            f"There is no truth '{min(unknown)}' of pixels; there are: {', '.join(PIXEL_TRUTH)}."
        )
    if options.record is None:
        raise ValueError("--streams stand beside a log; add --record FILE.opl.")


def sensor_faults(options: argparse.Namespace) -> dict[tuple[str, str], float]:
    """Those of `--set MOUNT.FAULT=NUMBER`, by mount and fault."""
    parts = ((name.partition("."), value) for name, value in options.changes)
    return {(mount, fault): value for (mount, dot, fault), value in parts if dot}


def pixel_truth(options: argparse.Namespace) -> tuple[str, ...]:
    """What `--truth` names."""
    return tuple(name.strip() for name in options.truth.split(",") if name.strip())


def open_streams(
    options: argparse.Namespace,
    world: str,
    aircraft: str,
    resources: ExitStack,
    tell: Callable[[str], None],
) -> "SensorRecorder | None":
    """What records the sensors, if that is wanted, until `resources` are closed. `tell` is told
    what is missing in the files, and of sensors that begin inside of something. Raises ValueError
    without a world or sensors."""
    if not options.streams:
        return None
    from simulation.aircraft.aircraft import load_aircraft
    from simulation.perception.sensor_recorder import SensorRecorder

    if not world:
        raise ValueError("--streams are what sensors see of a world; add --world NAME.")
    if not load_aircraft(aircraft).mounts:
        raise ValueError(
            f"The aircraft {aircraft} carries no sensors that look at a world; give its file "
            "[mounts.NAME], or take --aircraft hector."
        )

    recorder = SensorRecorder(
        options.record,
        options.gpu,
        sensor_faults(options),
        of_pixels=pixel_truth(options),
        is_lossless=options.lossless,
        tell=tell,
    )

    def close() -> None:
        for sentence in recorder.close():
            tell(sentence)

    resources.callback(close)
    return recorder

"""`lapwing airframe`: the mixer a frame generates, on the command line."""

import argparse
import sys
from typing import Any

from telemetry.base.command_line import print_report
from telemetry.configuration.airframe.airframe import (
    AXES,
    CUSTOM,
    ELEMENTS,
    Airframe,
    AirframeError,
    Levels,
    airframe_named,
)
from telemetry.configuration.airframe.mixer import Mixer
from telemetry.configuration.airframe.mixer_generation import generate


def add_commands(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add `airframe`; it sets `run(args) -> exit code`."""
    parser = subparsers.add_parser("airframe", help="show the mixer that a frame generates")
    parser.add_argument("frame", metavar="FRAME", help="an AirframeType, such as QuadX")
    parser.add_argument(
        "--levels",
        metavar="R,P,Y",
        help="mix levels of roll, pitch and yaw in percent (default: those of the frame)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def _run(args: argparse.Namespace) -> int:
    try:
        frame = airframe_named(args.frame)
        levels = None if args.levels is None else _levels(args.levels)
        mixer = generate(frame, levels)
    except AirframeError as error:
        print(error, file=sys.stderr)
        return 1
    if levels is not None and not frame.scaled:
        print(f"{frame.name} has no mix levels; they change nothing.", file=sys.stderr)
    table = _table(frame, mixer, levels or frame.levels)
    print_report(_content(frame, mixer), table, as_json=args.json)
    return 0


def _levels(text: str) -> Levels:
    words = text.split(",")
    if len(words) != len(AXES):
        raise AirframeError(
            f"--levels takes 3 levels (roll, pitch, yaw), not {len(words)}; write 50,50,50."
        )
    return Levels(*(_level(word.strip()) for word in words))


def _level(word: str) -> int:
    if not (word.isascii() and word.isdecimal() and len(word) <= 3 and int(word) <= 100):
        raise AirframeError(f"'{word[:20]}' is no mix level; give whole percent from 0 to 100.")
    return int(word)


def _content(frame: Airframe, mixer: Mixer) -> dict[str, Any]:
    return {
        "frame": frame.name,
        "channels": [
            {
                "name": channel.name,
                "type": channel.type,
                "vector": dict(zip(ELEMENTS, channel.vector, strict=True)),
            }
            for channel in mixer.channels
        ],
    }


def _table(frame: Airframe, mixer: Mixer, levels: Levels) -> list[str]:
    if frame.family == CUSTOM:
        return [
            f"{frame.name}  {frame.title}",
            f"  {frame.proof}",
            "  no channels of its own: its mixer is what is on board",
        ]
    scaled = [
        f"{axis.lower()} {level} %"
        for axis, level in zip(AXES, levels, strict=True)
        if axis in frame.scaled
    ]
    lines = [f"{frame.name}  {frame.title}", f"  {frame.proof}"]
    if scaled:
        lines.append(f"  mix levels: {', '.join(scaled)}")
    titles = "".join(f"  {element:>5}" for element in ELEMENTS)
    lines += ["", f"  output  {'name':10}  {'type':15}{titles}"]
    for channel in mixer.channels:
        weights = "".join(
            f"  {weight:>{max(5, len(element))}}"
            for element, weight in zip(ELEMENTS, channel.vector, strict=True)
        )
        lines.append(f"  {channel.output:>6}  {channel.name:10}  {channel.type:15}{weights}")
    return lines

"""Sheet of an aircraft, `lapwing sim sheet`: printed, and drawn as a page with `--plot`."""

import argparse
import json
from pathlib import Path
from typing import Final

from simulation.command.options import JSON_OPTION, WITHOUT_EFFECT, Options, value
from telemetry.base.command_line import print_lines

SHEET_OPTIONS: Final[Options] = {
    "aircraft": value("NAME|FILE", "airframe, or its .json or .toml file"),
    "--plot": value("PNG", "draw the sheet", Path),
    **JSON_OPTION,
    "--seed": value(None, argparse.SUPPRESS),
    "--fast": WITHOUT_EFFECT,
    "--real-time": WITHOUT_EFFECT,
}


def print_sheet(options: argparse.Namespace) -> int:
    """Fly for it, print it, draw it; raises ValueError for what cannot be flown or written."""
    from simulation.scenarios.plot import check_picture
    from simulation.sheet.make import make_sheet
    from simulation.sheet.page import SUFFIXES, write_page
    from telemetry.protocol.objects.catalogue import load_catalogue

    if options.plot is not None:
        check_picture(options.plot, SUFFIXES)
    sheet = make_sheet(options.aircraft, load_catalogue())
    print_lines([json.dumps(sheet.as_dict())] if options.json else sheet.as_lines())
    if options.plot is not None:
        write_page(sheet, options.plot)
    return 0

"""Sheet options of `lapwing sim --sheet NAME`: printed, and drawn with `--plot`."""

import argparse
import json


def add_sheet_options(parser: argparse.ArgumentParser) -> None:
    """Add --sheet."""
    parser.add_argument(
        "--sheet",
        metavar="NAME|FILE",
        help="what an aircraft can do, on a page: power, speeds, endurance, answers to steps",
    )


def print_sheet(options: argparse.Namespace) -> int:
    """Fly for it, print it, draw it; raises ValueError for what cannot be flown or written."""
    from simulation.scenarios.plot import check_picture
    from simulation.sheet.make import make_sheet
    from simulation.sheet.page import SUFFIXES, write_page
    from telemetry.protocol.objects.catalogue import load_catalogue

    if options.plot is not None:
        check_picture(options.plot, SUFFIXES)
    sheet = make_sheet(options.sheet, load_catalogue())
    print(json.dumps(sheet.as_dict()) if options.json else sheet.as_text())
    if options.plot is not None:
        write_page(sheet, options.plot)
    return 0

"""Entry point `python -m simulation sim ...`: `lapwing sim ...`, for programs that run it."""

import argparse
import gc
import sys


def main() -> int:
    """Parse the command line and do it; return the exit code."""
    gc.set_threshold(10_000)  # what a start makes is no garbage, and a flight makes little
    from simulation.command.cli import add_commands
    from telemetry.base.escaping import escaped_output

    parser = argparse.ArgumentParser(prog="simulation")
    add_commands(parser.add_subparsers(required=True))
    options = parser.parse_args()
    with escaped_output():
        return int(options.run(options))


if __name__ == "__main__":
    sys.exit(main())

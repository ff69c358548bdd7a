"""A process that records a flight and prints how far it has come, until somebody kills it."""

import sys
from pathlib import Path

from telemetry.objects.catalogue import load_catalogue
from telemetry.vehicle.connection import connect
from tests.telemetry.vehicle.test_connection import Aircraft, is_connected
from tests.waiting import wait_until


def main() -> None:
    catalogue = load_catalogue()
    vehicle = connect("test:killed", Aircraft(catalogue).open, catalogue, Path(sys.argv[1]))
    wait_until(is_connected(vehicle))
    shown_s = 0.0
    while True:
        wait_until(lambda: vehicle.recording.last_s > shown_s + 0.01)  # noqa: B023
        shown_s = vehicle.recording.last_s
        print(shown_s, flush=True)


if __name__ == "__main__":
    main()

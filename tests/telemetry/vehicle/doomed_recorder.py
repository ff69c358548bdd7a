"""A process that records a flight from an address, until somebody kills it."""

import sys
import threading
from pathlib import Path

from telemetry.links.opening import open_link
from telemetry.objects.catalogue import load_catalogue
from telemetry.vehicle.connection import connect


def main() -> None:
    vehicle = connect(sys.argv[1], open_link, load_catalogue(), Path(sys.argv[2]))
    threading.Event().wait()
    vehicle.close()


if __name__ == "__main__":
    main()

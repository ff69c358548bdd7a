"""A process that changes metadata and prints what they were and are, until somebody kills it."""

import sys
import threading
from pathlib import Path

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.vehicle.connection import BoardFolders, connect
from telemetry.vehicle.metadata_change import sent_every
from tests.telemetry.vehicle.test_connection import Aircraft, is_connected
from tests.waiting import wait_until

NAME = "SystemStats"
ADDRESS = "test:killed"


def main() -> None:
    catalogue = load_catalogue()
    aircraft = Aircraft(catalogue)
    key = aircraft.board.named(NAME).object_id + 1, 0
    before = aircraft.board.values[key]
    vehicle = connect(
        ADDRESS,
        aircraft.open,
        catalogue,
        None,
        kept=BoardFolders(Path(sys.argv[1]), Path(sys.argv[1]) / "settings"),
    )
    wait_until(is_connected(vehicle))
    change = vehicle.commands.change_metadata(NAME, sent_every(40))
    wait_until(lambda: change.is_active)
    print(before.hex(), aircraft.board.values[key].hex(), flush=True)
    threading.Event().wait()


if __name__ == "__main__":
    main()

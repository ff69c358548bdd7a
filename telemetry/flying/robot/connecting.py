"""Connecting to a robot by its address."""

import os
import sys
from contextlib import ExitStack
from pathlib import Path

from telemetry.base.clock import monotonic_s
from telemetry.base.escaping import terminal_text
from telemetry.base.folders import Folders
from telemetry.configuration.arming.station_receiver import station_receiver_of, why_deaf
from telemetry.configuration.settings.headless import PATIENCE_S, Headless
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.pilot import RobotPilot, RobotThread
from telemetry.flying.robot.robot import Robot
from telemetry.flying.robot.simulated import SCHEME, open_simulated
from telemetry.protocol.links.address import scheme_of
from telemetry.protocol.links.opening import open_link
from telemetry.protocol.links.streamed import with_streams
from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.recording.logs.reader import read_log
from telemetry.recording.recorded_streams import attach_streams, streams_beside
from telemetry.vehicle.connection import OpenLink
from telemetry.vehicle.replay import replay_vehicle

_TAKEN_WITHIN_S = 10.0


def connect(
    address: str,
    *,
    streams_at: str = "",
    record_in: Path | None = None,
    takes_receiver: bool = False,
    patience_s: float = PATIENCE_S,
) -> Robot:
    """The robot at an address: "serial:", "tcp:" or "udp:" of an aircraft, "sim:NAME" of a
    simulated one that is started for it, or the file of a recorded flight.

    What the sensors of an aircraft behind a link see is read at `streams_at`, such as the "streams"
    that `lapwing sim serve` names; a simulated one that is started sends it by itself.
    A flight is recorded in the folder `record_in`, by default where the station records. An
    aircraft whose receiver hears a radio is flown only with `takes_receiver`: its settings are
    changed until the robot is closed, as *Fly from this station* does.
    What is missing of a recorded flight's streams is said on stderr.
    Raises RobotError, LinkError, AddressError, or LogError for a file that is no log.
    """
    if streams_at and (Path(address).is_file() or scheme_of(address) == SCHEME):
        raise RobotError(f"{address} brings its streams along; leave out streams_at.")
    if Path(address).is_file():
        return _recorded(Path(address))
    with ExitStack() as ends:
        opening: OpenLink = open_simulated if scheme_of(address) == SCHEME else open_link
        if streams_at:
            opening = with_streams(open_link, streams_at)
        folders = Folders.of_user(os.environ)
        folder = record_in or folders.recordings
        remote = Headless(address, opening, load_catalogue(), patience_s, record_in=folder)
        ends.enter_context(remote)
        # On disk as the station's: what a killed script has changed, the next one gives back.
        temporary_settings_of(remote.vehicle, folders.temporary_settings)
        remote.fetch_all()
        pilot = RobotPilot(remote.vehicle)
        if takes_receiver:
            _take_receiver(remote, pilot)
        thread = RobotThread(pilot)
        thread.start()
        ends.callback(thread.end)
        return Robot(remote.vehicle, pilot, ends.pop_all().close)


def _recorded(log: Path) -> Robot:
    vehicle = replay_vehicle(read_log(log, load_catalogue()))
    for problem in attach_streams(vehicle.recording, streams_beside(log)):
        print(terminal_text(problem), file=sys.stderr, flush=True)
    return Robot(vehicle)


def _take_receiver(remote: Headless, pilot: RobotPilot) -> None:
    receiver = station_receiver_of(remote.vehicle)
    if not why_deaf(receiver.values):
        return
    why = receiver.take()
    since_s = monotonic_s()
    while not why and not receiver.is_taken:
        pilot.step()
        remote.step()
        if monotonic_s() - since_s > _TAKEN_WITHIN_S:
            why = "The board did not take its receiver's settings over."
    if why:
        raise RobotError(why)

"""A board that has a plan and a home, in simulated time."""

from dataclasses import replace

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.missions.made import HOME
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

_DRONIN = {
    "AttitudeState": "AttitudeActual",
    "GPSPositionSensor": "GPSPosition",
    "StabilizationSettingsBank1": "StabilizationSettings",
}
_PLAN = ("PathPlan", "HomeLocation", "GPSPositionSensor")


def plan_board(catalogue: Catalogue, release: str = DEFAULT_RELEASE) -> MemoryBoard:
    names: tuple[str, ...] = (*SMALL, *_PLAN)
    is_dronin = release.startswith("dRonin")
    if is_dronin:
        names = tuple(n for n in names if n not in ("PathAction", "PathPlan"))
    known = {d.name: d for d in catalogue.release(release)}
    names = tuple(_DRONIN.get(name, name) if is_dronin else name for name in names)
    board = MemoryBoard(known[name] for name in names if name in known)
    put_values(
        board,
        "HomeLocation",
        Latitude=round(HOME.latitude_deg * 1e7),
        Longitude=round(HOME.longitude_deg * 1e7),
        Altitude=HOME.altitude_m,
        Set="TRUE" if is_dronin else "True",
    )
    return board


def put_values(board: MemoryBoard, name: str, **values: object) -> None:
    definition = board.named(name)
    board.values[definition.object_id, 0] = pack_values(definition, values)


def plan_bench(catalogue: Catalogue, board: MemoryBoard | None = None) -> Bench:
    bench = Bench(catalogue, board or plan_board(catalogue))
    status = replace(bench.vehicle.status, release=DEFAULT_RELEASE)
    bench.vehicle.status = status
    return bench

"""Connections: addresses, devices, remembering, two at once, disconnecting."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from app.connection.connections import Connections
from app.messages import Messages
from app.preferences import PreferenceStore
from plugins.api import Device, LinkKind
from plugins.testing import add, live_vehicle
from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.links.memory import pair
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle

KINDS = (
    LinkKind("sim", "Simulator", "tests.app.connection.test_connections:open_link",
             "tests.app.connection.test_connections:simulators", "sim:ar100b"),
    LinkKind("usb", "USB board", "tests.app.connection.test_connections:open_link"),
    LinkKind("tcp", "TCP", "tests.app.connection.test_connections:open_link", "",
             "tcp:127.0.0.1:9000"),
    LinkKind("bad", "Bad", "tests.app.connection.test_connections:open_link",
             "tests.app.connection.test_connections:broken_devices"),
)  # fmt: skip


def open_link(address: str) -> Link:
    raise LinkError("not in this test")


def simulators() -> list[Device]:
    return [Device("sim:ar100b", "AR100B"), Device("sim:other", "Other")]


def broken_devices() -> list[Device]:
    raise LinkError("the bus is on fire")


class World:
    """Connections whose links are made up."""

    def __init__(self, folder: Path) -> None:
        self.fleet = Fleet()
        self.messages = Messages()
        self.preferences = PreferenceStore(folder / "preferences.json")
        self.jobs = ThreadPoolExecutor(1)
        self.closed: list[str] = []
        self.connections = Connections(
            self.fleet, KINDS, self.connect, self.jobs, self.messages, self.preferences
        )

    def connect(self, address: str, _open_link: Callable[[str], Link]) -> Vehicle:
        if address == "tcp:refuse":
            raise LinkError("refused")

        def close() -> None:
            self.closed.append(address)
            vehicle.status = LinkStatus(LinkState.DISCONNECTED)

        vehicle = live_vehicle(address, on_close=close)
        return vehicle


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    yield world
    world.connections.close()
    world.jobs.shutdown()


def texts(world: World) -> str:
    return "\n".join(message.text for message in world.messages.take())


def test_a_board_is_not_opened_twice_by_two_addresses_of_it(world: World) -> None:
    first = world.connections.open("usb:")
    assert first is not None
    first.link, _ = pair("board")
    first.link.address = "usb:32FF"
    assert world.connections.open("usb:32FF") is first
    assert world.connections.open("usb:") is first
    other = world.connections.open("usb:0F0E")
    assert other is not first


def test_two_aircraft_at_once(world: World) -> None:
    first = world.connections.open("sim:ar100b")
    second = world.connections.open(" tcp:host:1 ")
    assert world.fleet.vehicles == (first, second)
    assert world.fleet.active is first, "a new connection takes nothing over"
    assert "stays the active one" in texts(world)
    assert world.connections.address_of(first) == "sim:ar100b"
    assert world.preferences.current.remembered == ("tcp:host:1", "sim:ar100b")


def test_the_same_address_again_is_only_chosen(world: World) -> None:
    first = world.connections.open("sim:ar100b")
    world.connections.open("tcp:host:1")
    assert world.connections.open("sim:ar100b") is first
    assert world.fleet.active is first
    assert len(world.fleet.vehicles) == 2


@pytest.mark.parametrize("address", ["", "host", "ftp:host", "tcp"])
def test_what_is_no_address_is_told_with_examples(world: World, address: str) -> None:
    assert world.connections.open(address) is None
    assert "sim:ar100b, tcp:127.0.0.1:9000" in texts(world)


def test_a_refused_link_is_told(world: World) -> None:
    assert world.connections.open("tcp:refuse") is None
    assert texts(world) == "refused"
    assert world.fleet.vehicles == ()


def test_disconnect_keeps_the_flight_and_toggle_brings_it_back(world: World) -> None:
    vehicle = world.connections.open("sim:ar100b")
    world.connections.toggle()
    world.jobs.submit(int).result()
    world.connections.poll()
    assert world.closed == ["sim:ar100b"]
    assert world.fleet.vehicles == (vehicle,)
    assert vehicle is not None
    assert vehicle.timeline.mode == "paused"
    world.connections.toggle()
    assert len(world.fleet.vehicles) == 1
    assert world.fleet.active is not vehicle


@pytest.mark.parametrize("leave", ["ask_to_disconnect", "ask_to_forget"])
def test_leaving_an_armed_aircraft_is_asked_about_first(world: World, leave: str) -> None:
    vehicle = world.connections.open("sim:ar100b")
    assert vehicle is not None
    add(vehicle.recording, 1.0, "FlightStatus", Armed="Armed")
    getattr(world.connections, leave)(vehicle)
    (question,) = [m for m in world.messages.take() if m.remedy is not None]
    assert "is armed" in question.text
    assert world.closed == []
    assert question.remedy is not None
    question.remedy()
    world.jobs.submit(int).result()
    assert world.closed == ["sim:ar100b"]


def test_leaving_a_disarmed_aircraft_is_not(world: World) -> None:
    vehicle = world.connections.open("sim:ar100b")
    assert vehicle is not None
    add(vehicle.recording, 1.0, "FlightStatus", Armed="Armed")
    add(vehicle.recording, 2.0, "FlightStatus", Armed="Disarmed")
    world.connections.ask_to_disconnect(vehicle)
    world.jobs.submit(int).result()
    assert world.closed == ["sim:ar100b"]


def test_the_start_address(world: World) -> None:
    assert world.connections.start_address() == "sim:ar100b"
    world.preferences.change(connect_at_start="")
    assert world.connections.start_address() == ""
    world.preferences.change(connect_at_start="tcp:host:1")
    assert world.connections.start_address() == "tcp:host:1"


def test_places_are_devices_then_remembered_addresses(world: World) -> None:
    world.preferences.remember("sim:other")
    world.preferences.remember("tcp:host:1")
    places = world.connections.find_places().result()
    assert [place.address for place in places] == ["sim:ar100b", "sim:other", "tcp:host:1"]
    assert [place.group for place in places] == ["Simulator", "Simulator", "Used before"]
    assert "the bus is on fire" in texts(world)


def test_everything_is_closed_in_the_end(world: World) -> None:
    world.connections.open("sim:ar100b")
    world.connections.open("tcp:host:1")
    world.connections.close()
    assert world.closed == ["sim:ar100b", "tcp:host:1"]
    assert world.fleet.vehicles == ()


def test_what_opening_a_link_has_found_is_told_once(world: World) -> None:
    vehicle = world.connections.open("sim:ar100b")
    assert vehicle is not None
    link, _ = pair("sim:ar100b")
    link.notice = "Its memory was moved aside."  # type: ignore[attr-defined]
    vehicle.link = link
    for _ in range(3):
        world.connections.poll()
    assert texts(world) == "Its memory was moved aside."

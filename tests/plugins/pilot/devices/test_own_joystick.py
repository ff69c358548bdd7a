"""The joystick that a board plays flies any aircraft but its own."""

from collections.abc import Iterator

import pytest

from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.device_choice import DeviceChoice
from plugins.pilot.devices.hub import DeviceHub
from plugins.pilot.devices.joysticks import JoystickFinder, load_sdl
from plugins.pilot.devices.own_joystick import OwnJoystick
from plugins.pilot.devices.profile_store import ProfileStore
from plugins.pilot.devices.source import BoardJoystick
from plugins.testing import live_vehicle
from telemetry.protocol.links.memory import pair
from telemetry.protocol.links.usb_link import UsbLink
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.vehicle.vehicle import Vehicle
from tests.boards.emulated_hid import EmulatedHid
from tests.boards.hid_entries import SERIAL
from tests.boards.hid_telemetry import BOARD
from tests.plugins.pilot.devices.fakes import FakeDevice, PluggedDevices
from tests.sdl_joystick import SdlJoystick
from tests.telemetry.protocol.links.test_usb_link import Echo
from tests.telemetry.vehicle.fakes import Clock

REVOLUTION, CC3D = 0x415E, 0x415D
OTHER = "0F0E0D0C0B0A090807060504"


@pytest.fixture
def by_usb() -> Vehicle:
    """An aircraft that is reached by the USB of a Revolution."""
    vehicle, clock = live_vehicle("usb:"), Clock()
    vehicle.link = UsbLink(BOARD, EmulatedHid(clock, Echo()))
    return vehicle


@pytest.fixture
def by_radio(catalogue: Catalogue) -> Vehicle:
    """The aircraft with the same board, reached otherwise: it has told its serial number."""
    vehicle = live_vehicle("udp:")
    vehicle.link, _ = pair("radio")
    definition = catalogue.find("FirmwareIAPObj", DEFAULT_RELEASE)
    number = bytes.fromhex(SERIAL)
    told = {f"CPUSerial.{place}": byte for place, byte in enumerate(number)}
    vehicle.recording.append(1.0, definition, 0, pack_values(definition, told))
    return vehicle


@pytest.mark.parametrize(
    ("joystick", "is_own"),
    [
        (BoardJoystick(SERIAL, REVOLUTION), True),
        (BoardJoystick(SERIAL.lower(), REVOLUTION), True),
        (BoardJoystick(OTHER, REVOLUTION), False),  # an adapter of the same make
        (BoardJoystick("", REVOLUTION), True),  # it may be
        (BoardJoystick("", CC3D), False),
        (None, False),
    ],
)
def test_a_board_by_usb(joystick: BoardJoystick | None, is_own: bool, by_usb: Vehicle) -> None:
    assert OwnJoystick(by_usb).is_own(joystick) == is_own


def test_it_stays_the_same_while_the_link_is_opened_anew(by_usb: Vehicle) -> None:
    own = OwnJoystick(by_usb)
    assert own.is_own(BoardJoystick("", REVOLUTION))
    by_usb.link = None
    assert own.is_own(BoardJoystick("", REVOLUTION))


def test_a_board_by_radio_is_known_by_the_number_of_its_processor(by_radio: Vehicle) -> None:
    own = OwnJoystick(by_radio)
    assert own.is_own(BoardJoystick(SERIAL, REVOLUTION))
    assert not own.is_own(BoardJoystick(OTHER, REVOLUTION))
    assert not own.is_own(BoardJoystick("", REVOLUTION))


def test_its_own_joystick_never_flies_an_aircraft() -> None:
    device = FakeDevice("Revolution", "revo", program_profile(), board=BoardJoystick(SERIAL, 1))
    plugged = PluggedDevices(device)
    own: list[bool] = [False]
    choice = DeviceChoice(plugged.hub, ProfileStore(None), is_own=lambda _board: own[0])
    choice.follow(is_flying=False)
    assert choice.inputs.read(plugged.now_s) is not None, "another board's is an adapter"
    own[0] = True  # its number has come
    choice.follow(is_flying=True)
    assert choice.usable(plugged.hub.devices) == ()
    assert choice.inputs.read(plugged.now_s) is None


@pytest.fixture
def sticks() -> Iterator[SdlJoystick]:
    made = SdlJoystick(axes=8, buttons=0, usb_numbers=(0x20A0, REVOLUTION))
    yield made
    made.end()


def test_sdl_tells_which_joystick_is_a_boards(sticks: SdlJoystick, by_usb: Vehicle) -> None:
    sdl = load_sdl()
    assert sdl is not None
    hub = DeviceHub(find=lambda: ())
    hub.add(JoystickFinder(sdl))
    hub.step()
    [device] = hub.devices
    assert device.kind.board == BoardJoystick("", REVOLUTION)
    own = DeviceChoice(hub, ProfileStore(None), is_own=OwnJoystick(by_usb).is_own)
    assert own.usable(hub.devices) == ()
    other = DeviceChoice(hub, ProfileStore(None), is_own=OwnJoystick(live_vehicle("sim:")).is_own)
    assert other.usable(hub.devices) == (device,)
    hub.close()

from plugins.api import resolve
from plugins.links import PLUGIN
from telemetry.protocol.links.address import scheme_of


def test_every_kind_can_be_opened_and_has_an_example_of_its_own() -> None:
    assert [kind.scheme for kind in PLUGIN.links] == ["usb", "serial", "tcp", "udp"]
    for kind in PLUGIN.links:
        assert callable(resolve(kind.open))
        assert scheme_of(kind.example) == kind.scheme


def test_devices_are_listed_with_addresses_that_open_them() -> None:
    for kind in PLUGIN.links:
        for device in resolve(kind.devices)() if kind.devices else ():
            assert scheme_of(device.address) == kind.scheme
            assert device.title

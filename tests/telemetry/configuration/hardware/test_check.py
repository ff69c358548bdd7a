"""Ports, modules and sensors that do not fit each other are found, and those that do are not."""

from collections.abc import Mapping

import pytest

from telemetry.base.finding import Level
from telemetry.configuration.hardware.boards import board_kind
from telemetry.configuration.hardware.check import check_hardware, has_gps_port
from telemetry.configuration.settings.slots import default_values
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.sample import Value

REVOLUTION = board_kind(0x0903)


def codes(catalogue: Catalogue, **changed: Value) -> list[str]:
    """What is found on a Revolution with its defaults, and these values of HwSettings."""

    def values(name: str) -> Mapping[str, Value]:
        present = default_values(catalogue.find(name, DEFAULT_RELEASE))
        overlay = {path.replace("__", "."): value for path, value in changed.items()}
        return {**present, **overlay} if name == "HwSettings" else present

    return [finding.code for finding in check_hardware(REVOLUTION, values)]


def test_the_defaults_are_fine(catalogue: Catalogue) -> None:
    assert codes(catalogue) == []


@pytest.mark.parametrize(
    ("changed", "code"),
    [
        ({"USB_HIDPort": "Disabled"}, "no-telemetry"),
        ({"RM_MainPort": "S.Bus", "RM_FlexiPort": "DSM", "RM_RcvrPort": "DSM"}, "role-twice"),
        ({"RM_MainPort": "GPS"}, "gps-not-enabled"),
        ({"OptionalModules__GPS": "Enabled"}, "gps-without-port"),
        ({"OptionalModules__Battery": "Enabled"}, "battery-not-routed"),
    ],
)
def test_what_does_not_fit_is_found(
    catalogue: Catalogue, changed: Mapping[str, Value], code: str
) -> None:
    assert code in codes(catalogue, **changed)


def test_gps_with_its_port_and_module_is_fine(catalogue: Catalogue) -> None:
    assert codes(catalogue, RM_FlexiPort="GPS", OptionalModules__GPS="Enabled") == []


def test_gps_may_share_the_receiver_port(catalogue: Catalogue) -> None:
    """PPM+GPS is an option of RM_RcvrPort since LibrePilot 16.09."""
    shared = {"RM_RcvrPort": "PPM+GPS"}
    assert codes(catalogue, OptionalModules__GPS="Enabled", **shared) == []
    assert codes(catalogue, **shared) == ["gps-not-enabled"]


def test_a_port_of_another_board_is_no_port(catalogue: Catalogue) -> None:
    """RV_GPSPort, of the Revolution's prototype, is GPS by default in the definitions."""
    hardware = default_values(catalogue.find("HwSettings", DEFAULT_RELEASE))
    assert hardware["RV_GPSPort"] == "GPS"
    assert not has_gps_port(0x0903, hardware)
    assert has_gps_port(0x0903, hardware | {"RM_MainPort": "GPS"})
    assert has_gps_port(0, hardware)  # whose ports are not known


def test_the_worst_comes_first(catalogue: Catalogue) -> None:
    def values(name: str) -> Mapping[str, Value]:
        present = default_values(catalogue.find(name, DEFAULT_RELEASE))
        if name == "HwSettings":
            present |= {"USB_HIDPort": "Disabled", "OptionalModules.Battery": "Enabled"}
        return present

    found = check_hardware(REVOLUTION, values)
    assert found[0].level is Level.ERROR
    assert len(found) > 1


def test_a_board_that_is_not_known_is_not_judged(catalogue: Catalogue) -> None:
    assert board_kind(0x5501) is None
    assert check_hardware(None, lambda name: {"USB_HIDPort": "Disabled"}) == []

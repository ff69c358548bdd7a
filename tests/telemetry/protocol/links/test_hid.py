"""The one place where hidapi is loaded."""

import sys
import threading
from types import SimpleNamespace

import pytest

from telemetry.protocol.links.hid import HidAccess, load_hid

LINUX_ONLY = pytest.mark.skipif(sys.platform != "linux", reason="there is one module elsewhere")


class Module(SimpleNamespace):
    """A module in the place of hidapi's."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.enumerate = lambda: [{"path": name.encode()}]


def loaded() -> HidAccess:
    access = load_hid()
    assert access is not None
    return access


@LINUX_ONLY
def test_on_linux_devices_are_shared_with_the_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hid", Module("through libusb"))
    monkeypatch.setitem(sys.modules, "hidraw", Module("hidraw"))
    assert loaded().enumerate() == [{"path": b"hidraw"}]
    monkeypatch.setitem(sys.modules, "hidraw", None)
    assert loaded().enumerate() == [{"path": b"through libusb"}]
    monkeypatch.setitem(sys.modules, "hid", None)
    assert load_hid() is None


def test_two_threads_are_never_inside_hidapi_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would free the text of its last error twice, and the process would end."""
    entered = 0

    def enumerate_devices() -> list[object]:
        nonlocal entered
        entered += 1
        if entered == 1:
            other.start()
            other.join(0.05)
            assert other.is_alive(), "it waits"
            assert entered == 1
        return []

    module = Module("any")
    module.enumerate = enumerate_devices
    for name in ("hid", "hidraw"):
        monkeypatch.setitem(sys.modules, name, module)
    other = threading.Thread(target=loaded().enumerate)
    loaded().enumerate()
    other.join()
    assert entered == 2

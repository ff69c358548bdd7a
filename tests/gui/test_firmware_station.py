"""Firmware in the whole station: the way to its page without an aircraft, and closing meanwhile."""

import pytest

from plugins.configure.panel import ConfigurePanel
from plugins.firmware.page import FirmwarePage
from telemetry.base.clock import monotonic_s
from telemetry.configuration.firmware.update import FirmwareUpdate
from telemetry.configuration.firmware.upload_progress import UploadProgress, UploadStage
from tests.gui.conftest import MakeStation
from tests.gui.driving import run_ticks


class PosedWork:
    """Work with a bootloader that stands still."""

    progress = UploadProgress(UploadStage.SENDING, 0.5, 20.0, 1, "Sending.")
    has_begun = True

    def start(self) -> None:
        """It has begun long ago."""

    def cancel(self) -> str:
        return "too late"


@pytest.mark.slow
def test_the_page_is_found_without_an_aircraft_and_an_upload_keeps_the_window_open(
    make_station: MakeStation,
) -> None:
    station = make_station()
    station.show_firmware()
    run_ticks(station)
    (panel,) = station.window.findChildren(ConfigurePanel)
    page = panel.unbound.page("firmware.update")
    assert isinstance(page, FirmwarePage)
    assert page.isVisible()
    station.firmware.update = FirmwareUpdate(PosedWork(), monotonic_s)
    run_ticks(station)
    assert not station.window.close()
    assert station.window.isVisible()
    assert "whole firmware" in station.window.objection()
    (question,) = [one for one in station.window.messages.lines() if one.message.needs_answer]
    station.firmware.update = None
    assert station.window.objection() == ""
    station.window.show_status(None)
    (line,) = [one for one in station.window.messages.lines() if one.number == question.number]
    assert line.is_over
    assert not line.message.needs_answer

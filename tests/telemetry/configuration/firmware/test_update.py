"""A whole update of an aircraft whose firmware answers, on the simulated board: its settings are
kept, it goes into its bootloader, and what is on board after the start is compared."""

from pathlib import Path

import pytest

from telemetry.configuration.firmware.at_hand import BoardPlace
from telemetry.configuration.firmware.before import Consent
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.usb_boards import BoardMode
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.vehicle.vehicle import Fleet
from tests.armed_board import arm_always
from tests.boards.firmware_files import make_opfw
from tests.boards.plugged_boards import usb_board
from tests.simulated_board import SimulatedBench
from tests.telemetry.configuration.firmware.firmware_bench import FirmwareBench
from tests.waiting import wait_for


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


class UpdatedAircraft:
    """A simulated aircraft whose board shows as a bootloader when it was asked to restart."""

    def __init__(self, catalogue: Catalogue, folder: Path) -> None:
        self.aircraft = SimulatedBench(catalogue)
        self.aircraft.pass_time(3.0)
        fleet = Fleet()
        fleet.add(self.aircraft.vehicle)
        self.firmware = FirmwareBench(folder, fleet, lambda: self.aircraft.clock.now)
        self.serial = self.aircraft.settings.aircraft.identity.serial
        self.firmware.boards.boards = (usb_board(BoardMode.FIRMWARE, self.serial.upper()),)
        self._hear = self.aircraft.board_link.read
        self.step()
        self.step()

    def step(self) -> None:
        """A quarter of a second, for the aircraft, the station and the board's USB."""
        self.aircraft.pass_time(0.25)
        boards, link = self.firmware.boards, self.aircraft.board_link
        if link.restarts and boards.bootloader.started is None and link.read == self._hear:
            link.read = self._silence  # type: ignore[method-assign]
            boards.bootloader.asked_by_firmware = True
            boards.plug_in()
            boards.boards = (usb_board(serial=self.serial.upper()),)
        if boards.bootloader.started is not None:
            link.read = self._hear  # type: ignore[method-assign]
        self.firmware.work.poll()

    def finish(self) -> None:
        """No time passes while the thread works with the bootloader."""
        bootloader = self.firmware.boards.bootloader
        while self.firmware.work.is_busy:
            self.step()
            if self.aircraft.board_link.restarts:
                wait_for(lambda: bootloader.started is not None or None)

    def _silence(self, timeout_s: float) -> bytes:
        self._hear(timeout_s)
        return b""


@pytest.fixture
def updated(catalogue: Catalogue, tmp_path: Path) -> UpdatedAircraft:
    return UpdatedAircraft(catalogue, tmp_path)


@pytest.mark.slow
def test_settings_are_kept_the_board_updated_and_the_difference_staged(
    updated: UpdatedAircraft, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    pending: list[str] = []
    monkeypatch.setattr(PendingUploads, "put", lambda *given: pending.append(given[-1]))
    settings, work = updated.aircraft.settings, updated.firmware.work
    settings.stage("StabilizationSettingsBank1", "RollMax", 33)
    settings.apply("test")  # and not saved: the restart loses it
    updated.aircraft.finish()
    updated.firmware.open_file()
    work.consent = Consent(has_propellers_off=True, has_battery_off=True)
    assert work.refusal() == ""
    work.begin_upload()
    updated.finish()
    update = work.update
    assert update is not None
    assert update.progress.stage is UploadStage.DONE, update.progress.sentence
    assert updated.firmware.boards.bootloader.started is not None
    (entry,) = ConfigurationSets(updated.firmware.folders.configuration_sets).entries()
    assert entry.name in update.progress.sentence
    assert pending == [entry.name]
    kept = (
        ConfigurationSets(updated.firmware.folders.configuration_sets)
        .load(entry, catalogue)
        .snapshot
    )
    assert kept.objects["StabilizationSettingsBank1", 0].values["RollMax"] == 33
    assert update.after is not None
    assert update.after.staged == 1
    assert settings.on_board("StabilizationSettingsBank1", "RollMax") != 33
    assert settings.value("StabilizationSettingsBank1", "RollMax") == 33


@pytest.mark.slow
def test_a_firmware_that_goes_on_is_asked_again(updated: UpdatedAircraft) -> None:
    """Commands that were begun before and left off have it take the next ones for wrong."""
    vehicle = updated.aircraft.vehicle
    vehicle.commands.send("FirmwareIAPObj", {"Command": 1122})
    updated.aircraft.pass_time(1.0)
    updated.firmware.open_file()
    updated.firmware.work.consent = Consent(has_propellers_off=True, has_battery_off=True)
    updated.firmware.work.begin_upload()
    updated.finish()
    update = updated.firmware.work.update
    assert update is not None
    assert update.progress.stage is UploadStage.DONE, update.progress.sentence


@pytest.mark.slow
def test_settings_that_were_to_be_erased_are_kept_and_not_staged(
    updated: UpdatedAircraft,
) -> None:
    updated.firmware.boards.bootloader.flash[:8] = make_opfw()[:8]
    updated.firmware.work.begin_start(Boot.ERASE_SETTINGS)
    updated.finish()
    update = updated.firmware.work.update
    assert update is not None
    assert update.progress.stage is UploadStage.DONE, update.progress.sentence
    assert "kept as the set" in update.progress.sentence
    assert updated.firmware.boards.bootloader.boot == (0, 0xFA5F, 1, 0)
    assert update.after is None


def test_firmware_that_runs_is_not_started(updated: UpdatedAircraft) -> None:
    """One press would restart it; a safe boot, or an erase, may be wanted of it all the same."""
    work = updated.firmware.work
    assert "runs" in work.start_refusal(Boot.NORMAL)
    assert work.start_refusal(Boot.SAFE) == work.start_refusal(Boot.ERASE_SETTINGS) == ""


def test_an_armed_aircraft_is_left_alone(updated: UpdatedAircraft) -> None:
    updated.firmware.open_file()
    updated.firmware.work.consent = Consent(has_propellers_off=True, has_battery_off=True)
    arm_always(updated.aircraft.board_link.autopilot.board)
    updated.aircraft.run(lambda: updated.aircraft.settings.aircraft.is_armed)
    assert "armed" in updated.firmware.work.refusal()
    with pytest.raises(RuntimeError, match="armed"):
        updated.firmware.work.begin_upload()
    assert updated.aircraft.board_link.restarts == 0


def test_another_boards_file_is_refused_before_it_restarts(updated: UpdatedAircraft) -> None:
    updated.firmware.open_file(make_opfw(board=0x9201))
    updated.firmware.work.consent = Consent(has_propellers_off=True, has_battery_off=True)
    assert "is for Sparky2" in updated.firmware.work.refusal()
    assert updated.aircraft.board_link.restarts == 0


def test_the_firmware_of_another_serial_line_is_not_that_of_this_one(
    updated: UpdatedAircraft,
) -> None:
    """Its board would be sent into its bootloader, and the other one be written."""
    at_hand, vehicle = updated.firmware.work.at_hand, updated.aircraft.vehicle
    vehicle.recording.source = "serial:/dev/ttyUSB10@57600"
    assert at_hand.vehicle_of(BoardPlace("ssp:/dev/ttyUSB10", "")) is vehicle
    assert at_hand.vehicle_of(BoardPlace("ssp:/dev/ttyUSB1", "")) is None

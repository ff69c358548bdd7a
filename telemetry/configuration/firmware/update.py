"""Update of one board: into the bootloader if its firmware runs, the upload or the start, and back
to its settings.

Nothing ever waits: `poll` moves it on. What is done with the bootloader runs in a thread.
"""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from threading import Thread
from typing import Final, Protocol

from telemetry.configuration.board.restart_commands import RestartCommands
from telemetry.configuration.firmware.after import SettingsAfter, stage_kept
from telemetry.configuration.firmware.before import KeptSettings
from telemetry.configuration.firmware.starting import start_firmware
from telemetry.configuration.firmware.upload import Connect
from telemetry.configuration.firmware.upload_progress import (
    UploadProgress,
    UploadStage,
    plain_progress,
)
from telemetry.protocol.bootloader.client import Bootloader, BootloaderError
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.link import LinkError
from telemetry.vehicle.vehicle import LinkState, Vehicle

_LEFT_WITHIN_S: Final = 6.0
"""A firmware that is heard after that much has not understood."""
_BACK_S: Final = 90.0
"""After its start a board may look for its sensors, and a slow link takes long to fetch."""
_ENTERING: Final = plain_progress(
    UploadStage.WAITING, "Asking the firmware to go into its bootloader."
)


class BootloaderWork(Protocol):
    """What is done with a bootloader: a `FirmwareUpload`, or a `FirmwareStart`. `kept_set` is where
    the settings of before are, "" if they were not kept."""

    kept_set: str

    @property
    def progress(self) -> UploadProgress:
        """How it is now; from any thread."""

    @property
    def has_begun(self) -> bool:
        """Whether the board may have no whole firmware by this."""

    @property
    def erases_settings(self) -> bool:
        """Whether the settings on board are to go, so that nobody wants the difference staged."""

    def start(self) -> None:
        """Carry it out in a thread of its own."""

    def cancel(self) -> str:
        """Stop; why not, where it is too late."""


class FirmwareStart:
    """Firmware started out of a bootloader that `connect` brings, without an upload."""

    has_begun = False
    kept_set = ""

    def __init__(self, connect: Connect, boot: Boot) -> None:
        self.progress = plain_progress(UploadStage.WAITING, "Waiting for the bootloader.")
        self.erases_settings = boot is Boot.ERASE_SETTINGS
        self._connect = connect
        self._boot = boot
        self._is_cancelled = False

    def start(self) -> None:
        """See `BootloaderWork`."""
        Thread(target=self._run, name="firmware start", daemon=True).start()

    def cancel(self) -> str:
        """See `BootloaderWork`."""
        self._is_cancelled = True
        return ""

    def _run(self) -> None:
        end = plain_progress(UploadStage.FAILED, "The start ended for a reason that is not known.")
        try:
            end = self._carried_out()
        except (LinkError, BootloaderError) as error:
            end = plain_progress(UploadStage.FAILED, str(error))
        finally:
            self.progress = end

    def _carried_out(self) -> UploadProgress:
        held = self._connect("", lambda: self._is_cancelled)
        if held is None:
            return plain_progress(
                UploadStage.CANCELLED, "Cancelled. The board was not told to start."
            )
        with closing(held.port):
            bootloader = Bootloader(held.port)
            start_firmware(bootloader, bootloader.capabilities().board, self._boot)
        return plain_progress(UploadStage.DONE, "The board was told to start its firmware.")


class FirmwareUpdate:
    """One update. `vehicle` is the aircraft whose firmware answers, with what was `kept` of its
    settings; None where only the bootloader does."""

    def __init__(
        self,
        work: BootloaderWork,
        clock: Callable[[], float],
        vehicle: Vehicle | None = None,
        kept: KeptSettings | None = None,
    ) -> None:
        self.after: SettingsAfter | None = None
        """What came of the settings, once they were compared."""
        self.kept = kept
        self._work = work
        self._clock = clock
        self._vehicle = vehicle
        self._commands = RestartCommands(vehicle, clock) if vehicle is not None else None
        self._end: UploadProgress | None = None
        self._losses = vehicle.link_losses if vehicle is not None else 0
        self._worked_s: float | None = None
        self._heard_s = 0.0
        self._has_begun = vehicle is None
        if kept is not None:
            work.kept_set = kept.name
        if vehicle is None:
            work.start()

    @property
    def progress(self) -> UploadProgress:
        """How it is now."""
        if self._end is not None:
            return self._end
        if self._is_entering:
            return replace(_ENTERING, sentence=f"{_ENTERING.sentence}{self._where_kept}")
        told = self._work.progress
        if told.stage is not UploadStage.DONE or self._vehicle is None:
            return told
        return replace(
            told, stage=UploadStage.STARTING, sentence=f"{told.sentence} Waiting for its telemetry."
        )

    @property
    def has_begun(self) -> bool:
        """Whether the board may have no whole firmware by this."""
        return self._work.has_begun

    @property
    def is_over(self) -> bool:
        """Whether nothing comes any more."""
        return self.progress.is_over

    def poll(self) -> None:
        """Move on; a few times a second will do."""
        if self._end is not None:
            return
        vehicle, told = self._vehicle, self._work.progress
        if vehicle is None:
            return
        if self._commands is not None:
            self._enter(vehicle, self._commands)
        elif told.stage is UploadStage.DONE:
            self._await_settings(vehicle)
        elif not told.is_over:
            vehicle.commands.expect_restart()  # its bootloader is silent for as long as this takes

    def cancel(self) -> str:
        """Stop, as long as nothing is erased. Returns why not, where it is too late."""
        reason = self._work.cancel() if self._has_begun else ""
        if self._is_entering and not reason:
            self._finish(UploadStage.CANCELLED, "Cancelled. Nothing was erased.")
        return reason

    @property
    def _is_entering(self) -> bool:
        return self._commands is not None and self._commands.asked_s is None

    def _enter(self, vehicle: Vehicle, commands: RestartCommands) -> None:
        """Ask until its bootloader was found, and again where the firmware goes on: of commands
        that were begun before, and left, it takes the next ones for wrong."""
        if self._has_begun and self._work.progress.stage is not UploadStage.WAITING:
            self._commands = None
        elif commands.asked_s is None:
            self._ask(commands)
        elif self._clock() - commands.asked_s > _LEFT_WITHIN_S and self._goes_on(vehicle):
            commands.begin_again("the firmware goes on")

    def _ask(self, commands: RestartCommands) -> None:
        commands.poll()
        if commands.failure:
            if self._has_begun and self._work.cancel():  # it has found its bootloader just now
                self._commands = None
                return
            told = f"It did not go into its bootloader: {commands.failure} Nothing was erased."
            self._finish(UploadStage.FAILED, told)
        elif commands.asked_s is not None and not self._has_begun:
            self._has_begun = True
            self._work.start()

    def _goes_on(self, vehicle: Vehicle) -> bool:
        is_heard = vehicle.status.state is LinkState.CONNECTED
        return is_heard and vehicle.link_losses == self._losses

    def _await_settings(self, vehicle: Vehicle) -> None:
        """Until the new firmware has told all its settings, which is after the link was lost."""
        now_s = self._clock()
        if self._worked_s is None:
            self._worked_s, self._heard_s = now_s, vehicle.end_s
        if self._kept_is_compared(vehicle):
            return
        has_left = vehicle.status.state is LinkState.DISCONNECTED
        if has_left or now_s - self._worked_s > _BACK_S:
            told = f"{self._work.progress.sentence} Settings were not compared: "
            away, silent = (
                "is not connected any more",
                f"was not seen to come back in {_BACK_S:.0f} s",
            )
            told += f"the aircraft {away if has_left else silent}."
            self._finish(UploadStage.DONE, f"{told}{self._where_kept}")

    def _kept_is_compared(self, vehicle: Vehicle) -> bool:
        is_new = vehicle.link_losses > self._losses
        if not is_new or vehicle.status.state is not LinkState.CONNECTED:
            return False
        said = self._work.progress.sentence
        if self._work.erases_settings:
            said = (
                f"{said} Settings were not compared, as they were to be erased.{self._where_kept}"
            )
        elif self.kept is not None:
            self.after = stage_kept(vehicle, self.kept.snapshot, self._heard_s)
            said = f"{said} {self.after.sentence}{self._where_kept}"
        self._finish(UploadStage.DONE, said)
        return True

    @property
    def _where_kept(self) -> str:
        return f" {self.kept.sentence}" if self.kept is not None else ""

    def _finish(self, stage: UploadStage, sentence: str) -> None:
        self._end = plain_progress(stage, sentence, self.progress.attempt)
        self._commands = None

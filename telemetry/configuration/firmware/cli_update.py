"""`lapwing firmware upload` and `boot`: what changes a board, with the yes that it takes said by
options, which a script can."""

import sys
from collections.abc import Callable
from dataclasses import replace
from threading import Event
from typing import Final

from telemetry.base.clock import local_now, monotonic_s
from telemetry.base.command_line import BAD_INPUT, percent_bar, print_report
from telemetry.configuration.board.restart_commands import why_not
from telemetry.configuration.firmware.allowed import refusal, refusal_by_table
from telemetry.configuration.firmware.before import WHY_OFF, keep_settings
from telemetry.configuration.firmware.call import CommandRefused, FirmwareCall
from telemetry.configuration.firmware.pending import PendingUploads
from telemetry.configuration.firmware.report import update_json
from telemetry.configuration.firmware.update import (
    BootloaderWork,
    FirmwareStart,
    FirmwareUpdate,
)
from telemetry.configuration.firmware.upload import Connect, FirmwareUpload
from telemetry.configuration.firmware.upload_progress import UploadStage
from telemetry.configuration.settings.headless import Headless
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.bootloader.packets import Boot
from telemetry.protocol.links.usb_boards import USB, UsbBoard, address_of

INTERRUPTED: Final = 130
_STEP_S: Final = 0.05
_Work = Callable[[Connect], BootloaderWork]


def upload(call: FirmwareCall) -> int:
    if not call.arguments.propellers_off_battery_off:
        raise CommandRefused(
            "Take the propellers off and disconnect the battery, and say so by "
            f"--propellers-off-battery-off. {WHY_OFF}"
        )
    pending = PendingUploads(call.folders.pending_uploads)
    if call.file is None:
        return _go_on(call, pending)
    image, board = call.image(), call.board()

    def put(connect: Connect) -> BootloaderWork:
        return FirmwareUpload(image, connect, pending)

    if call.is_bootloader(board):
        _check(refusal(image, call.bootloaders.read(call.address).content.device))
        _check_loss(call, board)
        return _from_bootloader(call, _address(call, board), put)
    with call.headless() as remote:
        missing = remote.fetch_all()
        _check(refusal_by_table(image, remote.settings.aircraft.identity.board))
        return _from_firmware(call, remote, put, len(missing))


def boot(call: FirmwareCall) -> int:
    how = Boot.SAFE if call.arguments.safe else Boot.NORMAL
    how = Boot.ERASE_SETTINGS if call.arguments.erase_settings else how
    board = call.board()

    def start(connect: Connect) -> BootloaderWork:
        return FirmwareStart(connect, how)

    if call.is_bootloader(board):
        if how is Boot.ERASE_SETTINGS:
            _check_loss(call, board)
        return _from_bootloader(call, _address(call, board), start)
    with call.headless() as remote:
        missing = remote.fetch_all()
        return _from_firmware(call, remote, start, len(missing))


def _go_on(call: FirmwareCall, pending: PendingUploads) -> int:
    """With what was interrupted on the board at the address, or on the only one."""
    waiting = [u for u in pending.all() if call.address in (USB, u.address)]
    if len(waiting) != 1:
        which = "; ".join(f"{upload.address}: {upload.image.name}" for upload in waiting)
        raise CommandRefused(
            f"Several uploads were interrupted; say which board: {which}."
            if which
            else "No upload was interrupted there. Give a file."
        )
    (upload,) = waiting
    print(upload.sentence, file=sys.stderr)

    def again(connect: Connect) -> BootloaderWork:
        return FirmwareUpload(
            upload.image, connect, pending, is_resumed=True, kept_set=upload.kept_set
        )

    return _from_bootloader(call, upload.address, again)


def _from_bootloader(call: FirmwareCall, address: str, work: _Work) -> int:
    connect = call.bootloaders.awaiting(address, Event().wait)
    return _carry_out(call, FirmwareUpdate(work(connect), monotonic_s))


def _from_firmware(call: FirmwareCall, remote: Headless, work: _Work, missing: int) -> int:
    """The same by a firmware that answers: its settings are kept first, but for those `missing`
    objects for which it gave no answer."""
    _check(why_not(remote.vehicle))
    settings = remote.settings
    who = settings.aircraft.identity
    if not who.has_serial:
        raise CommandRefused("The board tells no serial number, so USB cannot find it again.")
    by_usb = {board.serial.upper() for board in call.bootloaders.look()[0]}
    if who.serial.upper() not in by_usb:
        raise CommandRefused("The board is not plugged in by USB, which its bootloader needs.")
    sets = ConfigurationSets(call.folders.configuration_sets)
    kept = replace(keep_settings(settings, sets, local_now()), missing=missing)
    print(kept.sentence, file=sys.stderr)
    connect = call.bootloaders.awaiting(f"{USB}{who.serial}", Event().wait)
    update = FirmwareUpdate(work(connect), monotonic_s, remote.vehicle, kept)
    code = _carry_out(call, update)
    if update.after is not None and update.after.staged:
        again = f"lapwing settings apply 'set:{kept.name}' {call.address} --save"
        print(f"To put them on the board again: {again}", file=sys.stderr)
    return code


def _carry_out(call: FirmwareCall, update: FirmwareUpdate) -> int:
    """Until it has ended. Ctrl+C stops it as long as nothing is erased; twice it leaves it."""
    pausing = Event()
    is_leaving, told = False, ""
    with percent_bar("Firmware") as show:
        while not update.is_over:
            try:
                update.poll()
                show(update.progress.share)
                if (sentence := update.progress.sentence) != told and not sys.stderr.isatty():
                    print(sentence, file=sys.stderr)  # where no bar is looked at
                told = sentence
                pausing.wait(_STEP_S)
            except KeyboardInterrupt:
                if is_leaving:
                    return INTERRUPTED
                is_leaving = True
                print(update.cancel() or "Stopping.", file=sys.stderr)
    progress = update.progress
    print_report(update_json(update), [progress.sentence], as_json=call.arguments.json)
    return 0 if progress.stage is UploadStage.DONE else BAD_INPUT


def _address(call: FirmwareCall, board: UsbBoard | None) -> str:
    """Of the board that was looked at: for "usb:" another one must not stand in."""
    return call.address if board is None else address_of(board)


def _check(reason: str) -> None:
    if reason:
        raise CommandRefused(reason)


def _check_loss(call: FirmwareCall, board: UsbBoard | None) -> None:
    """Where only the bootloader answers, somebody has to have named the board."""
    name = board.serial if board is not None else call.address
    if call.arguments.without_settings_of != name:
        raise CommandRefused(
            "Only the bootloader answers, so the settings of this board cannot be kept. Restart "
            f"its firmware and keep them, or let them be lost: --without-settings-of {name}"
        )

"""`--firmware`: a flight controller built for this computer, flown in lockstep with our physics."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.command.options import Options, value

if TYPE_CHECKING:
    from simulation.hitl.lockstep.board import LockstepFirmware

FIRMWARE_OPTIONS: Options = {
    "--firmware": value(
        "PROGRAM",
        "have this flight controller, built for this computer, fly on the simulator's clock in the "
        "place of the simulated board, see simulation/hitl/README.md",
    )
}


def load_firmware(options: argparse.Namespace, resources: ExitStack) -> "LockstepFirmware | None":
    """The firmware that the option names; its program is ended with `resources`. Raises ValueError
    for what does not go together."""
    for other in ("sil", "store"):
        if options.firmware is not None and getattr(options, other) is not None:
            raise ValueError(f"--firmware and --{other} exclude each other; leave one of them out.")
    return firmware_of(options.firmware, resources)


def firmware_of(program: Path | None, resources: ExitStack) -> "LockstepFirmware | None":
    """The same of a program's path; None without one."""
    if program is None:
        return None
    from simulation.hitl.lockstep.board import LockstepFirmware
    from simulation.hitl.lockstep.program import LockstepProgram

    path = Path(program)
    firmware = LockstepFirmware(lambda: LockstepProgram(path))
    resources.callback(firmware.close)
    return firmware

"""Firmware page: what is on a board, putting firmware on it, and starting it."""

from plugins.api import Page, Plugin

PLUGIN = Plugin(
    id="firmware",
    title="Firmware",
    description="Puts firmware on boards by USB or a serial line, verifies and starts it.",
    pages=(
        Page(
            id="update",
            title="Firmware",
            widget="plugins.firmware.page:FirmwarePage",
            order=95,
            words="firmware update upload flash upgrade bootloader rescue halt safe boot erase "
            "opfw usb dfu version",
            help="What is on a board, and putting firmware on it. It needs no aircraft: a board in "
            "its bootloader is enough. Settings are kept first where the firmware answers.",
            needs_vehicle=False,
        ),
    ),
)

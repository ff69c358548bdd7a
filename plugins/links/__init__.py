"""Links: USB, serial ports, TCP and UDP as ways to reach an aircraft."""

from plugins.api import LinkKind, Plugin

PLUGIN = Plugin(
    id="links",
    title="Links",
    description="Reaches aircraft over USB, serial ports, TCP and UDP.",
    links=(
        LinkKind(
            scheme="usb",
            title="USB board",
            open="telemetry.protocol.links.usb:open_usb",
            devices="plugins.links.devices:usb_devices",
            example="usb:",
        ),
        LinkKind(
            scheme="serial",
            title="Serial port",
            open="telemetry.protocol.links.serial:open_serial",
            devices="plugins.links.devices:serial_devices",
            example="serial:/dev/ttyUSB0@57600",
        ),
        LinkKind(
            scheme="tcp",
            title="TCP",
            open="telemetry.protocol.links.tcp:open_tcp",
            example="tcp:127.0.0.1:9000",
        ),
        LinkKind(
            scheme="udp",
            title="UDP",
            open="telemetry.protocol.links.udp:open_udp",
            example="udp:127.0.0.1:9000",
        ),
    ),
)

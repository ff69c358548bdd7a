"""Hardware check: do the ports, modules and sensors of a board fit each other?"""

from collections.abc import Iterator, Mapping

from telemetry.base.finding import Finding, error, info, warning
from telemetry.configuration.hardware.boards import BoardKind, board_kind
from telemetry.recording.sample import ReadValues, Values

_SET_UP_IN = {
    "TxPID": ("TxPIDSettings", "PIDs."),
    "CameraStab": ("CameraStabSettings", "Input."),
}
_NOT_USED = {"Disabled", "None", ""}
_SHARED_ROLES = ("Disabled", "Telemetry", "I2C", "ComBridge", "ComAux")


def check_hardware(kind: BoardKind | None, values: ReadValues) -> list[Finding]:
    """What does not fit, worst first."""
    hardware = values("HwSettings")
    if not hardware or kind is None:
        return []
    roles = {port.title: str(hardware[port.field]) for port in kind.ports if port.field in hardware}
    found = [*_ports(roles), *_gps(kind, hardware), *_battery(hardware, values)]
    found += _modules(hardware, values)
    return sorted(found, key=lambda finding: -finding.level)


def has_gps_port(board: int, hardware: Values) -> bool:
    """Whether HwSettings, by path, gives a port to a GPS receiver, alone or beside others
    ("PPM+GPS"). Only the ports of `board` (0x0903, …) count, where those are known: each firmware
    has the port fields of all boards, and some say GPS by default."""
    kind = board_kind(board)
    if kind is None:
        ports = [path for path in hardware if path.endswith("Port")]
    else:
        ports = [port.field for port in kind.ports if port.field in hardware]
    return any("GPS" in str(hardware[port]).split("+") for port in ports)


def _ports(roles: Mapping[str, str]) -> Iterator[Finding]:
    if not any("Telemetry" in role for role in roles.values()):
        yield error(
            "no-telemetry",
            "No port carries telemetry, not even USB: after a restart no station could reach this "
            "board.",
            "Give Telemetry to a port, or USBTelemetry to USB HID.",
        )
    taken: dict[str, str] = {}
    for title, role in roles.items():
        if role in _SHARED_ROLES or title.startswith("USB"):
            continue
        if role in taken:
            yield warning(
                "role-twice",
                f"{role} is on {taken[role]} and on {title}; only one of them will work.",
                "Choose another use for one of the two ports.",
            )
        taken[role] = title


def _gps(kind: BoardKind, hardware: Values) -> Iterator[Finding]:
    has_port = has_gps_port(kind.type << 8, hardware)
    is_on = hardware.get("OptionalModules.GPS") == "Enabled"
    if is_on and not has_port:
        yield warning(
            "gps-without-port",
            "The GPS module is enabled, but no port is given to GPS.",
            "Choose GPS for the port that the receiver is plugged into.",
        )
    if has_port and not is_on:
        yield warning(
            "gps-not-enabled",
            "A port is given to GPS, but the GPS module is disabled.",
            "Enable OptionalModules.GPS.",
        )


def _battery(hardware: Values, values: ReadValues) -> Iterator[Finding]:
    if hardware.get("OptionalModules.Battery") != "Enabled":
        return
    routes = [value for path, value in hardware.items() if path.startswith("ADCRouting.")]
    if routes and "BatteryVoltage" not in routes:
        yield info(
            "battery-not-routed",
            "The battery module is enabled, but no analogue input measures the battery's voltage.",
            "Choose BatteryVoltage for an input in ADCRouting.",
        )
    battery = values("FlightBatterySettings")
    if battery.get("Capacity") == 0:
        yield info(
            "battery-capacity",
            "The battery's capacity is 0, so the remaining flight time cannot be estimated.",
            "Enter the capacity that is printed on the battery.",
        )


def _modules(hardware: Values, values: ReadValues) -> Iterator[Finding]:
    for module, (name, prefix) in _SET_UP_IN.items():
        chosen = {value for path, value in values(name).items() if path.startswith(prefix)}
        if chosen - _NOT_USED and hardware.get(f"OptionalModules.{module}") == "Disabled":
            yield info(
                "module-not-enabled",
                f"{module} is set up, but its module is disabled.",
                f"Enable OptionalModules.{module}.",
            )

"""GPS and battery: ports, modules, and the filter that can use them."""

from typing import Final

from telemetry.configuration.plan.answers import NO_GPS, Answers
from telemetry.configuration.plan.craft import Craft, Wishes

_NAVIGATING: Final = (
    "GPS Navigation (INS13)",
    "GPS Navigation (INS13+CF)",
    "Complementary+Mag+GPSOutdoor",
)
_HARDWARE = "HwSettings"
_WARNING_V, _CRITICAL_V = 3.5, 3.3
"""Per cell of lithium polymer, under load: land soon, land now."""
MOST_CELLS: Final = 12


def gps_protocols(craft: Craft) -> tuple[str, ...]:
    """What the GPS module understands."""
    return craft.options("GPSSettings", "DataProtocol")


def gps_ports(craft: Craft) -> dict[str, str]:
    """Ports that a GPS receiver can be plugged into: titles by field of HwSettings."""
    ports = craft.kind.ports if craft.kind is not None else ()
    return {p.field: p.title for p in ports if "GPS" in craft.options(_HARDWARE, p.field)}


def missing_power(answers: Answers, craft: Craft) -> str:
    """What is not answered, as a sentence; empty if all is."""
    if not answers.gps:
        return "Say whether there is a GPS receiver."
    if answers.gps != NO_GPS and gps_ports(craft) and not answers.gps_port:
        return "Choose the port of the GPS receiver."
    if answers.gps != NO_GPS and answers.receiver.endswith(f"@{answers.gps_port}"):
        return "The receiver and the GPS are on the same port: choose another one for the GPS."
    return ""


def wish_power(answers: Answers, craft: Craft) -> Wishes:
    """Modules and ports of what is carried. Calibrated sensors and routes stay as they are."""
    options: Wishes = {_HARDWARE: {}}
    if answers.gps not in ("", NO_GPS):
        if answers.gps_port:
            options[_HARDWARE][answers.gps_port] = "GPS"
        options[_HARDWARE]["OptionalModules.GPS"] = "Enabled"
        options["GPSSettings"] = {"DataProtocol": answers.gps}
    options["RevoSettings"] = _wish_filter(answers, craft)
    if answers.cells:
        options[_HARDWARE]["OptionalModules.Battery"] = "Enabled"
        options[_HARDWARE] |= _wish_routes(craft)
        options["FlightBatterySettings"] = {
            "NbCells": answers.cells,
            "Capacity": answers.capacity_mah,
            "Type": "LiPo",
            "CellVoltageThresholds.Warning": _WARNING_V,
            "CellVoltageThresholds.Critical": _CRITICAL_V,
        }
    return options


def navigates(answers: Answers) -> bool:
    """Whether it will know where it is."""
    return answers.gps not in ("", NO_GPS)


def _wish_filter(answers: Answers, craft: Craft) -> dict[str, float | int | str]:
    known = craft.options("RevoSettings", "FusionAlgorithm")
    present = craft.value("RevoSettings", "FusionAlgorithm")
    wanted = next((name for name in _NAVIGATING if name in known), "")
    if not wanted or (present in _NAVIGATING) == navigates(answers):
        return {}
    without = "Basic (Complementary)" if "Basic (Complementary)" in known else ""
    chosen = wanted if navigates(answers) else without
    return {"FusionAlgorithm": chosen} if chosen and answers.gps else {}


def _wish_routes(craft: Craft) -> dict[str, float | int | str]:
    """The two analogue inputs of a power module, unless somebody has chosen already."""
    routes = [v for path, v in craft.values(_HARDWARE).items() if path.startswith("ADCRouting.")]
    if not routes or any(route != "Disabled" for route in routes):
        return {}
    return {"ADCRouting.adc0": "BatteryVoltage", "ADCRouting.adc1": "BatteryCurrent"}

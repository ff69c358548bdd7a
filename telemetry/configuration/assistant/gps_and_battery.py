"""GPS and battery choices: ports, modules, and the filter that can use them."""

import math
from typing import Final

from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues
from telemetry.configuration.assistant.answers import KEEP, NO_GPS, Answers

_NAVIGATING: Final = (
    "GPS Navigation (INS13)",
    "GPS Navigation (INS13+CF)",
    "Complementary+Mag+GPSOutdoor",
)
_HARDWARE = "HwSettings"
_WARNING_V, _CRITICAL_V = 3.5, 3.3
"""Per cell of lithium polymer, under load: land soon, land now."""
MOST_CELLS: Final = 12
TOLD: Final = ("GPSPositionSensor", "FlightBatteryState")
"""What an aircraft tells of them without being asked."""
_GPS: Final = TOLD[0]
_HEARD: Final = ("NoFix", "Fix2D", "Fix3D")
_FULL_V: Final = 4.25
"""Of a full cell of lithium polymer, with what a divider may be off."""
_LEAST_V: Final = 2.5
"""Less is an input with nothing on it."""


def gps_protocols(aircraft: AssistedAircraft) -> tuple[str, ...]:
    """What the GPS module understands."""
    return aircraft.options("GPSSettings", "DataProtocol")


def gps_ports(aircraft: AssistedAircraft) -> dict[str, str]:
    """Ports that a GPS receiver can be plugged into: titles by field of HwSettings."""
    ports = aircraft.kind.ports if aircraft.kind is not None else ()
    return {p.field: p.title for p in ports if "GPS" in aircraft.options(_HARDWARE, p.field)}


def told_gps(aircraft: AssistedAircraft) -> dict[str, str]:
    """The answers about a GPS that is heard already; none where nothing is."""
    protocol = aircraft.value("GPSSettings", "DataProtocol")
    if aircraft.value(_GPS, "Status") in _HEARD and protocol in gps_protocols(aircraft):
        ports = gps_ports(aircraft)
        port = next((p for p in ports if aircraft.value(_HARDWARE, p) == "GPS"), "")
        return {"gps": str(protocol), "gps_port": port}
    return {}


def told_cells(aircraft: AssistedAircraft) -> int:
    """The cells of a battery whose voltage is measured already; 0 where none is.

    They are the fewest that a charge can fill to that voltage: a nearly empty battery may have one
    more, which is for the user to say.
    """
    volts = _volts(aircraft)
    return min(MOST_CELLS, math.ceil(volts / _FULL_V)) if volts >= _LEAST_V else 0


def telling(aircraft: AssistedAircraft) -> str:
    """What telemetry shows of GPS and battery now, as sentences; empty if nothing."""
    words = []
    status, satellites = aircraft.value(_GPS, "Status"), aircraft.value(_GPS, "Satellites")
    if status in _HEARD:
        fix = {"NoFix": "without a fix", "Fix2D": "with a flat fix"}.get(str(status), "with a fix")
        words.append(f"A GPS is heard, {fix}, {satellites} satellites.")
    if _volts(aircraft) >= _LEAST_V:
        words.append(f"The battery is measured at {_volts(aircraft):.1f} V.")
    return " ".join(words)


def _volts(aircraft: AssistedAircraft) -> float:
    volts = aircraft.value("FlightBatteryState", "Voltage")
    is_number = isinstance(volts, int | float) and math.isfinite(volts)
    return float(volts) if is_number and volts is not None else 0.0


def missing_power(answers: Answers, aircraft: AssistedAircraft) -> str:
    """What is not answered, as a sentence; empty if all is."""
    if not answers.gps:
        return "Say whether there is a GPS receiver."
    if answers.gps != NO_GPS and gps_ports(aircraft) and not answers.gps_port:
        return "Choose the port of the GPS receiver."
    if answers.gps != NO_GPS and answers.receiver.endswith(f"@{answers.gps_port}"):
        return "The receiver and the GPS are on the same port: choose another one for the GPS."
    return ""


def propose_power(answers: Answers, aircraft: AssistedAircraft) -> WantedValues:
    """Modules and ports of what is carried. Calibrated sensors and routes stay as they are."""
    wanted: WantedValues = {_HARDWARE: {}}
    if answers.gps not in ("", NO_GPS):
        if answers.gps_port:
            wanted[_HARDWARE][answers.gps_port] = "GPS"
        wanted[_HARDWARE]["OptionalModules.GPS"] = "Enabled"
        wanted["GPSSettings"] = {"DataProtocol": answers.gps}
    wanted["RevoSettings"] = _plan_filter(answers, aircraft)
    if answers.cells and not _has_battery(answers, aircraft):
        wanted[_HARDWARE]["OptionalModules.Battery"] = "Enabled"
        wanted[_HARDWARE] |= _plan_routes(aircraft)
        wanted["FlightBatterySettings"] = {
            "NbCells": answers.cells,
            "Capacity": answers.capacity_mah,
            "Type": "LiPo",
            "CellVoltageThresholds.Warning": _WARNING_V,
            "CellVoltageThresholds.Critical": _CRITICAL_V,
        }
    return wanted


def navigates(answers: Answers) -> bool:
    """Whether it will know where it is."""
    return answers.gps not in ("", NO_GPS)


def _has_battery(answers: Answers, aircraft: AssistedAircraft) -> bool:
    """Whether that battery is watched already, by thresholds that somebody may have chosen."""
    cells = aircraft.value("FlightBatterySettings", "NbCells")
    capacity = aircraft.value("FlightBatterySettings", "Capacity")
    is_watched = aircraft.value(_HARDWARE, "OptionalModules.Battery") == "Enabled"
    return is_watched and (cells, capacity) == (answers.cells, answers.capacity_mah)


def _plan_filter(answers: Answers, aircraft: AssistedAircraft) -> dict[str, float | int | str]:
    if KEEP in answers.modes:
        return {}  # none of the modes needs another one than before
    known = aircraft.options("RevoSettings", "FusionAlgorithm")
    present = aircraft.value("RevoSettings", "FusionAlgorithm")
    wanted = next((name for name in _NAVIGATING if name in known), "")
    if not wanted or (present in _NAVIGATING) == navigates(answers):
        return {}
    without = "Basic (Complementary)" if "Basic (Complementary)" in known else ""
    chosen = wanted if navigates(answers) else without
    return {"FusionAlgorithm": chosen} if chosen and answers.gps else {}


def _plan_routes(aircraft: AssistedAircraft) -> dict[str, float | int | str]:
    """The two analogue inputs of a power module, unless somebody has chosen already."""
    routes = [v for path, v in aircraft.values(_HARDWARE).items() if path.startswith("ADCRouting.")]
    if not routes or any(route != "Disabled" for route in routes):
        return {}
    return {"ADCRouting.adc0": "BatteryVoltage", "ADCRouting.adc1": "BatteryCurrent"}

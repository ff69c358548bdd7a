"""The operator's side of a served flight: pause, speed, reset, wind, faults and link quality.

It stands beside the telemetry, on a connection of its own, because the operator must be heard
while the aircraft's radio is silent or its time stands still. Words are JSON objects, one a line:

    {"speed": 2.0}                         how fast time passes, 0 stands still
    {"reset": true}                        a new aircraft at the start; controls stay as they are
    {"reset": "safe"}                      the same, booting without what HwSettings says
    {"set": {"wind_north_mps": 3.0}}       controls by name, see simulation.simulator.controls
    {"set": {"front.lost": 0.5}}           a fault of a sensor that looks at the world, by its mount
    {"link": {"loss": 0.1, "corruption": 0.0, "latency_s": 0.05}}
    {"report": true}                       answered with what is, see `SimulatorReport`

What cannot be done is answered by {"error": "a sentence"} and changes nothing. Nothing else is
said unasked, so a station that does not listen blocks nobody.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, fields, replace
from typing import Any

from simulation.autopilot.autopilot import AutopilotConfig, PoweredAircraft, power_up
from simulation.serving.real_time_flight import FASTEST, RealTimeFlight
from simulation.serving.report import SimulatorReport
from simulation.simulator import controls
from telemetry.base.text_formats import FormatError, parse_json
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link
from telemetry.protocol.objects.catalogue import Catalogue

_LONGEST_LINE = 65_536
_REPEAT_S = 0.4
"""How often telemetry is repeated while time stands still, so that nobody thinks the link lost."""
_MOST_LATENCY_S = 5.0

SetFault = Callable[[str, str, float], None]
"""Takes mount, fault and value. Raises ValueError, a sentence, for what cannot be."""


def refuse_fault(mount: str, fault: str, _: float) -> None:
    """For an aircraft that looks at nothing. Raises ValueError."""
    raise ValueError(
        f"{mount}.{fault} is a fault of a sensor that looks at a world, and this flight is in none."
    )


class Console:
    """Carries out what the operator asks for and reports. Used by the flight's own thread.

    Controls outlive the aircraft: `power_up` hands them to each new one.
    """

    def __init__(
        self,
        link: Link,
        radio: FaultyLink,
        clock: Callable[[], float],
        set_fault: SetFault = refuse_fault,
        sensor_faults: Callable[[], Mapping[str, float]] = dict,
    ) -> None:
        """`set_fault` is asked to change faults of sensors; see PerceptionSuite.set_fault. It keeps
        them for later aircraft by itself. `sensor_faults`: see SimulatorReport."""
        self._set_fault = set_fault
        self._sensor_faults = sensor_faults
        self._faults: dict[str, float] = {}
        self._link = link
        self._radio = radio
        self._clock = clock
        self._values: dict[str, float] = {}
        self._rest = b""
        self._boots_safely = False
        self._reported_s = clock()
        self._flown_s = 0.0
        self._repeated_s = clock()

    def power_up(self, config: AutopilotConfig, catalogue: Catalogue) -> PoweredAircraft:
        """A new aircraft, its controls set; booted safely if that was asked for this time."""
        config = replace(config, is_safe_boot=self._boots_safely)
        self._boots_safely = False
        autopilot = power_up(config, catalogue)
        for name, value in self._values.items():
            controls.apply(autopilot.simulator, name, value)
        return autopilot

    def attend(self, flight: RealTimeFlight) -> None:
        """Do what was asked since the last call.

        Raises LinkClosed when the operator has gone: the flight ends with its station.
        """
        if flight.speed == 0.0 and self._clock() - self._repeated_s >= _REPEAT_S:
            self._repeated_s = self._clock()
            flight.repeat_telemetry()
        self._rest += self._link.read(0.0)
        *lines, self._rest = self._rest.split(b"\n")
        if len(self._rest) > _LONGEST_LINE:
            self._rest = b""
            self._tell({"error": "A line without an end was dropped."})
        for line in lines:
            try:
                self._obey(_parsed(line), flight)
            except ValueError as error:
                self._tell({"error": str(error)})

    def _obey(self, words: Mapping[str, Any], flight: RealTimeFlight) -> None:
        unknown = set(words) - {"speed", "reset", "set", "link", "report"}
        if unknown:
            raise ValueError(f"Unknown request: {', '.join(sorted(unknown))}.")
        if "speed" in words:
            flight.speed = _number("speed", words["speed"], 0.0, FASTEST)
        for name, value in _mapping("set", words.get("set", {})).items():
            number = _number(name, value, -1e9, 1e9)
            mount, dot, fault = name.partition(".")
            if dot:
                self._set_fault(mount, fault, number)
                self._faults[name] = number
                continue
            controls.apply(flight.autopilot.simulator, name, number)
            if controls.find_control(name).lasts:
                self._values[name] = number
        if "link" in words:
            self._radio.faults = _faults(self._radio.faults, _mapping("link", words["link"]))
        if words.get("reset") is True or words.get("reset") == "safe":
            self._boots_safely = words["reset"] == "safe"
            flight.reset()
        if words.get("report") is True:
            self._tell(asdict(self._report(flight)))

    def _report(self, flight: RealTimeFlight) -> SimulatorReport:
        output = flight.autopilot.simulator.output
        wind = output["true_wind"].tolist()
        world = flight.autopilot.simulator.flown_world
        return SimulatorReport(
            time_s=flight.autopilot.now_s,
            speed=flight.speed,
            factor=self._factor(flight.autopilot.now_s),
            wind_north_mps=wind[0],
            wind_east_mps=wind[1],
            wind_down_mps=wind[2],
            has_crashed=bool(output["crashed"]),
            trouble=flight.trouble,
            world=world.name if world is not None else "",
            values={
                **self._values,
                **self._faults,
                "battery_charge": flight.autopilot.simulator.charge,
            },
            link=asdict(self._radio.faults),
            sensor_faults=self._sensor_faults(),
        )

    def _factor(self, flown_s: float) -> float:
        """How fast time passed since the last call; 0 after a reset, which turned it back."""
        now_s = self._clock()
        elapsed_s, flew_s = now_s - self._reported_s, flown_s - self._flown_s
        self._reported_s, self._flown_s = now_s, flown_s
        return max(flew_s, 0.0) / elapsed_s if elapsed_s > 0.0 else 0.0

    def _tell(self, words: Mapping[str, Any]) -> None:
        self._link.write(json.dumps(words).encode() + b"\n")


def _parsed(line: bytes) -> Mapping[str, Any]:
    try:
        return _mapping("A request", parse_json(line, _LONGEST_LINE, takes_nan=True))
    except FormatError:
        raise ValueError("A request must be one JSON object on one line.") from None


def _mapping(name: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise ValueError(f"{name} must be an object of names and values.")
    return value


def _number(name: str, value: Any, low: float, high: float) -> float:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not low <= value <= high:
        raise ValueError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}.")
    return float(value)


def _faults(present: Faults, options: Mapping[str, Any]) -> Faults:
    highest = {"loss": 1.0, "corruption": 1.0, "doubling": 1.0, "latency_s": _MOST_LATENCY_S}
    values = asdict(present)
    for name, value in options.items():
        if name not in values:
            known = ", ".join(entry.name for entry in fields(Faults))
            raise ValueError(f"There is no link fault '{name}'; there are: {known}.")
        values[name] = _number(name, value, 0.0, highest[name])
    return Faults(**values)

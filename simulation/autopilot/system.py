"""System: the alarms, the statistics, and where the board reports on itself."""

from simulation.autopilot.alarms import Alarms
from simulation.autopilot.arming import Arming
from simulation.autopilot.battery import Battery
from simulation.autopilot.board import SimulatedBoard
from simulation.autopilot.health import Health
from simulation.autopilot.sanity import ConfigurationFault, Sanity
from simulation.autopilot.start_up import StartUp
from simulation.records.interface import GPS_FIX_3D, GPS_NO_GPS
from simulation.records.members import Members

_HEALTHY = (
    "OutOfMemory",
    "StackOverflow",
    "CPUOverload",
    "EventSystem",
    "I2C",
    "ManualControl",
)
_ENDURANCE_WARNING_S = 60.0
_ENDURANCE_CRITICAL_S = 30.0
_NOTHING = ConfigurationFault("OK", "None")
# A simulated board has neither heap nor stacks; these stand for "plenty".
_HEAP_BYTES = 65_536
_STACK_BYTES = 1_024
# Nor a processor of its own: what a flight controller's would do with these modules.
_CPU_LOAD_PERCENT = {False: 24, True: 31}
_TICKS_PER_S = 100_000


class System:
    """Keeps SystemStats and the alarms that no other module sets itself."""

    def __init__(
        self,
        board: SimulatedBoard,
        output: Members,
        arming: Arming,
        battery: Battery,
        health: Health,
        start_up: StartUp,
    ) -> None:
        self._alarms = Alarms(board)
        self._output = output
        self._sanity = Sanity(board)
        self._health = health
        self._start_up = start_up
        self._arming = arming
        self._battery = battery
        self._stats = board["SystemStats"]
        self._gps = board["GPSSettings"]
        self._stats.refresh = self._write_stats
        self._guided = ("", "")
        self.is_gyro_read = True
        """Without a new value the inner loop sets its alarm to Error, and clears it with one
        (flight/modules/Stabilization/innerloop.c); how the aircraft lies is no alarm of its."""
        self.boot = "OK"
        self.is_connected = False
        self._alarms.set_all(dict.fromkeys(_HEALTHY, "OK"))

    def update(self, now_us: int, asked_s: float) -> None:
        """Work out every alarm; run a few times per second. Somebody may have asked that it is not
        ready for so long after power-up."""
        self._health.update()
        severities = {
            **self._health.severities,
            "BootFault": self.boot,
            "Telemetry": "OK" if self.is_connected else "Warning",
            "Stabilization": "OK" if self.is_gyro_read else "Error",
            "Battery": self._battery.severity,
            "FlightTime": self._flight_time(),
            "GPS": self._gps_severity(),
            "SystemConfiguration": self._explain_configuration(),
            **self._start_up.alarms(now_us, asked_s),
        }
        self._alarms.set_all(severities)

    def check_configuration(self) -> None:
        """Judge the configuration anew, and bring its alarm up to date."""
        self._sanity.judge_anew()
        self._alarms.set(SystemConfiguration=self._explain_configuration())

    def _explain_configuration(self) -> str:
        """How severe it is what is amiss with the configuration."""
        found = self._configuration() or _NOTHING
        self._alarms.explain_configuration(found.status, found.detail)
        return found.severity

    def guide(self, guidance: str, path_plan: str) -> None:
        """Take over what automatic flight says of itself, at once: it may have to disarm."""
        if (guidance, path_plan) != self._guided:
            self._guided = (guidance, path_plan)
            self._alarms.set(Guidance=guidance, PathPlan=path_plan)

    def _configuration(self) -> ConfigurationFault | None:
        """What SystemAlarms says of the configuration, None if there is nothing amiss. It has no
        word for an estimation this board does not have."""
        fault = self._sanity.fault()
        if fault is not None:
            return fault
        if self._health.is_fusion_pending:
            return ConfigurationFault("Warning", "RebootRequired")
        return None if self._health.is_fusion_supported else ConfigurationFault("Warning", "None")

    def _flight_time(self) -> str:
        endurance = self._battery.endurance_s
        if not self._arming.is_armed or endurance <= 0.0:
            return "OK"
        if endurance < _ENDURANCE_CRITICAL_S:
            return "Critical"
        return "Warning" if endurance < _ENDURANCE_WARNING_S else "OK"

    def _gps_severity(self) -> str:
        output, settings = self._output, self._gps.fields
        status = int(output["gps_status"])
        if status == GPS_NO_GPS:
            return "Error"
        if status < GPS_FIX_3D:
            return "Critical"
        good = int(output["gps_satellites"]) >= int(settings["MinSatellites"])
        sharp = float(output["gps_pdop"]) <= float(settings["MaxPDOP"])
        return "OK" if good and sharp else "Warning"

    def _write_stats(self) -> None:
        load = _CPU_LOAD_PERCENT[self._arming.is_armed]
        self._stats.write(
            CPULoad=load,
            CPUZeroLoadTicks=_TICKS_PER_S,
            CPUIdleTicks=_TICKS_PER_S * (100 - load) // 100,
            FlightTime=int(self._output["time_us"]) // 1000,
            HeapRemaining=_HEAP_BYTES,
            IRQStackRemaining=_STACK_BYTES,
            SystemModStackRemaining=_STACK_BYTES,
            CPUTemp=round(float(self._output["baro_temperature_c"])),
        )

"""A board that arms and takes off by firmware's rules and knows nothing else.

Written from armhandler.c, manualcontrol.c, receiver.c and vtolautotakeofffsm.cpp of LibrePilot
(commit 8c101adc), not from the simulator, so that the station's procedure is held to firmware.
"""

from typing import Any

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks

LOOP_S = 0.02
MODES = ["Stabilized1", "Stabilized2", "PositionHold", "ReturnToBase", "Land", "AutoTakeoff"]
_CHANNELS = {"Throttle": 1, "Roll": 2, "Pitch": 3, "Yaw": 4, "FlightMode": 5, "Accessory0": 7}
_NEUTRAL = 0.04
_SWITCH, _STICK = 0.2, 0.8
_START_THROTTLE, _ABORT_THROTTLE = 0.3, 0.1
_SLOW_START_S, _THRUST_UP_S, _CLIMB_MPS = 2.0, 1.0, 0.6
_HEIGHT_M, _ARRIVED_M = 2.5, 0.5


class StrictBoard:
    """What it hears are sticks, what it tells are objects; `advance` lets time pass."""

    def __init__(self, catalogue: Catalogue, arming: str = "Accessory 0", **settings: Any) -> None:
        self.catalogue = catalogue
        self.alarm = "OK"
        self.configuration_alarm = "OK"
        self.mode = "Stabilized1"
        self.state = "Disarmed"
        self.height_m = 0.0
        self.estimate_error_m = 0.0
        self.take_off = "Inactive"
        self.arming_s = 1.0
        self.is_deaf = False
        self.forced_mode = ""
        self.refuses_silently = False
        self.arming = arming
        self.said: dict[str, dict[str, Any]] = {
            "FlightModeSettings": {
                "Arming": arming,
                "FlightModePosition": MODES,
                "ArmingSequenceTime": 1000,
                **settings,
            },
            "ManualControlSettings": {
                **{f"ChannelGroups.{name}": "GCS" for name in _CHANNELS},
                **{f"ChannelNumber.{name}": number for name, number in _CHANNELS.items()},
                "FlightModeNumber": 6,
            },
            "SystemSettings": {"AirframeType": "QuadX"},
        }
        self._level = 0.0
        self._target_m = 0.0
        self._since_s = self._started_s = 0.0
        self._now_s = 0.0
        self._throttle = -1.0

    def read(self, name: str) -> Sample | None:
        """An object as a station would have it now."""
        if name not in (*self.said, *self._live()):
            return None
        definition = self.catalogue.find(name, DEFAULT_RELEASE)
        values = {**self.said.get(name, {}), **self._live().get(name, {})}
        return Sample(0.0, definition, 0, row_of(definition, pack_values(definition, values)))

    def advance(self, sticks: Sticks) -> None:
        """One loop with these sticks."""
        self._now_s += LOOP_S
        if self.is_deaf:
            return
        low, high = _NEUTRAL, 1.0 - _NEUTRAL
        at = sticks.throttle
        self._throttle = (at - low) / high if at >= low else at / low - 1.0
        self._arm(sticks)
        self._select(self.forced_mode or MODES[sticks.flight_mode_position])
        self._fly()

    def _live(self) -> dict[str, dict[str, Any]]:
        status = {"Armed": self.state, "FlightMode": self.mode}
        return {
            "FlightStatus": {**status, **self.said.get("FlightStatus", {})},
            "ManualControlCommand": {
                "Connected": str(not self.is_deaf),
                "Throttle": self._throttle,
                **self.said.get("ManualControlCommand", {}),
            },
            "SystemAlarms": {
                "Alarm.Attitude": self.alarm,
                "Alarm.SystemConfiguration": self.configuration_alarm,
            },
            "PositionState": {"Down": -self._estimated_m()},
            "StatusVtolAutoTakeoff": {"State": self.take_off},
        }

    def _select(self, mode: str) -> None:
        """A change to AutoTakeoff is ignored while armed; Arming is not Disarmed either. How high
        it will climb counts from where it is now (plan_setup_AutoTakeoff of plans.c)."""
        if mode == "AutoTakeoff" and self.state != "Disarmed":
            return
        if mode == "AutoTakeoff" != self.mode:
            self._target_m = self._estimated_m() + _HEIGHT_M
        self.mode = mode

    def _estimated_m(self) -> float:
        return self.height_m + self.estimate_error_m

    def _arm(self, sticks: Sticks) -> None:
        if self.arming.startswith("Always"):
            return
        is_switch = self.arming.startswith("Accessory")
        threshold = _SWITCH if is_switch else _STICK
        axis, _, side = self.arming.partition(" ")
        level = -(1.0 if sticks.arm else -1.0) if is_switch else 0.0
        if not is_switch:
            sign = 1.0 if side in ("Left", "Forward") else -1.0
            level = sign * float(getattr(sticks, axis.lower()))
        if self._throttle >= 0.0 and not (is_switch and level >= threshold):
            self.state = "Disarmed" if self.state == "Arming" else self.state
            return
        before = 0.0 if self.state == "Arming" else self._level
        self._level = level
        asks = level <= -threshold < before
        if self.state == "Disarmed" and asks and self._may_arm():
            self.state, self._since_s = "Arming", self._now_s
        elif self.state == "Arming" and not asks:
            self.state = "Disarmed"
        elif self.state == "Arming" and self._now_s - self._since_s > self.arming_s:
            self.state = "Armed"

    def _may_arm(self) -> bool:
        self.configuration_alarm = "OK"  # okToArm checks it first, and nothing is wrong any more
        is_fine = self.alarm != "Critical" and not self.refuses_silently
        return is_fine and self.mode in ("Stabilized1", "AutoTakeoff")

    def _fly(self) -> None:
        """SlowStart, ThrustUp, Takeoff; the status of the flight before stands until then."""
        if self.mode != "AutoTakeoff" or self.state != "Armed":
            self._started_s = 0.0
            return
        if not self._started_s and self._throttle > _START_THROTTLE:
            self._started_s = self._now_s
        if self._started_s and self._throttle >= _ABORT_THROTTLE:
            run_s = self._now_s - self._started_s
            states = ((_SLOW_START_S, "SlowStart"), (_SLOW_START_S + _THRUST_UP_S, "ThrustUp"))
            self.take_off = next((state for end_s, state in states if run_s < end_s), "Takeoff")
            if (
                self.take_off == "Takeoff"
                and abs(self._target_m - self._estimated_m()) < _ARRIVED_M
            ):
                self.take_off = "Hold"
            elif self.take_off == "Takeoff":
                self.height_m += _CLIMB_MPS * LOOP_S

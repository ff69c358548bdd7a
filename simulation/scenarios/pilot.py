"""A scripted pilot on the ground: flies by GCSReceiver and knows only what telemetry tells.

It speaks UAVTalk like any station, so a flight by it exercises the whole path from sticks to
published states.
"""

import numpy as np

from simulation.scenarios.scenario import Scenario, ScenarioError, ScenarioStep, Until, Upload
from telemetry.objects.catalogue import Catalogue, UnknownObjectError
from telemetry.objects.definition import ObjectDefinition
from telemetry.objects.values import pack_values, read_path, read_value
from telemetry.vehicle.sticks import Sticks, channels_us
from telemetry.wire.decoder import FrameDecoder
from telemetry.wire.dialect import Dialect
from telemetry.wire.frame import DATA_TYPES, Frame, FrameType

_STICKS_PERIOD_US = 40_000
_TAKEOFF_THROTTLE = 0.6
_MID_THROTTLE = 0.5
_TAKEN_OFF_SHARE = 0.9
_DEFAULT_TAKEOFF_HEIGHT_M = 2.5


class Pilot:
    """Flies a scenario, step by step."""

    def __init__(self, scenario: Scenario, catalogue: Catalogue, positions: list[str]) -> None:
        """`positions` are the flight modes of the mode switch, first position first.

        Raises ScenarioError for modes that are not on the switch and for unknown objects.
        """
        self._steps = scenario.steps
        self._positions = positions
        self._dialect = Dialect()
        self._decoder = FrameDecoder()
        self._receiver = catalogue.find("GCSReceiver")
        self._pulses = self._receiver.default_row()
        self._catalogue = catalogue
        heard = {"FlightStatus", "PositionState"}
        heard |= {step.until.object for step in self._steps if step.until is not None}
        self._objects = {d.object_id: d for d in map(self._definition, sorted(heard))}
        self._check()
        self._rows: dict[str, np.void] = {}
        self._index = -1
        self._since_us = 0
        self._sent_us = -_STICKS_PERIOD_US
        self._ground_down_m = 0.0
        self._sticks: Sticks | None = Sticks()
        self._said: Sticks | None = None
        self._words = b""  # how these sticks are said
        self._is_switched_on = False
        self._uploads = b""
        self.failed_step: str | None = None

    @property
    def step(self) -> ScenarioStep | None:
        """What is being done; None before the beginning and after the end."""
        return self._steps[self._index] if 0 <= self._index < len(self._steps) else None

    @property
    def step_index(self) -> int:
        """The number of the step being done, counted from 0."""
        return self._index

    @property
    def is_done(self) -> bool:
        """Whether all steps were done, or one has failed."""
        return self._index >= len(self._steps) or self.failed_step is not None

    @property
    def armed(self) -> str:
        """FlightStatus.Armed as last heard."""
        return self._text("Armed", "Disarmed")

    @property
    def mode(self) -> str:
        """FlightStatus.FlightMode as last heard."""
        return self._text("FlightMode", "")

    def hear(self, data: bytes) -> None:
        """Take what the aircraft sent."""
        for frame in self._decoder.feed(data):
            if frame.object_id in self._objects and frame.type in DATA_TYPES:
                self._take(frame)

    def update(self, now_us: int) -> bytes:
        """Go on with the script and return what is to be sent."""
        if self._index < 0:
            self._start_next(now_us)
        step = self.step
        if step is not None and not self.is_done:
            elapsed_s = (now_us - self._since_us) / 1e6
            if self._is_complete(step, elapsed_s):
                self._start_next(now_us)
            elif not _is_timed(step) and elapsed_s > step.timeout_s:
                self.failed_step = f"{self._index + 1}: {step.do}"
        return self._talk(now_us)

    # The script -------------------------------------------------------------------------

    def _start_next(self, now_us: int) -> None:
        self._index += 1
        self._since_us = now_us
        step = self.step
        if step is not None:
            self._sticks = self._sticks_for(step)
            if step.do == "takeoff":
                self._ground_down_m = self._down_m()
            self._uploads += b"".join(map(self._upload_frame, step.objects))

    def _sticks_for(self, step: ScenarioStep) -> Sticks | None:
        if step.do == "silence":
            return None
        if step.do in ("wait", "set", "upload"):
            return self._sticks
        if step.do in ("arm", "disarm"):
            self._is_switched_on = step.do == "arm"
        mode, throttle = {
            "arm": ("Stabilized1", 0.0),
            "disarm": ("Stabilized1", 0.0),
            "takeoff": ("AutoTakeoff", _TAKEOFF_THROTTLE),
            "hold": ("PositionHold", _MID_THROTTLE),
            "land": ("Land", _MID_THROTTLE),
            "return": ("ReturnToBase", _MID_THROTTLE),
        }.get(step.do, (step.mode, step.throttle))
        position = self._positions.index(mode) if mode in self._positions else 0
        return Sticks(step.roll, step.pitch, step.yaw, throttle, position, self._is_switched_on)

    def _is_complete(self, step: ScenarioStep, elapsed_s: float) -> bool:
        if step.do in ("set", "upload"):
            return True
        if step.until is not None:
            return self._says(step.until)
        if step.seconds:
            return elapsed_s >= step.seconds
        if step.do == "arm":
            return self.armed == "Armed"
        if step.do == "takeoff":
            climbed = self._ground_down_m - self._down_m()
            return climbed > _TAKEN_OFF_SHARE * _DEFAULT_TAKEOFF_HEIGHT_M
        return self.armed == "Disarmed"

    # The conversation -------------------------------------------------------------------

    def _talk(self, now_us: int) -> bytes:
        uploads, self._uploads = self._uploads, b""
        if self._sticks is None or now_us - self._sent_us < _STICKS_PERIOD_US:
            return uploads
        self._sent_us = now_us
        if self._sticks is not self._said:
            self._said = self._sticks
            self._words = self._stick_frame(self._sticks)
        return uploads + self._words

    def _stick_frame(self, sticks: Sticks) -> bytes:
        self._pulses["Channel"] = channels_us(sticks, mode_positions=len(self._positions))
        object_id, payload = self._receiver.object_id, self._pulses.tobytes()
        return self._dialect.encode(FrameType.OBJ, object_id, 0, True, payload)

    def _upload_frame(self, upload: Upload) -> bytes:
        definition = self._definition(upload.name)
        try:
            payload = pack_values(definition, upload.values)
        except ValueError as error:
            raise ScenarioError(f"A step uploads what cannot be: {error}.") from None
        single = definition.single_instance
        return self._dialect.encode(
            FrameType.OBJ, definition.object_id, upload.instance, single, payload
        )

    def _definition(self, name: str) -> ObjectDefinition:
        try:
            return self._catalogue.find(name)
        except UnknownObjectError:
            raise ScenarioError(
                f"A step names the object '{name}', which is not known; 'lapwing objects list' has "
                "all."
            ) from None

    def _check(self) -> None:
        """Find out before the flight what would go wrong in its middle."""
        for step in self._steps:
            if step.do == "fly" and step.mode not in self._positions:
                known = ", ".join(dict.fromkeys(self._positions))
                raise ScenarioError(
                    f"The mode '{step.mode}' of a step is not on the switch, which has: {known}; "
                    "put it into FlightModeSettings.FlightModePosition."
                )
            for upload in step.objects:
                self._upload_frame(upload)
            if step.until is not None:
                self._check_until(step.until)

    def _check_until(self, until: Until) -> None:
        definition = self._definition(until.object)
        try:
            read_path(definition, definition.default_row(), until.field)
        except (KeyError, ValueError) as error:
            raise ScenarioError(f"A step waits for what never comes: {error}.") from None

    def _says(self, until: Until) -> bool:
        row = self._rows.get(until.object)
        if row is None:
            return False
        definition = self._definition(until.object)
        return read_path(definition, row, until.field) == until.value

    def _take(self, frame: Frame) -> None:
        definition = self._objects[frame.object_id]
        parts = self._dialect.split(frame, definition.size, definition.single_instance)
        if parts is not None:
            row = np.frombuffer(parts.payload, definition.dtype)[0]
            self._rows[definition.name] = row

    def _text(self, field: str, default: str) -> str:
        row = self._rows.get("FlightStatus")
        if row is None:
            return default
        definition = next(d for d in self._objects.values() if d.name == "FlightStatus")
        return str(read_value(definition, row, field))

    def _down_m(self) -> float:
        row = self._rows.get("PositionState")
        return float(row["Down"]) if row is not None else 0.0


def _is_timed(step: ScenarioStep) -> bool:
    return step.until is None and step.seconds > 0.0

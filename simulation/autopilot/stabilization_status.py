"""StabilizationStatus: which loops control each axis; and what automatic modes ask of them."""

from simulation.autopilot.board import SimulatedBoard
from simulation.records.members import Members

_OUTER = {
    "RateTrainer": "DirectWithLimits",
    "Attitude": "Attitude",
    "Rattitude": "Rattitude",
    "WeakLeveling": "Weakleveling",
    "AltitudeHold": "Altitude",
    "AltitudeVario": "AltitudeVario",
    "SystemIdent": "SystemIdent",
}
_INNER = {
    "Manual": "Direct",
    "AxisLock": "AxisLock",
    "VirtualBar": "VirtualFlyBar",
    "Acro+": "Acro+",
}
_CRUISING = frozenset({"CruiseControl", "AltitudeHold", "AltitudeVario"})
_HEIGHT_HELD = frozenset({"AltitudeHold", "AltitudeVario"})
_AUTOMATIC = ("Attitude", "Attitude", "AxisLock", "CruiseControl")
_THRUST = 3


class StabilizationStatus:
    """Publishes the loops in use; in automatic modes also StabilizationDesired."""

    def __init__(self, board: SimulatedBoard, output: Members) -> None:
        self._output = output
        self._desired = board["StabilizationDesired"]
        self._status = board["StabilizationStatus"]
        modes = self._desired.definition.field_named("StabilizationMode")
        self._names = dict(zip(modes.option_values, modes.options, strict=True))
        self._automatic = tuple(map(modes.option_number, _AUTOMATIC))
        self._shown: tuple[int, ...] = ()
        self._height = board["AltitudeHoldStatus"]
        self._is_height_held = False

    def update(self, is_hand_flown: bool) -> None:
        """Run once per loop; the desired attitude of automatic modes is fetched when read."""
        self._desired.refresh = None if is_hand_flown else self._write_desired
        if is_hand_flown:
            modes = tuple(self._desired.fields["StabilizationMode"].tolist())
        else:
            modes = self._automatic
        if modes != self._shown:
            self._shown = modes
            self._show([self._names.get(mode, "Rate") for mode in modes])
        if self._is_height_held:
            self._height.tell_telemetry()

    def _show(self, modes: list[str]) -> None:
        self._is_height_held = modes[_THRUST] in _HEIGHT_HELD
        outer = [self._status.number("OuterLoop", _OUTER.get(m, "Direct")) for m in modes]
        inner = [self._status.number("InnerLoop", _INNER.get(m, "Rate")) for m in modes[:_THRUST]]
        thrust = "CruiseControl" if modes[_THRUST] in _CRUISING else "Direct"
        self._status.set(
            OuterLoop=outer, InnerLoop=[*inner, self._status.number("InnerLoop", thrust)]
        )

    def _write_desired(self) -> None:
        attitude = self._output["attitude_desired"].tolist()
        self._desired.fill(*attitude, self._output["thrust_desired"], self._automatic)

"""The shipped rules over flights: what is told, in which words, and what is not."""

import pytest

from plugins.testing import QuietCommands, catalogue
from plugins.testing import add as add_sample
from telemetry.missions.geofence_watch import FenceWatch
from telemetry.missions.geofences import Fence
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.recording import Recording
from telemetry.review.analysis.expression.expression import parse_expression
from telemetry.vehicle.vehicle import LinkState, LinkStatus, Vehicle
from telemetry.warnings.flight_watch import FlightWatch
from telemetry.warnings.rule import RuleComparison, WarningRule, names_in
from telemetry.warnings.shipped_rules import shipped_rules
from telemetry.warnings.station_values import STATION_VALUES

TAU_LABS = "TauLabs-next-2017-01"


class WatchedQuad:
    """A connected aircraft whose clock the test moves."""

    def __init__(self, *rule_ids: str) -> None:
        self.recording, self.t = Recording(), 0.0
        self.vehicle = Vehicle(
            "quad", self.recording, catalogue(), QuietCommands(), elapsed_s=lambda: self.t
        )
        self.vehicle.status = LinkStatus(LinkState.CONNECTED, heard_s=0.0, quality_percent=99)
        self.rules = [r for r in shipped_rules() if not rule_ids or r.id in rule_ids]
        self.watch = FlightWatch(self.vehicle)

    def add(self, name: str, **values: object) -> None:
        add_sample(self.recording, self.t, name, **values)

    def add_of(self, release: str, name: str, **values: object) -> None:
        definition = catalogue().find(name, release)
        self.recording.append(self.t, definition, 0, pack_values(definition, values))

    def run(self, seconds: float, *, talks: bool = True) -> list[str]:
        """What is spoken meanwhile. `talks`: something arrives that keeps the link alive."""
        told = []
        for _ in range(round(seconds / 0.2)):
            self.t = round(self.t + 0.2, 3)
            if talks:
                self.add("AttitudeState")
                self.vehicle.status = LinkStatus(
                    LinkState.CONNECTED, heard_s=self.t, quality_percent=99
                )
            told += [note.speech for note in self.watch.step(self.rules, self.vehicle.end_s)]
        return told


def test_every_name_in_the_shipped_rules_is_known() -> None:
    for rule in shipped_rules():
        than = [rule.than] if rule.comparison.takes_number and isinstance(rule.than, str) else []
        names = [rule.value, *than, *(p.value for p in rule.only_if)]
        names += [n for text in (rule.text, rule.over_text) for n in names_in(text)]
        for name in set(names) - set(STATION_VALUES) - {"value", "than"}:
            for path in parse_expression(name).fields:
                thing, _, field = path.partition(".")
                assert catalogue().find(thing).has_field(field.partition(".")[0]), rule.title


def test_the_battery_is_warned_of_by_the_aircrafts_own_thresholds() -> None:
    """flight/modules/Battery/battery.c: pack against threshold per cell times FlightBatteryState's
    cells."""
    quad = WatchedQuad("battery-low", "battery-critical")
    settings = {"CellVoltageThresholds.Warning": 3.5, "CellVoltageThresholds.Critical": 3.2}
    quad.add("FlightBatterySettings", NbCells=0, **settings)
    for volts, told in ((10.6, []), (10.4, ["Battery low, 10.4 volts"])):
        quad.add("FlightBatteryState", Voltage=volts, NbCells=3)
        assert quad.run(2.6) == told
    quad.add("FlightBatteryState", Voltage=10.7, NbCells=3)
    assert quad.run(2.8) == [], "within the hysteresis it is neither over nor told again"
    quad.add("FlightBatteryState", Voltage=9.5, NbCells=3)
    assert quad.run(2.6) == ["Battery critical, 9.5 volts"]


@pytest.mark.parametrize(
    ("armed", "times"), [("Disarmed", 1), ("Armed", 4), (None, 4)], ids=["ground", "air", "unknown"]
)
def test_on_the_ground_a_low_battery_is_told_once(armed: str | None, times: int) -> None:
    quad = WatchedQuad("battery-low")
    quad.add("FlightBatterySettings", **{"CellVoltageThresholds.Warning": 3.5})
    told = []
    for _ in range(50):
        quad.add("FlightBatteryState", Voltage=10.0, NbCells=3)
        if armed:
            quad.add("FlightStatus", Armed=armed)
        told += quad.run(2.0)
    assert told == ["Battery low, 10 volts"] * times


def test_who_arms_with_a_low_battery_hears_of_it_again() -> None:
    quad = WatchedQuad("battery-low")
    quad.add("FlightBatterySettings", **{"CellVoltageThresholds.Warning": 3.5})
    for armed, told in (("Disarmed", 1), ("Armed", 1)):
        heard = []
        for _ in range(10):
            quad.add("FlightBatteryState", Voltage=10.0, NbCells=3)
            quad.add("FlightStatus", Armed=armed)
            heard += quad.run(2.0)
        assert len(heard) == told, armed


def test_a_live_flight_that_nobody_looked_at_for_a_while_is_not_told_of_anew() -> None:
    quad = WatchedQuad("battery-low")
    quad.add("FlightBatterySettings", **{"CellVoltageThresholds.Warning": 3.5})
    quad.add("FlightStatus", Armed="Disarmed")
    heard = []
    for _ in range(3):
        quad.add("FlightBatteryState", Voltage=10.0, NbCells=3)
        heard += quad.run(2.6)
        quad.t += 7.0
    assert len(heard) == 1


def test_thresholds_of_the_pack_count_as_such() -> None:
    quad = WatchedQuad("battery-low")
    thresholds = {"VoltageThresholds.Warning": 11.0, "VoltageThresholds.Alarm": 10.0}
    quad.add_of(TAU_LABS, "FlightBatterySettings", NbCells=3, **thresholds)
    quad.add_of(TAU_LABS, "FlightBatteryState", Voltage=10.9)
    assert quad.run(2.6) == ["Battery low, 10.9 volts"]


@pytest.mark.parametrize("cells", [0, 3])
def test_without_thresholds_or_cells_the_battery_says_nothing(cells: int) -> None:
    quad = WatchedQuad("battery-low", "battery-critical")
    thresholds = {"CellVoltageThresholds.Warning": 0.0 if cells else 3.5}
    quad.add("FlightBatterySettings", NbCells=0, **thresholds)
    quad.add("FlightBatteryState", Voltage=3.0, NbCells=cells)
    assert quad.run(2.6) == []


def test_a_lost_link_is_told_and_what_is_old_is_not_repeated() -> None:
    quad = WatchedQuad("link-lost", "link-silent", "battery-low")
    quad.add("FlightBatterySettings", **{"CellVoltageThresholds.Warning": 3.5})
    quad.add("FlightBatteryState", Voltage=10.0, NbCells=3)
    assert quad.run(2.6) == ["Battery low, 10 volts"]
    assert quad.run(4.0, talks=False) == ["No data for 2 seconds"]
    quad.vehicle.status = LinkStatus(LinkState.LOST, heard_s=2.6)
    assert quad.run(40.0, talks=False) == ["Link lost", "Link lost"], "and no old battery"
    assert quad.watch.states["battery-low"].is_known is False
    assert quad.run(0.4) == ["Link back"]


def test_a_link_that_is_being_set_up_is_not_lost() -> None:
    quad = WatchedQuad("link-lost", "link-silent")
    quad.vehicle.status = LinkStatus(LinkState.RECONNECTING)
    assert quad.run(5.0, talks=False) == []


def test_arming_mode_and_failsafe_are_told() -> None:
    quad = WatchedQuad("arming", "mode", "failsafe")
    quad.add("FlightStatus", Armed="Disarmed", FlightMode="Stabilized1")
    quad.add("ManualControlCommand", Connected="True")
    assert quad.run(1.0) == []
    quad.add("FlightStatus", Armed="Arming", FlightMode="Stabilized1")
    assert quad.run(1.0) == [], "it is not armed yet"
    quad.add("FlightStatus", Armed="Armed", FlightMode="PositionHold")
    assert quad.run(1.0) == ["Armed", "Position hold"]
    quad.add("ManualControlCommand", Connected="False")
    assert quad.run(1.0) == ["Failsafe: no sticks are received"]


def test_an_alarm_is_told_once_unless_a_rule_of_its_own_tells_it() -> None:
    quad = WatchedQuad("alarms", "alarm-warnings", "battery-critical")
    quad.add("FlightStatus", Armed="Armed")
    quad.add("SystemAlarms", **{"Alarm.Attitude": "Error", "Alarm.GPS": "Warning"})
    assert quad.run(2.0) == ["Attitude alarm", "GPS warning"]
    quad.add("FlightBatterySettings", **{"CellVoltageThresholds.Critical": 3.5})
    quad.add("FlightBatteryState", Voltage=10.0, NbCells=3)
    alarms = {"Alarm.Attitude": "Error", "Alarm.GPS": "Warning", "Alarm.Battery": "Critical"}
    quad.add("SystemAlarms", **alarms)
    assert quad.run(2.6) == ["Battery critical, 10 volts"]


def test_a_fix_is_lost_only_where_there_was_one() -> None:
    quad = WatchedQuad("gps-lost", "gps-few")
    quad.add("GPSPositionSensor", Status="NoFix", Satellites=3)
    assert quad.run(2.0) == []
    quad.add("GPSPositionSensor", Status="Fix3D", Satellites=9, Latitude=1, Longitude=1)
    assert quad.run(1.0) == []
    quad.add("GPSPositionSensor", Status="NoFix", Satellites=3)
    assert quad.run(2.0) == ["GPS fix lost"]


def test_sinking_fast_counts_near_the_ground_only() -> None:
    for height_m, told in ((50.0, []), (8.0, ["Sinks fast, 4 metres per second"])):
        quad = WatchedQuad("sink")
        quad.add("FlightStatus", Armed="Armed")
        quad.add("PositionState", Down=-height_m)
        quad.add("VelocityState", Down=4.0)
        assert quad.run(1.0) == told


def test_the_radii_of_the_firmware_are_watched_and_zero_is_none() -> None:
    """flight/Modules/Geofence/geofence.c of dRonin: North² + East² against either radius²."""
    for radius_m, told in ((0, []), (50, ["Outside the fence, 60 metres from home"])):
        quad = WatchedQuad("fence-radius-error")
        quad.add("FlightStatus", Armed="Armed")
        quad.add_of(TAU_LABS, "GeoFenceSettings", WarningRadius=radius_m, ErrorRadius=radius_m)
        quad.add("PositionState", North=36.0, East=48.0, Down=-90.0)
        assert quad.run(1.0) == told


def test_fences_of_the_plan_are_told_as_they_are_watched() -> None:
    quad = WatchedQuad("fence-plan-error", "fence-plan-warning", "notices")
    fences = [Fence(((47.0, 8.0),), radius_m=100.0, name="the field")]
    watch = FenceWatch(quad.vehicle)
    quad.add("FlightStatus", Armed="Armed")
    quad.add("HomeLocation", Set="True", Latitude=470000000, Longitude=80000000)
    told = []
    for north_m in (50.0, 90.0, 110.0, 50.0):
        quad.add("PositionState", North=north_m)
        watch.poll(fences)
        told.append(quad.run(3.0))
    crossed = "Fence crossed, 10 m beyond the field"
    assert told == [[], ["Fence near, 10 m to the field"], [crossed], []]
    quad.run(1.0)
    watch.poll(fences)
    assert quad.run(1.0) == ["Fences not watched"], "its position is old"


def test_a_rule_of_a_field_or_of_an_expression_is_watched() -> None:
    quad = WatchedQuad("none")
    quad.rules = [
        WarningRule(
            "a", "a", "AttitudeState.Roll", RuleComparison.ABOVE, "Roll {value}", than=30.0
        ),
        WarningRule(
            "b", "b", "abs(AttitudeState.Pitch)", RuleComparison.ABOVE, "{value}", than=40.0
        ),
        WarningRule("c", "c", "FlightStatus.FlightMode", RuleComparison.IS, "{value}", than="Land"),
        WarningRule("d", "d", "What is this", RuleComparison.ABOVE, "{value}", than=0.0),
    ]
    quad.add("FlightStatus", FlightMode="Land")
    quad.add("AttitudeState", Roll=35.0, Pitch=-45.0)
    told = [note.speech for note in quad.watch.step(quad.rules, 0.0)]
    assert told == ["Roll 35 degrees", "45 degrees", "Land"]
    assert quad.watch.readings(quad.rules[3]).problem


def test_a_cursor_that_jumps_begins_anew() -> None:
    quad = WatchedQuad("failsafe")
    quad.add("FlightStatus", Armed="Armed")
    quad.add("ManualControlCommand", Connected="False")
    assert len(quad.run(0.2)) == 1
    quad.t = 0.0
    assert len(quad.watch.step(quad.rules, 0.1)) == 1, "it went back"

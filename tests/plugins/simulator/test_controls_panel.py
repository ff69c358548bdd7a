"""The panel commands the simulator that flies, and shows what that says of itself."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from plugins.simulator.controls_panel import NO_SIMULATOR
from telemetry.protocol.links.faulty import Faults
from tests.plugins.simulator.flown import FlownByOperator


@pytest.fixture
def flown(qtbot: QtBot) -> Iterator[FlownByOperator]:
    flown = FlownByOperator()
    qtbot.addWidget(flown.panel)
    flown.panel.resize(520, 700)
    flown.panel.show()
    flown.run(1.0)
    yield flown
    flown.close()


def words(flown: FlownByOperator) -> list[str]:
    return [label.text() for label in flown.panel.findChildren(QLabel)]


@pytest.mark.slow
def test_wind_is_set_as_pilots_speak_of_it(flown: FlownByOperator) -> None:
    flown.put("Wind", 6.0)
    flown.put("Wind from", 90.0)
    assert flown.simulator.world["wind"].tolist() == pytest.approx([0.0, -6.0, 0.0], abs=1e-9)
    flown.put("Turbulence (W20)", 7.0)
    assert flown.simulator.world["turbulence_w20"] == 7.0
    assert "2 changed" in words(flown)


@pytest.mark.slow
def test_faults_reach_battery_sensors_and_motors(flown: FlownByOperator) -> None:
    flown.put("Charge left", 40.0)
    assert flown.simulator.charge == pytest.approx(0.4, abs=0.01)
    flown.put("Gyro: noise", 3.0)
    assert flown.simulator.world["sensor_noise"].max() == 3.0
    assert flown.simulator.world["rotor_lost"].max() == 0.0
    flown.tick("Motor 2 lost")
    assert flown.simulator.world["rotor_lost"].tolist()[:4] == [0.0, 1.0, 0.0, 0.0]


@pytest.mark.slow
def test_paused_time_stands_still_and_goes_on_at_the_speed_chosen(flown: FlownByOperator) -> None:
    flown.choose_speed("2 × real time")
    flown.press("Pause")
    stopped_s = flown.flight.autopilot.now_s
    heard = flown.counters.objects
    flown.run(2.0)
    assert flown.flight.autopilot.now_s == stopped_s
    assert flown.counters.objects > heard, "the link stays up"
    assert any("Time stands still" in text for text in words(flown))
    flown.press("Go on")
    gone_on_s = flown.flight.autopilot.now_s
    flown.run(2.0)
    assert flown.flight.autopilot.now_s - gone_on_s == pytest.approx(4.0, abs=0.05)


@pytest.mark.slow
def test_time_passes_faster(flown: FlownByOperator) -> None:
    flown.choose_speed("5 × real time")
    before_s = flown.flight.autopilot.now_s
    flown.run(2.0)
    assert flown.flight.autopilot.now_s - before_s == pytest.approx(10.0, abs=0.15)
    assert any("5 × real time." in text for text in words(flown))


@pytest.mark.slow
def test_a_new_aircraft_stands_at_the_start_in_the_same_weather(flown: FlownByOperator) -> None:
    flown.put("Wind", 4.0)
    flown.put("Charge left", 30.0)
    before = flown.flight.autopilot
    flown.press("Start anew")
    assert flown.flight.autopilot is not before
    assert flown.flight.autopilot.now_s < 1.1
    assert flown.simulator.world["wind"][0] == -4.0
    assert flown.box("Wind").value() == 4.0
    assert flown.box("Charge left").value() == pytest.approx(100.0, abs=1.0)


@pytest.mark.slow
def test_a_perfect_link_loses_nothing(flown: FlownByOperator) -> None:
    flown.run(4.0)
    assert flown.vehicle.status.quality_percent == 100
    assert (flown.counters.crc_errors, flown.counters.junk_bytes) == (0, 0)


@pytest.mark.slow
def test_lost_packets_are_lost_and_counted(flown: FlownByOperator) -> None:
    flown.run(3.0)
    whole = flown.vehicle.status.objects_per_s
    flown.put("Packets lost", 40.0)
    flown.run(5.0)
    assert flown.radio.faults == Faults(loss=pytest.approx(0.4))  # type: ignore[arg-type]
    assert 0.2 * whole < flown.vehicle.status.objects_per_s < 0.8 * whole
    assert (flown.vehicle.status.quality_percent or 100) < 80
    flown.put("Packets lost", 100.0)
    silent = flown.counters
    flown.run(2.0)
    assert flown.counters.objects == silent.objects
    assert flown.vehicle.status.objects_per_s == 0.0


@pytest.mark.slow
def test_damaged_bytes_are_caught_by_the_checksum_and_counted(flown: FlownByOperator) -> None:
    flown.put("Bytes damaged", 1.0)
    flown.run(4.0)
    assert flown.counters.crc_errors > 5
    assert 0 < (flown.vehicle.status.quality_percent or 0) < 95
    flown.put("Bytes damaged", 0.0)
    damaged = flown.counters.crc_errors
    flown.run(5.5)
    assert flown.counters.crc_errors <= damaged + 1, "at most what was under way"
    assert flown.vehicle.status.quality_percent == 100


@pytest.mark.slow
def test_delayed_words_come_late(flown: FlownByOperator) -> None:
    def lateness_s() -> float:
        stats = flown.vehicle.recording.latest("SystemStats", flown.now_s)
        assert stats is not None
        return float(stats.t) - float(stats["FlightTime"]) / 1000.0

    flown.run(2.0)
    prompt_s = lateness_s()
    flown.put("Delay", 800.0)
    flown.run(2.0)
    assert lateness_s() - prompt_s == pytest.approx(0.8, abs=0.05)


@pytest.mark.slow
def test_all_to_normal_calms_weather_faults_and_link(flown: FlownByOperator) -> None:
    flown.put("Wind", 6.0)
    flown.put("Packets lost", 10.0)
    flown.tick("Motor 1 lost")
    assert words(flown).count("1 changed") == 3
    flown.press("All to normal")
    assert not flown.simulator.world["wind"].any()
    assert not flown.simulator.world["rotor_lost"].any()
    assert flown.radio.faults == Faults()
    assert (flown.box("Wind").value(), flown.box("Packets lost").value()) == (0.0, 0.0)
    assert not any("changed" in text for text in words(flown))


@pytest.mark.slow
def test_without_a_simulator_it_says_what_it_is_for(flown: FlownByOperator) -> None:
    flown.context.fleet.remove(flown.vehicle)
    flown.panel.refresh(flown.now_s)
    assert NO_SIMULATOR in words(flown)
    assert not flown.box("Wind").isEnabled()


@pytest.mark.slow
def test_what_is_unfolded_is_remembered(flown: FlownByOperator) -> None:
    flown.panel.restore_state({"open": ["Motors", "Radio link"]})
    assert flown.panel.save_state() == {"open": ["Motors", "Radio link"]}
    assert flown.box("Packets lost").isVisible()
    assert not flown.box("Wind").isVisible()


@pytest.mark.slow
def test_in_a_narrow_window_no_button_is_cut(flown: FlownByOperator) -> None:
    def buttons() -> list[QPushButton]:
        named = ("Pause", "Start anew", "All to normal")
        return [b for b in flown.panel.findChildren(QPushButton) if b.text() in named]

    assert len({button.y() for button in buttons()}) == 1
    dock = QWidget()
    flown.panel.setParent(dock)  # which may make it as narrow as it likes
    flown.panel.show()
    flown.panel.resize(330, 700)
    dock.grab()  # lays it out
    assert len({button.y() for button in buttons()}) == 2
    assert all(button.width() >= button.sizeHint().width() for button in buttons())
    flown.panel.setParent(None)


def test_it_is_built_over_several_ticks_what_is_unfolded_first(flown: FlownByOperator) -> None:
    first, *_, last = flown.slider_counts
    assert 0 < first < last / 2
    assert len(flown.slider_counts) > 4

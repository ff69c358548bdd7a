"""Rates for tuning: staged as differences, sent by nobody else, within what a link carries."""

import re
from dataclasses import dataclass

import pytest

from telemetry.configuration.board_logs.log_presets import FOR_TUNING
from telemetry.configuration.board_logs.rate_preset import (
    plan_rates,
    stage_rates,
    staged_rates,
)
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import UpdateMode
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType
from tests.telemetry.configuration.settings.bench import Bench
from tests.telemetry.protocol.session.fakes import SMALL, MemoryBoard

NAMES = [one.names[0] for one in FOR_TUNING]
PERIODS_MS = {"GyroState": 4, "RateDesired": 4, "ActuatorCommand": 2}
JUDGED = {"GyroState", "RateDesired", "StabilizationDesired", "AttitudeState"}


@dataclass
class Line:
    address: str
    name = "a line"
    can_write = True

    def read(self, timeout_s: float) -> bytes:
        return b""

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    names = dict.fromkeys((*SMALL, *NAMES, "DebugLogSettings", "DebugLogStatus"))
    return Bench(catalogue, MemoryBoard(catalogue.find(n, DEFAULT_RELEASE) for n in names))


def metadata(bench: Bench, name: str) -> Metadata:
    return Metadata.unpack(bench.board.values[bench.named(name).object_id + 1, 0])


def test_it_is_staged_and_sent_only_when_it_is_applied(bench: Bench) -> None:
    before = dict(bench.board.values)
    stage_rates(bench.settings, plan_rates(bench.settings))
    bench.pass_time(5.0)
    assert {key: before[key] for key in before if key[0] & 1} == {
        key: value for key, value in bench.board.values.items() if key in before and key[0] & 1
    }
    assert bench.settings.staged()
    assert staged_rates(bench.settings) == bench.settings.draft.count
    assert not bench.settings.doubts()

    bench.settings.apply(save=True)
    bench.finish()
    assert bench.settings.transfer is not None
    assert bench.settings.transfer.is_verified
    for name in NAMES:
        was, now = Metadata.of(bench.named(name)), metadata(bench, name)
        assert (now.flight.mode, now.flight.period_ms) == (UpdateMode.PERIODIC, 20)
        assert now.logging.mode is UpdateMode.PERIODIC
        assert now.logging.period_ms == PERIODS_MS.get(name, 20)
        assert (now.flight_readonly, now.gcs_readonly) == (was.flight_readonly, was.gcs_readonly)
        assert now.gcs == was.gcs
    assert bench.on_board("DebugLogSettings", "LoggingEnabled") == "OnlyWhenArmed"
    stage_rates(bench.settings, plan_rates(bench.settings))
    assert not bench.settings.draft.count  # all of it is on board
    bench.settings.undo()
    bench.finish()
    assert metadata(bench, "GyroState") == Metadata.of(bench.named("GyroState"))


@pytest.mark.parametrize(
    ("baud", "names", "period_ms"),
    [(921_600, set(NAMES), 20), (115_200, JUDGED, 20), (57_600, JUDGED, 40), (1200, set(), 0)],
)
def test_a_line_is_asked_for_what_it_carries(
    bench: Bench, baud: int, names: set[str], period_ms: int
) -> None:
    bench.vehicle.link = Line(f"serial:/dev/ttyUSB0@{baud}")
    plan = plan_rates(bench.settings)
    assert set(plan.sent_ms) == names
    assert set(plan.sent_ms.values()) == ({period_ms} if names else set())
    frames = [
        Dialect().encode(FrameType.OBJ, d.object_id, 0, True, bytes(d.size))
        for d in map(bench.named, plan.sent_ms)
    ]
    per_s = sum(map(len, frames)) * 1000 / period_ms if names else 0.0
    assert per_s <= 0.6 * baud / 10  # a byte is eight bits between a start and a stop bit
    said = f"Hz, {per_s / 1000:.1f} kB/s;" if names else "Telemetry stays as it is"
    assert said in plan.text
    assert f"carries {baud / 10_000:.1f} kB/s at most" in plan.text
    # No link slows that down; by SystemStats the times of the log are known.
    assert set(plan.logged_ms) == {*NAMES, "SystemStats"}


def test_how_long_the_flash_lasts_is_said(bench: Bench) -> None:
    bench.put("DebugLogStatus", "FreeSlots", 1000)
    # 1000 entries of 217 bytes: 250 Hz of 16 and 16 bytes, 500 Hz of 29, 50 Hz of 20, 32, 12 and
    # 24, 0.2 Hz of 42, each with 17 bytes before it.
    assert sorted(bench.named(n).size for n in PERIODS_MS) == [16, 16, 29]
    per_s = 250 * (16 + 16 + 2 * 17) + 500 * (29 + 17) + 50 * (20 + 32 + 12 + 24 + 4 * 17) + 12
    assert f"own log: {per_s / 1000:.1f} kB/s while armed" in plan_rates(bench.settings).text
    said = re.search(r"about (\d+) s are free", plan_rates(bench.settings).text)
    # A slot has 217 bytes, of which those are left over that the next entry, of 32 to 49 bytes,
    # does not fit into: 15 to 24 of them on average.
    assert said is not None
    assert 1000 * (217 - 24) / per_s - 0.5 <= int(said[1]) <= 1000 * (217 - 15) / per_s + 0.5


def test_what_is_taken_from_the_aircraft_for_a_while_is_left_alone(bench: Bench) -> None:
    """A motor test has made it read-only for the aircraft; staged so, it would stay so."""
    stage_rates(bench.settings, plan_rates(bench.settings))
    assert bench.settings.draft.of(("ActuatorCommandMeta", 0))
    bench.settings.draft.clear()
    held = Metadata(flight_readonly=True)
    bench.vehicle.commands.set_metadata("ActuatorCommand", held)
    bench.vehicle.commands.request("ActuatorCommandMeta")
    bench.pass_time(1.0)
    stage_rates(bench.settings, plan_rates(bench.settings))
    assert not bench.settings.draft.of(("ActuatorCommandMeta", 0))
    assert bench.settings.draft.of(("GyroStateMeta", 0))


def test_a_board_without_a_log_is_told_so(catalogue: Catalogue) -> None:
    bench = Bench(
        catalogue,
        MemoryBoard(catalogue.find(n, DEFAULT_RELEASE) for n in dict.fromkeys((*SMALL, *NAMES))),
    )
    plan = plan_rates(bench.settings)
    assert not plan.logged_ms
    assert "keeps no log of its own" in plan.text
    stage_rates(bench.settings, plan)
    bench.settings.apply()
    bench.finish()
    assert metadata(bench, "GyroState").logging.mode is UpdateMode.MANUAL

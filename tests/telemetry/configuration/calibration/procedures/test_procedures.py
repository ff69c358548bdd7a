"""What calibrations do with an aircraft, without a page."""

from datetime import UTC, datetime

import numpy as np
import pytest

from telemetry.configuration.calibration.procedures.home import (
    good_fix,
    home_at,
    home_at_place,
)
from telemetry.configuration.calibration.procedures.kinds import KINDS, kind_of
from telemetry.configuration.calibration.procedures.run import Run, RunState
from telemetry.configuration.calibration.procedures.status import (
    calibration_status,
    never_done,
    why_not,
)
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.protocol.objects.values import pack_values
from telemetry.recording.feed import Feed
from telemetry.recording.recording import Recording
from tests.immediate import ImmediateJobs
from tests.plugins.calibration.rig import Rig, sensor_board, turned_about
from tests.telemetry.configuration.settings.bench import Bench

UP = np.array([0.0, 0.0, -9.81])


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


@pytest.fixture
def bench(catalogue: Catalogue) -> Bench:
    return Bench(catalogue, sensor_board(catalogue))


NOW = datetime(2026, 5, 1, tzinfo=UTC)


def append(
    recording: Recording, catalogue: Catalogue, name: str, t: float, **values: float
) -> None:
    definition = catalogue.find(name)
    recording.append(t, definition, 0, pack_values(definition, values))


def test_a_feed_hands_out_what_is_new_in_order_of_time(catalogue: Catalogue) -> None:
    recording = Recording()
    append(recording, catalogue, "GyroSensor", 0.0, x=9.0)
    feed = Feed(recording, ("GyroSensor", "AccelSensor"))
    assert feed.take() == []
    append(recording, catalogue, "AccelSensor", 1.0, x=1.0)  # not there when the feed was made
    append(recording, catalogue, "GyroSensor", 2.0, x=2.0)
    append(recording, catalogue, "AccelSensor", 3.0, x=3.0)
    assert [sample["x"] for sample in feed.take()] == [1.0, 2.0, 3.0]
    assert feed.take() == []


def test_the_earths_field_is_that_of_the_place(catalogue: Catalogue) -> None:
    """Check value of an independent implementation, WMM2025 at 2025.0 and 100 m."""
    recording = Recording()
    definition = catalogue.find("GPSPositionSensor")
    fix = {"Latitude": 498602460, "Longitude": 86870770, "Altitude": 100.0, "Status": "Fix3D"}
    recording.append(1.0, definition, 0, pack_values(definition, fix))
    sample = good_fix(recording, 2.0)
    assert sample is not None
    home = home_at(sample, datetime(2020, 5, 1, tzinfo=UTC))  # before the model's first year
    be = [float(home[f"Be.{i}"]) for i in range(3)]
    assert np.linalg.norm(be) == pytest.approx(490.368, abs=0.01)
    assert home["Set"] == "True"
    assert good_fix(recording, 60.0) is None  # long ago


def test_home_is_kept_above_the_ellipsoid_as_firmware_keeps_it(catalogue: Catalogue) -> None:
    """LibrePilot's flight/modules/GPS/GPS.c, setHomeLocation: `home.Altitude = gpsData->Altitude +
    gpsData->GeoidSeparation`, from which flight/modules/StateEstimation/filterlla.c takes the
    same sum of every fix. With home at sea level it would believe to stand 48 m up."""
    recording = Recording()
    fix = {"Latitude": 489_466_000, "Longitude": 94_300_000, "Status": "Fix3D"}
    append(
        recording, catalogue, "GPSPositionSensor", 1.0, **fix, Altitude=270.0, GeoidSeparation=48.0
    )
    sample = good_fix(recording, 2.0)
    assert sample is not None
    assert home_at(sample, datetime(2026, 5, 1, tzinfo=UTC))["Altitude"] == pytest.approx(318.0)


@pytest.mark.parametrize(
    ("release", "gps", "altitude_m"),
    [
        ("LibrePilot-next-2019-02", "GPSPositionSensor", 318.0),
        ("OpenPilot-13.06", "GPSPosition", 318.0),
        ("TauLabs-20151123", "GPSPosition", 270.0),
        ("dRonin-20180729", "GPSPosition", 270.0),
    ],
)
def test_home_at_a_place_has_the_altitude_that_its_firmware_counts_from(
    catalogue: Catalogue, release: str, gps: str, altitude_m: float
) -> None:
    """setHomeLocation in flight/modules/GPS/GPS.c of OpenPilot and LibrePilot adds the geoid's
    separation; check_home_location in flight/Modules/Attitude/attitude.c of Tau Labs and dRonin
    has "referenced to mean sea level geoid"."""
    recording = Recording()
    home = catalogue.find("HomeLocation", release)
    recording.append(0.0, home, 0, pack_values(home, {"Set": 0}))
    assert home_at_place(recording, (48.9, 9.4), 1.0, NOW) is None, "no altitude is known"
    fix = catalogue.find(gps, release)
    values = {"Status": "Fix3D", "Altitude": 270.0, "GeoidSeparation": 48.0}
    recording.append(1.0, fix, 0, pack_values(fix, values))
    made = home_at_place(recording, (48.9, 9.4), 2.0, NOW)
    assert made is not None
    assert made.values["Altitude"] == pytest.approx(altitude_m)
    assert made.values["Latitude"] == 489_000_000
    assert pack_values(home, made.values), "the release has all of it"
    assert ("g_e" in made.values) == home.has_field("g_e")
    recording.append(3.0, home, 0, pack_values(home, {"Set": 1, "Altitude": 99.0}))
    later = home_at_place(recording, (48.9, 9.4), 60.0, NOW)
    assert later is not None
    assert later.values["Altitude"] == pytest.approx(99.0), "the fix is old"


@pytest.mark.slow
def test_every_field_a_calibration_writes_is_on_a_full_board(bench: Bench) -> None:
    for kind in KINDS:
        for name, fields in kind.writes.items():
            assert all(bench.settings.has(name, field) for field in fields), kind.title
        assert why_not(kind, bench.settings) == ""
        assert not calibration_status(kind, bench.settings).is_done


@pytest.mark.slow
def test_a_compass_that_nothing_listens_to_need_not_be_calibrated(bench: Bench) -> None:
    bench.settings.stage("RevoSettings", "FusionAlgorithm", "Basic (Complementary)")
    assert "Magnetometer" not in never_done(bench.settings)
    bench.settings.stage("RevoSettings", "FusionAlgorithm", "INS13Indoor")
    assert "Magnetometer" in never_done(bench.settings)


def test_what_is_staged_counts_as_done(bench: Bench) -> None:
    assert "Accelerometer" in never_done(bench.settings)
    bench.settings.stage("AccelGyroSettings", "accel_bias.X", 0.1)
    assert "Accelerometer" not in never_done(bench.settings)


@pytest.mark.slow
def test_a_source_the_aircraft_lacks_ends_it_with_the_reason(catalogue: Catalogue) -> None:
    bench = Bench(catalogue, sensor_board(catalogue, without=("GyroSensor",)))
    run = Run(kind_of("gyro"), bench.vehicle, bench.settings, ImmediateJobs())
    rig = Rig(bench, run.poll)
    rig.rest(UP, 20.0)
    assert run.state is RunState.FAILED
    assert run.problem.startswith("The rate of GyroSensor was not changed")
    assert "cannot be calibrated" in run.remedy


@pytest.mark.slow
def test_the_barometer_may_be_missing(catalogue: Catalogue) -> None:
    bench = Bench(catalogue, sensor_board(catalogue, without=("BaroSensor",)))
    run = Run(kind_of("thermal"), bench.vehicle, bench.settings, ImmediateJobs())
    rig = Rig(bench, run.poll)
    for warmth in np.linspace(10.0, 40.0, 60):
        rig.temperature = float(warmth)
        rig.gyro_bias = np.full(3, 0.1 * warmth)
        rig.rest(UP, 0.6)
    run.finish()
    assert run.state is RunState.DONE
    assert [part.title for part in run.parts] == ["Gyro", "Accelerometer"]


@pytest.mark.slow
def test_a_fit_is_a_job_and_a_cancelled_one_is_forgotten(bench: Bench) -> None:
    jobs = ImmediateJobs()
    jobs.is_held = True
    run = Run(kind_of("gyro"), bench.vehicle, bench.settings, jobs)
    Rig(bench, run.poll).rest(UP, 8.0)
    assert run.state is RunState.FITTING
    run.cancel()
    jobs.release()
    run.poll()
    assert run.state is RunState.CANCELLED
    assert run.parts == ()


@pytest.mark.slow
def test_rates_are_given_back_as_soon_as_it_is_collected(bench: Bench) -> None:
    jobs = ImmediateJobs()
    jobs.is_held = True
    run = Run(kind_of("gyro"), bench.vehicle, bench.settings, jobs)
    rig = Rig(bench, run.poll)
    rig.rest(UP, 2.0)
    assert rig.period_ms("GyroSensor") == 40
    rig.rest(UP, 8.0)
    assert run.state is RunState.FITTING
    assert rig.period_ms("GyroSensor") == 1000


@pytest.mark.slow
def test_both_magnetometers_are_calibrated_at_once(bench: Bench) -> None:
    rig = Rig(bench)
    rig.mag_bias, rig.aux_bias = np.array([50.0, 0.0, 0.0]), np.array([0.0, -90.0, 0.0])
    rig.rest(UP, 0.2)  # the external one has said that it is there
    run = Run(kind_of("magnetometer"), bench.vehicle, bench.settings, ImmediateJobs())
    rig.refresh = run.poll
    turned_about(rig, 240)
    assert run.state is RunState.DONE
    assert [part.title for part in run.parts] == ["Magnetometer on board", "External magnetometer"]
    run.stage(run.parts)
    on_board = bench.settings.value("RevoCalibration", "mag_bias.X")
    external = bench.settings.value("AuxMagSettings", "mag_bias.Y")
    assert (on_board, external) == pytest.approx((50.0, -90.0), abs=3.0)

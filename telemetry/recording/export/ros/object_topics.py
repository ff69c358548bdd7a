"""Object topics: what an aircraft has sent of its flight, as standard ROS messages.

A covariance that nobody knows is zero, and -1 in its first place where the value itself is unknown,
as sensor_msgs/Imu has it. Where nothing tells how a sensor is mounted, its frame is that of the
sensor alone ("gps", "sonar_altitude") and no transform leads there.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from telemetry.base.rotations import matrices_of
from telemetry.recording.export.request import ExportError, ExportRequest, Times
from telemetry.recording.export.ros.frames import (
    TESLA_PER_MILLIGAUSS,
    Floats,
    enu,
    flu,
    flu_in_enu_wxyz,
)
from telemetry.recording.export.ros.messages import BODY, MAP, RosTopic, RosTypes
from telemetry.recording.export.trajectory import (
    GYROS,
    TRUTH,
    Trajectory,
    between,
    estimated_trajectory,
    sampled,
    true_trajectory,
    turned_between,
)
from telemetry.recording.flight_state import ACCELERATION, ATTITUDE, BARO, POSITION, VELOCITY
from telemetry.recording.gps_fix import GPS, tells_height, tells_place
from telemetry.recording.recording import Recording
from telemetry.recording.track import Track

_MAGNETOMETERS: Final = ("MagState", "MagSensor", "Magnetometer")
_TRUE_BODY: Final = "base_link_truth"
_PASCALS: Final = {"Pa": 1.0, "kPa": 1000.0}
_TECHNOLOGIES: Final = {"LiPo": 3, "LiCo": 2, "A123": 4, "LiFeSO4": 4}
"""POWER_SUPPLY_TECHNOLOGY_ of sensor_msgs/BatteryState; 0, unknown, for others."""
_XYZ: Final = ("x", "y", "z")
_NED: Final = ("North", "East", "Down")
_WXYZ: Final = ("q1", "q2", "q3", "q4")


@dataclass(frozen=True, slots=True)
class _Source:
    """What of a recording is wanted: an object that is not, is as if it had not been sent."""

    recording: Recording
    request: ExportRequest
    make: RosTypes

    def find(self, names: Sequence[str], fields: Sequence[str]) -> Track | None:
        """The first of these objects that was sent and has these fields."""
        wanted = self.request.objects
        found = (self.recording.track(name) for name in names if not wanted or name in wanted)
        sent = (track for track in found if track is not None and track.count)
        return next((one for one in sent if all(map(one.definition.has_field, fields))), None)

    def times(self, track: Track) -> Times:
        """When it was sent within the span, or the steps of the rate from its first sample on."""
        if self.request.rate_hz is not None:
            steps = self.request.steps(self.recording)
            return steps[steps >= track.first_s]
        start, stop = track.range(self.request.start_s, self.request.end_s)
        return track.times[start:stop]

    def held(self, track: Track) -> tuple[Times, npt.NDArray[Any]]:
        """Those times, and the rows that held then."""
        times = self.times(track)
        if self.request.rate_hz is None:
            start, stop = track.range(self.request.start_s, self.request.end_s)
            return times, track.rows[start:stop]
        return times, track.rows[track.times.searchsorted(times, "right") - 1]

    def vectors(self, track: Track | None, times: Times) -> Floats:
        """x, y and z (n, 3) at these times, between samples; NaN where nothing tells."""
        if track is None:
            return np.full((len(times), 3), np.nan)
        return between(*sampled(track, _XYZ), times)


def object_topics(recording: Recording, request: ExportRequest, make: RosTypes) -> list[RosTopic]:
    """All topics for which something was sent within the span."""
    source = _Source(recording, request, make)
    makers = (_odometry, _truth, _imu, _magnetic_field, _pressure, _fix, _battery, _sonar)
    topics = (topic for maker in makers for topic in maker(source))
    return [topic for topic in topics if len(topic.times)]


# Poses


def _odometry(source: _Source) -> Iterator[RosTopic]:
    """The estimate, twice: as odometry, and as a transform."""
    if source.find(POSITION, _NED) is None or source.find(ATTITUDE, _WXYZ) is None:
        return
    with suppress(ExportError):  # never known together within the span
        poses = estimated_trajectory(source.recording, source.request, needs_velocities=False)
        if source.find(VELOCITY, _NED) is None:
            poses.velocities_ned[:] = np.nan
        rates_dps = source.vectors(source.find(GYROS, _XYZ), poses.times)
        yield _odometry_topic("/odometry", BODY, poses, rates_dps, source.make)
        yield _tf_topic(poses, source.make)


def _truth(source: _Source) -> Iterator[RosTopic]:
    """The same of what a simulated aircraft really did."""
    truth = source.find(TRUTH, ())
    poses = true_trajectory(source.recording, source.request) if truth is not None else None
    if truth is None or poses is None:
        return
    rates_dps = np.full((len(poses.times), 3), np.nan)
    if truth.definition.has_field("AngularRates"):
        rates_dps = between(*sampled(truth, ("AngularRates",)), poses.times)
    name = "/ground_truth/odometry"
    yield _odometry_topic(name, _TRUE_BODY, poses, rates_dps, source.make)


def _odometry_topic(
    name: str, child: str, poses: Trajectory, rates_dps: Floats, make: RosTypes
) -> RosTopic:
    places, turned = enu(poses.positions_ned), flu_in_enu_wxyz(poses.q_wxyz)
    in_body = np.einsum("nij,ni->nj", matrices_of(poses.q_wxyz), poses.velocities_ned)
    speeds, rates = flu(in_body), np.radians(flu(rates_dps))
    unknown = np.zeros(36)

    def message(index: int, stamp_ns: int) -> Any:
        x, y, z = places[index].tolist()
        point = make.make("geometry_msgs/msg/Point", x=x, y=y, z=z)
        turn = make.quaternion(turned[index])
        pose = make.make("geometry_msgs/msg/Pose", position=point, orientation=turn)
        linear, angular = make.vector(speeds[index]), make.vector(rates[index])
        twist = make.make("geometry_msgs/msg/Twist", linear=linear, angular=angular)
        return make.make(
            "nav_msgs/msg/Odometry",
            header=make.header(stamp_ns, MAP),
            child_frame_id=child,
            pose=make.make("geometry_msgs/msg/PoseWithCovariance", pose=pose, covariance=unknown),
            twist=make.make(
                "geometry_msgs/msg/TwistWithCovariance", twist=twist, covariance=unknown
            ),
        )

    return RosTopic(name, "nav_msgs/msg/Odometry", poses.times, message)


def _tf_topic(poses: Trajectory, make: RosTypes) -> RosTopic:
    """Each stamp once: tf2 warns of every further one (TF_REPEATED_DATA)."""
    _, kept = np.unique(np.round(poses.times * 1e9), return_index=True)
    places, turned = enu(poses.positions_ned), flu_in_enu_wxyz(poses.q_wxyz)

    def message(index: int, stamp_ns: int) -> Any:
        header = make.header(stamp_ns, MAP)
        transform = make.transform(header, BODY, places[kept[index]], turned[kept[index]])
        return make.make("tf2_msgs/msg/TFMessage", transforms=[transform])

    return RosTopic("/tf", "tf2_msgs/msg/TFMessage", poses.times[kept], message)


# Sensors


def _imu(source: _Source) -> Iterator[RosTopic]:
    """When turn rates were sent, else specific forces, else attitudes; the others lie between two
    samples. As REP-145 has it: specific force, +g along z at rest, and attitude in ENU."""
    gyros, accelerations = source.find(GYROS, _XYZ), source.find(ACCELERATION, _XYZ)
    attitude = source.find(ATTITUDE, _WXYZ)
    lead = gyros or accelerations or attitude
    if lead is None:
        return
    make, times = source.make, source.times(lead)
    rates = np.radians(flu(source.vectors(gyros, times)))
    forces = flu(source.vectors(accelerations, times))
    turned = np.full((len(times), 4), np.nan)
    if attitude is not None:
        turned = flu_in_enu_wxyz(turned_between(*sampled(attitude, _WXYZ), times))

    def message(index: int, stamp_ns: int) -> Any:
        rate, force, turn = rates[index], forces[index], turned[index]
        return make.make(
            "sensor_msgs/msg/Imu",
            header=make.header(stamp_ns, BODY),
            orientation=make.quaternion(turn),
            orientation_covariance=_covariance_of(turn),
            angular_velocity=make.vector(np.nan_to_num(rate)),
            angular_velocity_covariance=_covariance_of(rate),
            linear_acceleration=make.vector(np.nan_to_num(force)),
            linear_acceleration_covariance=_covariance_of(force),
        )

    yield RosTopic("/imu", "sensor_msgs/msg/Imu", times, message)


def _covariance_of(value: Floats) -> Floats:
    """Zeros, which stand for unknown; -1 first where the value is unknown too."""
    covariance = np.zeros(9)
    covariance[0] = 0.0 if np.isfinite(value[0]) else -1.0
    return covariance


def _magnetic_field(source: _Source) -> Iterator[RosTopic]:
    track = source.find(_MAGNETOMETERS, _XYZ)
    if track is None:
        return
    make, (times, rows) = source.make, source.held(track)
    told = np.column_stack([rows[axis] for axis in _XYZ]).astype(np.float64)
    fields = TESLA_PER_MILLIGAUSS * flu(told)

    def message(index: int, stamp_ns: int) -> Any:
        return make.make(
            "sensor_msgs/msg/MagneticField",
            header=make.header(stamp_ns, BODY),
            magnetic_field=make.vector(fields[index]),
            magnetic_field_covariance=np.zeros(9),
        )

    yield RosTopic("/magnetic_field", "sensor_msgs/msg/MagneticField", times, message)


def _pressure(source: _Source) -> Iterator[RosTopic]:
    """NaN while no sensor has measured, which firmware says as 0."""
    track = source.find(BARO, ("Pressure",))
    unit = track.definition.field_named("Pressure").units if track is not None else ""
    if track is None or unit not in _PASCALS:
        return
    make, (times, rows) = source.make, source.held(track)
    pressures_pa = np.where(rows["Pressure"] > 0.0, rows["Pressure"] * _PASCALS[unit], np.nan)

    def message(index: int, stamp_ns: int) -> Any:
        return make.make(
            "sensor_msgs/msg/FluidPressure",
            header=make.header(stamp_ns, BODY),
            fluid_pressure=float(pressures_pa[index]),
            variance=0.0,
        )

    yield RosTopic("/pressure", "sensor_msgs/msg/FluidPressure", times, message)


def _fix(source: _Source) -> Iterator[RosTopic]:
    """Heights above the ellipsoid; no place without a fix, no height with one of two dimensions."""
    track = source.find(GPS, ("Status", "Latitude", "Longitude", "Altitude", "GeoidSeparation"))
    if track is None:
        return
    make, (times, rows) = source.make, source.held(track)
    status = track.definition.field_named("Status")
    texts = [status.option_text(number) for number in rows["Status"].tolist()]
    heights_m = rows["Altitude"].astype(np.float64) + rows["GeoidSeparation"]

    def message(index: int, stamp_ns: int) -> Any:
        is_fix, row = tells_place(texts[index]), rows[index]
        return make.make(
            "sensor_msgs/msg/NavSatFix",
            header=make.header(stamp_ns, "gps"),
            status=make.make("sensor_msgs/msg/NavSatStatus", status=is_fix - 1, service=0),
            latitude=row["Latitude"] * 1e-7 if is_fix else np.nan,
            longitude=row["Longitude"] * 1e-7 if is_fix else np.nan,
            altitude=float(heights_m[index]) if tells_height(texts[index]) else np.nan,
            position_covariance=np.zeros(9),
            position_covariance_type=0,
        )

    yield RosTopic("/gps/fix", "sensor_msgs/msg/NavSatFix", times, message)


def _battery(source: _Source) -> Iterator[RosTopic]:
    """NaN for what is not measured, which firmware says as exactly 0."""
    track = source.find(("FlightBatteryState",), ("Voltage", "Current", "ConsumedEnergy"))
    if track is None:
        return
    make, (times, rows) = source.make, source.held(track)
    voltages_v, currents_a, consumed_mah = (
        np.where(rows[name] == 0.0, np.nan, rows[name].astype(np.float64))
        for name in ("Voltage", "Current", "ConsumedEnergy")
    )
    settings = source.find(("FlightBatterySettings",), ("Capacity",))
    capacity_mah, technology = np.nan, 0
    if settings is not None:
        newest = settings.sample(settings.count - 1)
        capacity_mah = float(newest["Capacity"]) or np.nan
        is_told = settings.definition.has_field("Type")
        technology = _TECHNOLOGIES.get(str(newest["Type"]), 0) if is_told else 0
    shares = np.clip(1.0 - consumed_mah / capacity_mah, 0.0, 1.0)

    def message(index: int, stamp_ns: int) -> Any:
        return make.make(
            "sensor_msgs/msg/BatteryState",
            header=make.header(stamp_ns, BODY),
            voltage=float(voltages_v[index]),
            temperature=np.nan,
            current=-float(currents_a[index]),
            charge=np.nan,
            capacity=np.nan,
            design_capacity=capacity_mah / 1000.0,
            percentage=float(shares[index]),
            power_supply_status=0,
            power_supply_health=0,
            power_supply_technology=technology,
            present=bool(np.isfinite(voltages_v[index])),
            cell_voltage=np.empty(0, np.float32),
            cell_temperature=np.empty(0, np.float32),
            location="",
            serial_number="",
        )

    yield RosTopic("/battery", "sensor_msgs/msg/BatteryState", times, message)


def _sonar(source: _Source) -> Iterator[RosTopic]:
    track = source.find(("SonarAltitude",), ("Altitude",))
    if track is None:
        return
    make, (times, rows) = source.make, source.held(track)

    def message(index: int, stamp_ns: int) -> Any:
        return range_message(
            make, make.header(stamp_ns, "sonar_altitude"), float(rows["Altitude"][index])
        )

    yield RosTopic("/sonar_altitude", "sensor_msgs/msg/Range", times, message)


def range_message(
    make: RosTypes,
    header: Any,
    distance_m: float,
    limits_m: tuple[float, float] = (0.0, np.inf),
    half_angle: float | None = 0.0,
) -> Any:
    """A distance along x by sound, in a cone with this half angle in radians, 0 where it is
    unknown; None for a single ray of light."""
    return make.make(
        "sensor_msgs/msg/Range",
        header=header,
        radiation_type=1 if half_angle is None else 0,
        field_of_view=2.0 * (half_angle or 0.0),
        min_range=limits_m[0],
        max_range=limits_m[1],
        range=distance_m,
        variance=0.0,
    )

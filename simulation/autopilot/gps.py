"""GPS: fixes, velocity, time and satellites as the receiver's messages would report them."""

from datetime import UTC, datetime, timedelta

import numpy as np

from simulation.autopilot.board import SimulatedBoard
from simulation.records.members import Members

# Flights begin at a fixed instant, so that a run is repeatable to the byte.
EPOCH = datetime(2026, 6, 21, 9, 0, 0, tzinfo=UTC)
_SATELLITES_SHOWN = 24
_GOLDEN_DEG = 137


class Gps:
    """Announces the GPS objects with every fix, and fills those with more than the fix."""

    def __init__(self, board: SimulatedBoard, output: Members) -> None:
        self._output = output
        self._position = board["GPSPositionSensor"]
        self._velocity = board["GPSVelocitySensor"]
        self._time = board["GPSTime"]
        self._satellites = board["GPSSatellites"]
        self._count = -1
        self._position.refresh = self._write_position
        self._time.refresh = self._write_time
        self._satellites.refresh = self._write_satellites
        sensor = self._position
        self._kind = {
            "SensorType": sensor.number("SensorType", "UBX8"),
            "AutoConfigStatus": sensor.number("AutoConfigStatus", "Done"),
            "BaudRate": sensor.number("BaudRate", "57600"),
        }

    def update(self) -> None:
        """Run once per loop; works only when a new fix is there."""
        count = int(self._output["gps_count"])
        if count == self._count:
            return
        self._count = count
        for entry in (self._position, self._velocity, self._time, self._satellites):
            entry.touch()

    def _write_position(self) -> None:
        output = self._output
        north, east, _ = output["gps_velocity"].tolist()
        self._position.write(
            Latitude=round(float(output["gps_latitude_deg"]) * 1e7),
            Longitude=round(float(output["gps_longitude_deg"]) * 1e7),
            Altitude=output["gps_altitude_m"],
            Heading=float(np.degrees(np.arctan2(east, north))) % 360.0,
            Groundspeed=float(np.hypot(north, east)),
            PDOP=output["gps_pdop"],
            HDOP=output["gps_hdop"],
            VDOP=output["gps_vdop"],
            Status=output["gps_status"],
            Satellites=output["gps_satellites"],
            **self._kind,
        )

    def _write_time(self) -> None:
        now = EPOCH + timedelta(microseconds=int(self._output["time_us"]))
        self._time.write(
            Year=now.year,
            Month=now.month,
            Day=now.day,
            Hour=now.hour,
            Minute=now.minute,
            Second=now.second,
            Millisecond=now.microsecond // 1000,
        )

    def _write_satellites(self) -> None:
        """Spread the satellites in use over the sky; the pattern carries no meaning."""
        count = int(self._output["gps_satellites"])
        shown = range(min(count, _SATELLITES_SHOWN))
        rest = [0] * (_SATELLITES_SHOWN - len(shown))
        self._satellites.write(
            SatsInView=count,
            PRN=[1 + 2 * i for i in shown] + rest,
            Azimuth=[i * _GOLDEN_DEG % 360 for i in shown] + rest,
            Elevation=[15 + i * 31 % 70 for i in shown] + rest,
            SNR=[32 + i * 7 % 15 for i in shown] + rest,
        )

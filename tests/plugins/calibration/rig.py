"""A board on the bench with sensors that are wrong by known amounts, turned by hand."""

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from telemetry.configuration.calibration.fits.board_settings import SETTINGS_OBJECTS, settings_at
from telemetry.configuration.calibration.fits.correction import Correction, correction_from
from telemetry.configuration.calibration.fits.poses import RestPose
from telemetry.configuration.calibration.fits.result import Array
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values
from tests.telemetry.configuration.calibration.fits.sensors import (
    published_accel,
    published_gyro,
    published_mag,
)
from tests.telemetry.configuration.settings.bench import Bench, large_board
from tests.telemetry.protocol.session.fakes import MemoryBoard

G = 9.81
BE = (207.0, 13.0, 434.0)
SENSORS = ("AccelSensor", "GyroSensor", "MagSensor", "AuxMagSensor", "BaroSensor")
_STEP_S = 0.04
_STEPS_PER_TICK = 5
_UP = np.array([0.0, 0.0, -G])
_NO_TURN = np.zeros(3)


def sensor_board(catalogue: Catalogue, *, without: tuple[str, ...] = ()) -> MemoryBoard:
    """A Revolution with every settings object, its sensors and a GPS."""
    names = {d.name for d in large_board(catalogue, 100).definitions.values()}
    names = (names | {*SENSORS, "GPSPositionSensor"}) - set(without)
    board = MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in sorted(names))
    put(board, "FirmwareIAPObj", {"BoardType": 9, "BoardRevision": 3})
    if "HomeLocation" not in without:
        put(board, "HomeLocation", {"Be": BE, "Set": "True"})
    return board


def put(board: MemoryBoard, name: str, values: Mapping[str, Any]) -> None:
    """Change what the board holds."""
    definition = board.named(name)
    board.values[definition.object_id, 0] = pack_values(definition, values)


class Rig:
    """`bench` with raw sensors: bias, scale (raw = true / scale + bias) and iron; `refresh` is
    called after some steps as the station's tick would."""

    def __init__(self, bench: Bench, refresh: Callable[[], object] = lambda: None) -> None:
        self.bench = bench
        self.refresh = refresh
        self._definitions = {d.name: d for d in bench.board.definitions.values()}
        self.accel_bias, self.accel_scale = np.zeros(3), np.ones(3)
        self.gyro_bias, self.mag_bias, self.mag_iron = np.zeros(3), np.zeros(3), np.eye(3)
        self.aux_bias: Array | None = None
        self.noise = 1.0
        self.temperature = 30.0
        self.pressure_pa = 100_000.0
        self.attitude = (0.0, 0.0, 0.0)
        self._steps = 0
        self._settings_counts: list[int] = []
        self._rng = np.random.default_rng(7)

    def lie(self, pose: RestPose, seconds: float) -> None:
        """Lie on a side, a little askew."""
        self.rest(-G * pose.down + np.array([0.1, -0.2, 0.15]) * (1.0 - abs(pose.down)), seconds)

    def rest(self, felt: Array, seconds: float) -> None:
        """Be still while gravity is felt so, along the board's axes."""
        for _ in range(round(seconds / _STEP_S)):
            self.step(felt)

    def step(self, felt: Array, rates: Array = _NO_TURN, field: Array | None = None) -> None:
        """One reading of everything, and a tick."""
        length = np.linalg.norm(felt)
        true = felt / length * G if length else felt
        raw = true / self.accel_scale + self.accel_bias + self._noise(0.03)
        gyro = rates + self.gyro_bias + self._noise(0.05)
        board = self._correction()
        self._publish("AccelSensor", published_accel(board, raw[None], self.temperature)[0])
        self._publish("GyroSensor", published_gyro(board, gyro[None], self.temperature)[0])
        mag = self.mag_iron @ (np.array(BE) if field is None else field) + self.mag_bias
        self._publish("MagSensor", published_mag(board, (mag + self._noise(1.0))[None])[0])
        if self.aux_bias is not None:
            aux = mag - self.mag_bias + self.aux_bias
            self.publish("AuxMagSensor", {**_named(aux), "Status": "Ok"})
        angles = dict(zip(("Roll", "Pitch", "Yaw"), self.attitude, strict=True))
        self.publish("AttitudeState", angles)
        warmth = {"Pressure": self.pressure_pa, "Temperature": self.temperature}
        self.publish("BaroSensor", warmth)
        self.bench.pass_time(_STEP_S)
        self._steps += 1
        if self._steps % _STEPS_PER_TICK == 0:
            self.refresh()

    def publish(self, name: str, values: Mapping[str, Any]) -> None:
        """Send an object."""
        definition = self._definitions.get(name)
        if definition is not None:
            payload = pack_values(definition, values)
            self.bench.board.values[definition.object_id, 0] = payload
            self.bench.aircraft.flight.publish(definition.object_id)

    def period_ms(self, name: str) -> int:
        """How often the board was told to send an object."""
        board = self.bench.board
        meta = board.values[board.named(name).object_id + 1, 0]
        return Metadata.unpack(meta).flight.period_ms

    def _publish(self, name: str, reading: Array) -> None:
        self.publish(name, {**_named(reading), "temperature": self.temperature})

    def _correction(self) -> Correction:
        """What the board makes of raw readings, worked out anew when its settings have changed."""
        recording = self.bench.vehicle.recording
        tracks = [recording.track(name) for name in SETTINGS_OBJECTS]
        counts = [track.count if track is not None else 0 for track in tracks]
        if counts != self._settings_counts:
            self._settings_counts = counts
            self._board = correction_from(settings_at(recording, np.inf))
        return self._board

    def _noise(self, size: float) -> Array:
        return self._rng.normal(size=3) * size * self.noise


def _named(vector: Array) -> dict[str, float]:
    return dict(zip("xyz", (float(x) for x in vector), strict=True))


def turned_about(rig: Rig, count: int) -> None:
    """Turn it so that the field comes from everywhere."""
    k = np.arange(count) + 0.5
    height = 1.0 - 2.0 * k / count
    around = k * np.pi * (3.0 - np.sqrt(5.0))
    across = np.sqrt(1.0 - height**2)
    directions = np.stack([across * np.cos(around), across * np.sin(around), height], axis=1)
    for direction in directions:
        rig.step(_UP, field=direction * np.linalg.norm(BE))

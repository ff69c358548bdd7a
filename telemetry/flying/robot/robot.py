"""Robot: what a script does with an aircraft, whatever kind it is."""

import sys
from collections.abc import Callable
from typing import Final

from telemetry.base.escaping import terminal_text
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.arming import FOR_A_SCRIPT, Arm, TakeOff
from telemetry.flying.manoeuvres.fly_mission import FlyMission
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.manoeuvres.modes import Disarm, Land, SelectMode, Steer
from telemetry.flying.manoeuvres.paths import FlownVelocity, FlyVelocity, GoTo
from telemetry.flying.manoeuvres.take_off_to_height import TakeOffToHeight
from telemetry.flying.robot.action import RobotAction
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.pilot import LOST, UP, RobotPilot
from telemetry.flying.robot.sample_reader import MediaReader, SampleReader
from telemetry.missions.guided_actions import GuidedPath
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.catalogue import UnknownObjectError
from telemetry.protocol.streams.samples import StreamDescription
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Vehicle

_LANDED_WITHIN_S: Final = 120.0


class Robot:
    """An aircraft, live or recorded. Made by `telemetry.flying.robot.connecting.connect`.

    Everything that is asked for waits until it is done, or raises RobotError. With `wait=False` it
    returns a RobotAction at once, to be waited for or awaited. Places are metres north and east of
    home and above it. Leaving the `with` block lands what is in the air, and says so on stderr.

    `vehicle` has the recording and everything else that a station knows.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        pilot: RobotPilot | None = None,
        on_close: Callable[[], None] = lambda: None,
    ) -> None:
        """Without a `pilot` it is a recording."""
        self.vehicle = vehicle
        self._aircraft = AircraftView(vehicle)
        self._pilot = pilot
        self._on_close = on_close
        self._is_closed = False
        self._armed_by: Arm | None = None
        self._is_flown = False

    @property
    def name(self) -> str:
        """Where it was found: an address or a file's name."""
        return self.vehicle.name

    @property
    def state(self) -> FlightState:
        """What it is doing now; of a recording, at its end."""
        return read_flight_state(self.vehicle.recording, self.vehicle.end_s)

    # What it measures

    def latest(self, name: str, instance: int = 0) -> Sample | None:
        """The newest sample of an object, as "AttitudeState"; None before there is one."""
        track = self.vehicle.recording.track(name, instance)
        return track.sample(track.count - 1) if track is not None and track.count else None

    def samples(self, name: str, *, instance: int = 0, newest_only: bool = False) -> SampleReader:
        """All samples of an object from now on; of a recording, all there are. RobotError where no
        object has that name, and once the link is lost."""
        try:
            name = self.vehicle.catalogue.find(name).name
        except UnknownObjectError as error:
            raise RobotError(f"{self.name}: {error}.") from None
        recording, is_ended = self.vehicle.recording, self._has_ended
        return SampleReader(recording, name, instance, is_ended, newest_only, self._why_silent)

    def stream(self, name: str, *, newest_only: bool = True, within_s: float = 20.0) -> MediaReader:
        """What a sensor that looks sends from now on, each a PictureSample, ScanSample or
        ValueSample; of a recording, all there is. A slow reader gets the newest. RobotError where
        such a sensor has sent nothing `within_s`, and once it has stopped or the link is lost."""
        recording = self.vehicle.recording
        if self._pilot is None and recording.media(name) is None:
            raise RobotError(self._no_stream(name))

        def why_silent(silent_s: float) -> str:
            lost_or_stopped = self._why_silent(silent_s) or recording.stopped_sensors.get(name, "")
            is_missing = silent_s > within_s and recording.media(name) is None
            return lost_or_stopped or (self._no_stream(name) if is_missing else "")

        return MediaReader(recording, name, self._has_ended, newest_only, why_silent)

    @property
    def sensors(self) -> tuple[StreamDescription, ...]:
        """Its sensors that look, as far as they have sent something."""
        return tuple(track.description for track in self.vehicle.recording.media_tracks())

    # What it does

    def arm(self, *, wait: bool = True) -> RobotAction:
        """Arm, for a take-off where the flight mode switch has AutoTakeoff."""
        self._armed_by = Arm(self._aircraft, FOR_A_SCRIPT, for_take_off=True)
        return self._do(self._armed_by, wait)

    def take_off(self, height_m: float | None = None, *, wait: bool = True) -> RobotAction:
        """Arm if that has not been done, and climb: to the board's AutoTakeOffHeight, or then to
        `height_m` above home."""
        armed_by, self._armed_by = self._armed_by, None
        self._is_flown = True
        take_off = TakeOff(self._aircraft, FOR_A_SCRIPT, armed_by)
        return self._do(TakeOffToHeight(take_off, height_m), wait)

    def go_to(
        self, north_m: float, east_m: float, height_m: float, *, wait: bool = True
    ) -> RobotAction:
        """Fly straight there and stay."""
        return self._do(GoTo(GuidedPath(north_m, east_m, -height_m)), wait)

    def velocity(
        self, velocity: FlownVelocity, seconds: float, *, wait: bool = True
    ) -> RobotAction:
        """Fly with a velocity for so long, then stay. A script that wants to go on says so
        again before that."""
        return self._do(FlyVelocity(velocity, seconds), wait)

    def steer(self, sticks: Sticks, mode: str, seconds: float, *, wait: bool = True) -> RobotAction:
        """Hold sticks in a flight mode of the switch, as "Stabilized1", for so long."""
        return self._do(Steer(sticks, mode, seconds), wait)

    def fly_mission(self, mission: Mission, *, wait: bool = True) -> RobotAction:
        """Check and upload a mission, take off where it has a take-off and the aircraft stands, and
        fly it; done once it has landed and is disarmed, or is where its plan stays."""
        armed_by, self._armed_by = self._armed_by, None
        self._is_flown = True
        temporary = temporary_settings_of(self.vehicle)
        flown = FlyMission(
            self._aircraft, mission, FOR_A_SCRIPT, temporary, uploads=True, armed_by=armed_by
        )
        return self._do(flown, wait)

    def hold(self, *, wait: bool = True) -> RobotAction:
        """Stay here."""
        here = self._aircraft.here()
        if here is None:
            return self._do(SelectMode("PositionHold", "Hold"), wait)
        return self._do(GoTo(here, is_here=True), wait)

    def return_to_base(self, *, wait: bool = True) -> RobotAction:
        """Select ReturnToBase; done once that is selected."""
        return self._do(SelectMode("ReturnToBase", "Return to base"), wait)

    def land(self, *, wait: bool = True) -> RobotAction:
        """Come down here; done once it has disarmed."""
        return self._do(Land(), wait)

    def disarm(self, *, wait: bool = True) -> RobotAction:
        """Cut the throttle and disarm, wherever it is: in the air it falls."""
        return self._do(Disarm(self._aircraft), wait)

    # Its end

    def close(self) -> None:
        """Let go of it: the sticks stop, and its failsafe acts if it flies. Closing twice is
        fine."""
        if not self._is_closed:
            self._is_closed = True
            self._on_close()

    def __enter__(self) -> "Robot":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._is_flown and self.state.is_armed:
                landing = self.land(wait=False)
                print(
                    f"{terminal_text(self.name)} is landing. Ctrl+C now leaves it to its failsafe.",
                    file=sys.stderr,
                    flush=True,
                )
                landing.wait(_LANDED_WITHIN_S)
        finally:
            self.close()

    def _why_silent(self, _silent_s: float) -> str:
        is_lost = self._pilot is not None and self.vehicle.status.state not in UP
        return LOST if is_lost else ""

    def _no_stream(self, name: str) -> str:
        names = ", ".join(sensor.name for sensor in self.sensors)
        if names:
            return f"{self.name} has no stream '{name}'; it has: {names}."
        if self._pilot is None:
            return f"{self.name} has no streams beside it."
        return f"{self.name} sends no streams. Say where, as in connect(..., streams_at=...)."

    def _has_ended(self) -> bool:
        return self._is_closed or self._pilot is None

    def _do(self, manoeuvre: Manoeuvre, wait: bool) -> RobotAction:
        if self._pilot is None:
            raise RobotError(f"{self.name} is a recording: it cannot be asked to fly.")
        if self._is_closed:
            raise RobotError(f"{self.name} was closed. Connect again.")
        action = self._pilot.do(manoeuvre)
        if wait:
            action.wait()
        return action

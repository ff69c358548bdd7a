"""Robot: what a script does with an aircraft, whatever kind it is."""

import math
import sys
from collections.abc import Callable
from typing import Final, Self

from telemetry.base.escaping import terminal_text
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.arming import FOR_A_SCRIPT, Arm, TakeOff
from telemetry.flying.manoeuvres.fly_mission import FlyMission
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.manoeuvres.modes import Disarm, Land, SelectMode, Steer
from telemetry.flying.manoeuvres.motions import (
    Circling,
    FlownCircle,
    FlyMotions,
    Motion,
    Renewed,
    for_seconds,
)
from telemetry.flying.manoeuvres.nose import Facing, Heading, Nose, TurnRate, fastest_turn_degps
from telemetry.flying.manoeuvres.paths import ARRIVED_M, FlownVelocity, GoTo
from telemetry.flying.manoeuvres.take_off_to_height import TakeOffToHeight
from telemetry.flying.robot.action import RobotAction
from telemetry.flying.robot.arguments import (
    Looking,
    check_numbers,
    check_place,
    check_positive,
    nose_of,
)
from telemetry.flying.robot.errors import RobotError
from telemetry.flying.robot.passing_time import PassingTime, RealTime
from telemetry.flying.robot.pilot import LOST, PERIOD_S, UP, RobotPilot
from telemetry.flying.robot.sample_reader import MediaReader, SampleReader
from telemetry.missions.guided_actions import (
    FARTHEST_M,
    LOWEST_M,
    GuidedPath,
    take_off_ground_m,
    why_not_height,
)
from telemetry.missions.mission import Mission
from telemetry.protocol.objects.catalogue import UnknownObjectError
from telemetry.protocol.streams.samples import StreamDescription, StreamSample
from telemetry.recording.flight_state import FlightState, read_flight_state
from telemetry.recording.sample import Sample
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.vehicle import Vehicle

_LANDED_WITHIN_S: Final = 120.0
SILENCE_S: Final = 0.5
"""Of a script that looks at pictures ten times a second, four may come to nothing."""
_NO_PLACE: Final = "It does not say where it is. Wait for GPS."


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
        self._renewed: tuple[Renewed, FlyMotions, RobotAction] | None = None
        self._time: PassingTime = pilot.time if pilot is not None else RealTime()
        self.lowest_m = LOWEST_M
        """So low above home it may be sent by its estimate of its height, which may be metres off;
        lower it where you know better (indoors, or by a camera)."""
        self.silence_s = SILENCE_S
        """So long a velocity that was set goes on without another one."""

    @property
    def name(self) -> str:
        """Where it was found: an address or a file's name."""
        return self.vehicle.name

    @property
    def state(self) -> FlightState:
        """What it is doing now; of a recording, at its end."""
        return self.state_at(self.vehicle.end_s)

    def state_at(self, time_s: float) -> FlightState:
        """What it was doing at that second of the flight, as when a picture was taken."""
        return read_flight_state(self.vehicle.recording, time_s)

    @property
    def time_s(self) -> float:
        """The flight's present second."""
        return self.vehicle.end_s

    @property
    def ground_m(self) -> float:
        """How high above home the ground is where it took off, or where it stands, by its own
        estimate: home is where GPS had it first, which can be metres off. RobotError while it does
        not say so."""
        ground_m = take_off_ground_m(self.latest("TakeOffLocation"))
        height_m = self.state.height_m if ground_m is None else ground_m
        if height_m is None:
            raise RobotError(_NO_PLACE)
        return height_m

    def step(self, seconds: float) -> None:
        """Let time pass: by the clock, or in lock-step by having the simulation go on so far."""
        check_positive(seconds=seconds)
        if self._pilot is None:
            raise RobotError(f"{self.name} is a recording: no time passes in it.")
        self._time.pass_s(seconds)

    # What it measures

    def latest(self, name: str, instance: int = 0) -> Sample | None:
        """The newest sample of an object, as "AttitudeState"; None before there is one.
        RobotError where no object has that name."""
        track = self.vehicle.recording.track(self._object(name), instance)
        return track.sample(track.count - 1) if track is not None and track.count else None

    def newest_s(self, name: str) -> float:
        """The second of the flight at which that was taken; minus infinity before there is one."""
        track = self.vehicle.recording.media(name)
        return float(track.times[-1]) if track is not None and track.count else -math.inf

    def samples(self, name: str, *, instance: int = 0, newest_only: bool = False) -> SampleReader:
        """All samples of an object from now on; of a recording, all there are. RobotError where no
        object has that name, and once the link is lost."""
        recording, is_ended = self.vehicle.recording, self._has_ended
        reader = SampleReader(
            recording, self._object(name), instance, is_ended, newest_only, self._why_silent
        )
        reader.time = self._time
        return reader

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

        reader = MediaReader(recording, name, self._has_ended, newest_only, why_silent)
        reader.time = self._time
        return reader

    def newest(self, name: str) -> StreamSample | None:
        """What a sensor that looks sent last; None before there is something. It never waits.
        RobotError where there are sensors, and none of that name."""
        track = self.vehicle.recording.media(name)
        if track is None and self.sensors:
            raise RobotError(self._no_stream(name))
        return track.sample(track.count - 1) if track is not None and track.count else None

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
        if height_m is not None:
            check_numbers(height_m=height_m, lowest_m=self.lowest_m)
        armed_by, self._armed_by = self._armed_by, None
        self._is_flown = True
        take_off = TakeOff(self._aircraft, FOR_A_SCRIPT, armed_by)
        return self._do(TakeOffToHeight(take_off, height_m, self.lowest_m), wait)

    def go_to(
        self,
        north_m: float,
        east_m: float,
        height_m: float,
        *,
        heading: Looking | None = None,
        within_m: float = ARRIVED_M,
        wait: bool = True,
    ) -> RobotAction:
        """Fly straight there and stay, with the nose to a `heading` if one is given (degrees
        clockwise from north, or a place, north and east, to look at on the way and there); done
        once it is `within_m` of it by its own estimate, and looks there."""
        check_numbers(north_m=north_m, east_m=east_m, height_m=height_m, lowest_m=self.lowest_m)
        check_positive(within_m=within_m)
        nose = nose_of(heading)
        path = GuidedPath(north_m, east_m, -height_m)
        return self._do(GoTo(path, nose=nose, within_m=within_m, lowest_m=self.lowest_m), wait)

    def look_at(self, north_m: float, east_m: float, *, wait: bool = True) -> RobotAction:
        """Stay here and look at a place; done once the nose does, and it goes on so."""
        check_numbers(north_m=north_m, east_m=east_m)
        return self._turn(Facing(north_m, east_m), wait)

    def turn_to(self, heading_deg: float, *, wait: bool = True) -> RobotAction:
        """Stay here and look to a heading, clockwise from north."""
        check_numbers(heading_deg=heading_deg)
        return self._turn(Heading(heading_deg), wait)

    def orbit(
        self,
        centre: tuple[float, float, float],
        radius_m: float,
        speed_mps: float,
        *,
        turns: float = 1.0,
        face_centre: bool = True,
        wait: bool = True,
    ) -> RobotAction:
        """Circle a place (north, east and height), clockwise as seen from above, or the other way
        with a negative speed; with the nose to it where it shall `face_centre`. Done after so many
        `turns`; then it stays."""
        check_place("centre", centre, 3)
        check_positive(radius_m=radius_m, turns=turns)
        check_numbers(speed_mps=speed_mps)
        north_m, east_m, height_m = centre
        orbit = FlownCircle(north_m, east_m, radius_m, speed_mps, height_m, face_centre)
        problem = self._why_not_height(height_m) or self._why_not_orbit(orbit)
        return self._do(FlyMotions("Orbit", Circling(orbit, turns), problem=problem), wait)

    def velocity(
        self, velocity: FlownVelocity, seconds: float, *, wait: bool = True
    ) -> RobotAction:
        """Fly with a velocity for so long, then stay. To change it on the way, see
        `set_velocity`."""
        numbers = {name: getattr(velocity, name) for name in FlownVelocity.__slots__}
        check_numbers(**numbers)
        check_positive(seconds=seconds)
        over_ground, nose = (velocity.north_mps, velocity.east_mps), TurnRate(velocity.yaw_degps)
        motion = Motion(over_ground, up_mps=velocity.up_mps, nose=nose)
        return self._do(FlyMotions("Fly with a velocity", for_seconds(motion, seconds)), wait)

    def set_velocity(
        self,
        north_mps: float,
        east_mps: float,
        up_mps: float = 0.0,
        *,
        height_m: float | None = None,
        turn_degps: float = 0.0,
        heading: Looking | None = None,
    ) -> None:
        """Fly with a velocity over the ground from now on, until another one is set, which may be
        as often as wanted. Without another one within the robot's `silence_s` it stays where it is
        then.

        It climbs with `up_mps`, or to `height_m` and stays there; the nose turns with `turn_degps`
        to the right, or to a `heading`, see `go_to`. The first one waits until the board flies it;
        the others return at once. RobotError where it cannot be flown, or no longer.
        """
        check_numbers(north_mps=north_mps, east_mps=east_mps, up_mps=up_mps)
        nose = nose_of(heading, turn_degps)
        self._set(Motion((north_mps, east_mps), False, up_mps, height_m, nose))

    def set_body_velocity(
        self,
        ahead_mps: float,
        right_mps: float,
        up_mps: float = 0.0,
        *,
        height_m: float | None = None,
        turn_degps: float = 0.0,
        heading: Looking | None = None,
    ) -> None:
        """As `set_velocity`, ahead and to the right of where the nose looks, level: it turns with
        the nose."""
        check_numbers(ahead_mps=ahead_mps, right_mps=right_mps, up_mps=up_mps)
        nose = nose_of(heading, turn_degps)
        self._set(Motion((ahead_mps, right_mps), True, up_mps, height_m, nose))

    def steer(self, sticks: Sticks, mode: str, seconds: float, *, wait: bool = True) -> RobotAction:
        """Hold sticks in a flight mode of the switch, as "Stabilized1", for so long."""
        axes = {name: getattr(sticks, name) for name in ("roll", "pitch", "yaw", "throttle")}
        check_numbers(**axes, seconds=seconds)
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

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        try:
            if self._is_flown and not self._is_closed and self.state.is_armed:
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

    def _object(self, name: str) -> str:
        try:
            return self.vehicle.catalogue.find(name).name
        except UnknownObjectError as error:
            raise RobotError(f"{self.name}: {error}.") from None

    def _has_ended(self) -> bool:
        return self._is_closed or self._pilot is None

    def _why_not_height(self, height_m: float) -> str:
        check_numbers(lowest_m=self.lowest_m)
        ground_m = take_off_ground_m(self.latest("TakeOffLocation"))
        return why_not_height(height_m, ground_m, self.lowest_m) or ""

    def _why_not_orbit(self, orbit: FlownCircle) -> str:
        here, centre = self._aircraft.here(), (orbit.north_m, orbit.east_m)
        away_m = orbit.radius_m + (math.dist((here.north_m, here.east_m), centre) if here else 0.0)
        if away_m > FARTHEST_M:
            return (
                f"centre and radius_m: that circle is up to {away_m / 1000.0:.1f} km away; "
                f"it is sent up to {FARTHEST_M / 1000.0:.0f} km. Choose nearer or smaller ones."
            )
        turn_degps = math.degrees(abs(orbit.speed_mps) / orbit.radius_m)
        most_degps = fastest_turn_degps(self._aircraft)
        if orbit.faces_centre and turn_degps > most_degps:
            return (
                f"speed_mps: its nose would have to turn by {turn_degps:.0f} degrees per second, "
                f"and does by {most_degps:.0f}. Fly slower, or take a larger radius_m."
            )
        return "" if orbit.speed_mps else "speed_mps is 0: it would not go round."

    def _turn(self, nose: Nose, wait: bool) -> RobotAction:
        here = self._aircraft.here()
        if here is None:
            raise RobotError(_NO_PLACE)
        return self._do(GoTo(here, is_here=True, nose=nose), wait)

    def _set(self, motion: Motion) -> None:
        """Renew what is flown, or begin with it."""
        check_positive(silence_s=self.silence_s)
        if motion.height_m is not None:
            check_numbers(height_m=motion.height_m)
            if motion.up_mps:
                raise RobotError("up_mps and height_m do not go together. Leave one of them out.")
            if problem := self._why_not_height(motion.height_m):
                raise RobotError(f"height_m: {problem}")
        renewed, self._renewed = self._renewed, None
        if renewed is not None and renewed[2].state == "failed":
            renewed[2].wait(0.0)
        if renewed is None or renewed[1].is_over:
            self._renewed = self._begin_motion(motion)
        else:
            self._renewed = renewed
            renewed[0].renew(motion, self.silence_s, self.time_s)

    def _begin_motion(self, motion: Motion) -> tuple[Renewed, FlyMotions, RobotAction]:
        aim = Renewed(motion, self.silence_s, self.time_s)
        flown = FlyMotions("Fly with a velocity", aim)
        action = self._do(flown, wait=False)
        while not flown.is_written and not action.is_finished:
            self._time.pass_s(PERIOD_S)
        if not flown.is_written:
            action.wait(0.0)
        return aim, flown, action

    def _do(self, manoeuvre: Manoeuvre, wait: bool) -> RobotAction:
        self._renewed = None
        if self._pilot is None:
            raise RobotError(f"{self.name} is a recording: it cannot be asked to fly.")
        if self._is_closed:
            raise RobotError(f"{self.name} was closed. Connect again.")
        action = self._pilot.do(manoeuvre)
        if wait:
            action.wait()
        return action

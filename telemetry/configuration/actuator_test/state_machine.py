"""Motor test as a state machine: one owner, a held button, and a stop for every reason.

    test = actuator_test_of(vehicle)
    test.confirm_propellers("propellers off")
    test.begin(self)                    # takes ActuatorCommand over, by its metadata
    test.hold(self, output=3)           # it turns while poll() is called, ten seconds at most
    test.release(self)                  # told to stop several times, and read back
    test.raise_motors(self)             # all at their maximum, for speed controllers that learn it
    test.end(self)                      # the board has its outputs again

Nothing here waits or draws: `poll` is called at 20 Hz. Whoever stops calling it stops the motor,
by the worker's dead man's handle.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from telemetry.base.clock import monotonic_s
from telemetry.configuration.actuator_test.prerequisites import (
    COMMAND,
    PASSWORD,
    why_not_at_all,
    why_not_calibrate,
    why_not_now,
    why_not_output,
)
from telemetry.configuration.actuator_test.pulses import (
    USUAL_SHARE,
    pulses_with,
    raised_pulses,
    rest_pulses,
)
from telemetry.configuration.actuator_test.stopping import Stop
from telemetry.configuration.outputs.current_outputs import outputs_on_board, stamp_on_board
from telemetry.configuration.outputs.output import Output
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.protocol.objects.metadata import Metadata
from telemetry.vehicle.exclusive import Exclusive, exclusive_of
from telemetry.vehicle.metadata_change import MetadataChange
from telemetry.vehicle.output_drive import OutputDrive, Pulses
from telemetry.vehicle.vehicle import Vehicle

LONGEST_S: Final = 10.0
"""A motor turns no longer than this for one press."""
LONGEST_RAISED_S: Final = 60.0
"""So long a battery can be plugged in and the speed controllers be listened to."""
HUNG_S: Final = 0.25
IDLE_S: Final = 60.0
"""Nobody presses a button for so long: the board gets its outputs back."""
TAKING_S: Final = 5.0


class Phase(Enum):
    """How far a test is."""

    OFF = "off"
    TAKING = "taking over"
    READY = "ready"
    SPINNING = "spinning"
    RAISED = "raised"
    STOPPING = "stopping"


@dataclass(frozen=True, slots=True)
class _Press:
    """One press of a button. `number` is 0 where all motors are raised."""

    number: int
    drive: OutputDrive
    since_s: float
    longest_s: float


class ActuatorTest:
    """See the module. `message` says what happened last and what to do."""

    def __init__(self, vehicle: Vehicle, clock: Callable[[], float] = monotonic_s) -> None:
        self.phase = Phase.OFF
        self.message = ""
        self.propellers_are_off = False
        """Whether somebody has typed so in this session."""
        self._vehicle = vehicle
        self._settings: Configuration = configuration_of(vehicle)
        self._clock = clock
        self._alone: Exclusive = exclusive_of(vehicle)
        self._owner: object = None
        self._metadata: MetadataChange | None = None
        self._press: _Press | None = None
        self._stop: Stop | None = None
        self._outputs: tuple[Output, ...] = ()
        self._outputs_seen: object = None
        self._polled_s = self._acted_s = clock()

    @property
    def spinning(self) -> int:
        """The output that is being moved, from 1; 0 for none."""
        return self._press.number if self._press is not None else 0

    @property
    def left_s(self) -> float:
        """How much longer the output may move."""
        press = self._press
        return max(0.0, press.since_s + press.longest_s - self._clock()) if press else 0.0

    @property
    def is_stop_doubtful(self) -> bool:
        """Whether the board has been told to stop and does not say that it has."""
        return self._stop is not None and self._stop.is_doubtful

    def is_owned_by(self, owner: object) -> bool:
        """Whether `owner` runs the test."""
        return self.phase is not Phase.OFF and self._owner is owner

    def outputs(self) -> tuple[Output, ...]:
        """The outputs as they are on board: what is staged has no say in a test."""
        stamp = stamp_on_board(self._settings)
        if stamp != self._outputs_seen:
            self._outputs_seen = stamp
            self._outputs = outputs_on_board(self._settings)
        return self._outputs

    def why_not(self, owner: object) -> str:
        """Why `owner` cannot begin now, as a sentence; empty if it can."""
        if self.phase is not Phase.OFF and self._owner is not owner:
            return "The motors are being tested elsewhere in this window. End that test first."
        why = why_not_now(self._settings) or why_not_at_all(self._settings, self.outputs())
        why = why or self._alone.why_not(self)
        if why:
            return why
        if not self.propellers_are_off:
            return f'Take the propellers off, then type "{PASSWORD}".'
        return ""

    def confirm_propellers(self, typed: str) -> bool:
        """Take the word of somebody who has taken the propellers off, for this session."""
        if " ".join(typed.casefold().split()) == PASSWORD:
            self.propellers_are_off = True
        return self.propellers_are_off

    def begin(self, owner: object) -> bool:
        """Take the outputs over for `owner`; False, and why in `message`, if that cannot be."""
        why = self.why_not(owner)
        if why:
            self.message = why
            return False
        if self.phase is Phase.OFF:
            self._owner = owner
            self._alone.take(self, "The motor test")
            self._metadata = self._vehicle.commands.change_metadata(COMMAND, _left_to_stations)
            self._go(Phase.TAKING, "Taking over the outputs.")
        return True

    def hold(self, owner: object, number: int, share: float = USUAL_SHARE) -> bool:
        """Move one output (from 1) until it is released; False, and why, if that cannot be."""
        outputs = self.outputs()
        output = next((output for output in outputs if output.number == number), None)
        if not self.is_owned_by(owner) or output is None:
            return False
        self.message = self._why_not_move() or why_not_output(output)
        if self.message:
            return False
        self._drive(number, pulses_with(outputs, number, share), LONGEST_S)
        self._go(Phase.SPINNING, f"Output {number} is moved while you hold the button.")
        return True

    def raise_motors(self, owner: object) -> bool:
        """Hold all motors at their maximum until they are released, a minute at most.

        Speed controllers that get power meanwhile take it for the end of their range, and the rest
        that follows for its beginning. False, and why in `message`, if that cannot be.
        """
        outputs = self.outputs()
        if not self.is_owned_by(owner):
            return False
        self.message = self._why_not_move() or why_not_calibrate(self._settings, outputs)
        if self.message:
            return False
        self._drive(0, raised_pulses(outputs), LONGEST_RAISED_S)
        self._go(
            Phase.RAISED,
            "All motors are told to give full power. Plug the battery in, wait for the beeps "
            "of the speed controllers, then lower at once.",
        )
        return True

    def release(self, owner: object, why: str = "") -> None:
        """Stop. Releasing what does not move is fine."""
        if self.is_owned_by(owner):
            self._let_go(why or "Stopped.")

    def end(self, owner: object, why: str = "") -> None:
        """Stop and give the outputs back. Ending what has ended is fine."""
        if self.is_owned_by(owner):
            self._hand_back(why or "The board has its outputs again.")

    def poll(self) -> None:
        """Go on: call it 20 times a second while a panel is open."""
        if self.phase is Phase.OFF:
            return
        now = self._clock()
        silence_s, self._polled_s = now - self._polled_s, now
        why = why_not_now(self._settings) or self._why_metadata_ended()
        if why:
            self._hand_back(f"The motor test has ended. {why}")
        elif self.phase is Phase.TAKING:
            self._wait_for_outputs(now)
        elif self.phase in (Phase.SPINNING, Phase.RAISED):
            self._keep_going(now, silence_s)
        elif self.phase is Phase.STOPPING:
            self._wait_for_stop(now)
        elif now - self._acted_s > IDLE_S:
            self._hand_back(
                f"Nothing was moved for {IDLE_S:.0f} s, so the board has its outputs again."
            )

    # Inside

    def _why_not_move(self) -> str:
        why = why_not_now(self._settings)
        if self.phase is Phase.STOPPING and not self.is_stop_doubtful:
            return why or "The last one is still being stopped."
        return why or ("" if self.phase is Phase.READY else self.message)

    def _drive(self, number: int, pulses: Pulses, longest_s: float) -> None:
        drive = OutputDrive(pulses, rest_pulses(self.outputs()))
        now = self._polled_s = self._clock()
        self._press = _Press(number, drive, now, longest_s)
        self._vehicle.commands.drive_outputs(drive)

    def _go(self, phase: Phase, message: str) -> None:
        self.phase, self.message = phase, message
        self._acted_s = self._clock()

    def _why_metadata_ended(self) -> str:
        change = self._metadata
        return change.text if change is not None and change.state == "ended" else ""

    def _wait_for_outputs(self, now: float) -> None:
        if self._metadata is not None and self._metadata.is_active:
            self._go(Phase.READY, "Hold a button to move its output.")
        elif now - self._acted_s > TAKING_S:
            self._hand_back("The board did not hand over its outputs. Check the link; try again.")

    def _keep_going(self, now: float, silence_s: float) -> None:
        press = self._press
        assert press is not None
        if silence_s > HUNG_S:
            self._let_go(f"Stopped: the window did not answer for {silence_s:.1f} s.")
        elif now - press.since_s >= press.longest_s:
            self._let_go(f"Stopped after {press.longest_s:.0f} s. Let go and press again.")
        else:
            self._vehicle.commands.drive_outputs(press.drive)

    def _let_go(self, why: str) -> None:
        press, self._press = self._press, None
        self._vehicle.commands.drive_outputs(None)
        if press is not None:
            self._stop = Stop(self._settings, self._vehicle.commands, press.drive.rest)
            self._go(Phase.STOPPING, why)

    def _wait_for_stop(self, now: float) -> None:
        stop = self._stop
        if stop is None or stop.poll(now):
            self._stop = None
            self._go(Phase.READY, f"{self.message} The board confirms that all outputs rest.")
        elif stop.is_doubtful:
            self.message = (
                "The board does not confirm that the outputs rest. Keep away and disconnect the "
                "battery; the stop is being sent again."
            )

    def _hand_back(self, why: str) -> None:
        """The surest stop: an aircraft that is not armed lets its own outputs rest."""
        self._let_go(why)
        change, self._metadata = self._metadata, None
        if change is not None:
            change.restore()
        self._stop, self._owner = None, None
        self._alone.free(self)
        self._go(Phase.OFF, why)


def actuator_test_of(vehicle: Vehicle) -> ActuatorTest:
    """The one motor test of a vehicle, whichever panel runs it."""
    return vehicle.attachment("actuator_test", lambda: ActuatorTest(vehicle))


def _left_to_stations(metadata: Metadata) -> Metadata:
    return replace(metadata, flight_readonly=True, gcs_readonly=False)

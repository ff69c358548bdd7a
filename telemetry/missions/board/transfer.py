"""Mission transfer to or from a board; nothing waits, call `poll` from a tick or a loop.

    upload = MissionUpload(vehicle, mission)
    while not upload.poll():
        ...
    if upload.problem: ...

The board has room for one plan, and flies whatever passes its checksum of eight bits: among the
mixtures of an old and a new plan one in 256 does. So the plan on board is read and kept here
(`previous`), then declared empty; the new one is written, read back, and declared last. Where that
fails or is stopped, the old one is written back.
"""

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator, Sequence

from telemetry.missions.board.calls import BoardCalls
from telemetry.missions.board.encoding import PlanImage, decode, encode, end_mark, values_of
from telemetry.missions.board.plan import BoardPlan, Steps, board_home
from telemetry.missions.board.plan_backup import KeptPlans, board_of, plan_backups
from telemetry.missions.board.plan_definitions import (
    MissionBoardError,
    OtherBoardError,
    PlanDefinitions,
)
from telemetry.missions.local_coordinates import MissionHome
from telemetry.missions.mission import Mission
from telemetry.missions.terrain.elevation import FLAT_GROUND, GroundHeights
from telemetry.protocol.objects.values import pack_values
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.recording.sample import Sample
from telemetry.vehicle.commands import Command, Write
from telemetry.vehicle.vehicle import Vehicle

_ROUNDS = 4
_NOT_DISARMED = ("Armed", "Arming")


class PlanTransfer(ABC):
    """What an upload and a download have in common. `text` says what is going on; `problem` why it
    ended without success, empty after success."""

    def __init__(self, vehicle: Vehicle) -> None:
        self.board = BoardPlan(vehicle)
        self.text = "Asking the board"
        self.problem = ""
        self.is_finished = False
        self.home: MissionHome | None = None
        self._calls: BoardCalls | None = None
        self._serial: object = None
        self._was_cut = False
        self._steps = self._all_steps()

    @property
    def done(self) -> int:
        """How many objects of the present step are done."""
        return self._calls.done if self._calls is not None else 0

    @property
    def total(self) -> int:
        """How many objects the present step has."""
        return len(self._calls.outcomes) if self._calls is not None else 0

    def poll(self) -> bool:
        """Do what can be done now; whether it has ended."""
        while not self.is_finished:
            if self._calls is not None and not self._calls.poll():
                return False
            self._was_cut = self._was_cut or (self._calls is not None and self._calls.was_cut)
            try:
                self._calls = next(self._steps)
            except StopIteration:
                self.is_finished = True
            except MissionBoardError as error:
                self._fail(str(error))
        return True

    def stop(self) -> None:
        """End it in order: what an upload has begun to change is as it was when it has ended."""
        if self.is_finished:
            return
        try:
            self._calls = self._steps.throw(MissionBoardError("Stopped."))
        except (StopIteration, MissionBoardError) as error:
            self._fail(str(error) or "Stopped.")

    def cancel(self) -> None:
        """Give up at once. What is on board stays as it is then."""
        if not self.is_finished:
            self._fail("Stopped.")

    def _fail(self, why: str) -> None:
        self.problem = why
        self.is_finished = True
        self._calls = None

    @abstractmethod
    def _all_steps(self) -> Steps: ...

    @property
    def _definitions(self) -> PlanDefinitions:
        assert self.board.definitions is not None
        return self.board.definitions

    def _meet(self) -> Steps:
        """Ask who it is, and where its home is."""
        refusal = self.board.vehicle.commands.refusal()
        if refusal is not None:
            raise MissionBoardError(refusal)
        yield from self.board.read_definitions()
        self.home = board_home(self.board.vehicle.recording)
        self._serial = self._newest_serial()

    def _needed_home(self) -> MissionHome:
        if self.home is None:
            raise MissionBoardError(
                "The board has no home yet, and waypoints are metres from home. Wait for a GPS "
                "fix, or set home."
            )
        return self.home

    def _newest_serial(self) -> object:
        sample = self.board.newest("FirmwareIAPObj")
        known = sample is not None and sample.definition.has_field("CPUSerial")
        return sample["CPUSerial"] if sample is not None and known else None

    def _make_sure(self) -> Steps:
        """Before anything is written: after the link was gone another board may answer."""
        if not self._was_cut:
            return
        yield self.board.calls("FirmwareIAPObj", (0,))
        self._was_cut = False
        if self._newest_serial() != self._serial:
            raise OtherBoardError(
                "Another board answers now. Connect the one that was being written, and upload "
                "again: its plan is empty."
            )


class MissionDownload(PlanTransfer):
    """Reads the plan on board. After success `mission` is it, and `image` the rows."""

    def __init__(self, vehicle: Vehicle) -> None:
        super().__init__(vehicle)
        self.mission = Mission()
        self.image = PlanImage()

    def _all_steps(self) -> Steps:
        yield from self._meet()
        self.text = "Reading the plan"
        yield from self.board.read_image()
        self.image = self.board.image
        if not self.board.is_intact(self.image):
            raise MissionBoardError(
                "The plan on board is not whole: its checksum is wrong, so the aircraft does not "
                "fly it. Upload one."
            )
        self.mission = decode(self.image, self._definitions, self._needed_home())


class MissionUpload(PlanTransfer):
    """Writes a plan, a mission's or one that was read before (`previous` of another upload).

    `image` is what it wrote; `previous` what was on board before, None while that is not known
    and where it was not whole. Until the new one is declared it is in `kept`, too, where the next
    upload to the board finds it if this one never ends. While the board is without a link it
    waits, and goes on where it was.
    """

    def __init__(
        self,
        vehicle: Vehicle,
        plan: Mission | PlanImage,
        ground: GroundHeights = FLAT_GROUND,
        kept: KeptPlans | None = None,
    ) -> None:
        super().__init__(vehicle)
        self._plan = plan
        self._ground = ground
        self._kept = kept or plan_backups(None)
        self._board = ""
        self.image = PlanImage()
        self.previous: PlanImage | None = None

    def _all_steps(self) -> Steps:
        yield from self._meet()
        refusal = why_not_now(self.board.newest("FlightStatus"))
        if refusal:
            raise MissionBoardError(refusal)
        self.image = self._encoded()
        self.text = "Reading the plan that is on board"
        yield from self._keep_previous()
        try:
            yield from self._write_plan()
        except OtherBoardError:
            raise
        except MissionBoardError as error:
            yield from self._give_back(error)
        self.text = "The plan is on board."

    def _write_plan(self) -> Steps:
        self.text = "Writing the plan"
        yield from self._declare(PlanImage())
        yield from self._write_until_same()
        self.text = "Declaring the plan"
        yield from self._declare(self.image)
        self._kept.put(self._board, None)

    def _give_back(self, why: MissionBoardError) -> Steps:
        """Write the old plan again, and end for the reason why the new one is not there."""
        if not self.previous or not self.previous.waypoints:
            raise MissionBoardError(f"{why} There is no plan on board now.")
        self.text = "Giving the old plan back"
        self.image, self.board.image = self.previous, PlanImage()
        try:
            yield from self._write_plan()
        except MissionBoardError:
            raise MissionBoardError(
                f"{why} The old plan could not be written back: there is none on board now."
            ) from None
        raise MissionBoardError(f"{why} The old plan is on board again.")

    def _encoded(self) -> PlanImage:
        if isinstance(self._plan, PlanImage):
            return self._plan
        return encode(self._plan, self._definitions, self._needed_home(), self._ground)

    def _keep_previous(self) -> Steps:
        identity = self.board.newest("FirmwareIAPObj")
        self._board = board_of(identity, self.board.vehicle.recording.source)
        try:
            yield from self.board.read_image()
        except MissionBoardError:
            return  # nothing of it can be kept; the new one is written all the same
        if self.board.is_intact(self.board.image):
            self.previous = self.board.image
        if self.previous and self.previous.waypoints:
            self._kept.put(self._board, self.previous)
        else:
            self.previous = self._fitting(self._kept.get(self._board)) or self.previous

    def _fitting(self, image: PlanImage | None) -> PlanImage | None:
        """A plan that was kept, if the board's firmware still has the same objects."""
        if image is None:
            return None
        sizes = {len(row) for row in image.waypoints}
        return image if sizes == {self._definitions.waypoint.size} else None

    def _write_until_same(self) -> Steps:
        """Write what is not on board yet and read it back, until all of it is there."""
        different = list(self._different(known=self.board.image))
        rounds = 0
        while rounds < _ROUNDS:
            if (yield from self._is_cut([write for write, _ in different])):
                # It may have restarted, with nothing of this or all of the old.
                yield from self._declare(PlanImage())
                different = list(self._different(known=PlanImage()))
                continue
            rounds += 1
            for name, rows in self._parts():
                yield from self.board.read_rows(name, len(rows))
            different = list(self._different(known=None))
            if not different:
                return
        raise MissionBoardError(
            f"{different[0][1]} does not stay on board as it was written. The board may be out of "
            "memory: try fewer waypoints."
        )

    def _is_cut(self, writes: Sequence[Command]) -> Generator[BoardCalls, None, bool]:
        """Write, and tell whether the link was gone meanwhile. Raises what the board refuses."""
        yield from self._make_sure()
        calls = BoardCalls(self.board.vehicle.commands, writes, ends_when_cut=True)
        yield calls
        if calls.was_cut:
            return True
        for outcome, text in zip(calls.outcomes, calls.texts, strict=True):
            if outcome is not TransactionOutcome.DONE:
                raise MissionBoardError(text)
        return False

    def _parts(self) -> Sequence[tuple[str, tuple[bytes, ...]]]:
        """Objects and their rows, as they are while the plan is not declared."""
        if self._definitions.has_actions:
            return ("Waypoint", self.image.waypoints), ("PathAction", self.image.actions)
        mark = end_mark(self._definitions.waypoint)
        return (("Waypoint", (mark, *self.image.waypoints[1:], mark)),)

    def _different(self, known: PlanImage | None) -> Iterator[tuple[Command, str]]:
        """Writes of what is not on board, with what they are called. `known` is what is there; by
        default what was read last."""
        there = {}
        if known is not None:
            there = {"Waypoint": known.waypoints, "PathAction": known.actions}
        for name, rows in self._parts():
            for i, row in enumerate(rows):
                if known is None:
                    present = self.board.row(name, i)
                else:
                    present = there[name][i] if i < len(there[name]) else b""
                if present != row:
                    yield self._write(name, i, row), f"{name} {i}"

    def _write(self, name: str, instance: int, row: bytes) -> Write:
        definitions = self._definitions
        definition = definitions.waypoint if name == "Waypoint" else definitions.action
        assert definition is not None
        return Write(name, values_of(definition, row), instance)

    def _declare(self, image: PlanImage) -> Steps:
        """Tell the board how long its plan is: from then on it may fly it; none of an empty one."""
        write = self._declaration(image)
        rounds = 0
        while rounds < _ROUNDS:
            if (yield from self._is_cut([write])):
                continue
            rounds += 1
            yield self.board.calls(write.name, (0,))
            held = self.board.newest(write.name)
            if held is not None and _holds(held, write):
                return
        raise MissionBoardError(f"{write.name} does not stay on board as it was written.")

    def _declaration(self, image: PlanImage) -> Write:
        if not self._definitions.has_actions:
            definition = self._definitions.waypoint
            first = image.waypoints[0] if image.waypoints else end_mark(definition)
            return Write("Waypoint", values_of(definition, first))
        return Write(
            "PathPlan",
            {
                "WaypointCount": len(image.waypoints),
                "PathActionCount": len(image.actions),
                "Crc": image.crc,
            },
        )


def _holds(sample: Sample, write: Write) -> bool:
    """Whether writing it again would change nothing."""
    return pack_values(sample.definition, write.values, sample.row) == sample.row.tobytes()


def why_not_now(status: Sample | None) -> str:
    """Why a plan must not be changed now: while it is flown, the aircraft would stop and hold its
    place (pathPlannerTask in pathplanner.c: plan_setup_positionHold); empty if it may."""
    if status is None:
        return ""
    if status["FlightMode"] != "PathPlanner" or status["Armed"] not in _NOT_DISARMED:
        return ""
    return (
        "The aircraft is flying its plan, and would stop in the air while a new one arrives. "
        "Choose another flight mode first, such as Position hold."
    )

"""Robot pilot: flies one aircraft by manoeuvres; the newest counts, its sticks go out meanwhile.

`step` is called some fifty times a second, by `RobotThread`. Where it is called no longer, the
sticks stop, and the aircraft is left to its own receiver failsafe, as by any pilot who is gone.
After a stall or a lost link it goes on by the transmitter's rules.
"""

import queue
import threading
from typing import Final

from telemetry.configuration.arming.station_receiver import why_deaf
from telemetry.configuration.settings.temporary_settings import temporary_settings_of
from telemetry.flying.control_right import BY_A_SCRIPT, ControlRight
from telemetry.flying.manoeuvres.aircraft_view import AircraftView
from telemetry.flying.manoeuvres.manoeuvre import Manoeuvre
from telemetry.flying.robot.action import RobotAction
from telemetry.flying.robot.passing_time import PassingTime, RealTime
from telemetry.flying.transmitter.board_word import BoardListener
from telemetry.flying.transmitter.order import PilotRequest
from telemetry.flying.transmitter.release import Release, Signs
from telemetry.vehicle.sticks import Sticks
from telemetry.vehicle.update_rates import UpdateRates
from telemetry.vehicle.vehicle import LinkState, Vehicle

PERIOD_S: Final = 0.02
LOST = "The link is lost; the aircraft is left to its failsafe. Ask again once it is back."
_REPLACED = "Something else was asked for in its place."
UP = (LinkState.FETCHING, LinkState.CONNECTED)


class RobotPilot:
    """Owns the sticks of one vehicle. `do` may be called from any thread, the rest from one."""

    def __init__(self, vehicle: Vehicle, time: PassingTime | None = None) -> None:
        self.time: PassingTime = time or RealTime()
        self._rates = UpdateRates(vehicle.commands)
        self._rates_ms: dict[str, int] = {}
        self._aircraft = AircraftView(vehicle)
        self._vehicle = vehicle
        self._temporary = temporary_settings_of(vehicle)
        self._asked: queue.SimpleQueue[tuple[Manoeuvre, RobotAction]] = queue.SimpleQueue()
        self._flown: tuple[Manoeuvre, RobotAction] | None = None
        self._over = ""
        self._right = ControlRight(vehicle, BY_A_SCRIPT)
        self._board = BoardListener(vehicle)
        self._release = Release()
        self._stepped_s = self._aircraft.now_s
        self._request = PilotRequest()

    @property
    def sticks(self) -> Sticks | None:
        """What goes out; None while nothing is flown."""
        return self._request.sticks(Sticks()) if self._request.transmitting else None

    def do(self, manoeuvre: Manoeuvre) -> RobotAction:
        """Begin with something else. What is refused at once leaves what is flown as it is."""
        action = RobotAction(manoeuvre.title, self.time)
        self._asked.put((manoeuvre, action))
        if self._over:
            action.finish(self._over)
        return action

    def step(self) -> None:
        """Go on."""
        self._temporary.poll()
        while not self._asked.empty():
            self._begin(*self._asked.get())
        if self._flown is not None:
            self._go_on(*self._flown)
        self._follow_right()
        if (sticks := self.sticks) is not None and self._may_send():
            beside = self._flown[0].beside if self._flown is not None else None
            self._vehicle.commands.set_beside(beside)
            self._vehicle.commands.set_sticks(sticks)
        if self._rates_ms:
            self._rates.want(self._rates_ms, self._aircraft.now_s)
        self._stepped_s = self._aircraft.now_s

    def retire(self, why: str) -> None:
        """Fly no more, and refuse whatever else is asked for."""
        self._over = why
        self.end(why)

    def end(self, why: str) -> None:
        """Fly no more: the sticks stop."""
        while not self._asked.empty():
            self._asked.get()[1].finish(why)
        if self._flown is not None:
            self._flown[1].finish(why)
        self._flown = None
        self._right.free()
        if self._request.transmitting:
            self._request = PilotRequest()
            self._vehicle.commands.stop_sticks(why)

    def _begin(self, manoeuvre: Manoeuvre, action: RobotAction) -> None:
        why = why_deaf(self._aircraft.values)
        if why:
            action.finish(f"{why} A script does so by connect(..., takes_receiver=True).")
            return
        if self._vehicle.status.state not in UP:
            action.finish(LOST)
            return
        if manoeuvre.stops_motors:
            self._right.interrupt()
        elif why := self._right.why_not():
            action.finish(why)
            return
        manoeuvre.update(self._aircraft)
        if manoeuvre.problem:
            action.finish(manoeuvre.problem)
            return
        if self._flown is not None:
            self._flown[1].finish(_REPLACED)
        self._right.take()
        self._rates_ms.update(manoeuvre.rates_ms)  # until the robot is closed
        self._release = Release()
        self._flown = manoeuvre, action

    def _go_on(self, manoeuvre: Manoeuvre, action: RobotAction) -> None:
        if self._vehicle.status.state not in UP:
            self.end(LOST)
            return
        manoeuvre.update(self._aircraft)
        self._request = manoeuvre.request(self._request)
        if manoeuvre.problem:
            action.finish(manoeuvre.problem)
        elif manoeuvre.is_done:
            action.finish()

    def _may_send(self) -> bool:
        """Whether sticks go out now; ends what is flown where only who asked may go on with it."""
        if self._request.stops_motors:
            return True
        now_s, board = self._aircraft.now_s, self._board.word()
        signs = Signs(
            since_step_s=now_s - self._stepped_s,
            board=board,
            mode=board.table.mode_at(self._request.flight_mode_position),
        )
        verdict = self._release.judge(now_s, signs, by_hand=False, by_device=False)
        if verdict.asks_board:
            self._board.ask()
        if self._release.ended:
            self.end(self._release.ended)
        return not verdict.why

    def _follow_right(self) -> None:
        """Give it up on the ground; send nothing at all while somebody else has it there."""
        is_at_it = self._flown is not None and not self._flown[1].is_finished
        if is_at_it or self._aircraft.state.armed != "Disarmed":
            return
        self._right.free()
        if self._request.transmitting and self._right.why_not():
            self._flown, self._request = None, PilotRequest()


class RobotThread:
    """Has a pilot step while it runs."""

    def __init__(self, pilot: RobotPilot) -> None:
        self._pilot = pilot
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._run, name="robot pilot", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def end(self) -> None:
        """End, and wait for it."""
        self._ending.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            while not self._ending.wait(PERIOD_S):
                self._pilot.step()
        finally:
            self._pilot.retire("The script has ended; the aircraft is left to its failsafe.")

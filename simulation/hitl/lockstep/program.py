"""Lockstep program: a user's flight controller in a process of its own, told what time it is.

It lives in an empty folder, which goes with it: what one flight has saved no other one finds.
"""

import os
import signal
import socket
import struct
import subprocess
from collections import deque
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from typing import IO, Final

from simulation.hitl.lockstep.wire import (
    ADVANCE,
    DONE,
    FD_VARIABLE,
    VERSION,
    Hello,
    WireError,
    receive,
    receive_hello,
    send,
)
from simulation.records.interface import STEP_US

_MANUAL: Final = "simulation/hitl/README.md says what it has to do"
_HELLO_PATIENCE_S: Final = 30.0
_PATIENCE_S: Final = 10.0
"""Of the wall clock: no tick of a controller takes as long, not even on a busy machine."""
_END_PATIENCE_S: Final = 1.0
_LONGEST_TICK_US: Final = 20_000
_SLOWEST_SENSORS_US: Final = 100_000
_LAST_WORDS, _LONGEST_LINE = 3, 300


class LockstepError(ValueError):
    """A program that cannot be flown; one sentence with the remedy."""


class ProgramFailed(RuntimeError):  # noqa: N818 - reads as what has happened
    """The program has ended in flight, or gives no usable answer; one sentence.

    `is_end`: it has ended by itself and says that all is well, as one that restarts.
    """

    def __init__(self, sentence: str, is_end: bool = False) -> None:
        super().__init__(sentence)
        self.is_end = is_end


class LockstepProgram:
    """A running program. `name` is what its user calls it."""

    def __init__(
        self,
        path: Path,
        patience_s: float = _PATIENCE_S,
        hello_patience_s: float = _HELLO_PATIENCE_S,
    ) -> None:
        """Start it and hear its hello. `patience_s` of the wall clock is how long a tick may take.
        Raises LockstepError."""
        self.name = path.name
        self.tick = 0
        """The next one."""
        self._folder = TemporaryDirectory(prefix="lapwing-lockstep-", ignore_cleanup_errors=True)
        self._last_words: deque[str] = deque(maxlen=_LAST_WORDS)
        self._end: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._path = path
        self._patience_s, self._hello_patience_s = patience_s, hello_patience_s
        with ExitStack() as if_refused:
            if_refused.callback(self.close)
            self._begin()
            if_refused.pop_all()

    @property
    def process_id(self) -> int:
        """The program's; 0 where it was never started."""
        return self._process.pid if self._process is not None else 0

    @property
    def now_us(self) -> int:
        """The time of the next tick, in us since its start."""
        return self.tick * self.hello.tick_us

    def advance(self, data: bytes) -> bytes:
        """Have it do the next tick, with the bytes that have arrived by then; what it has sent
        meanwhile. Raises ProgramFailed."""
        end = self._end
        if end is None:
            raise ProgramFailed(f"The firmware {self.name} was ended.")
        tick = self.tick
        try:
            send(end, ADVANCE, tick, data)
            kind, answered, answer = receive(end)
        except WireError as error:
            raise self._failure(error) from None
        except OSError:
            raise self._failure(WireError("hangs up", has_ended=True)) from None
        if kind != DONE or answered != tick:
            said = f"answers tick {answered}" if kind == DONE else f"sends a message of kind {kind}"
            raise self._failure(WireError(f"{said} instead of DONE with its number"))
        self.tick = tick + 1
        return answer

    def restart(self) -> None:
        """Switch it off and on: what it has saved in its folder it finds there. Its ticks are
        counted from 0 again. Raises LockstepError."""
        self._end_process()
        self.tick = 0
        self._begin()

    def close(self) -> None:
        """End the process, whatever it is doing. Closing twice is fine."""
        self._end_process()
        self._folder.cleanup()

    # Inside

    def _begin(self) -> None:
        self._start(located_program(self._path))
        self.hello = self._greet(self._hello_patience_s)
        self._set_patience(self._patience_s)

    def _end_process(self) -> None:
        if self._end is not None:
            self._end.close()
            self._end = None
        if self._process is not None:
            _end_group(self._process)
            self._process.wait()

    def _start(self, path: Path) -> None:
        if not hasattr(socket, "AF_UNIX") or os.name != "posix":
            raise LockstepError("Lockstep needs a POSIX system, such as Linux or macOS.")
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        self._end = ours
        try:
            self._process = subprocess.Popen(
                [str(path)],
                cwd=self._folder.name,
                env={**os.environ, FD_VARIABLE: str(theirs.fileno())},
                pass_fds=(theirs.fileno(),),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                start_new_session=True,  # Ctrl+C is for us, who end it
            )
        except OSError as error:
            raise LockstepError(
                f"The firmware {self.name} cannot be started: {error.strerror}; give a program "
                "built for this computer."
            ) from None
        finally:
            theirs.close()
        assert self._process.stderr is not None
        self._listener = Thread(target=self._listen, args=(self._process.stderr,), daemon=True)
        self._listener.start()

    def _listen(self, stream: IO[bytes]) -> None:
        """Keep the last lines of what it complains about, and never have it wait for us."""
        with stream:
            while line := stream.readline(_LONGEST_LINE):
                text = line.decode("utf-8", "replace").strip()
                if text:
                    self._last_words.append(text)

    def _greet(self, patience_s: float) -> Hello:
        assert self._end is not None
        self._set_patience(patience_s)
        try:
            hello = receive_hello(self._end)
        except WireError as error:
            if error.has_ended:
                what = f"{self._epitaph()} before it said hello"
            elif str(error) == "does not answer":
                what = f"says no hello within {patience_s:g} s"
            else:
                what = str(error)
            raise LockstepError(
                f"{self.name} is no program for lockstep: it {what}{self._words()}; {_MANUAL}."
            ) from None
        problem = _problem_of(hello)
        if problem:
            raise LockstepError(f"{self.name} cannot be flown in lockstep: {problem}; {_MANUAL}.")
        return hello

    def _set_patience(self, patience_s: float) -> None:
        """Let the system keep time: a time-out of Python's asks for it once more per message."""
        whole = int(patience_s)
        value = struct.pack("ll", whole, int((patience_s - whole) * 1e6))
        assert self._end is not None
        for option in (socket.SO_RCVTIMEO, socket.SO_SNDTIMEO):
            self._end.setsockopt(socket.SOL_SOCKET, option, value)

    def _failure(self, error: WireError) -> ProgramFailed:
        if error.has_ended:
            what = self._epitaph()
        elif str(error) == "does not answer":
            what = f"did not answer within {self._patience_s:g} s"
        else:
            what = str(error)
        place = f"in tick {self.tick}, {self.now_us / 1e6:g} s after its start"
        sentence = (
            f"The firmware {self.name} {what} {place}{self._words()}; the flight ends there. "
            "Correct it and fly again."
        )
        is_end = error.has_ended and self._process is not None and self._process.poll() == 0
        self.close()
        return ProgramFailed(sentence, is_end)

    def _epitaph(self) -> str:
        """How the process has ended, as words that follow its name."""
        process = self._process
        assert process is not None
        try:
            code = process.wait(_END_PATIENCE_S)
        except subprocess.TimeoutExpired:
            return "closed its socket"
        self._listener.join(_END_PATIENCE_S)
        if code < 0:
            return f"crashed ({_signal_name(-code)})"
        return f"ended by itself with exit code {code}"

    def _words(self) -> str:
        words = " / ".join(self._last_words).rstrip(".;")
        return f"; its last words: {words}" if words else ""


def located_program(path: Path) -> Path:
    """Where it is, whatever folder it is started in. Raises LockstepError."""
    try:
        whole = path.expanduser().resolve()
        is_file, is_program = whole.is_file(), os.access(whole, os.X_OK)
    except (OSError, RuntimeError, ValueError) as error:
        raise LockstepError(f"{path} cannot be read ({error}); check its path.") from None
    if not is_file:
        raise LockstepError(f"There is no program {path}; check its path.")
    if not is_program:
        raise LockstepError(
            f"{path.name} is no program that may be run; give the controller itself as the "
            "firmware, and make it executable."
        )
    return whole


def _problem_of(hello: Hello) -> str:
    """Why it cannot be flown, as words; "" if it can."""
    if hello.version != VERSION:
        return (
            f"it is built for version {hello.version} of lapwing_lockstep.h, and this Lapwing has "
            f"version {VERSION}"
        )
    if hello.tick_us < STEP_US or hello.tick_us % STEP_US or hello.tick_us > _LONGEST_TICK_US:
        return (
            f"its tick of {hello.tick_us} us is none of {STEP_US} to {_LONGEST_TICK_US} us in "
            f"steps of {STEP_US} us"
        )
    if hello.sensor_ticks < 1 or hello.sensor_us > _SLOWEST_SENSORS_US:
        return (
            f"its sensor task at every {hello.sensor_ticks} ticks is none that runs after 1 tick "
            f"to {_SLOWEST_SENSORS_US // 1000} ms"
        )
    return "the last word of its hello is not 0" if hello.reserved else ""


def _end_group(process: "subprocess.Popen[bytes]") -> None:
    """Also what it has started: it is the head of a session of its own."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass  # it has ended, and was waited for
    except PermissionError:  # macOS says so of one that has just ended
        process.kill()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"

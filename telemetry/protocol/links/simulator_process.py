"""Simulator process as a byte pipe: it is started with the pipe and ends with it.

Whoever starts it listens on free loopback ports and the process dials back to them, with a token
that it finds in its environment: whoever else calls is hung up on. When either side dies the
connections break and the other side notices, so no process is ever orphaned.
"""

import os
import re
import secrets
import subprocess
import sys
from collections.abc import Callable, Sequence
from tempfile import TemporaryFile
from typing import Final

from telemetry.base.installation import ROOT
from telemetry.protocol.links.link import LinkClosed, LinkError
from telemetry.protocol.links.tcp_server import TOKEN_VARIABLE, TcpServerLink, serve_tcp

_END_TIMEOUT_S: Final = 2.0
_ANY_PORT: Final = "tcp:127.0.0.1:0"


class SimulatorProcess:
    """Telemetry is read and written here; its operator speaks over `console` (see
    `simulation.serving.console`), and what its sensors see comes on `streams`, of an aircraft in a
    world.
    """

    def __init__(
        self, arguments: Sequence[str], clock: Callable[[], float], world: str = ""
    ) -> None:
        """`arguments` of `lapwing sim connect` besides the addresses. Raises LinkError."""
        token = secrets.token_hex(16)
        self._telemetry = serve_tcp(_ANY_PORT, clock, token)
        self.console = serve_tcp(_ANY_PORT, clock, token)
        self.streams = serve_tcp(_ANY_PORT, clock, token) if world else None
        self._errors = TemporaryFile()  # noqa: SIM115 - closed with the pipe
        command = [sys.executable, "-m", "simulation", "sim", "connect", self._telemetry.address]
        command += ["--console", self.console.address, *arguments]
        if self.streams is not None:
            command += ["--world", world, "--streams", self.streams.address]
        try:
            self.process = subprocess.Popen(
                command,
                cwd=ROOT,
                env={**os.environ, TOKEN_VARIABLE: token},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
            )
        except OSError as error:
            self._hang_up()
            self._errors.close()
            raise LinkError(f"The simulator cannot be started: {error.strerror}.") from error

    def read(self, timeout_s: float) -> bytes:
        """See `Link.read`."""
        data = self._telemetry.read(timeout_s)
        if not data and self.process.poll() is not None:
            raise LinkClosed(self._epitaph())
        return data

    def write(self, data: bytes) -> None:
        """See `Link.write`; before the process listens, words go nowhere."""
        self._telemetry.write(data)

    def close(self) -> None:
        """End the process and wait for its end."""
        self._hang_up()
        try:
            self.process.wait(_END_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self._errors.close()

    def _hang_up(self) -> None:
        ends: list[TcpServerLink | None] = [self._telemetry, self.console, self.streams]
        for end in ends:
            if end is not None:
                end.close()

    def _epitaph(self) -> str:
        self._errors.seek(0)
        lines = self._errors.read().decode("utf-8", "replace").strip().splitlines()
        reason = re.sub(r"\s+", " ", lines[-1]) if lines else f"exit code {self.process.returncode}"
        return f"The simulator has ended: {reason}"

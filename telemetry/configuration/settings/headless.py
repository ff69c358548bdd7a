"""Headless connection: an aircraft reached without a window; it waits where panels look again.

with Headless(address, open_link, catalogue) as remote:
    silent = remote.fetch_all()
    remote.settings.stage(...)
    remote.finish(remote.settings.apply())
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Event

from telemetry.base.clock import monotonic_s
from telemetry.base.escaping import drawn_on, terminal_text
from telemetry.configuration.settings.configuration import Configuration, configuration_of
from telemetry.configuration.settings.snapshot import Address
from telemetry.configuration.settings.transfer import EditOutcome, Transfer
from telemetry.protocol.links.address import AddressError
from telemetry.protocol.links.link import LinkError, progress_of
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.firmware_description import OBJECT_NAME as IDENTITY
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.vehicle.commands import Ticket
from telemetry.vehicle.connection import OpenLink, connect
from telemetry.vehicle.vehicle import LinkState

PATIENCE_S = 10.0
_LINK_BACK_S = 30.0
_LONGEST_START_S = 180.0
_STEP_S = 0.01
_WINDOW = 8
_WHO = (IDENTITY, "FlightStatus")


def add_wait(parser: ArgumentParser) -> None:
    """Have a command take how long it waits, as `wait`."""
    parser.add_argument(
        "--wait",
        metavar="SECONDS",
        type=float,
        default=PATIENCE_S,
        help="how long to wait for an answer (default %(default)g)",
    )


class NoAnswerError(LinkError):
    """Nobody answers, or no longer. One sentence for the user."""


class Headless:
    """One aircraft for the length of a `with` block. `tell` shows progress, "" takes it away."""

    def __init__(
        self,
        address: str,
        open_link: OpenLink,
        catalogue: Catalogue,
        patience_s: float = PATIENCE_S,
        tell: Callable[[str], None] | None = None,
        record_in: Path | None = None,
    ) -> None:
        """`record_in`: the folder that the flight is recorded in; None: it is not."""
        self.address = address
        self._record_in = record_in
        self._open_link = open_link
        self._catalogue = catalogue
        self._patience_s = patience_s
        self._show = tell or _tell_terminal
        self._told = ""
        self._pausing = Event()

    def __enter__(self) -> "Headless":
        self.vehicle = connect(self.address, self._open_link, self._catalogue, self._record_in)
        self.settings: Configuration = configuration_of(self.vehicle)
        return self

    def __exit__(self, *_: object) -> None:
        self._tell("")
        self.vehicle.close()

    def reach(self) -> None:
        """Wait until the aircraft answers. Raises LinkError."""
        began_s = since_s = monotonic_s()
        reason = ""
        while self.vehicle.status.state not in (LinkState.FETCHING, LinkState.CONNECTED):
            status, link = self.vehicle.status, self.vehicle.link
            if status.state is LinkState.DISCONNECTED and status.reason:
                raise AddressError(status.reason)  # only then nothing is tried again
            reason = status.reason or reason
            progress = progress_of(link) if link is not None else ""
            now_s = monotonic_s()
            if progress and now_s - began_s < _LONGEST_START_S:
                since_s = now_s
            if now_s - since_s > self._patience_s:
                raise NoAnswerError(f"Nobody answers at {self.address}. {reason}".strip())
            self._tell(progress or f"Connecting to {self.address}")
            self.step()

    def fetch_all(self) -> tuple[str, ...]:
        """Wait until all settings are known; return the names of those that got no answer.

        Raises LinkError.
        """
        self.reach()
        since_s, done = monotonic_s(), -1
        while (status := self.vehicle.status).state is not LinkState.CONNECTED:
            if status.fetched != done:
                since_s, done = monotonic_s(), status.fetched
            self._check_patience(since_s)
            self._tell(status.word)
            self.step()
        self.settings.poll()
        return self._ask_for_missing()

    def identify(self) -> None:
        """Ask who it is and whether it is armed. Firmware that does not tell is no error: then
        only the limits for every board are known. Raises LinkError."""
        self.reach()
        self._wait_for([self.vehicle.commands.request(name) for name in _WHO])

    def fetch(self, *addresses: Address) -> None:
        """Get some objects without waiting for all. Raises LinkError, ValueError if the board has
        not got one of them."""
        self.reach()
        tickets = {address: self._request(*address) for address in addresses}
        missing = [
            a for a, ticket in tickets.items() if ticket.answer is not TransactionOutcome.DONE
        ]
        if not missing:
            return
        self.fetch_all()  # then it is known which release this is
        for address in missing:
            if self.settings.aircraft.sample(*address) is not None:
                continue
            ticket = self._request(*address)
            if ticket.answer is TransactionOutcome.SILENT:
                name = address[0]
                raise NoAnswerError(f"The board at {self.address} did not answer for {name}.")
            if ticket.answer is not TransactionOutcome.DONE:
                raise ValueError(f"{address[0]} is not on this board")

    def finish(self, transfer: Transfer) -> None:
        """Wait for a transfer. One that is interrupted, or does not go on, is given up."""
        since_s, version = monotonic_s(), -1
        try:
            while self.settings.is_busy:
                if transfer.version != version:
                    since_s, version = monotonic_s(), transfer.version
                if monotonic_s() - since_s > max(_LINK_BACK_S, self._patience_s):
                    transfer.stop("the link did not come back.")
                self._tell(f"Applying {transfer.done}/{len(transfer.items)}")
                self.settings.poll()
                self.step()
        except KeyboardInterrupt:
            self.settings.cancel()
            self._look_again(transfer)
            raise
        finally:
            self._tell("")

    def _look_again(self, transfer: Transfer) -> None:
        """After a stop: what of it is on board? Asked once and not for long."""
        for item in transfer.items:
            edit = item.edit
            if not item.was_sent or item.is_on_board:
                continue
            if self._request(*edit.address).answer is not TransactionOutcome.DONE:
                continue
            if transfer.is_held(edit):
                item.outcome, item.reason = EditOutcome.WRITTEN, ""
            else:
                item.reason = f"{edit.name} was on its way and is on board as it was before."

    def _tell(self, text: str) -> None:
        if text != self._told:
            self._told = text
            self._show(text)

    def step(self) -> None:
        """Wait a little before the next look."""
        self._pausing.wait(_STEP_S)

    def _check_patience(self, since_s: float) -> None:
        if monotonic_s() - since_s > self._patience_s:
            raise NoAnswerError(
                f"{self.address} no longer answers. {self.vehicle.status.reason}".strip()
            )

    def _request(self, name: str, instance: int) -> Ticket:
        ticket = self.vehicle.commands.request(name, instance)
        self._wait_for([ticket])
        return ticket

    def _wait_for(self, tickets: Sequence[Ticket]) -> None:
        since_s = monotonic_s()
        while not all(ticket.is_finished for ticket in tickets):
            self._check_patience(since_s)
            self.step()

    def _ask_for_missing(self) -> tuple[str, ...]:
        """Ask once more for settings of the release that have not come: they may be lost or not
        be on board."""
        release = self.vehicle.status.release
        known = self._catalogue.release(release) if release else ()
        names = [d.name for d in known if d.settings and self.settings.definition(d.name) is None]
        silent: list[str] = []
        for start in range(0, len(names), _WINDOW):
            some = names[start : start + _WINDOW]
            tickets = [self.vehicle.commands.request(name) for name in some]
            self._wait_for(tickets)
            pairs = zip(some, tickets, strict=True)
            silent += [name for name, ticket in pairs if ticket.answer is TransactionOutcome.SILENT]
        return tuple(silent)


def _tell_terminal(text: str) -> None:
    """One line that is written over, where somebody sees it."""
    if sys.stderr is not None and sys.stderr.isatty():
        line = f"\r\x1b[K{terminal_text(text)}"
        print(line, end="", file=drawn_on(sys.stderr), flush=True)

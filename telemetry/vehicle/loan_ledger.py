"""What was borrowed from a board, on disk: so that it is given back after a crash too.

One JSON file per board, readable, replaced in one step. It names each object with the metadata
that the object had before, as bytes.
"""

import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from telemetry.own_folders import own_folder

_VERSION = 1
_BLANK_SERIALS = (b"", b"\x00", b"\xff")


class LedgerError(Exception):
    """What was borrowed cannot be remembered or read; one sentence for the user."""


@dataclass(frozen=True, slots=True)
class Loan:
    """An object whose metadata was changed: what it was before, as the board had packed it."""

    object_id: int
    name: str
    metadata: bytes


def usual_folder(environ: Mapping[str, str]) -> Path:
    """Where ledgers are kept."""
    return own_folder("state", environ) / "borrowed"


def board_key(cpu_serial: bytes, address: str) -> str:
    """What tells one board from another: its processor's serial number.

    Simulated boards have none (all bytes alike, 00 or FF); theirs is the address too.
    """
    serial = cpu_serial.hex()
    if bytes(sorted(set(cpu_serial))) in _BLANK_SERIALS:
        return f"{serial or 'board'}-{re.sub(r'[^A-Za-z0-9]+', '-', address)}"
    return serial


class Ledger(Protocol):
    """What is remembered of loans, by board; see LoanLedger for what each does."""

    def loans(self, board: str) -> dict[int, Loan]:
        """What was borrowed and is not known to be given back."""

    def add(self, board: str, loan: Loan) -> None:
        """Remember a loan, unless an earlier one of the object is remembered."""

    def remove(self, board: str, object_id: int) -> None:
        """Forget a loan."""


class MemoryLedger:
    """Loans that do not outlive the process, for connections that may not write to disk."""

    def __init__(self) -> None:
        self._loans: dict[str, dict[int, Loan]] = {}

    def loans(self, board: str) -> dict[int, Loan]:
        """See `Ledger.loans`."""
        return dict(self._loans.get(board, {}))

    def add(self, board: str, loan: Loan) -> None:
        """See `Ledger.add`."""
        self._loans.setdefault(board, {}).setdefault(loan.object_id, loan)

    def remove(self, board: str, object_id: int) -> None:
        """See `Ledger.remove`."""
        self._loans.get(board, {}).pop(object_id, None)


class LoanLedger:
    """The loans of all boards. Each change is on disk when the method returns."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def path(self, board: str) -> Path:
        """The file about one board; there is none while nothing is borrowed from it."""
        return self._folder / f"{board}.json"

    def loans(self, board: str) -> dict[int, Loan]:
        """What was borrowed from a board and is not known to be given back, by object id.

        Raises LedgerError for a file that cannot be understood.
        """
        path = self.path(board)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return {loan.object_id: loan for loan in map(_loan, content["loans"])}
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise LedgerError(
                f"{path} cannot be read ({error}), so what was borrowed from this board is not "
                "known. Load its settings anew (or power it up again), then delete the file."
            ) from error

    def add(self, board: str, loan: Loan) -> None:
        """Remember a loan before anything is changed on board.

        The first one of an object counts: a later one would remember our own change. Raises
        LedgerError if that is not possible; then nothing may be borrowed.
        """
        loans = self.loans(board)
        loans.setdefault(loan.object_id, loan)
        self._write(board, loans)

    def remove(self, board: str, object_id: int) -> None:
        """Forget a loan that was given back."""
        loans = self.loans(board)
        if loans.pop(object_id, None) is not None:
            self._write(board, loans)

    def _write(self, board: str, loans: Mapping[int, Loan]) -> None:
        path = self.path(board)
        fresh = path.with_name(path.name + ".new")
        content = {
            "version": _VERSION,
            "board": board,
            "loans": [_plain(x) for x in loans.values()],
        }
        try:
            if not loans:
                path.unlink(missing_ok=True)
                return
            path.parent.mkdir(parents=True, exist_ok=True)
            with fresh.open("w", encoding="utf-8") as file:
                json.dump(content, file, indent=1)
                file.flush()
                os.fsync(file.fileno())
            fresh.replace(path)
        except OSError as error:
            raise LedgerError(
                f"What is borrowed from the board cannot be remembered in {path} "
                f"({error.strerror}); make room there and try again."
            ) from error


def _plain(loan: Loan) -> dict[str, str]:
    return {"name": loan.name, "id": f"{loan.object_id:08X}", "metadata": loan.metadata.hex()}


def _loan(entry: Mapping[str, Any]) -> Loan:
    return Loan(int(entry["id"], 16), str(entry["name"]), bytes.fromhex(entry["metadata"]))

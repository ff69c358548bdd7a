"""Set transfer from a command line to a board: the difference only, an outcome per object."""

from collections.abc import Sequence
from dataclasses import replace

from telemetry.configuration.settings.difference import Change, difference
from telemetry.configuration.settings.doubt import Doubt
from telemetry.configuration.settings.headless import Headless
from telemetry.configuration.settings.release_adaptation import adapted
from telemetry.configuration.settings.report import ObjectResult, results_of
from telemetry.configuration.settings.slots import slots_of
from telemetry.configuration.settings.snapshot import Address, Snapshot
from telemetry.configuration.settings.transfer import EditOutcome
from telemetry.configuration.settings.value_text import value_from_plain


class SetTransfer:
    """Stages for a board what a set has and it has not, and transfers that. `results` says how far
    it is, also when interrupted."""

    def __init__(
        self, remote: Headless, wanted: Snapshot, *, save: bool, is_foreign: bool = False
    ) -> None:
        """`is_foreign`: the set is another aircraft's."""
        self._remote = remote
        self._settings = remote.settings
        self._save = save
        self._is_foreign = is_foreign
        self._board = self._settings.snapshot("the board")
        self._wanted = adapted(wanted, self._board)
        self._notes: dict[str, list[str]] = {}
        self._faulty: set[str] = set()
        self._left_out: set[Address] = set()
        for entry in wanted.skipped:
            self._complain(entry.name, entry.why)
        for entry in self._wanted.skipped[len(wanted.skipped) :]:
            self._note(entry.name, entry.why)
        self._stage()

    def run(self) -> None:
        """Apply what differs. Raises KeyboardInterrupt, after giving up the rest."""
        known = [a for a in self._wanted.objects if a in self._board.objects]
        objects = [a for a in known if a not in self._left_out]
        also = objects if self._save else ()
        transfer = self._settings.apply(save=self._save, also=also)
        self._remote.finish(transfer)

    def leave_out(self, doubt: Doubt) -> None:
        """Send nothing of what nobody has said to be meant."""
        for name, instance, path in doubt.keys:
            self._settings.unstage(name, [path], instance)
            self._left_out.add((name, instance))
        self._note(doubt.keys[0][0], doubt.text)

    def results(self) -> list[ObjectResult]:
        """One result per object of the set, in its order."""
        transfer = self._settings.transfer
        done = {(r.name, r.instance): r for r in results_of(transfer)} if transfer else {}
        return [self._result(address, done.get(address)) for address in self._wanted.objects]

    @property
    def is_verified(self) -> bool:
        """Whether the board holds everything that it can hold of the set, and has saved it."""
        return not any(result.is_failed for result in self.results())

    def _stage(self) -> None:
        found = difference(self._board, replace(self._wanted, skipped=()))
        for change in found.changed:
            try:
                self._check(change)
                self._settings.stage(
                    *(change.name, change.path, change.b, change.instance),
                    is_foreign=self._is_foreign,
                )
            except ValueError as error:
                self._complain(change.name, str(error))
        for address, values in self._wanted.objects.items():
            ours = self._board.objects.get(address)
            unknown = [path for path in values.values if ours and path not in ours.values]
            if unknown:
                self._note(values.name, f"this board has no {', '.join(unknown)}")

    def _check(self, change: Change) -> None:
        """Raise ValueError, naming what is like it, for a value that this field cannot hold."""
        definition = self._settings.definition(change.name)
        if definition is not None:
            value_from_plain(slots_of(definition)[change.path], change.b)

    def _complain(self, name: str, why: str) -> None:
        self._note(name, why)
        self._faulty.add(name)

    def _note(self, name: str, why: str) -> None:
        self._notes.setdefault(name, []).append(why)

    def _result(self, address: Address, result: ObjectResult | None) -> ObjectResult:
        name, instance = address
        if address not in self._board.objects:
            why = f"{name} is not on this board; nothing was sent for it."
            return ObjectResult(name, instance, EditOutcome.NOT_ON_BOARD, why, is_failed=True)
        unsent = EditOutcome.NOT_SENT if address in self._left_out else EditOutcome.UNCHANGED
        result = result or ObjectResult(name, instance, unsent)
        notes = self._notes.get(name, [])
        if not notes:
            return result
        told = f"{name}: left out: {'; '.join(notes)}."
        return replace(
            result,
            reason=" ".join(part for part in (result.reason, told) if part),
            is_failed=result.is_failed or name in self._faulty,
        )


def chosen(wanted: Snapshot, only: Sequence[str]) -> Snapshot:
    """The part of a set that was asked for. Raises ValueError for what is not in it."""
    if not only:
        return wanted
    by_fold = {name.casefold(): name for name, _ in wanted.objects}
    missing = [name for name in only if name.casefold() not in by_fold]
    if missing:
        raise ValueError(f"{wanted.title} has no {', '.join(missing)}")
    names = {by_fold[name.casefold()] for name in only}
    return replace(
        wanted,
        objects={a: values for a, values in wanted.objects.items() if a[0] in names},
        skipped=tuple(entry for entry in wanted.skipped if entry.name in names),
    )

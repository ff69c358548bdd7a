"""ObjectPersistence: save, load, delete and erase objects, as firmware's System task does.

A station's request is acknowledged by the session at once; the job runs with the next tick and
its outcome is announced as a new state of ObjectPersistence (acknowledged, on change). As on
real firmware a request about an unknown object, or no operation, is never answered, and nothing
happens while the aircraft is armed. The values that a preset has set up count as saved until they
are deleted or all is erased; after that the object is, or at the next start will be, what its
definition says.
"""

from collections.abc import Callable, Collection

from simulation.autopilot.board import BoardObject, SimulatedBoard
from simulation.autopilot.storage import Storage


class OnBoardPersistence:
    """Executes ObjectPersistence requests against a storage."""

    def __init__(
        self, board: SimulatedBoard, storage: Storage, is_armed: Callable[[], bool]
    ) -> None:
        self._board = board
        self._storage = storage
        self._is_armed = is_armed
        self._request = board["ObjectPersistence"]
        self._is_pending = False
        self._request.subscribe(self._requested)

    def restore(self, except_for: Collection[str] = ()) -> None:
        """Take over everything that was saved, as at power-up, and nothing that was forgotten.
        Objects of the names `except_for` start with their defaults."""
        for object_id, instance in self._board.set_up:
            if self._storage.has_forgotten(object_id, instance):
                self._reset(object_id, instance)
        for object_id, instance in self._storage.saved():
            self._load(object_id, instance)
        for name in except_for:
            self._board[name].reset(0)

    def update(self) -> None:
        """Do the job asked for since the last call, if any."""
        if not self._is_pending:
            return
        self._is_pending = False
        succeeded = self._perform()
        if succeeded is not None:
            outcome = self._request.number("Operation", "Completed" if succeeded else "Error")
            self._request.row["Operation"] = outcome
            self._request.announce(force=True)

    def _requested(self) -> None:
        operation = self._request.option("Operation")
        self._is_pending = operation in ("Load", "Save", "Delete", "FullErase")

    def _perform(self) -> bool | None:
        """Whether the operation succeeded; None if firmware would not answer."""
        if self._is_armed():
            return False
        operation = self._request.option("Operation")
        selection = self._request.option("Selection")
        if operation == "FullErase":
            return self._storage.erase()
        if selection == "SingleObject":
            return self._perform_single(operation)
        if selection == "AllMetaObjects":
            ids = [entry.definition.object_id + 1 for entry in self._board.objects()]
        else:  # AllObjects means all settings too
            ids = [e.definition.object_id for e in self._board.objects() if e.definition.settings]
        outcomes = [self._perform_one(operation, i, 0) for i in ids]
        return operation == "Load" or all(outcomes)

    def _perform_single(self, operation: str) -> bool | None:
        object_id = int(self._request.fields["ObjectID"])
        instance = int(self._request.fields["InstanceID"])
        if self._board.instance_count(object_id) == 0:
            return None
        return self._perform_one(operation, object_id, instance)

    def _perform_one(self, operation: str, object_id: int, instance: int) -> bool:
        if operation == "Save":
            payload = self._board.read(object_id, instance)
            if payload is None:
                return False
            return self._storage.save(object_id, instance, payload)
        if operation == "Load":
            return self._load(object_id, instance)
        return self._delete(object_id, instance)

    def _load(self, object_id: int, instance: int) -> bool:
        payload = self._storage.load(object_id, instance)
        if payload is None and not self._storage.has_forgotten(object_id, instance):
            payload = self._board.set_up.get((object_id, instance))
        return payload is not None and self._board.write(object_id, instance, payload)

    def _delete(self, object_id: int, instance: int) -> bool:
        if self._board.read(object_id, instance) is None:
            return False
        if not self._storage.delete(object_id, instance):
            return False
        self._reset(object_id, instance)
        return True

    def _reset(self, object_id: int, instance: int) -> None:
        entry = self._board.find(object_id)
        if entry is not None:
            _reset_object(entry, instance)
            return
        owner = self._board.find(object_id - 1)
        if owner is not None:
            self._board.set_metadata(owner, owner.factory_metadata)


def _reset_object(entry: BoardObject, instance: int) -> None:
    """Return to the defaults; the board sends the object by itself."""
    entry.reset(instance)
    if instance == 0:
        entry.announce(force=True)
    else:
        entry.touch()

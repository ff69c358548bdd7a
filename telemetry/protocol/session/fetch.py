"""Object fetch: settings, metaobjects, on-change objects, whatever does not come by itself.

Several requests are under way at once; the number adapts to what the link bears. Instances of
multi-instance objects are walked upward until the board refuses one, because a request for all
of them is not answered at all by firmware that lacks the object.
"""

from collections import deque
from collections.abc import Callable, Iterable

from telemetry.protocol.objects.definition import MAX_INSTANCES, ObjectDefinition, UpdateMode
from telemetry.protocol.session.transactions import (
    Address,
    Transaction,
    TransactionKind,
    TransactionOutcome,
)

_FIRST = ("FirmwareIAPObj", "SystemStats", "FlightStatus", "SystemAlarms")
_NEVER = frozenset({"ObjectPersistence", "GCSTelemetryStats", "FlightTelemetryStats"})
_START_WINDOW = 3.0
_SMALLEST_WINDOW = 2.0
"""Less would make a link that merely loses packets as slow as one that is full."""
_ROUNDS, SETTINGS_ROUNDS = 2, 6
"""How often the silent are asked in all. Settings must not be missing after a bad moment, and
have their further chances before the metaobjects have any."""


def wanted(definitions: Iterable[ObjectDefinition]) -> list[ObjectDefinition]:
    """What to fetch of a release, the most useful first. Metaobjects are not in here.

    Data objects that are sent periodically come by themselves and are left out, except the few
    that tell who the aircraft is.
    """
    chosen = [
        definition
        for definition in definitions
        if definition.name not in _NEVER
        and (
            definition.settings
            or definition.name in _FIRST
            or definition.flight_policy.mode is not UpdateMode.PERIODIC
        )
    ]
    return sorted(chosen, key=_rank)


def _rank(definition: ObjectDefinition) -> tuple[int, str]:
    if definition.name in _FIRST:
        return _FIRST.index(definition.name), definition.name
    return len(_FIRST) + definition.settings, definition.name


class Fetch:
    """The list of what is still to be asked for, and how far it has come."""

    def __init__(self, begin: Callable[[Transaction, float], None], window: int) -> None:
        self._begin = begin
        self._max_window = window
        self._window = min(_START_WINDOW, window)
        self._queue: deque[tuple[ObjectDefinition, int]] = deque()
        self._under_way: dict[Address, Transaction] = {}
        self._planned: set[int] = set()
        self._settled: set[Address] = set()
        self._silent: dict[Address, ObjectDefinition] = {}
        self._waits: dict[Address, int] = {}
        self._round = 1
        self.refused: set[int] = set()

    @property
    def fetched(self) -> int:
        """How many objects have arrived or will not."""
        return len(self._settled)

    @property
    def total(self) -> int:
        """How many objects are known to be wanted."""
        return len(self._settled) + len(self._under_way) + len(self._queue) + len(self._silent)

    @property
    def missing(self) -> tuple[str, ...]:
        """The names of the objects that were asked for in vain, sorted."""
        return tuple(sorted({definition.name for definition in self._silent.values()}))

    @property
    def is_done(self) -> bool:
        """Whether nothing is left to wait for."""
        return not (self._queue or self._under_way or (self._silent and self._round < _ROUNDS))

    def plan(self, definitions: Iterable[ObjectDefinition]) -> None:
        """Add objects to the list; those already planned are left alone."""
        for definition in definitions:
            if definition.object_id not in self._planned:
                self._planned.add(definition.object_id)
                self._queue.append((definition, 0))

    def forget(self, object_ids: Iterable[int] | None = None) -> None:
        """Have these objects fetched anew when planned again; all of them without argument."""
        gone = self._planned if object_ids is None else set(object_ids)
        self._queue = deque(item for item in self._queue if item[0].object_id not in gone)
        self._settled = {address for address in self._settled if address[0] not in gone}
        self._silent = {a: d for a, d in self._silent.items() if a[0] not in gone}
        self._under_way = {a: t for a, t in self._under_way.items() if a[0] not in gone}
        self.refused -= gone
        self._planned = self._planned - gone
        self._waits.clear()
        self._round = 1

    def on_object(self, address: Address) -> None:
        """An object arrived, asked for or not: it need not be asked for any more."""
        if address[0] in self._planned and address not in self._under_way:
            self._settled.add(address)
            self._silent.pop(address, None)
            self.refused.discard(address[0])

    def on_transaction(self, transaction: Transaction) -> None:
        """Take the outcome of a request; other transactions are ignored."""
        address = transaction.address
        if self._under_way.get(address) is not transaction:
            return
        del self._under_way[address]
        definition, instance = transaction.definition, transaction.instance
        if transaction.outcome is TransactionOutcome.DONE:
            self._window = min(self._window + 1.0 / self._window, self._max_window)
            self._settled.add(address)
            self._walk_on(definition, instance)
        elif transaction.outcome is TransactionOutcome.REFUSED:
            if instance == 0:
                self.refused.add(definition.object_id)
                self._settled.add(address)
        elif transaction.outcome is TransactionOutcome.SILENT:
            self._window = max(self._window / 2.0, min(_SMALLEST_WINDOW, self._max_window))
            self._on_silent(definition, instance)
        else:
            self._queue.appendleft((definition, instance))

    def pump(self, now: float) -> None:
        """Send as many requests as the window allows."""
        if not self._queue and not self._under_way and self._silent and self._round < _ROUNDS:
            self._round += 1
            self._queue.extend((d, address[1]) for address, d in self._silent.items())
            self._silent.clear()
        while self._queue and len(self._under_way) < int(self._window):
            definition, instance = self._queue.popleft()
            address = (definition.object_id, instance)
            if address in self._settled:
                self._walk_on(definition, instance)
                continue
            if definition.meta_of in self.refused:
                self._settled.add(address)
                continue
            transaction = Transaction(TransactionKind.REQUEST, definition, instance)
            self._under_way[address] = transaction
            self._begin(transaction, now)

    def _on_silent(self, definition: ObjectDefinition, instance: int) -> None:
        """Not answered by several requests: settings are asked again soon, others in the end."""
        address = (definition.object_id, instance)
        self._waits[address] = self._waits.get(address, 0) + 1
        if not definition.settings or self._waits[address] >= SETTINGS_ROUNDS:
            self._silent[address] = definition
            return
        places = enumerate(self._queue)
        place = next((i for i, (d, _) in places if d.meta_of is not None), len(self._queue))
        self._queue.insert(place, (definition, instance))

    def _walk_on(self, definition: ObjectDefinition, instance: int) -> None:
        if not definition.single_instance and instance + 1 < MAX_INSTANCES:
            self._queue.appendleft((definition, instance + 1))

"""Aircraft to plan for: a firmware's definitions with values in a dictionary."""

from typing import Any

from telemetry.configuration.assistant.aircraft import AssistedAircraft, by_path
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.assistant.proposal import SetupProposal
from telemetry.configuration.settings.slots import default_values
from telemetry.configuration.settings.snapshot import Snapshot
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.recording.sample import Value

REVOLUTION = 0x0903
COPTER_CONTROL = 0x0402
QUAD = Answers(
    frame="QuadX",
    esc="oneshot125",
    receiver="GCS",
    gps="UBX",
    gps_port="RM_FlexiPort",
    cells=3,
    capacity_mah=3300,
    modes=("level", "height", "hold", "return", "land", "takeoff"),
    arming="Accessory 0",
    failsafe="land",
    gains="ar100b",
)


class MemoryAircraft:
    """Erased, until something is put on board."""

    def __init__(
        self,
        catalogue: Catalogue,
        board: int = REVOLUTION,
        release: str = DEFAULT_RELEASE,
        without: tuple[str, ...] = (),
        recorded: Snapshot | None = None,
    ) -> None:
        """With `recorded` it has the objects and values of a recording, and no others."""
        definitions = [d for d in catalogue.release(release) if d.settings]
        self._definitions = {d.name: d for d in definitions if d.name not in without}
        self._values = {name: default_values(d) for name, d in self._definitions.items()}
        if recorded is not None:
            firsts = [entry for (_, instance), entry in recorded.objects.items() if not instance]
            self._definitions = {o.name: o.definition for o in firsts if o.definition is not None}
            self._values = {o.name: dict(o.values) for o in firsts}
        self.aircraft = AssistedAircraft(
            self._definitions.get, lambda name: self._values.get(name, {}), board
        )

    def put(self, name: str, values: dict[str, Any]) -> None:
        """Have the board hold some values, by field or path."""
        self._values[name] |= by_path(self._definitions[name], values)

    def take(self, plan: SetupProposal) -> None:
        """Have the board hold what was planned."""
        for name, values in plan.values.items():
            self._values[name] |= values

    def value(self, name: str, path: str) -> Value:
        return self._values[name][path]

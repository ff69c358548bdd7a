"""A quadrotor on the bench, in simulated time, with its propellers off."""

from collections.abc import Mapping
from typing import Any

from telemetry.configuration.actuator_test.state_machine import ActuatorTest, Phase
from telemetry.configuration.airframe.airframe import airframe_named
from telemetry.configuration.airframe.mixer import write_mixer
from telemetry.configuration.airframe.mixer_generation import generate
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, row_of
from telemetry.vehicle.original_metadata import OriginalMetadataStore
from tests.telemetry.configuration.settings.bench import Bench, large_board
from tests.telemetry.protocol.session.fakes import MemoryBoard

REST = (1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000)
_MORE = ("ActuatorCommand", "SystemAlarms", "ActuatorSettings")


def quad_board(catalogue: Catalogue, more: tuple[str, ...] = ()) -> MemoryBoard:
    """A firmware with all settings of a QuadX and what a motor test needs."""
    names = [d.name for d in large_board(catalogue, 100).definitions.values()]
    names += [name for name in (*_MORE, *more) if name not in names]
    board = MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in names)
    mixer = board.named("MixerSettings")
    put(board, "MixerSettings", write_mixer(generate(airframe_named("QuadX")), mixer))
    put(board, "SystemSettings", {"AirframeType": "QuadX"})
    put(board, "ActuatorSettings", {"ChannelMax": (1900,) * 4 + (1000,) * 8})
    put(board, "ActuatorCommand", {"Channel": REST})
    put(board, "SystemAlarms", {"Alarm.Actuator": "OK"})
    return board


def put(board: MemoryBoard, name: str, values: Mapping[str, Any]) -> None:
    """Have the board hold values."""
    definition = board.named(name)
    board.values[definition.object_id, 0] = pack_values(definition, values)


class Shop:
    """A motor test with somebody polling it, and what the board sees of it."""

    def __init__(
        self,
        catalogue: Catalogue,
        originals: OriginalMetadataStore | None = None,
        more: tuple[str, ...] = (),
    ) -> None:
        """`more` names objects that this firmware has besides."""
        self.bench = Bench(catalogue, quad_board(catalogue, more), originals)
        self.test = ActuatorTest(self.bench.vehicle, self.bench.clock)
        self.is_watched = True
        for name in ("FlightStatus", "ActuatorCommand", "SystemAlarms", *more):
            self.bench.aircraft.flight.publish(self.bench.named(name).object_id)
        self.run(0.2)

    def run(self, seconds: float) -> None:
        """Let time pass with the panel open (or hung, if not `is_watched`)."""
        end_s = self.bench.clock.now + seconds
        self.bench.run(lambda: self._poll() and self.bench.clock.now >= end_s)

    def _poll(self) -> bool:
        if self.is_watched:
            self.test.poll()
        return True

    def ready(self, owner: object) -> None:
        """Begin, up to where a button may be pressed."""
        self.test.confirm_propellers("propellers off")
        assert self.test.begin(owner), self.test.message
        self.run(1.0)
        assert self.test.phase is Phase.READY, self.test.message

    def spin(self, owner: object, number: int) -> None:
        """Begin, press and hold."""
        self.ready(owner)
        assert self.test.hold(owner, number), self.test.message
        self.run(0.3)
        assert self.pulses()[number - 1] > 1000

    def pulses(self) -> tuple[int, ...]:
        """What the board's outputs are told."""
        row = self.bench.board.values[self.bench.named("ActuatorCommand").object_id, 0]
        return tuple(int(p) for p in row_of(self.bench.named("ActuatorCommand"), row)["Channel"])

    @property
    def metadata(self) -> Metadata:
        """Who may write ActuatorCommand."""
        object_id = self.bench.named("ActuatorCommand").object_id
        return Metadata.unpack(self.bench.board.values[object_id + 1, 0])

    def tell(self, name: str, values: Mapping[str, Any]) -> None:
        """The aircraft says something about itself."""
        put(self.bench.board, name, values)
        self.bench.aircraft.flight.publish(self.bench.named(name).object_id)

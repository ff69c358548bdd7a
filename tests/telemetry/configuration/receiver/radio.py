"""A board with a receiver, and somebody who moves the sticks of the transmitter."""

from collections.abc import Mapping

from telemetry.base.board_store import BoardStore
from telemetry.configuration.receiver.backup import Values, backup_store
from telemetry.configuration.receiver.controls import control_names
from telemetry.configuration.receiver.state_machine import ReceiverSetup, ReceiverSetupStep
from telemetry.configuration.receiver.stick_measurement import StickMeasurement
from telemetry.configuration.receiver.transmitter_layout import SteeredKind
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.objects.values import pack_values, read_value, row_of
from telemetry.vehicle.exclusive import exclusive_of
from tests.telemetry.configuration.settings.bench import Bench, large_board
from tests.telemetry.protocol.session.fakes import MemoryBoard

SETTINGS, MODES = "ManualControlSettings", "FlightModeSettings"
GROUP = "S.Bus"
CHANNELS = {"Throttle": 3, "Roll": 1, "Pitch": 2, "Yaw": 4, "FlightMode": 5, "Accessory0": 6}
REVERSED = ("Pitch", "Throttle")
_MORE = (SETTINGS, MODES, "ManualControlCommand", "ReceiverActivity", "SystemAlarms")
_LOW, _MIDDLE, _HIGH = 988, 1500, 2012


class Radio:
    """A bench whose board hears a transmitter of ours; sticks are -1 to 1, right and up."""

    def __init__(self, catalogue: Catalogue, backups: BoardStore[Values] | None = None) -> None:
        names = [d.name for d in large_board(catalogue, 100).definitions.values()]
        names += [name for name in _MORE if name not in names]
        board = MemoryBoard(catalogue.find(name, DEFAULT_RELEASE) for name in names)
        self.backups = backups or backup_store(None)
        self.bench = Bench(catalogue, board)
        self.setup = ReceiverSetup(self.bench.vehicle, self.bench.clock, self.backups)
        self.sticks = dict.fromkeys(CHANNELS, 0.0) | {"Throttle": -1.0, "FlightMode": -1.0}
        self.is_on = True
        self.is_watched = True
        self._told = dict(self.sticks)
        self._next_s = 0.0
        self.put(MODES, {"Arming": "Yaw Left"})
        numbers = (1, 2, 3, 4, 5) + (0,) * 6
        groups = ("PPM",) * 5 + ("None",) * 6
        self.put(SETTINGS, {"ChannelGroups": groups, "ChannelNumber": numbers})
        for name in ("FlightStatus", "ManualControlCommand"):
            self.bench.aircraft.flight.publish(self.bench.named(name).object_id)
        self.run(0.3)

    def put(self, name: str, values: Mapping[str, object]) -> None:
        """The board holds these from now on, and says so."""
        definition = self.bench.named(name)
        self.bench.board.values[definition.object_id, 0] = pack_values(definition, values)
        self.bench.aircraft.flight.publish(definition.object_id)

    def run(self, seconds: float) -> None:
        """Let time pass with the page open."""
        end_s = self.bench.clock.now + seconds
        self.bench.run(lambda: self._live() and self.bench.clock.now >= end_s)

    def move(self, name: str, to: float, seconds: float = 0.24) -> None:
        """Move one control there, and hold it."""
        start, steps = self.sticks[name], 4
        for step in range(1, steps + 1):
            self.sticks[name] = start + (to - start) * step / steps
            self.run(seconds / steps)

    def show(self, name: str, to: float) -> None:
        """Move one control and wait until that was noticed."""
        self.move(name, to)
        self.run(0.5)

    def begin(self, kind: SteeredKind = SteeredKind.AIR, mode: int = 2) -> None:
        """Up to the first question."""
        assert self.setup.begin(kind, mode), self.setup.message
        self.run(1.0)
        assert self.setup.step is ReceiverSetupStep.IDENTIFY, self.setup.message

    def identify(self) -> None:
        """Show every control; skip those the transmitter does not have."""
        while self.setup.step is ReceiverSetupStep.IDENTIFY:
            name = self.setup.current
            if name in CHANNELS:
                rest = self.sticks[name]
                self.move(name, 0.9)
                self.move(name, rest)
            else:
                self.setup.skip()
            self.run(0.05)
        self.run(0.6)
        assert self.setup.step is ReceiverSetupStep.CENTRE, self.setup.message

    def centre(self) -> None:
        """Let go of all sticks."""
        self.run(0.5)
        self.setup.accept()
        assert self.setup.step is ReceiverSetupStep.LIMITS, self.setup.message

    def limits(self, positions: int = 3) -> None:
        """Move everything to its ends."""
        for name in CHANNELS:
            rest = self.sticks[name]
            stops = [-1.0, 1.0]
            if name == "FlightMode":
                stops = [2.0 * i / (positions - 1) - 1.0 for i in range(positions)]
            for stop in stops:
                self.move(name, stop, 0.1)
                self.run(0.25)
            self.move(name, rest)
        self.setup.accept()
        assert self.setup.step is ReceiverSetupStep.CHECK, self.setup.message

    def check(self) -> None:
        """Do as asked: up, right, back."""
        while self.setup.step is ReceiverSetupStep.CHECK:
            name = self.setup.current
            rest = self.sticks[name]
            self.run(0.15)
            self.move(name, -1.0 if name == "Pitch" else 1.0)
            self.run(0.3)
            self.move(name, rest)
        assert self.setup.step is ReceiverSetupStep.SUMMARY, self.setup.message

    def settle(self) -> None:
        """Wait for what is on its way."""
        self.run(1.5)

    @property
    def controls(self) -> tuple[str, ...]:
        """The names of all controls of this firmware."""
        return control_names(self.bench.named(SETTINGS))

    def period_ms(self) -> int:
        """How often the board sends where the sticks are."""
        object_id = self.bench.named("ManualControlCommand").object_id
        return Metadata.unpack(self.bench.board.values[object_id + 1, 0]).flight.period_ms

    def crash(self) -> ReceiverSetup:
        """Lapwing ends without a word, and is started again."""
        exclusive_of(self.bench.vehicle).free(self.setup)
        self.setup = ReceiverSetup(self.bench.vehicle, self.bench.clock, self.backups)
        return self.setup

    @property
    def told(self) -> StickMeasurement:
        """What the set-up has learnt."""
        assert self.setup.measuring is not None
        return self.setup.measuring

    def held(self, path: str, name: str = SETTINGS) -> object:
        """What the board's memory holds."""
        return self.bench.on_board(name, path)

    def pulse(self, name: str) -> int:
        """What the transmitter sends: some channels run backwards, and pitch is up for down."""
        value = self.sticks[name]
        if name == "Pitch":
            value = -value  # more is back, as on every board
        value = -value if name in REVERSED else value
        return round(_MIDDLE + value * (_HIGH - _MIDDLE))

    def _live(self) -> bool:
        if self.bench.clock.now >= self._next_s:
            self._next_s = self.bench.clock.now + 0.05
            self._tell()
            if self.is_watched:
                self.setup.poll()
        return True

    def _tell(self) -> None:
        """What a board's receiver does 20 times a second."""
        for name, value in self.sticks.items():
            if abs(value - self._told[name]) > 0.03:
                self._told[name] = value
                moved = {"ActiveGroup": GROUP, "ActiveChannel": CHANNELS[name]}
                self.put("ReceiverActivity", moved)
        definition = self.bench.named(SETTINGS)
        row = row_of(definition, self.bench.board.values[definition.object_id, 0])
        groups = read_value(definition, row, "ChannelGroups")
        numbers = read_value(definition, row, "ChannelNumber")
        channels = tuple(self._raw(g, n) for g, n in zip(groups, numbers, strict=True))
        self.put("ManualControlCommand", {"Channel": channels})

    def _raw(self, group: str, number: int) -> int:
        """The pulse of a channel, as the firmware writes it down."""
        if group != GROUP:
            return 65533
        name = next((n for n, channel in CHANNELS.items() if channel == number), "")
        if not name:
            return 65534
        return self.pulse(name) if self.is_on else 65535

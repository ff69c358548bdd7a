"""Airframe draft: an aircraft's airframe while it is set up, what its frame asks for, what fits.

Reads what is staged, else on board; every change is staged and nothing is sent. A mixer that is
what its frame generates follows the choices; one with weights of its own is left alone until
somebody calls `stage_generated`.
"""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from telemetry.base.finding import Finding
from telemetry.configuration.airframe.airframe import (
    CUSTOM,
    FIXED_WING,
    Airframe,
    AirframeError,
    Levels,
    airframe_named,
    find_airframe,
)
from telemetry.configuration.airframe.check import check_mixer
from telemetry.configuration.airframe.helicopter import SwashPlate
from telemetry.configuration.airframe.mixer import (
    DISABLED,
    Curves,
    Mixer,
    MixerChannel,
    read_curves,
    read_levels,
    read_mixer,
    write_curves,
    write_levels,
    write_mixer,
)
from telemetry.configuration.airframe.mixer_preview import Ends, read_ends
from telemetry.configuration.airframe.remembered_outputs import recalled_outputs, remembered_outputs
from telemetry.configuration.airframe.setup import (
    AirframeSetup,
    completed_outputs,
    read_setup,
    usual_setup,
)
from telemetry.configuration.settings.configuration import Configuration
from telemetry.configuration.settings.slots import field_paths, values_by_path, whole_fields
from telemetry.protocol.objects.definition import ObjectDefinition

MIXER: Final = "MixerSettings"
SYSTEM: Final = "SystemSettings"
ACTUATOR: Final = "ActuatorSettings"
FRAME_FIELD: Final = "AirframeType"
_MEMORY: Final = "GUIConfigData"


class AirframeDraft:
    """Call `refresh` regularly; it costs next to nothing while nothing changes.

    Nothing can be chosen while it is read-only.
    """

    def __init__(self, settings: Configuration) -> None:
        self.settings = settings
        self.definition: ObjectDefinition | None = None
        """This aircraft's version of MixerSettings; None while it is not known."""
        self.frame_name = ""
        """The AirframeType on the wire; empty while it is not known."""
        self.mixer = self.on_board = Mixer()
        self.curves = Curves()
        self.setup = AirframeSetup(_frame("Custom"), Levels(100, 100, 100))
        self.generated = Mixer()
        """What the frame would generate from its choices."""
        self.differing: frozenset[str] = frozenset()
        """The paths at which the mixer is not what the frame would generate."""
        self.trouble = ""
        """Why this firmware cannot hold what the frame would generate; empty if it can."""
        self.findings: tuple[Finding, ...] = ()
        self.ends: Ends | None = None
        self._seen: object = None
        self._is_touched = False
        self._is_marked_reversed = False
        self._chosen: dict[str, Any] = {}

    @property
    def frame(self) -> Airframe:
        """The frame; Custom for one that nobody here knows."""
        return self.setup.frame

    @property
    def is_read_only(self) -> bool:
        """Whether nothing can be staged: in a log, and while the mixer is not known."""
        return self.settings.aircraft.is_log or self.definition is None

    @property
    def is_following(self) -> bool:
        """Whether the mixer is what the frame generates, and so follows its choices."""
        return not self.differing

    @property
    def frame_names(self) -> tuple[str, ...]:
        """The frames that this firmware has."""
        definition = self.settings.definition(SYSTEM)
        if definition is None or not definition.has_field(FRAME_FIELD):
            return ()
        return tuple(definition.field_named(FRAME_FIELD).options)

    @property
    def propellers_reversed(self) -> bool | None:
        """Whether the propellers turn the other way: said by the user here or on board, or None."""
        return self._chosen.get("reversed", self._is_marked_reversed or None)

    def refresh(self) -> bool:
        """Read again if something has changed; return whether it has."""
        settings = self.settings
        names = (MIXER, SYSTEM, ACTUATOR)
        stamp = (*(settings.aircraft.stamp(name) for name in names), settings.version)
        if stamp == self._seen:
            return False
        self._seen = stamp
        self._notice_discard()
        self._read()
        return True

    # Choosing

    def choose_frame(self, name: str) -> None:
        """Stage another frame, its mixer, and its curves where those are not the user's own."""
        if self.is_read_only:
            return
        before = self.setup
        self.settings.stage(SYSTEM, FRAME_FIELD, name)
        self._chosen = {}
        frame = _frame(name)
        self._read()
        if frame.family != CUSTOM:
            self.setup = usual_setup(frame, before, self._usual_levels(frame), self._board)
            self._chosen = {"outputs": dict(self.setup.outputs)}
            self._stage_frame_curves(before.frame, frame)
            self._stage_levels()
            with suppress(AirframeError):  # `trouble` tells it
                self.stage_generated()
        self._reread()

    def assign(self, channel: str, output: int) -> None:
        """Put a channel of the frame on an output; 0 takes it from its output."""
        outputs = {**self.setup.outputs, channel: output}
        self._choose(outputs={name: number for name, number in outputs.items() if number})

    def set_levels(self, levels: Levels) -> None:
        """How much of roll, pitch and yaw goes into the mixer, in percent."""
        self._choose(levels=levels)

    def set_reversed(self, is_reversed: bool) -> None:
        """Whether all propellers turn the other way than drawn for this frame."""
        self._choose(reversed=is_reversed)

    def set_roll_differential(self, percent: int) -> None:
        """How much less one aileron moves than the other, and which output is the first."""
        if not self.is_read_only:
            first = self.setup.first_roll_servo
            self._stage_curves(roll_differential=percent, first_roll_servo=first)
            self._reread()

    def set_swash_plate(self, plate: SwashPlate, *, is_linked: bool) -> None:
        """How the rotor head of a helicopter is built."""
        setup = replace(self.setup, swash_plate=plate, is_linked=is_linked)
        outputs = completed_outputs(setup, self.mixer, self._board)
        self._choose(outputs=outputs, swash_plate=plate, is_linked=is_linked)

    def stage_generated(self) -> None:
        """Stage what the frame generates, where its channels are, and its curves if there is none.

        Raises AirframeError if there is `trouble`.
        """
        if self.is_read_only:
            return
        self._stage_mixer()
        if not any(self.curves.curve1):
            self._stage_curves(curve1=self.frame.curve1, curve2=self.frame.curve2)
        self._stage_memory()
        self._reread()

    def expected(self, output: int) -> MixerChannel:
        """What the frame would have on an output."""
        return self.generated.at(output) or MixerChannel(output, DISABLED)

    def shown(self, output: int) -> MixerChannel:
        """What is staged for an output, or on board."""
        return self.mixer.at(output) or MixerChannel(output, DISABLED)

    def channel_on(self, output: int) -> str:
        """The frame's channel on an output; empty if it has none there."""
        names = (name for name, number in self.setup.outputs.items() if number == output)
        return next(names, "")

    # Inside

    def _choose(self, **chosen: Any) -> None:
        if self.is_read_only:
            return
        was_following = self.is_following
        self._chosen |= chosen
        self._read()
        if was_following:
            with suppress(AirframeError):  # `trouble` tells it
                self._stage_mixer()
        if "outputs" in chosen:
            self._stage_memory()
        if "levels" in chosen or "reversed" in chosen:
            self._stage_levels()
        self._reread()

    def _read(self) -> None:
        settings = self.settings
        self.definition = settings.definition(MIXER)
        name = str(settings.value(SYSTEM, FRAME_FIELD) or "")
        if name != self.frame_name:
            self.frame_name = name
            self._chosen = {}
        if self.definition is None:
            return
        values = whole_fields(self.definition, settings.values(MIXER))
        self.mixer = read_mixer(values, self.definition)
        self.curves = read_curves(values)
        on_board = whole_fields(self.definition, settings.aircraft.values(MIXER))
        self.on_board = read_mixer(on_board, self.definition) if on_board else self.mixer
        self.ends = self._ends()
        frame = _frame(self.frame_name)
        levels = read_levels(values)
        self._is_marked_reversed = levels is not None and levels.yaw < 0
        recalled = recalled_outputs(frame, self._memory(), has_octo_x=self._has_octo_x)
        setup = read_setup(frame, self.mixer, levels, recalled, self._board)
        self.setup = replace(setup, **self._chosen)
        self.generated = self.setup.generated(self.mixer)
        self.trouble = self._trouble(self.definition)
        self.differing = self._differing(self.definition)
        self.findings = check_mixer(
            self.mixer, frame, self.curves, self.setup.outputs, self.propellers_reversed
        )

    def _reread(self) -> None:
        self._read()
        self._seen = None

    def _ends(self) -> Ends | None:
        definition = self.settings.definition(ACTUATOR)
        if definition is None:
            return None
        values = whole_fields(definition, self.settings.values(ACTUATOR))
        try:
            ends = read_ends(values)
        except KeyError:
            return None
        shortest = min(len(ends.minimum), len(ends.neutral), len(ends.maximum))
        return ends if shortest >= self.mixer.size else None

    @property
    def _board(self) -> int:
        return self.settings.aircraft.board

    @property
    def _has_octo_x(self) -> bool:
        return "OctoX" in self.frame_names

    def _memory(self) -> tuple[int, ...]:
        definition = self.settings.definition(SYSTEM)
        if definition is None or not definition.has_field(_MEMORY):
            return ()
        values = whole_fields(definition, self.settings.values(SYSTEM)).get(_MEMORY, ())
        return tuple(int(word) for word in values)

    def _usual_levels(self, frame: Airframe) -> Levels:
        """Those that this family of firmware ships; only one of them has no such memory."""
        is_tau_labs = not self._memory()
        return (frame.levels_tau_labs if is_tau_labs else None) or frame.levels

    def _trouble(self, definition: ObjectDefinition) -> str:
        try:
            write_mixer(self.generated, definition)
        except AirframeError as error:
            return str(error)
        return ""

    def _differing(self, definition: ObjectDefinition) -> frozenset[str]:
        found = set()
        for output in range(1, self.mixer.size + 1):
            shown, expected = self.shown(output), self.expected(output)
            if shown.type != expected.type:
                found.add(f"Mixer{output}Type")
            paths = field_paths(definition.field_named(f"Mixer{output}Vector"))
            for index, path in enumerate(paths):
                if _weight(shown, index) != _weight(expected, index):
                    found.add(path)
        return frozenset(found)

    # What is staged in MixerSettings, whose definition is known by then.

    @property
    def _known(self) -> ObjectDefinition:
        assert self.definition is not None
        return self.definition

    def _stage(self, fields: Mapping[str, Any]) -> None:
        self.settings.stage_all(MIXER, values_by_path(self._known, fields))

    def _stage_mixer(self) -> None:
        self._stage(write_mixer(self.setup.generated(self.mixer), self._known))
        if self.frame.family == FIXED_WING and self._known.has_field("FirstRollServo"):
            self._stage({"FirstRollServo": self.setup.first_roll_servo})

    def _stage_levels(self) -> None:
        levels, is_reversed = self.setup.levels, self.setup.reversed
        self._stage(write_levels(levels, self._known, propellers_reversed=is_reversed))

    def _stage_frame_curves(self, before: Airframe, frame: Airframe) -> None:
        """Those of the frame, unless the user has made curves for the same kind of aircraft."""
        present = self.curves.curve1, self.curves.curve2
        is_shipped = present == (before.curve1, before.curve2) or not any(present[0])
        if is_shipped or before.family != frame.family:
            self._stage_curves(curve1=frame.curve1, curve2=frame.curve2)

    def _stage_curves(self, **changed: Any) -> None:
        self._stage(write_curves(replace(self.curves, **changed), self._known))

    def _stage_memory(self) -> None:
        definition, words = self.settings.definition(SYSTEM), self._memory()
        if definition is not None and words:
            kept = remembered_outputs(
                self.frame, self.setup.outputs, words, has_octo_x=self._has_octo_x
            )
            self.settings.stage_all(SYSTEM, values_by_path(definition, {_MEMORY: kept}))

    def _notice_discard(self) -> None:
        """Forget what was chosen once nothing of it is staged any more: it is sent, or dropped."""
        touched = any(name in (MIXER, SYSTEM) for name, _ in self.settings.draft.addresses())
        if self._is_touched and not touched:
            self._chosen = {}
        self._is_touched = touched


def _frame(name: str) -> Airframe:
    """The frame of that name; Custom for one that nobody here knows."""
    return find_airframe(name) or airframe_named("Custom")


def _weight(channel: MixerChannel, index: int) -> int:
    return channel.vector[index] if index < len(channel.vector) else 0

"""Flown gains: what a log says of the stabilization that flew it."""

from pathlib import Path
from typing import Any, Final

from simulation.autopilot.preset import Preset
from simulation.tuning.gains import BANK
from simulation.tuning.tuned_aircraft import TuningError, with_values
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.recording import Recording

_COMMAND: Final = "ManualControlCommand"
_POSITION: Final = "FlightModeSwitchPosition"


def flown_preset(preset: Preset, log: Path, catalogue: Catalogue) -> Preset:
    """A preset with the stabilization settings that flew a log. Raises TuningError for a log that
    does not have them."""
    from telemetry.configuration.settings.snapshot import snapshot_of

    try:
        recording = read_log(log, catalogue).recording
    except LogError as error:
        raise TuningError(str(error)) from None
    objects = snapshot_of(recording, log.name).objects
    bank, shared = (objects.get((name, 0)) for name in (_bank(recording), SHARED))
    if bank is None or shared is None:
        raise TuningError(
            f"{log.name} does not hold the gains that flew it; ask for the settings while "
            "recording, or give the aircraft alone."
        )
    return with_values(with_values(preset, BANK, bank.values), SHARED, _known(shared.values))


def _known(values: Any) -> dict[str, Any]:
    """Without what says which bank flies: it is the one that is tuned."""
    return {path: value for path, value in values.items() if not path.startswith("FlightModeMap")}


def _bank(recording: Recording) -> str:
    """The bank at the switch's last position; the first where that is not known."""
    command = recording.latest(_COMMAND, recording.last_s)
    shared = recording.latest(SHARED, recording.last_s)
    if command is None or shared is None or not shared.definition.has_field("FlightModeMap"):
        return BANKS[0]
    banks = shared["FlightModeMap"]
    number = int(banks[min(int(command[_POSITION]), len(banks) - 1)])
    return BANKS[min(number, len(BANKS) - 1)]

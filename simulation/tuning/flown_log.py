"""Flown log: what a log says of the stabilization that flew it, and of the aircraft."""

from pathlib import Path
from typing import Any, Final

from simulation.aircraft.aircraft import AircraftParameters
from simulation.autopilot.preset import Preset
from simulation.tuning.gains import BANK
from simulation.tuning.search import Tell
from simulation.tuning.tuned_aircraft import TuningError, with_values
from simulation.tuning.uncertainty import Uncertainty, assumed, beside_assumed
from telemetry.configuration.settings.stabilization_banks import BANKS, SHARED
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.logs.reader import LogError, read_log
from telemetry.recording.recording import Recording

_COMMAND: Final = "ManualControlCommand"
_POSITION: Final = "FlightModeSwitchPosition"


class FlownLog:
    """A log of a flight."""

    def __init__(self, path: Path, catalogue: Catalogue) -> None:
        """Raises TuningError for what is none."""
        self._name = path.name
        try:
            self._recording = read_log(path, catalogue).recording
        except LogError as error:
            raise TuningError(str(error)) from None

    def preset(self, preset: Preset) -> Preset:
        """A preset with the stabilization settings that flew. Raises TuningError for a log that
        does not have them."""
        from telemetry.configuration.settings.snapshot import snapshot_of

        objects = snapshot_of(self._recording, self._name).objects
        bank, shared = (objects.get((name, 0)) for name in (_bank(self._recording), SHARED))
        if bank is None or shared is None:
            raise TuningError(
                f"{self._name} does not hold the gains that flew it; ask for the settings while "
                "recording, or give the aircraft alone."
            )
        flown = with_values(preset, BANK, bank.values)
        return with_values(flown, SHARED, _known(shared.values))

    def uncertainty(self, aircraft: AircraftParameters, tell: Tell) -> Uncertainty:
        """What the flight tells of its aircraft; where it tells nothing, assumptions and why."""
        from simulation.identification.identifying import identify
        from simulation.identification.logged_flight import IdentificationError, read_flight

        p = aircraft.parameters
        try:
            found = identify(read_flight(self._recording, None, None), aircraft, tell=tell)
        except IdentificationError as error:
            return assumed(p, str(error))
        if found.refused is not None:
            return assumed(p, found.refused)
        values = found.values
        return beside_assumed(values, (tuple(values), found.covariance), (self._name, p))


def _known(values: Any) -> dict[str, Any]:
    """Without what says which bank flies: it is the one that is tuned."""
    return {path: value for path, value in values.items() if not path.startswith("FlightModeMap")}


def _bank(recording: Recording) -> str:
    """The bank at the switch's last position; the first where that is not known."""
    command = recording.latest(_COMMAND, recording.last_s)
    shared = recording.latest(SHARED, recording.last_s)
    if command is None or shared is None:
        return BANKS[0]
    for sample, field in ((command, _POSITION), (shared, "FlightModeMap")):
        if not sample.definition.has_field(field):  # of an old release
            return BANKS[0]
    banks = shared["FlightModeMap"]
    return f"{SHARED}{banks[min(int(command[_POSITION]), len(banks) - 1)]}"

"""Gains searched for aircraft that have poor ones, and flown where the search has not been."""

from collections.abc import Iterator
from dataclasses import dataclass
from time import process_time

from benchmarks.result import BenchmarkResult, at_least, at_most
from simulation.autopilot.preset import Preset, load_preset
from simulation.tuning.gains import AXES, BANK
from simulation.tuning.objectives import Targets, objectives_of
from simulation.tuning.tuned_aircraft import TunedAircraft, with_values
from simulation.tuning.tuning import VALIDATION_FLIGHTS, inside_targets, tune
from simulation.tuning.uncertainty import assumed
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue

_SEED = 28


@dataclass(frozen=True, slots=True)
class _Poor:
    """What is wrong with the gains of an aircraft: factors of its good ones."""

    aircraft: str
    rate: float = 1.0
    damping: float = 1.0
    angle: float = 1.0


_POOR = (
    _Poor("ar100b", rate=0.3, damping=0.0),
    _Poor("ar100x6", angle=0.4),
    _Poor("ar200", rate=0.3, damping=0.0),
    _Poor("crazyflie", damping=0.0, angle=3.0),
    _Poor("hector", rate=0.5, damping=0.0, angle=2.0),
)


def run() -> Iterator[BenchmarkResult]:
    """Measure; takes seven minutes of processor time."""
    catalogue = load_catalogue()
    for poor in _POOR:
        preset = _with_poor_gains(load_preset(poor.aircraft), poor, catalogue)
        begun = process_time()
        uncertainty = assumed(preset.load_aircraft().parameters)
        aircraft = TunedAircraft(preset, catalogue, uncertainty, _SEED)
        found = tune(aircraft, Targets(), _SEED, lambda _: None)
        took_s = process_time() - begun
        flights, inside = found.validated
        before = inside_targets(
            aircraft, aircraft.present, objectives_of(Targets()), (VALIDATION_FLIGHTS, _SEED)
        )
        name = f"{poor.aircraft}: validation flights inside the targets"
        yield at_least(name, inside, f"of {flights}", 48)
        yield at_most(f"{name}, with the poor gains", before, f"of {flights}", 47)
        yield at_most(f"{poor.aircraft}: processor time of the search", took_s, "s", 240)


def _with_poor_gains(preset: Preset, poor: _Poor, catalogue: Catalogue) -> Preset:
    uncertainty = assumed(preset.load_aircraft().parameters)
    good = TunedAircraft(preset, catalogue, uncertainty, _SEED).present.as_settings()
    factors = {
        **{f"{a}RatePID.{g}": poor.rate for a in AXES for g in ("Kp", "Ki")},
        **{f"{a}RatePID.Kd": poor.rate * poor.damping for a in AXES},
        **{f"{a}PI.Kp": poor.angle for a in AXES},
    }
    limits = {f"{a}RatePID.ILimit": 0.3 for a in AXES} | {f"{a}PI.ILimit": 50.0 for a in AXES}
    return with_values(preset, BANK, limits | {p: good[p] * f for p, f in factors.items()})

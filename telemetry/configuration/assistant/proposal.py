"""Set-up proposal: all answers as values of objects, staged when the summary is accepted.

Pure: the same answers and the same board give the same plan. Only what an answer is about is in
it; everything else stays as it is on board.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from telemetry.base.finding import Finding, info, warning
from telemetry.configuration.assistant.aircraft import AssistedAircraft, WantedValues
from telemetry.configuration.assistant.answers import Answers
from telemetry.configuration.assistant.flight_modes import propose_modes
from telemetry.configuration.assistant.gain_templates import propose_estimator, propose_gains
from telemetry.configuration.assistant.gps_and_battery import propose_power
from telemetry.configuration.assistant.outputs import (
    channels_of,
    propose_mixer,
    propose_outputs,
    shared_banks,
)
from telemetry.configuration.assistant.receiver import propose_receiver
from telemetry.configuration.hardware.check import check_hardware
from telemetry.configuration.settings.difference import Change, Difference, is_same
from telemetry.configuration.settings.slots import held, slots_of
from telemetry.recording.sample import Value

PlanRule = Callable[[Answers, AssistedAircraft], WantedValues]
_RULES: Final[tuple[PlanRule, ...]] = (
    propose_mixer,
    propose_outputs,
    propose_gains,
    propose_estimator,
    propose_receiver,
    propose_power,
    propose_modes,
)


@dataclass(frozen=True, slots=True)
class SetupProposal:
    """`values` by object and path, as the board would hold them; `left_out` says in sentences
    what this firmware cannot take; `findings` what does not fit."""

    values: WantedValues
    left_out: tuple[str, ...]
    findings: tuple[Finding, ...]


def propose_setup(answers: Answers, aircraft: AssistedAircraft) -> SetupProposal:
    """Work out what the answers mean for this aircraft."""
    wanted: WantedValues = {}
    for rule in _RULES:
        for name, values in rule(answers, aircraft).items():
            wanted.setdefault(name, {}).update(values)
    possible, left_out = _possible(wanted, aircraft)
    return SetupProposal(possible, left_out, _findings(answers, aircraft, possible))


def differences(plan: SetupProposal, aircraft: AssistedAircraft) -> Difference:
    """What the plan would change on board."""
    changed, same = [], 0
    for name, values in plan.values.items():
        present = aircraft.values(name)
        for path, value in values.items():
            if is_same(present[path], value):
                same += 1
            else:
                changed.append(Change(name, 0, path, present[path], value))
    return Difference(tuple(changed), same, (), (), ())


def changes_nothing(wanted: WantedValues, aircraft: AssistedAircraft) -> bool:
    """Whether all that is wanted is on board already."""
    return all(
        path in aircraft.values(name) and is_same(aircraft.values(name)[path], value)
        for name, values in wanted.items()
        for path, value in values.items()
    )


def _possible(
    wanted: WantedValues, aircraft: AssistedAircraft
) -> tuple[WantedValues, tuple[str, ...]]:
    """The wanted values that the firmware can hold; the others in sentences."""
    possible: WantedValues = {}
    left_out: list[str] = []
    for name, values in wanted.items():
        definition, present = aircraft.definition(name), aircraft.values(name)
        if definition is None:
            left_out += [f"This firmware has no {name}."] if values else []
            continue
        slots = slots_of(definition)
        for path, value in values.items():
            if path not in slots or path not in present:
                left_out.append(f"This firmware has no {name}.{path}.")
                continue
            try:
                possible.setdefault(name, {})[path] = held(slots[path], value)
            except ValueError as error:
                left_out.append(f"{name}.{path}: {error}.")
    return possible, tuple(left_out)


def _findings(
    answers: Answers, aircraft: AssistedAircraft, values: WantedValues
) -> tuple[Finding, ...]:
    def planned(name: str) -> dict[str, Value]:
        return {**aircraft.values(name), **values.get(name, {})}

    found = [*check_hardware(aircraft.kind, planned)]
    for bank in shared_banks(answers, aircraft):
        found.append(
            warning(
                "bank-shared",
                f"Bank {bank} has a motor and a servo, and both get the signal of the servo.",
                "Move one of them to an output of another bank.",
            )
        )
    if not answers.outputs and not channels_of(answers):
        found.append(
            info(
                "own-mixer",
                "This frame has no mixer of its own; what is on board stays.",
                "Set up its outputs on the Airframe page.",
            )
        )
    return tuple(sorted(found, key=lambda finding: -finding.level))

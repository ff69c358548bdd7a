"""From all answers to the values of each object: what is staged when the summary is accepted.

Pure: the same answers and the same board give the same plan. Only what an answer is about is in
it; everything else stays as it is on board.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from telemetry.configuration.hardware.check import check_hardware
from telemetry.configuration.plan.answers import Answers
from telemetry.configuration.plan.craft import Craft, Wishes
from telemetry.configuration.plan.modes import wish_modes
from telemetry.configuration.plan.outputs import channels_of, shared_banks, wish_mixer, wish_outputs
from telemetry.configuration.plan.power import wish_power
from telemetry.configuration.plan.receiver import wish_receiver
from telemetry.configuration.plan.templates import wish_gains
from telemetry.configuration.settings.difference import Change, Difference, is_same
from telemetry.configuration.settings.slots import held, slots_of
from telemetry.finding import Finding, Severity
from telemetry.recording.sample import Value

_RULES: Final[tuple[Callable[[Answers, Craft], Wishes], ...]] = (
    wish_mixer,
    wish_outputs,
    wish_gains,
    wish_receiver,
    wish_power,
    wish_modes,
)


@dataclass(frozen=True, slots=True)
class SetupPlan:
    """`values` by object and path, as the board would hold them; `left_out` says in sentences
    what this firmware cannot take; `findings` what does not fit."""

    values: Wishes
    left_out: tuple[str, ...]
    findings: tuple[Finding, ...]


def make_plan(answers: Answers, craft: Craft) -> SetupPlan:
    """Work out what the answers mean for this aircraft."""
    options: Wishes = {}
    for rule in _RULES:
        for name, values in rule(answers, craft).items():
            options.setdefault(name, {}).update(values)
    possible, left_out = _possible(options, craft)
    return SetupPlan(possible, left_out, _findings(answers, craft, possible))


def differences(plan: SetupPlan, craft: Craft) -> Difference:
    """What the plan would change on board."""
    changed, same = [], 0
    for name, values in plan.values.items():
        present = craft.values(name)
        for path, value in values.items():
            if is_same(present[path], value):
                same += 1
            else:
                changed.append(Change(name, 0, path, present[path], value))
    return Difference(tuple(changed), same, (), (), ())


def _possible(options: Wishes, craft: Craft) -> tuple[Wishes, tuple[str, ...]]:
    """The options that the firmware can hold; the others in sentences."""
    possible: Wishes = {}
    left_out: list[str] = []
    for name, values in options.items():
        definition, present = craft.definition(name), craft.values(name)
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


def _findings(answers: Answers, craft: Craft, values: Wishes) -> tuple[Finding, ...]:
    def planned(name: str) -> dict[str, Value]:
        return {**craft.values(name), **values.get(name, {})}

    found = [*check_hardware(craft.kind, planned)]
    for bank in shared_banks(answers, craft):
        found.append(
            Finding(
                Severity.WARNING,
                "bank-shared",
                f"Bank {bank} has a motor and a servo, and both get the signal of the servo.",
                "Move one of them to an output of another bank.",
            )
        )
    if not answers.outputs and not channels_of(answers):
        found.append(
            Finding(
                Severity.ADVICE,
                "own-mixer",
                "This frame has no mixer of its own; what is on board stays.",
                "Set up its outputs on the Airframe page.",
            )
        )
    return tuple(sorted(found, key=lambda finding: -finding.severity))

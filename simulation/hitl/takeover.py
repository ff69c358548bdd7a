"""HITL takeover: the changes on a board that make our sensors its sensors, and nothing else."""

from collections.abc import Container, Sequence
from dataclasses import replace
from functools import partial

from simulation.hitl.config import HitlConfig, HitlResult
from simulation.hitl.sensors import SensorFeed
from simulation.records.sensor_table import SUPPLIED_SENSORS
from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.session.session import Session
from telemetry.vehicle.temporary_metadata import TemporaryMetadata

ACTUATORS = "ActuatorCommand"
TRUTH = ("AttitudeSimulated", "GroundTruth")
"""What the log has from the physics."""


def take_over(
    plan: HitlConfig,
    session: Session,
    temporary: TemporaryMetadata,
    result: HitlResult,
    told: Container[str] = (),
    commands: UpdatePolicy | None = None,
) -> list[SensorFeed]:
    """Begin to change what the plan needs; return the feeds of the sensors the board has.

    A sensor's object becomes read-only for the board (so that its own driver cannot write it) and
    is no longer sent by it; ActuatorCommand is sent as `commands` says, at the plan's rate without
    them. `told` are the objects that the board
    has sent: those that would say how it really moves fall silent, since only we know that.
    """
    feeds, supplied, missing = [], [], []
    for name in plan.sensors:
        definition = _first_known(session, SUPPLIED_SENSORS[name].names)
        if definition is None:
            missing.append(name)
            continue
        supplied.append(name)
        feeds.append(SensorFeed(SUPPLIED_SENSORS[name], definition))
        temporary.change(definition, _supplied_by_us)
    actuators = session.definition_named(ACTUATORS)
    if actuators is not None:
        period_ms = max(1, round(1000 / plan.rate_hz))
        policy = commands or UpdatePolicy(UpdateMode.PERIODIC, period_ms)
        temporary.change(actuators, partial(_sent, policy))
    else:
        result.note(f"The board has no {ACTUATORS}, so it cannot fly anything.")
    for name in TRUTH:
        definition = session.definition_named(name)
        if name in told and definition is not None:
            temporary.change(definition, _not_sent)
    result.supplied, result.missing = tuple(supplied), tuple(missing)
    return feeds


def _first_known(session: Session, names: Sequence[str]) -> ObjectDefinition | None:
    """The board's own version of an object that has had several names."""
    found = (session.definition_named(name) for name in names)
    return next((definition for definition in found if definition is not None), None)


def _supplied_by_us(metadata: Metadata) -> Metadata:
    return replace(_not_sent(metadata), flight_readonly=True)


def _not_sent(metadata: Metadata) -> Metadata:
    return replace(metadata, flight=replace(metadata.flight, mode=UpdateMode.MANUAL))


def _sent(policy: UpdatePolicy, metadata: Metadata) -> Metadata:
    return replace(metadata, flight=policy)

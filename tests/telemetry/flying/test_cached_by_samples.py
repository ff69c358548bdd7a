"""What is worked out from objects is worked out again when one of them changes, and only then."""

from plugins.testing import add
from telemetry.configuration.arming.checklist import Read
from telemetry.flying.cached_by_samples import CachedBySamples
from telemetry.recording.recording import Recording
from telemetry.recording.sample import Sample


def test_it_is_worked_out_again_when_an_object_that_it_read_changes() -> None:
    flight, worked_out = Recording(), []

    def work(read: Read) -> str | None:
        status = read("FlightStatus")
        worked_out.append(status)
        return None if status is None else str(status["Armed"])

    def latest(name: str) -> Sample | None:
        return flight.latest(name, flight.last_s)

    remembered = CachedBySamples(work)
    assert remembered.read(latest) is None
    add(flight, 1.0, "FlightStatus", Armed="Disarmed")
    assert remembered.read(latest) == "Disarmed"
    add(flight, 2.0, "FlightStatus", Armed="Disarmed")
    add(flight, 3.0, "AttitudeState", Roll=1.0)
    assert remembered.read(latest) == "Disarmed"
    assert len(worked_out) == 2
    add(flight, 3.0, "FlightStatus", Armed="Armed")
    assert remembered.read(latest) == "Armed"

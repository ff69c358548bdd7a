import pytest

from telemetry.base.finding import Level
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.session.transactions import TransactionOutcome
from telemetry.recording.events import Event
from telemetry.recording.recording import Recording
from telemetry.vehicle import outcomes
from telemetry.vehicle.commands import RefusedCommands, Ticket, Write
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle


def make_vehicle(catalogue: Catalogue, name: str = "quad") -> Vehicle:
    return Vehicle(name, Recording(name), catalogue, RefusedCommands("Nothing is sent."))


def live(catalogue: Catalogue, name: str) -> Vehicle:
    vehicle = make_vehicle(catalogue, name)
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    return vehicle


def test_names_are_unique_and_what_cannot_be_flown_gives_way_to_the_newest(
    catalogue: Catalogue,
) -> None:
    fleet = Fleet()
    first, second, third = (make_vehicle(catalogue) for _ in range(3))
    for vehicle in (first, second, third):
        fleet.add(vehicle)
    assert [vehicle.name for vehicle in fleet.vehicles] == ["quad", "quad (2)", "quad (3)"]
    assert fleet.active is third
    fleet.choose(first)
    fleet.remove(first)
    assert fleet.active is third
    assert fleet.version == 5
    fleet.remove(second)
    fleet.remove(third)
    assert fleet.active is None
    with pytest.raises(ValueError, match="not in the fleet"):
        fleet.choose(first)


def test_the_active_aircraft_never_changes_by_itself(catalogue: Catalogue) -> None:
    fleet = Fleet()
    flown, other = live(catalogue, "flown"), live(catalogue, "other")
    fleet.add(flown)
    fleet.add(other)
    fleet.add(make_vehicle(catalogue, "log"))
    assert fleet.active is flown
    for state in (LinkState.LOST, LinkState.RECONNECTING, LinkState.DISCONNECTED):
        flown.status = LinkStatus(state)
        assert fleet.active is flown, state
    fleet.remove(flown)
    assert fleet.active is None, "no other aircraft takes its place while one can be flown"
    assert fleet.choose(other) == ""
    assert fleet.active is other


def test_flying_by_hand_refuses_another_aircraft(catalogue: Catalogue) -> None:
    fleet = Fleet()
    flown, other = live(catalogue, "flown"), live(catalogue, "other")
    fleet.add(flown)
    fleet.add(other)
    flown.why_stay = lambda: "Flown by hand."
    assert fleet.choose(other) == "Flown by hand."
    assert fleet.active is flown
    flown.why_stay = lambda: ""
    assert fleet.choose(other) == ""


def test_a_live_flight_goes_on_while_the_link_is_silent(catalogue: Catalogue) -> None:
    """Else nothing on screen would ever look old after the link has died."""
    now_s = 3.0
    refused = RefusedCommands("Nothing is sent.")
    vehicle = Vehicle("quad", Recording("quad"), catalogue, refused, elapsed_s=lambda: now_s)
    definition = catalogue.find("SystemStats")
    vehicle.recording.append(2.9, definition, 0, bytes(definition.size))
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    assert vehicle.end_s == 3.0
    now_s = 12.0
    vehicle.status = LinkStatus(LinkState.LOST)
    assert vehicle.end_s == 12.0
    vehicle.status = LinkStatus(LinkState.DISCONNECTED)
    assert vehicle.end_s == 2.9


def test_the_word_shows_progress_only_while_fetching() -> None:
    assert LinkStatus(LinkState.FETCHING, fetched=43, total=176).word == "Fetching 43/176"
    assert LinkStatus(LinkState.CONNECTED, fetched=176, total=176).word == "Connected"


def test_a_ticket_is_finished_once() -> None:
    ticket = Ticket()
    assert not ticket.is_finished
    ticket.finish("failed", "No.")
    ticket.finish("done", "Yes.")
    assert (ticket.state, ticket.text) == ("failed", "No.")


def test_refused_commands_say_why(catalogue: Catalogue) -> None:
    commands = make_vehicle(catalogue).commands
    commands.set_sticks(None)
    tickets = [
        commands.send("A", {}),
        commands.request("A"),
        commands.persist("Save", "A"),
        commands.post(Write("A", {})),
    ]
    assert {ticket.text for ticket in tickets} == {"Nothing is sent."}
    assert commands.refusal() == "Nothing is sent."


@pytest.mark.parametrize("operation", ["Save", "Load", "Delete", "FullErase"])
@pytest.mark.parametrize(
    "outcome", [o for o in TransactionOutcome if o is not TransactionOutcome.OPEN]
)
def test_every_outcome_has_a_sentence(operation: str, outcome: TransactionOutcome) -> None:
    state, text = outcomes.persisted(operation, "MixerSettings", outcome)
    assert state == ("done" if outcome is TransactionOutcome.DONE else "failed")
    assert text.endswith(".")
    assert text[0].isupper()


def test_what_happens_is_noted_at_its_time_but_never_in_a_flight_from_a_file(
    catalogue: Catalogue,
) -> None:
    refused = RefusedCommands("Nothing is sent.")
    vehicle = Vehicle("quad", Recording("quad"), catalogue, refused, elapsed_s=lambda: 7.0)
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    vehicle.note("device", Level.ERROR, "The gamepad was unplugged")
    vehicle.note("hang", Level.WARNING, "The window did not answer for 2.0 s", 4.5)
    assert tuple(vehicle.recording.events()) == (
        Event(4.5, "hang", Level.WARNING, "The window did not answer for 2.0 s"),
        Event(7.0, "device", Level.ERROR, "The gamepad was unplugged"),
    )
    vehicle.status = LinkStatus(LinkState.REPLAY)
    vehicle.note("device", Level.ERROR, "Another one")
    assert len(vehicle.recording.events()) == 2


@pytest.mark.parametrize("state", [LinkState.FETCHING, LinkState.CONNECTED, LinkState.LOST])
def test_the_age_of_a_link_is_amber_after_one_second_and_red_after_two(state: LinkState) -> None:
    heard = LinkStatus(state, heard_s=10.0, quality_percent=99, objects_per_s=40.0)
    assert heard.aged(11.0) is heard
    late = heard.aged(11.46)
    assert (late.silent_s, late.silence, late.age_level) == (1.4, "1.4 s", Level.WARNING)
    assert (late.quality_percent, late.objects_per_s) == (None, 0.0)
    assert heard.aged(12.0).age_level is Level.ERROR
    assert heard.aged(25.9).silence == "15 s"
    assert heard.aged(10.0 + 125.0).silence == "2:05 min"


@pytest.mark.parametrize("state", [LinkState.DISCONNECTED, LinkState.REPLAY, LinkState.CONNECTING])
def test_a_link_that_nothing_is_awaited_of_has_no_age(state: LinkState) -> None:
    status = LinkStatus(state, heard_s=10.0)
    assert status.aged(99.0) is status

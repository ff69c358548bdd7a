"""`lapwing settings` against a board in memory, over a real connection with its worker thread."""

import argparse
import json
from collections.abc import Callable
from itertools import chain, count, pairwise
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from telemetry.base.clock import monotonic_s
from telemetry.configuration.settings import cli
from telemetry.configuration.settings.headless import Headless, NoAnswerError
from telemetry.protocol.links.faulty import Faults, FaultyLink
from telemetry.protocol.links.link import Link, LinkError
from telemetry.protocol.links.memory import pair
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values, read_path, row_of
from telemetry.protocol.session.config import Role
from telemetry.protocol.session.session import Session
from telemetry.recording.sample import Value
from tests.telemetry.protocol.session.fakes import MemoryBoard, small_board
from tests.telemetry.vehicle.fakes import FLIGHT_STATS_ID

BANK, KP = "StabilizationSettingsBank1", "StabilizationSettingsBank1.RollRatePID.Kp"
AT = "test:board"


class BoardLink:
    """A link with a board behind it that answers at once, in the thread that reads."""

    name = "board"
    address = AT
    can_write = True

    def __init__(self, catalogue: Catalogue, board: MemoryBoard) -> None:
        self._board = board
        self._flight = Session(Role.FLIGHT, catalogue, board=board)
        self._flight.start(monotonic_s())
        self._flight.publish(FLIGHT_STATS_ID)
        self._waiting = Event()

    def read(self, timeout_s: float) -> bytes:
        self._flight.tick(monotonic_s())
        data = self._flight.bytes_to_send()
        if not data:
            self._waiting.wait(min(timeout_s, 0.002))
        return data

    def write(self, data: bytes) -> None:
        self._flight.receive(data, monotonic_s())
        if self._board.carry_out():
            self._flight.publish(self._board.named("ObjectPersistence").object_id, 0, acked=True)

    def close(self) -> None:
        """Nothing is to be let go."""


class Terminal:
    """Runs commands; `out` and `err` are what the last one printed."""

    def __init__(self, catalogue: Catalogue, read: Callable[[], Any]) -> None:
        self.board = small_board(catalogue)
        self.out = self.err = ""
        self.through: Callable[[Link], Link] = lambda link: link
        self._catalogue = catalogue
        self._read = read

    def run(self, *words: str) -> int:
        parser = argparse.ArgumentParser()
        cli.add_commands(parser.add_subparsers())
        arguments = parser.parse_args(["settings", *words])
        arguments.open_link = self._open
        code: int = arguments.run(arguments)
        self.out, self.err = self._read()
        return code

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    def value(self, path: str) -> Value | tuple[Value, ...]:
        """What the board's memory holds."""
        name, _, rest = path.partition(".")
        definition = self.board.named(name)
        payload = self.board.values[definition.object_id, 0]
        return read_path(definition, row_of(definition, payload), rest)

    def put(self, name: str, **values: object) -> None:
        """Change the board's memory."""
        definition = self.board.named(name)
        self.board.values[definition.object_id, 0] = pack_values(definition, values)

    def is_stored(self, name: str) -> bool:
        address = self.board.named(name).object_id, 0
        return self.board.stored.get(address) == self.board.values[address]

    def _open(self, address: str) -> Link:
        if address == "test:nothing":
            raise LinkError("Nothing listens there.")
        return self.through(BoardLink(self._catalogue, self.board))


@pytest.fixture
def at(
    catalogue: Catalogue,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Terminal:
    monkeypatch.setenv("LAPWING_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli, "catalogue_for", lambda _arguments: catalogue)
    return Terminal(catalogue, capsys.readouterr)


# export and diff


@pytest.mark.parametrize("file", ["x.uav", "x.settings.toml", "set:survey"])
@pytest.mark.slow
def test_what_is_exported_is_what_is_on_board(at: Terminal, file: str) -> None:
    at.put(BANK, RollMax=41)
    assert at.run("export", AT, "--out", file, "--note", "a test") == 0
    assert "3 objects" in at.out
    assert at.run("diff", file, AT, "--json") == 0
    found = at.json
    assert found.pop("same") > 100
    assert found == {"changed": [], "only_a": [], "only_b": [], "skipped": []}


@pytest.mark.slow
def test_a_difference_names_object_field_and_element(at: Terminal) -> None:
    at.run("export", AT, "--out", "x.uav")
    at.put(BANK, **{"RollMax": 41, "RollRatePID.Kp": 0.004})
    assert at.run("diff", "x.uav", AT, "--json") == 0
    head = {"object": BANK, "instance": 0}
    assert sorted(at.json["changed"], key=lambda change: str(change["field"])) == [
        {**head, "field": "RollMax", "element": None, "a": 55, "b": 41},
        {**head, "field": "RollRatePID", "element": "Kp", "a": 0.003, "b": 0.004},
    ]
    at.run("diff", "x.uav", AT)
    assert f"{KP}: 0.003 -> 0.004" in at.out
    assert "2 differ" in at.out


@pytest.mark.slow
def test_a_board_is_compared_with_the_defaults_of_its_release(at: Terminal) -> None:
    """RollMax is 55 in LibrePilot's stabilizationsettingsbank1.xml."""
    at.put(BANK, RollMax=41)
    for words, sides in (((AT, "defaults"), (41, 55)), (("defaults", AT), (55, 41))):
        assert at.run("diff", *words, "--json") == 0
        (change,) = at.json["changed"]
        assert (change["field"], change["a"], change["b"]) == ("RollMax", *sides)
    assert at.run("diff", "defaults", "defaults") == 1
    assert "name one beside them" in at.err


@pytest.mark.slow
def test_only_what_differs_from_the_defaults_is_exported(at: Terminal) -> None:
    at.put(BANK, **{"RollMax": 41, "RollRatePID.Kp": 0.004})
    assert at.run("export", AT, "--out", "x.settings.toml", "--not-default") == 0
    assert "1 object of" in at.out
    at.put(BANK, PitchMax=20)
    assert at.run("apply", "x.settings.toml", AT) == 0
    found = {name: at.value(f"{BANK}.{name}") for name in ("RollMax", "PitchMax")}
    assert found == {"RollMax": 41, "PitchMax": 20}
    assert at.value(f"{BANK}.RollRatePID") == pytest.approx((0.004, 0.0065, 0.000033, 0.3))


@pytest.mark.slow
def test_a_log_is_compared_at_its_end_or_at_a_time(at: Terminal, shared_logs: Path) -> None:
    log = str(shared_logs / "openpilot-14.06-quad-2014-07-17.opl")
    assert at.run("diff", log, f"{log}@747", "--json") == 0
    assert at.json["changed"] == []
    assert at.json["same"] > 600
    assert at.run("diff", log, f"{log}@0.001") == 1
    assert "holds no settings at 0.001" in at.err
    assert at.run("diff", log, AT, "--json") == 0
    assert "OPLinkSettings" in at.json["only_a"]
    assert any("has no" in entry["why"] for entry in at.json["skipped"])


def test_a_log_without_settings_says_so(at: Terminal, shared_logs: Path) -> None:
    assert at.run("diff", str(shared_logs / "librepilot-next-hil.opl"), AT) == 1
    assert at.err.strip() == (
        "librepilot-next-hil.opl holds no settings; nothing had been asked for."
    )


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["diff", "nowhere", AT], 1, "nowhere does not exist"),
        (["diff", ".", AT], 1, "it is a folder"),
        (["diff", "set:x", AT], 1, "none is kept yet"),
        (["export", AT, "--out", "x.txt"], 1, "must end with .uav"),
        (["export", AT, "--out", "no/x.uav"], 1, "does not exist"),
        (["export", "x.uav", "--out", "y.uav"], 1, "'x.uav' is not an address"),
        (["export", "test:nothing", "--out", "y.uav", "--timeout", "0.1"], 2, "Nobody answers"),
        (["get", AT, "SystemSetings"], 1, "is it SystemSettings"),
        (["get", AT, "SystemSettings.Airframe"], 1, "is it AirframeType"),
        (["get", AT, f"{BANK}.RollRatePID.Kx"], 1, "it has Kp, Ki, Kd, ILimit"),
        (["get", AT, f"{BANK}.RollMax.0"], 1, "leave it out"),
        (["get", AT, "HwSettings"], 1, "HwSettings is not on this board"),
        (["get", AT, "a b"], 1, "names nothing"),
        (["set", AT, f"{BANK}.RollMax"], 1, "sets nothing"),
        (["set", AT, f"{BANK}=1"], 1, "sets nothing"),
        (["set", AT, f"{BANK}.RollRatePID=1"], 1, "has the elements Kp, Ki, Kd, ILimit"),
        (["set", AT, f"{BANK}.RollMax=300"], 1, "RollMax takes 0 to 255, not 300"),
        (["set", AT, f"{BANK}.RollMax="], 1, "takes a number, not ''"),
        (["set", AT, f"{KP}=nan"], 1, "takes a number, not nan"),
        (["set", AT, "SystemSettings.AirframeType=Quad"], 1, "is it QuadX"),
        (["apply", AT, AT], 1, "is an address"),
    ],
)
def test_what_cannot_be_is_one_sentence_and_nothing_is_sent(
    at: Terminal, words: list[str], code: int, sentence: str
) -> None:
    before = dict(at.board.values)
    assert at.run(*words) == code
    assert sentence in at.err
    assert (at.out, at.err.count("\n")) == ("", 1)
    settings = [d.object_id for d in at.board.definitions.values() if d.settings]
    assert all(at.board.values[i, 0] == before[i, 0] for i in settings)


# get and set


def test_get_an_object_a_field_an_element(at: Terminal) -> None:
    assert at.run("get", AT, BANK.lower(), "--json") == 0
    assert at.json["object"] == BANK
    assert at.json["values"]["RollRatePID"]["Kp"] == 0.003
    assert at.run("get", AT, f"{BANK}.RollRatePID", "--json") == 0
    assert at.json["value"]["Ki"] == 0.0065
    assert at.run("get", AT, KP, "--json") == 0
    assert at.json == {
        "object": BANK, "instance": 0, "field": "RollRatePID", "element": "Kp", "value": 0.003,
    }  # fmt: skip
    assert at.run("get", AT, KP) == 0
    assert at.out == "0.003\n"


def test_set_writes_and_reads_back_and_saves_if_asked(at: Terminal) -> None:
    assert at.run("set", AT, f"{KP}=0.004", "SystemSettings.VehicleName=a.b=c", "--json") == 0
    assert at.value(KP) == pytest.approx(0.004)
    assert at.json == {
        "results": [
            {"object": BANK, "instance": 0, "outcome": "written", "reason": ""},
            {"object": "SystemSettings", "instance": 0, "outcome": "written", "reason": ""},
        ],
        "verified": True,
    }
    assert not at.is_stored(BANK)
    assert at.run("set", AT, f"{KP}=0.004", "--save", "--json") == 0
    assert at.json["results"][0]["outcome"] == "unchanged"
    assert at.is_stored(BANK)


def test_set_all_elements_at_once(at: Terminal) -> None:
    assert at.run("set", AT, f"{BANK}.RollRatePID=0.01,0.02,0.003,0.4") == 0
    assert at.value(f"{BANK}.RollRatePID") == pytest.approx((0.01, 0.02, 0.003, 0.4))


def test_a_value_beyond_its_limits_is_sent_only_if_forced(at: Terminal) -> None:
    """RollMax %BE:0:180 in LibrePilot's stabilizationsettingsbank1.xml."""
    assert at.run("set", AT, f"{BANK}.RollMax=190", f"{KP}=0.004") == 1
    assert at.value(f"{BANK}.RollMax") == 55
    assert at.value(KP) == pytest.approx(0.003)
    assert f"{BANK}.RollMax=190: Unusual: more than 180: it cannot lean" in at.err
    assert f"give --force {BANK}.RollMax if" in at.err
    assert at.run("set", AT, f"{BANK}.RollMax=190", "--force") == 1  # it does not say what
    assert f"give --force {BANK}.RollMax if" in at.err
    assert at.run("set", AT, f"{BANK}.RollMax=190", "--force", f"{BANK}.PitchMax") == 1
    assert at.value(f"{BANK}.RollMax") == 55
    assert at.run("set", AT, f"{BANK}.RollMax=190", "--force", f"{BANK}.RollMax") == 0
    assert at.value(f"{BANK}.RollMax") == 190
    assert at.err.startswith(f"Warning: {BANK}.RollMax=190: Unusual: more than 180")


def test_a_file_with_a_value_beyond_its_limits_is_sent_only_if_forced(at: Terminal) -> None:
    Path("x.uav").write_text(
        f'<uavobjects><settings><object name="{BANK}"><field name="RollMax" values="255"/>'
        '<field name="PitchMax" values="41"/></object></settings></uavobjects>'
    )
    assert at.run("apply", "x.uav", AT) == 1
    assert (at.value(f"{BANK}.RollMax"), at.value(f"{BANK}.PitchMax")) == (55, 55)
    assert "give --force" in at.err
    assert at.run("apply", "x.uav", AT, "--force", f"{BANK}.RollMax") == 0
    assert (at.value(f"{BANK}.RollMax"), at.value(f"{BANK}.PitchMax")) == (255, 41)


def test_one_bad_value_keeps_all_from_being_sent(at: Terminal) -> None:
    assert at.run("set", AT, f"{KP}=0.004", f"{BANK}.RollMax=300") == 1
    assert at.value(KP) == pytest.approx(0.003)


@pytest.mark.slow
def test_a_refused_object_is_told_and_the_code_is_1(at: Terminal) -> None:
    at.board.refused.add(at.board.named(BANK).object_id)
    words = [f"{KP}=0.004", "SystemSettings.AirframeType=HexaX", "--json"]
    assert at.run("set", AT, *words) == 1
    assert [r["outcome"] for r in at.json["results"]] == ["refused", "written"]
    assert not at.json["verified"]
    assert at.err.count("\n") == 1
    assert BANK in at.err


def test_a_save_that_fails_is_a_failure(at: Terminal) -> None:
    at.board.forgets_on_save = True
    assert at.run("set", AT, f"{KP}=0.004", "--save", "--json") == 1
    assert not at.json["verified"]
    assert at.json["results"][0]["outcome"] == "different"
    assert "other values" in at.err


@pytest.mark.slow
def test_an_armed_aircraft_is_warned_of(at: Terminal) -> None:
    at.put("FlightStatus", Armed="Armed")
    assert at.run("apply", exported(at), AT) == 0
    assert "Warning: The aircraft is armed" in at.err


# apply


def exported(at: Terminal, file: str = "x.settings.toml") -> str:
    assert at.run("export", AT, "--out", file) == 0
    return file


@pytest.mark.slow
def test_apply_sends_the_difference_only(at: Terminal) -> None:
    file = exported(at)
    at.put(BANK, RollMax=41)
    written: list[int] = []
    honest = at.board.write

    def note(object_id: int, instance: int, payload: bytes) -> bool:
        written.append(object_id)
        return honest(object_id, instance, payload)

    at.board.write = note  # type: ignore[method-assign]
    assert at.run("apply", file, AT, "--json") == 0
    outcomes = {r["object"]: r["outcome"] for r in at.json["results"]}
    assert outcomes == {
        BANK: "written",
        "MixerSettings": "unchanged",
        "SystemSettings": "unchanged",
    }
    assert at.json["verified"]
    settings = {d.object_id for d in at.board.definitions.values() if d.settings}
    assert [i for i in written if i in settings] == [at.board.named(BANK).object_id]
    assert at.value(f"{BANK}.RollMax") == 55


@pytest.mark.slow
def test_apply_with_save_keeps_also_what_was_on_board_already(at: Terminal) -> None:
    assert at.run("apply", exported(at), AT, "--save") == 0
    assert "read back and saved" in at.out
    assert all(at.is_stored(name) for name in (BANK, "MixerSettings", "SystemSettings"))


@pytest.mark.slow
def test_apply_only_some_objects(at: Terminal) -> None:
    file = exported(at)
    at.put(BANK, RollMax=41)
    at.put("SystemSettings", AirframeType="HexaX")
    assert at.run("apply", file, AT, "--only", "systemsettings", "--json") == 0
    assert [r["object"] for r in at.json["results"]] == ["SystemSettings"]
    assert at.value(f"{BANK}.RollMax") == 41
    assert at.run("apply", file, AT, "--only", "SystemSettings,Foo") == 1
    assert "has no Foo" in at.err


@pytest.mark.slow
def test_a_log_of_another_board_and_release_says_what_does_not_fit(
    at: Terminal, shared_logs: Path
) -> None:
    log = str(shared_logs / "openpilot-14.06-quad-2014-07-17.opl")
    assert at.run("apply", log, AT, "--json") == 1
    outcomes = {r["object"]: r["outcome"] for r in at.json["results"]}
    assert outcomes[BANK] == "written"
    assert outcomes["EKFConfiguration"] == "not on this board"
    assert not at.json["verified"]
    assert "EKFConfiguration is not on this board; nothing was sent for it." in at.err


@pytest.mark.slow
def test_what_belongs_to_another_aircraft_is_left_out_and_told(at: Terminal) -> None:
    at.put("FirmwareIAPObj", CPUSerial=[0xA1] * 12, BoardType=9, BoardRevision=3)
    at.put("SystemSettings", VehicleName="Red quad", AirframeType="HexaX")
    file = exported(at)
    assert 'airframe = "HexaX"' in Path(file).read_text()
    at.put("FirmwareIAPObj", CPUSerial=[0xB2] * 12)
    at.put("SystemSettings", VehicleName="Blue quad", AirframeType="QuadX")
    at.put("MixerSettings", Mixer1Type="Servo")
    assert at.run("apply", file, AT) == 0
    assert at.err.startswith(
        "Warning: These are the settings of another aircraft: Red quad, HexaX, Revolution, "
        f"serial number {'a1' * 12}. Left out: MixerSettings: of another aircraft, its mixer; "
        "SystemSettings: of another aircraft, its name; --force MixerSettings,SystemSettings sends"
    )
    assert at.value("MixerSettings.Mixer1Type") == "Servo"
    assert "not sent          MixerSettings" in at.out
    assert at.value("SystemSettings.AirframeType") == "HexaX"
    assert name_of(at) == "Blue quad"
    assert at.run("apply", file, AT, "--force", "SystemSettings") == 0
    assert name_of(at) == "Red quad"
    assert at.value("MixerSettings.Mixer1Type") == "Servo"  # nobody said it is meant


@pytest.mark.parametrize("serial", [0x00, 0xFF])
def test_without_a_serial_number_nobody_knows_whose_mixer_it_is(at: Terminal, serial: int) -> None:
    """Two boards that tell none: the mixer of either needs a yes by name."""
    at.put("FirmwareIAPObj", CPUSerial=[serial] * 12, BoardType=9, BoardRevision=3)
    file = exported(at)
    at.put("MixerSettings", Mixer1Type="Servo")
    assert at.run("apply", file, AT) == 0
    assert at.err.startswith("Warning: These may be the settings of another aircraft, as this ")
    assert at.value("MixerSettings.Mixer1Type") == "Servo"
    assert at.run("apply", file, AT, "--force", "MixerSettings.Mixer2Type") == 0
    assert at.value("MixerSettings.Mixer1Type") == "Servo"
    assert at.run("apply", file, AT, "--force", "MixerSettings") == 0
    assert at.value("MixerSettings.Mixer1Type") == "Disabled"


def name_of(at: Terminal) -> str:
    letters = at.value("SystemSettings.VehicleName")
    assert isinstance(letters, tuple)
    return bytes(int(letter) for letter in letters).rstrip(b"\0").decode()


def test_only_settings_can_be_set(at: Terminal) -> None:
    before = at.value("FlightStatus.Armed")
    assert at.run("set", AT, "FlightStatus.Armed=Armed") == 1
    assert "FlightStatus is measured or commanded, not a setting" in at.err
    assert at.value("FlightStatus.Armed") == before


def test_values_that_cannot_be_fail_their_object_and_the_rest_arrives(at: Terminal) -> None:
    Path("x.uav").write_text(
        f'<uavobjects><settings><object name="{BANK}"><field name="RollMax" values="300"/>'
        '<field name="PitchMax" values="41"/><field name="Foo" values="1"/></object></settings>'
        "</uavobjects>"
    )
    assert at.run("apply", "x.uav", AT, "--json") == 1
    (result,) = at.json["results"]
    assert result["outcome"] == "written"
    assert "RollMax takes 0 to 255, not 300" in result["reason"]
    assert "this board has no Foo" in result["reason"]
    assert not at.json["verified"]
    assert at.value(f"{BANK}.PitchMax") == 41


@pytest.mark.parametrize("values", ["9,9,9,9,9,9,9,9", "0.001,0.002", "0.001,0.002,many,0.4"])
def test_a_field_that_does_not_fit_is_left_out_as_a_whole(at: Terminal, values: str) -> None:
    """RollRatePID has four elements; half of a field would be neither theirs nor ours."""
    Path("x.uav").write_text(
        f'<uavobjects><settings><object name="{BANK}"><field name="PitchMax" values="41"/>'
        f'<field name="RollRatePID" values="{values}"/></object></settings></uavobjects>'
    )
    before = at.value(f"{BANK}.RollRatePID")
    assert at.run("apply", "x.uav", AT) == 1
    assert "left out: RollRatePID" in at.err
    assert at.value(f"{BANK}.RollRatePID") == before
    assert at.value(f"{BANK}.PitchMax") == 41


def test_fields_that_the_board_lacks_are_told_and_no_failure(at: Terminal) -> None:
    Path("x.uav").write_text(
        f'<uavobjects><settings><object name="{BANK}"><field name="Foo" values="1"/></object>'
        "</settings></uavobjects>"
    )
    assert at.run("apply", "x.uav", AT, "--json") == 0
    assert "has no Foo" in at.json["results"][0]["reason"]
    assert at.json["verified"]


@pytest.mark.parametrize("arrives", [True, False])
@pytest.mark.slow
def test_an_interrupted_apply_says_what_is_on_board(
    at: Terminal, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch, arrives: bool
) -> None:
    """Ctrl+C while an object is on its way: it is looked at again."""
    file = exported(at)
    at.put(BANK, RollMax=41)
    wanted = at.board.named(BANK).object_id.to_bytes(4, "little")
    honest = Headless.step

    class Muffled(BoardLink):
        """Its answer to the write gets lost, perhaps with the write."""

        def write(self, data: bytes) -> None:
            is_write = wanted in data and len(data) > 100
            if not is_write or arrives:
                super().write(data)
            if is_write:
                self._flight.bytes_to_send()
                links.append(self)

    links: list[BoardLink] = []

    def interrupted(self: Headless) -> None:
        honest(self)
        if len(links) == 1:
            links.append(links[0])
            raise KeyboardInterrupt

    monkeypatch.setattr(Headless, "step", interrupted)
    at.through = lambda _link: Muffled(catalogue, at.board)
    assert at.run("apply", file, AT, "--only", BANK, "--json") == 130
    (result,) = at.json["results"]
    assert result["outcome"] == ("written" if arrives else "no answer")
    assert (at.value(f"{BANK}.RollMax") == 55) is arrives
    held = f"on board as wanted: {BANK}" if arrives else "nothing of it is on board"
    assert f"Stopped by you; {held}." in at.err
    assert not at.json["verified"]


@pytest.mark.slow
def test_a_bad_radio_delays_and_changes_nothing(at: Terminal) -> None:
    at.put("FirmwareIAPObj", CPUSerial=[0xA1] * 12, BoardType=9, BoardRevision=3)
    file = exported(at)
    at.put(BANK, RollMax=41)
    at.put("MixerSettings", MixerValueRoll=70)
    at.through = lambda link: FaultyLink(link, Faults(loss=0.05, doubling=0.05), monotonic_s)
    assert at.run("apply", file, AT, "--save", "--json") == 0
    assert at.json["verified"]
    at.through = lambda link: link
    assert at.run("diff", file, AT, "--json") == 0
    assert at.json["changed"] == []


# objects that stay silent


@pytest.mark.slow
def test_an_object_without_answer_is_missing_and_told(
    at: Terminal, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("telemetry.protocol.session.fetch.SETTINGS_ROUNDS", 1)
    wanted = at.board.named("MixerSettings").object_id

    class Deaf(BoardLink):
        def write(self, data: bytes) -> None:
            if wanted.to_bytes(4, "little") not in data:
                super().write(data)

    at.through = lambda _link: Deaf(catalogue, at.board)
    assert at.run("export", AT, "--out", "x.uav") == 1
    assert "MixerSettings is missing in it: the board did not answer for it." in at.err
    assert at.run("diff", "x.uav", "x.uav", "--json") == 0
    assert at.json["same"] > 0


def test_progress_is_told_once_per_step_and_taken_away(catalogue: Catalogue) -> None:
    told: list[str] = []
    board = small_board(catalogue)
    with Headless(
        AT, lambda _a: BoardLink(catalogue, board), catalogue, tell=told.append
    ) as remote:
        remote.fetch_all()
    assert told[-1] == ""
    assert all(one != other for one, other in pairwise(told))


def test_who_gets_no_answer_hears_why_the_last_call_ended(catalogue: Catalogue) -> None:
    """Though a second call is open by then, of which nothing can be said yet."""
    calls = chain([LinkError("The line was taken.")], (pair()[0] for _ in count()))

    def open_link(_address: str) -> Link:
        call = next(calls)
        if isinstance(call, LinkError):
            raise call
        return call

    remote = Headless("test:taken", open_link, catalogue, patience_s=1.5)
    with remote, pytest.raises(NoAnswerError, match="test:taken\\. The line was taken"):
        remote.reach()


def test_a_firmware_that_does_not_say_who_it_is_can_be_set_anyway(
    at: Terminal, catalogue: Catalogue
) -> None:
    at.board = MemoryBoard(
        d for d in small_board(catalogue).definitions.values() if d.name != "FirmwareIAPObj"
    )
    assert at.run("set", AT, f"{BANK}.RollMax=41") == 0
    assert at.value(f"{BANK}.RollMax") == 41


@pytest.mark.parametrize("number", ["nan", "inf", "-inf"])
def test_what_is_no_number_is_never_sent(at: Terminal, number: str) -> None:
    Path("x.uav").write_text(
        f'<uavobjects><settings><object name="{BANK}"><field name="RollRatePID" '
        f'values="{number},0.0065,0.000033,0.3"/></object></settings></uavobjects>'
    )
    assert at.run("apply", "x.uav", AT, "--only", BANK, "--json") == 1
    assert f"takes a number, not {number}" in at.json["results"][0]["reason"]
    assert at.value(KP) == pytest.approx(0.003)


@pytest.mark.slow
def test_a_board_that_holds_no_number_is_exported_and_compared(at: Terminal) -> None:
    at.put(BANK, **{"RollRatePID.Kp": float("nan")})
    assert at.run("diff", exported(at), AT, "--json") == 0
    assert at.json["changed"] == []
    at.put(BANK)
    assert at.run("diff", "x.settings.toml", AT, "--json") == 0
    assert [(c["a"], c["b"]) for c in at.json["changed"]] == [("nan", 0.003)]

"""Settings in files: both formats give back what was written, to the bit."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.configuration.settings.difference import difference
from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.files import read_settings, write_settings
from telemetry.configuration.settings.identity import identity_in
from telemetry.configuration.settings.snapshot import ObjectValues, Snapshot, snapshot_of
from telemetry.configuration.settings.value_text import shortest, text_of
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from telemetry.recording.logs.reader import read_log
from tests.telemetry.configuration.settings.documents import WHO, document, one

CATALOGUE = load_catalogue()
SUFFIXES = (".uav", ".settings.toml")
BANK = "StabilizationSettingsBank1"


def through(path: Path, written: SettingsDocument) -> SettingsDocument:
    write_settings(path, written)
    return read_settings(path, CATALOGUE)


def assert_alike(a: Snapshot, b: Snapshot) -> None:
    """Not only no difference: the very same values of the very same objects."""
    found = difference(a, b)
    assert (found.changed, found.only_a, found.only_b, found.skipped) == ((), (), (), ())
    assert found.same == sum(len(values.values) for values in a.objects.values()) > 0
    for address, values in a.objects.items():
        assert dict(b.objects[address].values) == dict(values.values)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "release", ["LibrePilot-next-2019-02", "OpenPilot-14.06", "TauLabs-20151123", "dRonin-20180729"]
)
@pytest.mark.slow
def test_all_settings_of_a_release_come_back(tmp_path: Path, suffix: str, release: str) -> None:
    written = document(CATALOGUE, release)
    assert_alike(written.snapshot, through(tmp_path / f"x{suffix}", written).snapshot)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize(
    "name", ["openpilot-14.06-quad-2014-07-17.opl", "librepilot-next-session.opl"]
)
def test_settings_of_a_real_flight_come_back(
    tmp_path: Path, shared_logs: Path, name: str, suffix: str
) -> None:
    recording = read_log(shared_logs / name, CATALOGUE).recording
    taken = SettingsDocument(snapshot_of(recording, name), identity_in(recording))
    back = through(tmp_path / f"x{suffix}", taken)
    assert_alike(taken.snapshot, back.snapshot)
    assert (back.identity.board, back.identity.serial) == (
        taken.identity.board, taken.identity.serial,
    )  # fmt: skip


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_one_changed_value_is_one_difference(tmp_path: Path, suffix: str) -> None:
    back = through(tmp_path / f"x{suffix}", one(CATALOGUE, BANK, RollMax=41))
    found = difference(one(CATALOGUE, BANK, RollMax=40).snapshot, back.snapshot)
    assert [(c.path, c.a, c.b) for c in found.changed] == [("RollMax", 40, 41)]


@pytest.mark.slow
@given(number=st.floats(width=32))
@settings(max_examples=300, deadline=None)
def test_every_float_survives_as_text_to_the_bit(number: float) -> None:
    again = np.float32(float(text_of(number)))
    assert np.array_equal(again, np.float32(number), equal_nan=True)
    assert np.signbit(again) == np.signbit(np.float32(number)) or np.isnan(again)
    assert np.array_equal(np.float32(shortest(number)), np.float32(number), equal_nan=True)


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("number", [np.nan, np.inf, -0.0, 1e-45, 3.4028235e38, 0.1, 1 / 3])
def test_odd_floats_come_back_in_files(tmp_path: Path, suffix: str, number: float) -> None:
    written = one(CATALOGUE, BANK)
    values = {
        **written.snapshot.objects[BANK, 0].values,
        "RollRatePID.Kp": float(np.float32(number)),
    }
    objects = {(BANK, 0): replace(written.snapshot.objects[BANK, 0], values=values)}
    written = SettingsDocument(Snapshot("odd", objects))
    back = through(tmp_path / f"x{suffix}", written).snapshot
    value = back.objects[BANK, 0].values["RollRatePID.Kp"]
    assert np.float32(value).tobytes() == np.float32(number).tobytes()


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("text", ["", "Blue quad", "a,b", "1,2", 'é"<&>', "x" * 20, "12"])
def test_texts_come_back(tmp_path: Path, suffix: str, text: str) -> None:
    back = through(tmp_path / f"x{suffix}", one(CATALOGUE, "SystemSettings", VehicleName=text))
    assert back.snapshot.objects["SystemSettings", 0].values["VehicleName"] == text


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_instances_come_back(tmp_path: Path, suffix: str) -> None:
    """No settings object has instances in any release so far; files can hold them anyway."""
    first, second = one(CATALOGUE, BANK, RollMax=40), one(CATALOGUE, BANK, 1, RollMax=41)
    both = {**first.snapshot.objects, **second.snapshot.objects}
    back = through(tmp_path / f"x{suffix}", SettingsDocument(Snapshot("x", both)))
    assert back.snapshot.objects[BANK, 1].values["RollMax"] == 41


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_objects_that_nobody_knows_come_back_as_texts(tmp_path: Path, suffix: str) -> None:
    strange = ObjectValues("Strange", 0, {"A": "1.5", "B.0": "x", "B.1": "y"})
    back = through(
        tmp_path / f"x{suffix}", SettingsDocument(Snapshot("x", {("Strange", 0): strange}))
    )
    assert dict(back.snapshot.objects["Strange", 0].values) == strange.values


def test_our_own_format_keeps_what_is_to_be_known(tmp_path: Path) -> None:
    written = document(CATALOGUE)
    back = through(tmp_path / "x.settings.toml", written)
    assert (back.identity, back.aircraft, back.date, back.purpose, back.note) == (
        WHO, written.aircraft, written.date, written.purpose, written.note,
    )  # fmt: skip


def test_our_own_format_is_readable(tmp_path: Path) -> None:
    path = tmp_path / "x.settings.toml"
    write_settings(path, document(CATALOGUE))
    text = path.read_text(encoding="utf-8")
    assert 'board_name = "Revolution"' in text
    assert "[objects.StabilizationSettingsBank1.RollRatePID]\nKp = 0.003\n" in text
    assert 'AirframeType = "QuadX"' in text


def test_the_peers_format_names_board_and_firmware_as_they_do(tmp_path: Path) -> None:
    path = tmp_path / "x.uav"
    write_settings(path, document(CATALOGUE))
    text = path.read_text(encoding="utf-8")
    assert text.startswith("<!DOCTYPE UAVObjects>\n<uavobjects>")
    assert '<hardware type="9" revision="3" serial="1b0035001147333231343239"/>' in text
    assert 'date="20160901 12:00" hash="8c101adc" uavo="c16640bc"' in text
    assert '<object name="SystemSettings" id="0x74AB3A70">' in text
    back = read_settings(path, CATALOGUE).identity
    assert (back.board, back.firmware, back.firmware_date) == (
        WHO.board, WHO.firmware, WHO.firmware_date,
    )  # fmt: skip


def test_a_file_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.uav"
    write_settings(path, one(CATALOGUE, BANK, RollMax=40))
    before = path.read_bytes()

    def fails(_number: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", fails)
    with pytest.raises(OSError, match="No space"):
        write_settings(path, one(CATALOGUE, BANK, RollMax=41))
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_suffix_that_says_nothing_is_refused(tmp_path: Path) -> None:
    with pytest.raises(SettingsError, match=r"must end with \.uav"):
        write_settings(tmp_path / "x.txt", document(CATALOGUE))
    (tmp_path / "x.txt").write_text("")
    with pytest.raises(SettingsError, match="rename it"):
        read_settings(tmp_path / "x.txt", CATALOGUE)
    with pytest.raises(SettingsError, match="cannot be read"):
        read_settings(tmp_path / "none.uav", CATALOGUE)


def test_an_enormous_file_is_not_even_read(tmp_path: Path) -> None:
    path = tmp_path / "x.uav"
    with path.open("wb") as file:
        file.truncate(5 << 20)
    with pytest.raises(SettingsError, match="larger than 4 MB"):
        read_settings(path, CATALOGUE)


def test_a_catalogue_of_a_test_is_that_of_the_program(catalogue: Catalogue) -> None:
    assert catalogue.release_names == CATALOGUE.release_names

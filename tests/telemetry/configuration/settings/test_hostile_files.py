"""Whatever bytes a settings file holds, reading it gives settings or one sentence."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.toml_file import read_settings_file, write_settings_file
from telemetry.configuration.settings.uav_file import read_uav, write_uav
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue
from tests.telemetry.configuration.settings.documents import one

CATALOGUE = load_catalogue()
BANK = "StabilizationSettingsBank1"
Read = Callable[[bytes, str, Catalogue], SettingsDocument]
FORMATS = {
    "uav": (read_uav, write_uav(one(CATALOGUE, BANK))),
    "toml": (read_settings_file, write_settings_file(one(CATALOGUE, BANK))),
}

cuts = st.tuples(st.floats(0, 1), st.floats(0, 0.05), st.binary(max_size=12))


def damaged(data: bytes, wounds: list[tuple[float, float, bytes]]) -> bytes:
    """Some spans replaced by other bytes."""
    for place, length, other in wounds:
        start = int(place * len(data))
        data = data[:start] + other + data[start + int(length * len(data)) :]
    return data


def read_or_refuse(read: Read, data: bytes) -> None:
    refusal = ""
    try:
        read(data, "x", CATALOGUE)
    except SettingsError as error:
        refusal = str(error)
    assert refusal == "" or (refusal.startswith("x") and "\n" not in refusal)


@pytest.mark.slow
@pytest.mark.parametrize("kind", FORMATS)
@given(wounds=st.lists(cuts, min_size=1, max_size=4))
@settings(max_examples=200, deadline=None)
def test_damage_is_read_around_or_refused(
    kind: str, wounds: list[tuple[float, float, bytes]]
) -> None:
    read, data = FORMATS[kind]
    read_or_refuse(read, damaged(data, wounds))


@pytest.mark.parametrize("kind", FORMATS)
@given(data=st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_rubbish_is_refused(kind: str, data: bytes) -> None:
    read_or_refuse(FORMATS[kind][0], data)


@pytest.mark.parametrize("kind", FORMATS)
def test_a_torn_file_is_refused_wherever_it_is_torn(kind: str) -> None:
    read, data = FORMATS[kind]
    refused = 0
    for end in range(0, len(data), 97):
        try:
            read(data[:end], "x", CATALOGUE)
        except SettingsError:
            refused += 1
    # Of a table of lines the beginning may be whole; of XML it never is.
    assert refused == len(range(0, len(data), 97)) if kind == "uav" else refused > 0

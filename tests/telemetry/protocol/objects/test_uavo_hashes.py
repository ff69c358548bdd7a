"""With which objects a firmware was built, against what boards and flights told."""

import hashlib
from pathlib import Path

import pytest

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.uavo_hashes import definitions_hash, release_of_hash


@pytest.mark.parametrize(
    ("told", "release"),
    [
        ("c16640bc7d66645e6bef1e8d042b7c7b8f7af373", "LibrePilot-next-2019-02"),  # fw_simposix
        ("BED2641E417BE160DE7926C86434223FB9535AC9", "OpenPilot-14.06-RC3"),  # a flight of 2014
        ("c16640bc7d66645e6bef1e8d042b7c7b8f7af374", ""),
        ("", ""),
    ],
)
def test_what_boards_told_is_found(told: str, release: str) -> None:
    assert release_of_hash(told) == release


def test_releases_are_called_as_the_catalogue_calls_them() -> None:
    told = {release_of_hash(h) for h in ("c16640bc7d66645e6bef1e8d042b7c7b8f7af373",)}
    assert told <= set(load_catalogue().release_names)


def test_a_folder_is_hashed_by_file_name_and_unix_line_ends(tmp_path: Path) -> None:
    (tmp_path / "b.xml").write_bytes(b"<two>\r\n</two>\r\n")
    (tmp_path / "a.xml").write_bytes(b"<one/>\n")
    (tmp_path / "notes.txt").write_bytes(b"no definition")
    parts = [hashlib.sha1(text).hexdigest() for text in (b"<one/>\n", b"<two>\n</two>\n")]
    assert definitions_hash(tmp_path) == hashlib.sha1("".join(parts).encode()).hexdigest()


def test_a_folder_without_definitions_has_no_hash(tmp_path: Path) -> None:
    assert definitions_hash(tmp_path) == ""

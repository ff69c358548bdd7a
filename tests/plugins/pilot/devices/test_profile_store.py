"""Profiles of devices, which several windows keep in one file."""

from pathlib import Path

from plugins.pilot.devices.default_profiles import program_profile
from plugins.pilot.devices.profile_store import EVERY_AIRCRAFT, ProfileStore
from plugins.pilot.devices.source import DeviceKind

PAD = DeviceKind("A pad", "0500")


def test_two_windows_keep_what_the_other_has_set_up(tmp_path: Path) -> None:
    one, other = ProfileStore(tmp_path), ProfileStore(tmp_path)
    profile = program_profile()
    assert one.profile(PAD, "0a") is other.profile(PAD, "0a") is None
    assert one.save(PAD, "0a", profile)
    assert other.save(PAD, "0b", profile)
    assert one.save(PAD, EVERY_AIRCRAFT, profile)
    assert other.save(PAD, "0a", None)
    kept = ProfileStore(tmp_path)
    assert kept.profile(PAD, "0b") == kept.profile(PAD, EVERY_AIRCRAFT) == profile
    assert other.profile(PAD, EVERY_AIRCRAFT) == profile

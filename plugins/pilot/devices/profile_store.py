"""Profile store: a file for each make of device, for all aircraft and for some."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from plugins.pilot.devices.profile import Profile
from plugins.pilot.devices.profile_file import pack_profile, parse_profile
from plugins.pilot.devices.source import DeviceKind
from telemetry.base import safe_files
from telemetry.base.safe_files import Json
from telemetry.base.text_formats import FormatError

VERSION: Final = 1
EVERY_AIRCRAFT: Final = ""
"""The key of the profile that counts for aircraft without one of their own."""
_MOST_AIRCRAFT: Final = 200
_LONGEST_NAME: Final = 40


@dataclass(frozen=True, slots=True)
class KeptProfiles:
    """What is kept for one make of device, by the aircraft's key."""

    profiles: dict[str, Profile] = field(default_factory=dict)


class ProfileStore:
    """Profiles by device and aircraft. For the GUI thread only.

    `problem` is a sentence about the last call that names the file; empty if all went well.
    """

    def __init__(self, folder: Path | None) -> None:
        """`folder` None keeps them in memory only."""
        self.problem = ""
        self.version = 0
        """Differs once something was saved."""
        self._folder = folder
        self._kept: dict[str, KeptProfiles] = {}

    def profile(self, kind: DeviceKind, aircraft: str) -> Profile | None:
        """What a device flies an aircraft by: its own profile, that for every aircraft, the one its
        maker's layout gives, or None if nobody has set it up."""
        kept = self._read(kind.guid).profiles
        return kept.get(aircraft) or kept.get(EVERY_AIRCRAFT) or kind.standard

    def save(self, kind: DeviceKind, aircraft: str, profile: Profile | None) -> bool:
        """Keep a profile, or forget it; False, with the reason in `problem`, if the disk does not
        take it."""
        kept = _changed(self._read(kind.guid).profiles, aircraft, profile)

        def new(value: Json) -> Json:
            """What another window has kept for other aircraft stays."""
            nonlocal kept
            if value:
                kept = _changed(_parse(value).profiles, aircraft, profile)
            packed = {key: pack_profile(each) for key, each in kept.items()}
            return {"device": kind.name, "guid": kind.guid, "profiles": packed}

        self.problem = ""
        if self._folder is not None:
            path = self._path(self._folder, kind.guid)
            try:
                self.problem = safe_files.change(path, new, VERSION, check=_parse)
            except OSError as error:
                self.problem = f"{path} cannot be written ({error.strerror})."
                return False
        self._kept[kind.guid] = KeptProfiles(kept)
        self.version += 1
        return True

    def _read(self, guid: str) -> KeptProfiles:
        if guid not in self._kept:
            self._kept[guid] = self._load(guid)
        return self._kept[guid]

    def _load(self, guid: str) -> KeptProfiles:
        if self._folder is None:
            return KeptProfiles()
        path = self._path(self._folder, guid)
        stored = safe_files.load(path, check=_parse, otherwise="The device counts as not set up.")
        self.problem = stored.problem
        return KeptProfiles() if stored.value is None else _parse(stored.value)

    @staticmethod
    def _path(folder: Path, guid: str) -> Path:
        """A name for what a device says of itself: two that look alike in it differ by a hash."""
        name = re.sub(r"[^A-Za-z0-9-]+", "-", guid)[:_LONGEST_NAME]
        if name != guid:
            name += f"-{hashlib.sha256(guid.encode('utf-8', 'replace')).hexdigest()[:8]}"
        return folder / f"{name}.json"


def _changed(
    kept: Mapping[str, Profile], aircraft: str, profile: Profile | None
) -> dict[str, Profile]:
    others = {key: each for key, each in kept.items() if key != aircraft}
    return others if profile is None else {**others, aircraft: profile}


def _parse(data: Json) -> KeptProfiles:
    profiles = data.get("profiles")
    if not isinstance(profiles, dict) or len(profiles) > _MOST_AIRCRAFT:
        raise FormatError("profiles must be a JSON object")
    return KeptProfiles({key: parse_profile(value) for key, value in profiles.items()})

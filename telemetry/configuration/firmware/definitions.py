"""Definitions of a firmware: whether its objects are known before it is uploaded, in words."""

from pathlib import Path

from telemetry.base.finding import Finding, Level, warning
from telemetry.protocol.objects.uavo_hashes import definitions_hash, release_of_hash

_SHOWN_DIGITS = 8


def definitions_finding(uavo_hash: str, own: Path) -> Finding:
    """What is known of the objects of a firmware with this hash; `own` is the user's folder of
    definition files. Only the hash is compared."""
    if not uavo_hash.strip("0"):
        return warning("no-hash", "It does not say with which objects it was built.")
    release = release_of_hash(uavo_hash)
    if release:
        return Finding(Level.OK, "release", f"Its objects are those of {release}.")
    if _is_of_folder(uavo_hash, own):
        return Finding(Level.OK, "own", f"Its objects are those of your definition files in {own}.")
    return warning(
        "unknown-hash",
        f"Its objects (hash {uavo_hash[:_SHOWN_DIGITS]}) are those of no release that Lapwing "
        "knows by its hash. What is unlike all releases would be kept, but not understood.",
        f"Put all definition files of its sources (shared/uavobjectdefinition) into {own}.",
    )


def _is_of_folder(uavo_hash: str, own: Path) -> bool:
    try:
        return own.is_dir() and definitions_hash(own) == uavo_hash.lower()
    except OSError:
        return False

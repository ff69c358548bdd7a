"""Our packages' names, and what foreign code stands or may have been put in their places.

Imported before anything of ours is known to be ours, hence by nothing but the standard library.
"""

from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("app", "plugins", "widgets", "telemetry", "simulation", "resources")
REMEDY = (
    "Install Lapwing into an environment of its own (pipx or uv tool, see README.md), "
    "or uninstall what brought it."
)
_HOME = Path(__file__).resolve().parent


def foreign_package() -> str:
    """A sentence naming what would be imported instead of one of our packages; "" if nothing."""
    for name in PACKAGES:
        spec = find_spec(name)
        places = list(spec.submodule_search_locations or [str(spec.origin)]) if spec else []
        if not places:
            return f"its package '{name}' is missing. Install Lapwing again."
        if Path(places[0]).resolve() != _HOME / name:
            return f"{places[0]} stands in the place of Lapwing's package '{name}'. {REMEDY}"
    return ""


def shared_packages() -> str:
    """A sentence naming what else is installed under a name of ours, whose files may have
    replaced ours; "" if nothing. Reads the lists of all that is installed."""
    from importlib.metadata import distributions

    owners: dict[str, set[str]] = {}
    for distribution in distributions():
        # Where no top level is named, its files tell. (packages_distributions() makes a Path of
        # each of them, and reads all metadata for the name: ten times as long.)
        named = distribution.read_text("top_level.txt")
        files = "" if named else distribution.read_text("RECORD") or ""
        tops = named.split() if named else {line.partition("/")[0] for line in files.splitlines()}
        for name in set(PACKAGES).intersection(tops):
            owners.setdefault(name, set()).add(distribution.name)
    for name in PACKAGES:
        if others := sorted(owners.get(name, set()) - {"lapwing"}):
            return f"'{name}' is also a package of {', '.join(others)}. {REMEDY}"
    return ""

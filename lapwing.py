"""The `lapwing` command: keeps foreign code away, then runs `app.cli`.

The packages of Lapwing have everyday names such as `app` and `plugins` (ARCHITECTURE.md,
Decisions). Therefore PYTHONPATH, the current folder and the folder of the command are no places
to import from, neither here nor in the processes started from here, and a foreign package in the
place of one of ours is named. Imports only the standard library.
"""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

PACKAGES = ("app", "plugins", "widgets", "telemetry", "simulation", "resources")
REMEDY = (
    "Install Lapwing into an environment of its own (pipx or uv tool, see README.md), "
    "or uninstall what brought it."
)
_HOME = Path(__file__).resolve().parent
_STANDARD_LIBRARY = Path(os.__file__).resolve().parent


def main() -> int:
    """Run Lapwing with the arguments of this process; return the exit code."""
    isolate()
    if problem := foreign_package():
        print(f"lapwing: {problem}", file=sys.stderr)
        return 2
    try:
        from app.cli import main as run
    except ImportError as error:
        if not (problem := shared_packages()):
            raise
        print(f"lapwing: {problem} ({error})", file=sys.stderr)
        return 2
    return run()


def isolate() -> None:
    """Have modules looked for in the standard library and among what is installed only."""
    entries = os.environ.pop("PYTHONPATH", "").split(os.pathsep)
    entries += ["", str(Path(sys.argv[0]).parent)]
    foreign = {Path(entry).resolve() for entry in entries}
    foreign -= {_HOME, _STANDARD_LIBRARY}
    sys.path[:] = [entry for entry in sys.path if Path(entry).resolve() not in foreign]


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
    from importlib.metadata import packages_distributions

    owners = packages_distributions()
    for name in PACKAGES:
        if others := sorted(set(owners.get(name, ())) - {"lapwing"}):
            return f"'{name}' is also a package of {', '.join(others)}. {REMEDY}"
    return ""


if __name__ == "__main__":
    sys.exit(main())

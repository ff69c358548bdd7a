"""The `lapwing` command: keeps foreign code away, then runs `app.cli`.

The packages of Lapwing have everyday names such as `app` and `plugins` (ARCHITECTURE.md,
Decisions). Therefore PYTHONPATH, the current folder and the folder of the command are no places
to import from, neither here nor in the processes started from here, and a foreign package in the
place of one of ours is named (`lapwing_packages`).
"""

import os
import sys
from pathlib import Path

from lapwing_packages import foreign_package, shared_packages

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


if __name__ == "__main__":
    sys.exit(main())

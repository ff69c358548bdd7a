"""Exit codes of the simulator's commands, and their sentences on standard error."""

import sys
from typing import Final

BAD_INPUT: Final = 1
"""Something given cannot be used, or the scenario failed."""
BAD_ENVIRONMENT: Final = 2
"""This machine refuses."""
INTERRUPTED: Final = 130


def tell(sentence: str) -> None:
    """Say it to the user, beside what is printed."""
    print(f"lapwing sim: {sentence}", file=sys.stderr, flush=True)

"""The installation: the folder that holds Lapwing's packages, and the data files among them."""

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
"""Where the packages stand: a checkout, or an environment's site-packages."""
RESOURCES: Final = ROOT / "resources"

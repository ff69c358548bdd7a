"""Table of pictures: what each shows, as data."""

import json
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "docs" / "pictures"
LARGEST_BYTES = 150_000
USUAL_SIZE = (1366, 768)


@dataclass(frozen=True)
class Picture:
    """`state` is a function of states.py, `target` an address, or a flight of flights.py. The
    window shows a workspace, or one made of nothing but `panels`."""

    name: str
    theme: str
    target: str
    state: str
    workspace: str = ""
    panels: tuple[str, ...] = ()
    size: tuple[int, int] = USUAL_SIZE
    at_s: float | None = None

    @property
    def path(self) -> Path:
        return FOLDER / f"{self.name}.png"


def pictures() -> list[Picture]:
    rows = json.loads(Path(__file__).with_name("table.json").read_text(encoding="utf-8"))
    kept = {"panels": tuple, "size": tuple}
    return [Picture(**{k: kept.get(k, lambda v: v)(v) for k, v in row.items()}) for row in rows]

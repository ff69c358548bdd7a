"""True lines of films: the file that has them, and how far off lines are that were found.

A line is a JSON object: `offset_s`, `rate`, and from when to when of the medium it holds.
"""

import json
from pathlib import Path
from typing import Any

Json = dict[str, Any]


def truth_file(video: Path) -> Path:
    """Where it stands what is true of a film; it appears once the film is whole."""
    return video.with_name(f"{video.name}.truth.json")


def read_truth(video: Path) -> Json:
    """What is true of a film."""
    content: Json = json.loads(truth_file(video).read_text(encoding="utf-8"))
    return content


def write_truth(video: Path, truth: Json) -> None:
    """Say what is true of a film that is whole."""
    truth_file(video).write_text(json.dumps(truth, indent=1), encoding="utf-8")


def line_at(found: Json, medium_s: float) -> Json | None:
    """The line that was found for a time of the medium; None where there is none. One that has no
    beginning or end goes on."""
    for line in found["pieces"]:
        start_s, end_s = line["medium_start_s"], line["medium_end_s"]
        if (start_s is None or start_s <= medium_s) and (end_s is None or medium_s < end_s):
            return dict(line)
    return None


def middle_s(piece: Json) -> float:
    """The middle of a true line."""
    return float(piece["medium_start_s"] + piece["medium_end_s"]) / 2


def error_s(line: Json, piece: Json, medium_s: float) -> float:
    """By how much a line that was found is off a true one at a time of the medium."""
    log_s = (medium_s - piece["offset_s"]) / piece["rate"]
    return abs(float(line["offset_s"] + line["rate"] * log_s - medium_s))

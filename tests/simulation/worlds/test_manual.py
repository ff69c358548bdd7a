"""The manual lists what there is."""

from pathlib import Path

from simulation.worlds.video_faults import FAULTS, VideoFaults

MANUAL = Path(__file__).resolve().parents[3] / "simulation" / "worlds" / "README.md"


def test_every_fault_is_in_the_manual_and_has_a_default() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    named = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert named == list(FAULTS)
    assert set(VideoFaults.__slots__) == set(FAULTS)

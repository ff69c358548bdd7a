"""The manual lists what there is."""

from pathlib import Path

from simulation.worlds.make_scene import make_scene
from simulation.worlds.patterns import PATTERNS
from simulation.worlds.sceneries import SCENERIES
from simulation.worlds.video_faults import FAULTS, VideoFaults
from simulation.worlds.world_file import SCHEMAS, load_world, world_names
from telemetry.base.installation import ROOT

MANUAL = ROOT / "simulation" / "worlds" / "README.md"
WORLDS = ROOT / "resources" / "worlds" / "README.md"


def test_every_fault_is_in_the_manual_and_has_a_default() -> None:
    text = MANUAL.read_text(encoding="utf-8")
    named = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert named == list(FAULTS)
    assert set(VideoFaults.__slots__) == set(FAULTS)


def test_the_manual_of_worlds_names_every_key_pattern_and_world() -> None:
    text = WORLDS.read_text(encoding="utf-8")
    keys = [key for schema in SCHEMAS for key in schema]
    for name in (*keys, *PATTERNS, *SCENERIES, *world_names()):
        assert f"`{name}`" in text or f'"{name}"' in text, name


def test_the_example_of_the_manual_is_a_world(tmp_path: Path) -> None:
    text = WORLDS.read_text(encoding="utf-8")
    example = text.split("```toml\n")[1].split("```")[0]
    (tmp_path / "world.toml").write_text(example, encoding="utf-8")
    scene = make_scene(load_world(tmp_path))
    assert scene.segments().names == ("ground", "table", "hall")

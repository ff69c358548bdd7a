"""List of worlds, for the command line."""

from typing import Any

from simulation.worlds.world_file import load_world, world_names


def as_rows() -> list[dict[str, Any]]:
    """Name, title, start places, and the values of the scenery that can be asked for."""
    worlds = [load_world(name) for name in world_names()]
    return [
        {
            "name": world.name,
            "title": world.title,
            "starts": [start.name for start in world.starts],
            "values": dict(world.scenery.values) if world.scenery else {},
        }
        for world in worlds
    ]


def as_lines() -> list[str]:
    """A few lines for each."""
    lines = []
    for row in as_rows():
        lines.append(f"{row['name']:12}{row['title']}")
        lines.append(f"{'':12}{row['name']}:start={', '.join(row['starts'])}")
        if row["values"]:
            values = ",".join(f"{key}={value}" for key, value in row["values"].items())
            lines.append(f"{'':12}{row['name']}:{values}")
    return [*lines, "", "For one of your own give its folder, with a world.toml in it."]

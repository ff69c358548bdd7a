"""Index maker (`make index`): writes the ids of the shipped definitions anew.

To be called after one was added or changed."""

from telemetry.protocol.objects.catalogue import COMPACT_FILE, DEFAULT_FOLDER
from telemetry.protocol.objects.compact import CompactDefinitions
from telemetry.protocol.objects.definition_xml import parse_definition
from telemetry.protocol.objects.id_index import write_ids


def computed_ids() -> dict[str, list[int]]:
    """What the index has to say: the ids of each source, computed from its definitions."""
    return {
        DEFAULT_FOLDER.name: [
            parse_definition(path.read_text(encoding="utf-8"), str(path)).object_id
            for path in sorted(DEFAULT_FOLDER.glob("*.xml"))
        ],
        COMPACT_FILE.name: [each.object_id for each in CompactDefinitions(COMPACT_FILE).all()],
    }


if __name__ == "__main__":
    write_ids(DEFAULT_FOLDER.parent, computed_ids())

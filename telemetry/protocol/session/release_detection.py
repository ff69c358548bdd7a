"""Release detection of an aircraft, by the ids it sends and those it refuses."""

from collections.abc import Set

from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, likeness


def detect_release(catalogue: Catalogue, seen: Set[int], refused: Set[int], tag: str = "") -> str:
    """The release that fits best; the default one as long as nothing speaks against it.

    Most ids seen decide; of equals, fewest ids refused, because firmware builds leave objects
    out; then what the firmware's `tag` says; then the fewest other objects.
    """
    default_ids = catalogue.ids(DEFAULT_RELEASE)
    if seen <= default_ids and not refused & default_ids:
        return DEFAULT_RELEASE
    scores = {}
    for name in catalogue.release_names:
        ids = catalogue.ids(name)
        is_default = name == DEFAULT_RELEASE
        scores[name] = (
            len(seen & ids),
            -len(refused & ids),
            likeness(tag, name),
            is_default,
            -len(ids),
        )
    return max(scores, key=lambda name: scores[name])

"""Catalogue of definitions by object id, for every version of every release side by side.

An id is a hash of the definition, so versions never clash and no firmware release is built in.
It hashes neither defaults nor units, limits and names of elements: in these, releases differ
under one id, so whoever knows which release an aircraft runs asks by id and release.
Definitions come from three places, asked in this order: folders of the user's own definition
files, the definition files of `DEFAULT_RELEASE`, and the compact resource of all releases. A
definition is read when it is first needed: constructing a catalogue costs next to nothing.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import cache, cached_property
from itertools import chain
from pathlib import Path

from telemetry.base.installation import RESOURCES
from telemetry.protocol.objects.compact import CompactDefinitions
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.definition_folder import DefinitionFolder
from telemetry.protocol.objects.definition_xml import DefinitionError

DEFAULT_RELEASE = "LibrePilot-next-2019-02"
_LONGEST_WORD = 100
_MANY = 1 << 16
_OBJECTS = RESOURCES / "objects"
DEFAULT_FOLDER = _OBJECTS / "librepilot-next"
COMPACT_FILE = _OBJECTS / "catalogue.json.xz"


class UnknownObjectError(ValueError):
    """No definition has the name or id that was asked for.

    What may have been meant is looked for when the text is read, which takes long: a file may
    name thousands of objects that nobody knows.
    """

    def __init__(self, what: str, near: Callable[[], str] = str) -> None:
        super().__init__(what)
        self._near = near

    def __str__(self) -> str:
        return f"{self.args[0]}{self._near()}"


class DefinitionSet:
    """Definitions that are there already."""

    def __init__(self, name: str, definitions: Iterable[ObjectDefinition]) -> None:
        self.name = name
        self.errors: tuple[DefinitionError, ...] = ()
        self._all = tuple(sorted(definitions, key=lambda definition: definition.name))
        self._by_name = {definition.name.lower(): definition for definition in self._all}
        self._by_id = {definition.object_id: definition for definition in self._all}

    @property
    def ids(self) -> frozenset[int]:
        """The ids of all its definitions."""
        return frozenset(self._by_id)

    def all(self) -> tuple[ObjectDefinition, ...]:
        """Every definition, ordered by name."""
        return self._all

    def named(self, name: str) -> ObjectDefinition | None:
        """The definition called `name` (letter case aside)."""
        return self._by_name.get(name.lower())

    def with_id(self, object_id: int) -> ObjectDefinition | None:
        """The definition with this id."""
        return self._by_id.get(object_id)


DefinitionSource = DefinitionFolder | DefinitionSet
"""Definitions of the user's or of a log; its `name` is like that of a release."""


class Catalogue:
    """Finds definitions by id, by name and by release."""

    def __init__(
        self,
        user_folders: Sequence[DefinitionSource],
        default: DefinitionFolder,
        compact: CompactDefinitions,
    ) -> None:
        self._user_folders = tuple(user_folders)
        self._default = default
        self._compact = compact
        self._found: dict[tuple[str, str], ObjectDefinition] = {}

    def with_own(self, *sources: DefinitionSource) -> "Catalogue":
        """The same, with more definitions that are asked before all others."""
        return Catalogue((*sources, *self._user_folders), self._default, self._compact)

    def take(self, sources: Iterable[DefinitionSource]) -> None:
        """Know these definitions from now on, before all others, wherever this catalogue is used:
        for an aircraft that is heard already. From one thread; others may ask meanwhile."""
        self._user_folders = (*sources, *self._user_folders)
        self._found = {}
        for derived in ("release_names", "_release_ids"):
            self.__dict__.pop(derived, None)

    def is_shipped(self, definition: ObjectDefinition) -> bool:
        """Whether some release that comes with Lapwing says the same, in whatever words."""
        object_id, wanted = definition.object_id, _without_words(definition)
        releases = self._compact.release_names
        found = (self._compact.with_id(object_id, name) for name in releases)
        return any(
            one is not None and _without_words(one) == wanted
            for one in chain((self._default.with_id(object_id),), found)
        )

    @property
    def warnings(self) -> tuple[DefinitionError, ...]:
        """What was wrong with definition files of the user; the other files were read."""
        return tuple(error for folder in self._user_folders for error in folder.errors)

    @cached_property
    def release_names(self) -> tuple[str, ...]:
        """The user's folders, then the releases by family, the newest of each family first."""
        own = (folder.name for folder in self._user_folders)
        return tuple(dict.fromkeys((*own, *self._compact.release_names)))

    def get(self, object_id: int, release: str = "") -> ObjectDefinition | None:
        """The data or settings object with this id (metaobjects: `metadata.metaobject`).

        As `release` says it, where that has it; else as the user's definitions, the default
        release or the newest one does.
        """
        found = self._in_release(object_id, release) if release else None
        if found is not None:
            return found
        for folder in (*self._user_folders, self._default):
            found = folder.with_id(object_id)
            if found is not None:
                return found
        return self._compact.with_id(object_id)

    def _in_release(self, object_id: int, release: str) -> ObjectDefinition | None:
        folder = self._folder(release)
        return folder.with_id(object_id) if folder else self._compact.with_id(object_id, release)

    def _folder(self, release: str) -> DefinitionSource | None:
        """The folder that holds a release's definitions; None if the compact resource does."""
        folders = (*self._user_folders, self._default)
        return next((folder for folder in folders if folder.name == release), None)

    def ids(self, release: str) -> frozenset[int]:
        """The ids of the objects of one release; none of a release that nobody knows."""
        folder = self._folder(release)
        return folder.ids if folder else self._compact.ids(release)

    def find(self, name_or_id: str, release: str | None = None) -> ObjectDefinition:
        """The definition with this name (letter case aside) or hexadecimal id.

        A name without a release means the user's definition of it, else that of the default
        release, else the newest. Raises UnknownObjectError.
        """
        if release is not None:
            key, found_before = (name_or_id, release), self._found  # which `take` replaces
            if key not in found_before:
                found_before[key] = self._find_in(name_or_id, release)
            return found_before[key]
        for definition in self._versions(name_or_id):
            return definition
        object_id = _parse_id(name_or_id)
        found = self.get(object_id) if object_id is not None else None
        if found is None:
            raise UnknownObjectError(
                f"no object has the name or id '{name_or_id[:_LONGEST_WORD]}'",
                lambda: self._near(name_or_id),
            )
        return found

    def _near(self, name: str) -> str:
        names = (definition.name for definition in self._default.all())
        return _near(name, names) or "; `lapwing objects list` shows all"

    def _find_in(self, name_or_id: str, release: str) -> ObjectDefinition:
        object_id = _parse_id(name_or_id)
        for definition in self.release(release):
            if definition.name.lower() == name_or_id.lower():
                return definition
            if object_id is not None and definition.object_id == object_id:
                return definition
        raise UnknownObjectError(f"release {release} has no object '{name_or_id}'")

    def _versions(self, name: str) -> Iterator[ObjectDefinition]:
        """Every version of an object, the one most likely meant first."""
        for folder in (*self._user_folders, self._default):
            definition = folder.named(name)
            if definition is not None:
                yield definition
        yield from self._compact.versions(name)

    def named(self, name: str, ids: Iterable[int], release: str = "") -> ObjectDefinition | None:
        """The version of object `name` whose id is among `ids` (what an aircraft has), as
        `release` says it."""
        wanted = set(ids)
        for definition in self._versions(name):
            if definition.object_id in wanted:
                return self.get(definition.object_id, release)
        return None

    def explain(self, object_name: str, f: FieldDefinition) -> str:
        """What a field is for. A version that does not say takes the words that the user's
        definitions or the default release have for the field of that name; empty if none has.
        """
        if f.description:
            return f.description
        for folder in (*self._user_folders, self._default):
            known = folder.named(object_name)
            words = (
                known.field_named(f.name).description if known and known.has_field(f.name) else ""
            )
            if words:
                return words
        return ""

    def release(self, name: str) -> tuple[ObjectDefinition, ...]:
        """The definitions of one release, ordered by name; raises UnknownObjectError."""
        folder = self._folder(name)
        if folder is not None:
            return folder.all()
        if name not in self._compact.release_names:
            near = _near(name, self.release_names) or f"; the newest is {DEFAULT_RELEASE}"
            raise UnknownObjectError(f"no release is called '{name}'{near}")
        return self._compact.release(name)

    @cached_property
    def _release_ids(self) -> dict[str, frozenset[int]]:
        return {name: self.ids(name) for name in self.release_names}

    def releases_with(self, object_id: int) -> tuple[str, ...]:
        """The releases that have this version of an object."""
        return tuple(name for name, ids in self._release_ids.items() if object_id in ids)

    def best_release(self, object_ids: Iterable[int], tag: str = "") -> str | None:
        """The release that has most of these ids; of equals the one that the firmware's `tag`
        ("RELEASE-14.06-RC3") names, then the one that has the fewest others. Of releases of which
        most was not seen, as in a log of a few objects, it is the newest.

        Ids of metaobjects count for their object. None if no release has any of them.
        """
        seen = {object_id & 0xFFFFFFFE for object_id in object_ids}
        best, best_score = None, (0, 0, 0)  # the first of equals stays, which is the newest
        for name, ids in self._release_ids.items():
            common, others = len(seen & ids), len(ids - seen)
            score = common, likeness(tag, name), -others if common > others else -_MANY
            if score[0] and (best is None or score > best_score):
                best, best_score = name, score
        return best

    def release_of(self, tag: str) -> str:
        """The release that the firmware's `tag` names; empty if it names none."""
        best = max(self.release_names, key=lambda name: likeness(tag, name))
        return best if likeness(tag, best) else ""


def _without_words(definition: ObjectDefinition) -> ObjectDefinition:
    """What a definition says, without what is only there for people to read."""
    fields = tuple(replace(field, description="") for field in definition.fields)
    return replace(definition, fields=fields, description="", category="")


def likeness(tag: str, release: str) -> int:
    """How well the tag or branch of a firmware ("RELEASE-14.06-RC3", "next-dirty") names a release:
    2 if entirely, 1 if a part of it, else 0."""
    told = tag.casefold().removeprefix("release-").removesuffix("-dirty")
    version = release.partition("-")[2].casefold()
    return (2 if version == told else version.startswith(f"{told}-")) if told else 0


def load_catalogue(user_folders: Sequence[Path] = ()) -> Catalogue:
    """Open the catalogue; nothing is read before it is asked for.

    `user_folders` hold XML definition files of the user's own firmware; each folder counts as a
    release called like the folder. Files with errors end up in `Catalogue.warnings`.
    """
    return Catalogue([DefinitionFolder(path, path.name) for path in user_folders], *_shipped())


@cache
def _shipped() -> tuple[DefinitionFolder, CompactDefinitions]:
    """What every catalogue has: read once in a process, and never changed."""
    return (
        DefinitionFolder(DEFAULT_FOLDER, DEFAULT_RELEASE, by_file_name=True),
        CompactDefinitions(COMPACT_FILE),
    )


def _parse_id(text: str) -> int | None:
    try:
        return int(text, 16)
    except ValueError:
        return None


def _near(word: str, known: Iterable[str]) -> str:
    """The end of a refusal: what may have been meant."""
    near = get_close_matches(word[:_LONGEST_WORD], known, n=3, cutoff=0.5)
    return f"; is it {' or '.join(near)}?" if near else ""

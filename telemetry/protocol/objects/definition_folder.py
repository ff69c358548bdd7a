"""Definition folder: files with the objects of one firmware, one or more to a file."""

from functools import cached_property, partial
from pathlib import Path

from telemetry.base.input_files import files_in
from telemetry.base.text_formats import FormatError, read_limited
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition, is_name
from telemetry.protocol.objects.definition_xml import DefinitionError, parse_definitions
from telemetry.protocol.objects.id_index import stored_ids
from telemetry.protocol.objects.xml_tree import LARGEST_BYTES

_LONGEST_CHAIN = 16
"""Files that wait for each other's parents."""
_MOST_FILES = 5000


class DefinitionFolder:
    """Reads each file once, when one of its objects is asked for.

    With `by_file_name` every file holds one object and is called like it in small letters, so
    a single object can be found without reading the others: by its id too, if ids are kept.
    """

    def __init__(self, path: Path, name: str, *, by_file_name: bool = False) -> None:
        self.path = path
        self.name = name
        self._by_file_name = by_file_name
        self._files: dict[Path, tuple[ObjectDefinition, ...]] = {}
        self._known: dict[str, ObjectDefinition] = {}  # by the names that were asked for
        self._errors: dict[Path, DefinitionError] = {}

    @property
    def errors(self) -> tuple[DefinitionError, ...]:
        """What was wrong with files of this folder."""
        self.all()
        return tuple(self._errors[path] for path in sorted(self._errors))

    def all(self) -> tuple[ObjectDefinition, ...]:
        """Every definition of the folder, ordered by name."""
        return self._all

    def named(self, name: str) -> ObjectDefinition | None:
        """The definition called `name` (letter case aside)."""
        if not self._by_file_name:
            return self._by_name.get(name.lower())
        if name not in self._known:
            path = self.path / f"{name.lower()}.xml"
            if not is_name(name) or not path.is_file():
                return None
            self._known[name] = self._read(path)[0]
        return self._known[name]

    @property
    def ids(self) -> frozenset[int]:
        """The ids of all definitions of the folder."""
        return frozenset(self._files_by_id)

    def with_id(self, object_id: int) -> ObjectDefinition | None:
        """The definition with this id."""
        path = self._files_by_id.get(object_id)
        found = self._read(path) if path is not None else ()
        return next((each for each in found if each.object_id == object_id), None)

    @cached_property
    def _files_by_id(self) -> dict[int, Path]:
        known = stored_ids(self.path) if self._by_file_name else None
        if known is not None:
            return dict(zip(known, self._paths, strict=True))
        files = reversed(self._paths)
        return {each.object_id: path for path in files for each in self._read(path)}

    @cached_property
    def _all(self) -> tuple[ObjectDefinition, ...]:
        found = [definition for path in self._paths for definition in self._read(path)]
        return tuple(sorted(found, key=lambda definition: definition.name))

    @cached_property
    def _by_name(self) -> dict[str, ObjectDefinition]:
        return {definition.name.lower(): definition for definition in self._all}

    @cached_property
    def _paths(self) -> tuple[Path, ...]:
        try:
            files = files_in(self.path, _MOST_FILES)
        except FileNotFoundError:
            return ()
        except OSError as error:
            what = f"the folder cannot be read: {error.strerror or error}"
            self._errors[self.path] = DefinitionError(str(self.path), 0, what, "tidy it up")
            return ()
        return tuple(file for file in files if file.suffix == ".xml")

    def _read(self, path: Path, reading: tuple[Path, ...] = ()) -> tuple[ObjectDefinition, ...]:
        """The definitions of a file that is needed for the files in `reading`.

        What was read is kept only when it is complete, because several threads may ask at once.
        """
        if path not in self._files:
            found: tuple[ObjectDefinition, ...] = ()
            try:
                text = read_limited(path, LARGEST_BYTES).decode("utf-8")
                parent_field = partial(self._parent_field, (*reading, path))
                found = parse_definitions(text, str(path), parent_field)
            except DefinitionError as error:
                self._errors[path] = error
            except (OSError, UnicodeDecodeError, FormatError) as error:
                self._errors[path] = DefinitionError(
                    str(path), 0, f"the file cannot be read: {error}", "save it as UTF-8 text"
                )
            self._files[path] = found
        return self._files[path]

    def _parent_field(
        self, reading: tuple[Path, ...], object_name: str, field_name: str
    ) -> FieldDefinition | None:
        """A field of another object of this folder, for definitions that inherit from it.

        The files in `reading` wait for it, so it cannot be in them.
        """
        likely = self.path / f"{object_name.lower()}.xml"
        paths = [path for path in self._paths if path.name.lower() == likely.name] or self._paths
        for path in paths:
            if path in reading or len(reading) > _LONGEST_CHAIN:
                continue
            for definition in self._read(path, reading):
                if definition.name == object_name and definition.has_field(field_name):
                    return definition.field_named(field_name)
        return None

"""Manual: the pages of `docs/` in their order, what is found in them, and which is about what.

`docs/manual.json` names the pages and, by the ids of panels, pages of Configure and workspaces,
what each of them is read for; `*` stands for any end of an id, and the first line that fits counts.
"""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import Final

from telemetry.base.installation import ROOT

INDEX: Final = "index"
_TABLE: Final = "manual.json"
_INSTALLED: Final = f"share/doc/lapwing/{_TABLE}"
_HEADING: Final = re.compile(r"(#{1,3}) +(.+?)\s*$")


class NoManualError(Exception):
    """The pages are not there; the text is a sentence with the remedy."""


@dataclass(frozen=True, slots=True)
class ManualSection:
    """What stands below one heading, down to the next one. `level` is 1 for a page's title."""

    title: str
    level: int
    text: str


@dataclass(frozen=True, slots=True)
class ManualPage:
    """One page, as Markdown and by its sections, of which the first is the page's title."""

    name: str
    text: str
    sections: tuple[ManualSection, ...]

    @property
    def title(self) -> str:
        """Its first heading."""
        return self.sections[0].title if self.sections else self.name


@dataclass(frozen=True, slots=True)
class Manual:
    """All pages by name, the index first. `about` is which page is for what, in the table's order;
    pictures are looked for in `folder`."""

    folder: Path
    pages: Mapping[str, ManualPage]
    about: Mapping[str, str]

    def page_about(self, *names: str) -> str:
        """The page on the first of these ids that has one; "" for none."""
        for name in names:
            for pattern, page in self.about.items():
                if fnmatchcase(name, pattern):
                    return page
        return ""

    def search(self, words: str) -> list[tuple[str, str]]:
        """Page and section of each place where all words stand; none for no words."""
        wanted = words.casefold().split()
        return [
            (page.name, section.title)
            for page in self.pages.values()
            for section in page.sections
            if wanted and _holds(section, wanted)
        ]


def load_manual(folder: Path | None = None) -> Manual:
    """Read the manual in a folder, or the installed one. Raises NoManualError."""
    try:
        folder = folder or _manual_folder()
        table = json.loads((folder / _TABLE).read_text(encoding="utf-8"))
        names = (INDEX, *table["pages"])
        texts = {name: (folder / f"{name}.md").read_text(encoding="utf-8") for name in names}
    except OSError as error:
        raise NoManualError(
            f"The manual is not there ({error.strerror or error}). Install Lapwing again."
        ) from error
    pages = {name: ManualPage(name, text, tuple(_sections(text))) for name, text in texts.items()}
    return Manual(folder, pages, table["about"])


def _manual_folder() -> Path:
    """Where a checkout has it, or an environment that Lapwing was installed into."""
    beside = ROOT / "docs"
    if (beside / _TABLE).is_file():
        return beside
    try:
        files = distribution("lapwing").files or []
    except PackageNotFoundError:
        files = []
    for file in files:
        if file.as_posix().endswith(_INSTALLED):
            return Path(str(file.locate())).resolve().parent
    return beside


def _holds(section: ManualSection, words: list[str]) -> bool:
    text = f"{section.title}\n{section.text}".casefold()
    return all(word in text for word in words)


def _sections(text: str) -> Iterator[ManualSection]:
    """Cut a page at its headings; what looks like one in a block of code is none."""
    title, level, lines, is_code = "", 0, list[str](), False
    for line in text.splitlines():
        is_code ^= line.startswith("```")
        heading = None if is_code else _HEADING.match(line)
        if heading is None:
            lines.append(line)
            continue
        if title:
            yield ManualSection(title, level, "\n".join(lines))
        title, level, lines = heading[2], len(heading[1]), []
    if title:
        yield ManualSection(title, level, "\n".join(lines))

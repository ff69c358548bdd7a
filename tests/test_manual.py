"""The manual: its pages, links, pictures and table, and the words on screen that it names."""

import json
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache

import pytest

from app.help.manual import INDEX, load_manual
from app.help.window import heading_id
from app.plugin_loading.loader import find_plugins
from app.window.commands import MENUS
from tests.pictures import states
from tests.pictures.table import FOLDER, LARGEST_BYTES, pictures
from tests.test_house_rules import ROOT

DOCS = ROOT / "docs"
MANUAL = load_manual(DOCS)
SHOWN = ("app", "plugins", "simulation/simulator", "telemetry", "widgets")
OTHER_WORDS = frozenset({"NOT JUDGED", "Label"})
"""What stands in italics and is printed by a command, or is named by its user."""


@cache
def _shown_texts() -> str:
    """All that may put words on screen."""
    files = [file for room in SHOWN for file in sorted((ROOT / room).rglob("*.py"))]
    files += sorted((ROOT / "resources" / "workspaces").glob("*.json"))
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


@cache
def _menu_texts() -> str:
    files = [*(ROOT / "app" / "menus").glob("*.py"), *(ROOT / "plugins").glob("*/__init__.py")]
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _prose(text: str) -> str:
    """A page without its code."""
    return re.sub(r"`[^`]*`", "", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


def _named(text: str) -> Iterator[str]:
    """What stands in italics or bold and begins as words on screen do."""
    for _, marked in re.findall(r"(\*{1,2})(?=\S)([^*]+?)\1", _prose(text)):
        words = " ".join(marked.split())
        if not words[0].islower() and words not in OTHER_WORDS:
            yield words


def _is_on_screen(words: str) -> bool:
    """Whether a string of the sources is these words; of a way through the menu, each step."""
    menu, *steps = words.split(" > ")
    if steps:
        return menu in MENUS and all(f'"{step}"' in _menu_texts() for step in steps)
    own = re.sub(r" (…|\(hold\))$", "", words)  # which widgets append to titles
    same = rf"({re.escape(words)}|{re.escape(own)})"
    return re.search(rf'"{same}(\\t[^"]*| )?"', _shown_texts()) is not None


def _links(text: str) -> list[str]:
    return re.findall(r"(?<!!)\[[^\]]*\]\(([^)]+)\)", text)


def _is_place(page: str, link: str) -> bool:
    """Whether a link leads to a page or one of its headings."""
    name, _, heading = link.partition("#")
    target = MANUAL.pages.get(name.removesuffix(".md") if name else page)
    ids = [heading_id(section.title) for section in target.sections] if target else []
    return target is not None and (not heading or heading in ids)


@pytest.mark.slow
@pytest.mark.parametrize("page", MANUAL.pages)
def test_what_a_page_names_is_on_screen(page: str) -> None:
    assert [words for words in _named(MANUAL.pages[page].text) if not _is_on_screen(words)] == []


@pytest.mark.parametrize("words", ["Fly backwards", "File > Full screen …", "Fly > Hold"])
def test_words_that_are_nowhere_would_be_found(words: str) -> None:
    assert list(_named(f"Press **{words}**.")) == [words]
    assert not _is_on_screen(words)


@pytest.mark.parametrize("page", MANUAL.pages)
def test_links_lead_to_pages_of_the_manual(page: str) -> None:
    """An installation has no other files beside them."""
    links = _links(MANUAL.pages[page].text)
    assert [link for link in links if not _is_place(page, link)] == []
    assert not _is_place(page, "../README.md")
    assert not _is_place(page, "plan.md#nowhere")


def test_the_table_has_every_page_and_the_index_links_to_it() -> None:
    assert {path.stem for path in DOCS.glob("*.md")} == set(MANUAL.pages)
    linked = [link.removesuffix(".md") for link in _links(MANUAL.pages[INDEX].text)]
    assert linked == [name for name in MANUAL.pages if name != INDEX]


def test_every_panel_page_and_workspace_has_a_page_to_be_read() -> None:
    found = find_plugins()
    workspaces = [path.stem for path in (ROOT / "resources" / "workspaces").glob("*.json")]
    names = [*found.panels, *found.pages, *workspaces]
    assert [name for name in names if MANUAL.page_about(name) not in MANUAL.pages] == []
    patterns = json.loads((DOCS / "manual.json").read_text(encoding="utf-8"))["about"]
    unused = [p for p in patterns if not any(fnmatchcase(name, p) for name in names)]
    assert set(unused) <= {"links.*"}, "they are for nothing"


def test_pictures_are_those_of_the_table() -> None:
    texts = [page.text for page in MANUAL.pages.values()]
    texts.append((ROOT / "README.md").read_text(encoding="utf-8").replace("(docs/", "("))
    shown = {name for text in texts for name in re.findall(r"!\[[^\]]+\]\(([^)]+)\)", text)}
    made = {picture.path.relative_to(DOCS).as_posix() for picture in pictures()}
    assert shown == made
    assert {path.relative_to(DOCS).as_posix() for path in FOLDER.iterdir()} == made
    assert max(path.stat().st_size for path in FOLDER.iterdir()) <= LARGEST_BYTES
    assert [p.name for p in pictures() if not hasattr(states, p.state)] == []

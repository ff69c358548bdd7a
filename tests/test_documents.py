"""What the documents name is there: paths, classes, calls, commands and numbers."""

import re
from collections.abc import Callable, Iterator
from functools import cache

import pytest

from simulation.records.interface import STEP_US
from telemetry.flying.transmitter.transmitter import PERIOD_S
from telemetry.vehicle.output_drive import DRIVE_FRESH_S
from telemetry.vehicle.sticks import STICKS_FRESH_S
from tests.test_house_rules import BLIND_EXCEPT_BORDERS, ROOMS, ROOT

FOLDERS = (*ROOMS, "resources", "tests", "docs")
SUFFIXES = (".py", ".md", ".toml", ".json", ".h", ".xml")
READS_CLOCK = r"^\s*from telemetry\.base(\.clock import| import clock)"
WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def _count(room: str, text: str) -> int:
    """How often a text stands in the sources of a room."""
    return sum(path.read_text("utf-8").count(text) for path in (ROOT / room).rglob("*.py"))


# What a document says in a number, and where the number comes from.
NUMBERS: list[tuple[str, Callable[[], float]]] = [
    (r"A blind `except` stands at\s+(\w+)\s+borders", lambda: len(BLIND_EXCEPT_BORDERS)),
    (r"fresh sticks\s+(\w+) times a second", lambda: round(1.0 / PERIOD_S)),
    (r"while they are younger than\s+(\w+) ms", lambda: round(STICKS_FRESH_S * 1000)),
    (r"steps physics and sensors,\s+(\w+) ms a step", lambda: STEP_US / 1000),
    (r"\*\*(\w+) programs\.\*\*", lambda: _count("simulation", "return Program(")),
    (r"stops by itself after\s+(\w+) ms", lambda: round(DRIVE_FRESH_S * 1000)),
]


@cache
def _text(document: str) -> str:
    return (ROOT / document).read_text(encoding="utf-8")


def _quoted(text: str) -> list[str]:
    """What stands between backticks in a line."""
    return re.findall(r"`([^`\n]+)`", text)


@cache
def _paths() -> frozenset[str]:
    """Every file and folder that belongs to the project."""
    top = [path for path in ROOT.iterdir() if path.suffix in SUFFIXES or path.name in FOLDERS]
    below = [path for name in FOLDERS for path in (ROOT / name).rglob("*")]
    return frozenset(path.relative_to(ROOT).as_posix() for path in (*top, *below))


def _is_path(token: str) -> bool:
    is_path_like = "/" in token or token.endswith(SUFFIXES)
    return is_path_like and re.fullmatch(r"[\w<][\w.<>/-]+", token) is not None


@cache
def _ends() -> frozenset[str]:
    """Every path, and what remains of it without its first folders."""
    parts = (path.split("/") for path in _paths())
    return frozenset("/".join(each[i:]) for each in parts for i in range(len(each)))


def _is_there(token: str) -> bool:
    """Whether it is a path, or its end; <name> and NAME stand for any name."""
    token = token.rstrip("/")
    pattern = re.sub(r"<\w+>|\bNAME\b", r"[^/]+", re.escape(token))
    if pattern == re.escape(token):
        return token in _ends()
    return any(re.search(f"(^|/){pattern}$", path) for path in _paths())


@cache
def _names() -> dict[str, set[str]]:
    """The files in which each class and function is defined."""
    names: dict[str, set[str]] = {}
    for path in _paths():
        if path.endswith(".py"):
            for name in re.findall(r"^ *(?:class|(?:async )?def) (\w+)", _text(path), re.MULTILINE):
                names.setdefault(name, set()).add(path)
    return names


@cache
def _objects() -> frozenset[str]:
    """The names of UAVObjects and their fields, which are no classes of ours."""
    folder = ROOT / "resources" / "objects" / "librepilot-next"
    texts = (path.read_text(encoding="utf-8") for path in folder.glob("*.xml"))
    return frozenset(name for text in texts for name in re.findall(r'name="(\w+)"', text))


def _is_class(token: str) -> bool:
    return bool(re.fullmatch(r"[A-Z][a-z]+\w*", token))


def _nouns() -> Iterator[tuple[str, tuple[str, ...]]]:
    """Each class in the first column of a table, with the paths in the second."""
    for line in _text("ARCHITECTURE.md").splitlines():
        cells = line.split("|")
        if len(cells) > 3:
            paths = tuple(token for token in _quoted(cells[2]) if _is_path(token))
            for token in _quoted(cells[1]):
                if _is_class(token):
                    yield token, paths


def _unknown(text: str) -> list[str]:
    """What stands in backticks and is not there."""
    unknown = []
    for token in _quoted(text):
        called = re.fullmatch(r"(?:[\w.]+\.)?(\w+)\(.*\)", token)
        if _is_path(token):
            is_known = _is_there(token)
        elif token.startswith(("lapwing ", "make ")):
            is_known = _is_command(*token.split()[:2])
        elif _is_class(token):
            is_known = token in _names() or token in _objects()
        else:
            is_known = called is None or called.group(1) in _names() or _is_class(called.group(1))
        if not is_known:
            unknown.append(token)
    return unknown


def _is_command(program: str, word: str) -> bool:
    if program == "make":
        return f"\n{word}:" in _text("Makefile")
    return f'"{word}"' in _text("app/cli.py")


DOCUMENTS = sorted(path for path in _paths() if path.endswith(".md"))


@pytest.mark.parametrize("document", DOCUMENTS)
@pytest.mark.slow
def test_what_is_named_is_there(document: str) -> None:
    assert _unknown(_text(document)) == []


@pytest.mark.parametrize(
    "token",
    [
        *("telemetry/elsewhere.py", "plugins/<name>/nothing.py", "LoanShark", "vanish(t)"),
        *("lapwing dance", "make coffee"),
    ],
)
def test_what_is_not_there_would_be_found(token: str) -> None:
    assert _unknown(f"Look at `{token}`.") == [token]


def _drawn(text: str) -> list[str]:
    """The files and folders in the drawings of a text, its blocks of code."""
    blocks = re.findall(r"^```\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return [found for block in blocks for found in re.findall(r"[\w/]+(?:\.py\b|/)", block)]


def test_what_the_drawings_name_is_there() -> None:
    drawn = _drawn(_text("ARCHITECTURE.md"))
    assert len(drawn) > 50
    assert [name for name in drawn if not _is_there(name)] == []
    assert not _is_there(_drawn("```\nnowhere/at_all.py\n```")[0])


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_lead_somewhere(document: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", _text(document))
    folder = (ROOT / document).parent
    assert [link for link in links if "://" not in link and not (folder / link).exists()] == []


def test_nouns_are_defined_where_the_tables_say() -> None:
    nouns = list(_nouns())
    assert len(nouns) > 50
    astray = [
        noun
        for noun, paths in nouns
        if not any(file.startswith(path) for file in _names().get(noun, ()) for path in paths)
    ]
    assert astray == []


@pytest.mark.parametrize(("pattern", "value"), NUMBERS, ids=[pattern for pattern, _ in NUMBERS])
def test_numbers_are_what_they_are(pattern: str, value: Callable[[], float]) -> None:
    found = re.search(pattern, _text("ARCHITECTURE.md"))
    assert found is not None, "the sentence is gone; take it out here too"
    word = found.group(1).lower()
    assert (WORDS.index(word) if word in WORDS else float(word)) == value()


def test_what_is_said_to_be_passed_the_time_reads_no_clock() -> None:
    sentence = re.search(r"are passed `now`:(.*?)\.\n", _text("ARCHITECTURE.md"), re.DOTALL)
    assert sentence is not None
    passed = tuple(_quoted(sentence.group(1)))
    sources = [path for path in _paths() if path.startswith("telemetry/") and path.endswith(".py")]
    readers = [path for path in sources if re.search(READS_CLOCK, _text(path), re.MULTILINE)]
    assert "telemetry/vehicle/connection.py" in readers
    assert [path for path in readers if path.startswith(passed)] == []

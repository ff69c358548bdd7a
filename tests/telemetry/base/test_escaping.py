"""Each destination's own reader gives a hostile text back, and does nothing by it."""

import csv
import io
import json
import re
import sys
import tomllib
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
import tomli_w

from telemetry.base.command_line import print_json, print_lines
from telemetry.base.escaping import (
    csv_text,
    drawn_on,
    escaped_output,
    file_name_text,
    javascript_text,
    markup_attribute,
    markup_text,
    terminal_text,
)
from tests.hostile_texts import HOSTILE, PageText, formulas


def _of_xml(text: str) -> str:
    """What is left of it in XML, which has no control characters."""
    return re.sub("[^\t\n\r -\x7e\xa0-\ud7ff\ue000-\uffff]", "\ufffd", text)


def _of_utf8(text: str) -> str:
    """What is left of it in a file of UTF-8, which has no halves of characters."""
    return text.encode("utf-8", "replace").decode()


@pytest.mark.parametrize("text", HOSTILE)
def test_a_markup_reader_gives_the_text_back(text: str) -> None:
    known = _of_xml(text)
    root = ElementTree.fromstring(f"<a b={markup_attribute(text)}>{markup_text(text)}</a>")
    assert (root.text, root.get("b")) == (known, known)
    page = PageText(f"<a b={markup_attribute(text)}>{markup_text(text)}</a>")
    assert (page.tags, page.attributes) == (["a"], ["b"])


@pytest.mark.parametrize("text", HOSTILE)
def test_a_script_s_text_leaves_no_quotes_nor_the_script(text: str) -> None:
    escaped = javascript_text(text)
    assert not set(escaped) & set("'\"`$<>&/\n\r{}")
    assert escaped.isascii()
    assert json.loads(f'"{escaped}"') == text
    assert len(javascript_text("\U0001f681")) == 12  # two units of UTF-16


@pytest.mark.parametrize("text", HOSTILE)
def test_a_spreadsheet_sees_no_formula(text: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerow([csv_text(text)])
    (cell,) = next(csv.reader(io.StringIO(file.getvalue(), newline="")))
    assert not formulas([cell])
    assert cell in (_of_utf8(text), f"'{text}")


@pytest.mark.parametrize("number", ["-5", "+3.5e-7", "-nan", "-inf", "0", "-.5"])
def test_numbers_are_never_touched(number: str) -> None:
    assert csv_text(number) == number


def test_two_texts_make_two_cells() -> None:
    assert len({csv_text(text) for text in ("=1", "'=1", "''=1", "a", "'a")}) == 5


@pytest.mark.parametrize("text", HOSTILE)
def test_a_terminal_is_not_driven(text: str) -> None:
    shown = terminal_text(text)
    assert not any((ord(c) < 32 and c != "\t") or 126 < ord(c) < 160 for c in shown)
    assert not set(shown) & set("\u202e\u2066")
    for dumped in (json.dumps(text), json.dumps(text, ensure_ascii=False)):
        assert json.loads(terminal_text(dumped)) == text
    whole = {"a": _of_utf8(text)}
    assert tomllib.loads(terminal_text(tomli_w.dumps(whole).rstrip())) == whole


def test_words_of_people_stay_as_they_are() -> None:
    for text in ("Grüße, 30 °/s – 12 m² ✔ 飞机", "a b-c_d.e"):
        assert terminal_text(text) == csv_text(text) == markup_text(text) == text


@pytest.mark.parametrize("text", [*HOSTILE, "", ".", "..", " a ", "x" * 400, "a%2Fb", "NUL"])
def test_a_file_name_stays_in_its_folder(tmp_path: Path, text: str) -> None:
    name = f"{file_name_text(text)}.csv"
    path = tmp_path / name
    path.write_text("1")
    assert path.resolve().parent == tmp_path.resolve()
    assert len(name.encode()) < 160
    assert not name.startswith((" ", "con", "NUL"))
    if len(text) < 100:
        assert unquote(file_name_text(text)) == _of_utf8(text)


def test_all_that_is_printed_is_escaped(capsys: pytest.CaptureFixture[str]) -> None:
    with escaped_output():
        print("\x1b[2Jname\nPASSED")
        print_lines(["a", "b\nPASSED"])
        print_json({"a\nPASSED": 1})
        print("\u202ename", file=sys.stderr)
        print("\x1b[A", file=drawn_on(sys.stderr))
    print("\x1b[1m")  # behind it, as ever
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert lines[:3] == ["\\u001b[2Jname\\u000aPASSED", "a", "b\\u000aPASSED"]
    assert lines[3:] == ["{", ' "a\\nPASSED": 1', "}", "\x1b[1m"]
    assert err == "\\u202ename\n\x1b[A\n"

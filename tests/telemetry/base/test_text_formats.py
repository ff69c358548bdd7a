"""What is read from elsewhere is small, flat and made of sound numbers, or it is refused."""

import math
from pathlib import Path

import pytest

from telemetry.base.text_formats import (
    LARGEST_BYTES,
    FormatError,
    parse_json,
    parse_toml,
    read_limited,
)
from tests.hostile import DEEP, DIGITS, HOSTILE_JSON, MORE_DIGITS


@pytest.mark.parametrize("text", [t for t in HOSTILE_JSON.values() if t != "[1]"], ids=len)
def test_hostile_json_is_refused(text: str) -> None:
    with pytest.raises(FormatError):
        parse_json(text.encode("latin-1"))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a = " + DEEP, "nested too deeply"),
        ("a = " + "[" * 70 + "]" * 70, "nested too deeply"),
        ("a." * 10_000 + "b = 1", "nested too deeply"),
        ("a = " + DIGITS, "more than 64 bits"),
        ("a = " + MORE_DIGITS, "digits"),
        ("a = 0x" + "f" * 9000, "more than 64 bits"),
        ("a = 1e999", "1e999 is more than any number can be"),
        ("a = 1\n" * 60_000, "more than 50,000"),
        ("#\n" * 400_000, "more than 50,000"),
        ("#" * 1_100_000, "larger than 1 MB"),
        ("a = \xff", "codec"),
        ("a = ", "Invalid value"),
    ],
    ids=lambda text: text[:12],
)
def test_hostile_toml_is_refused_in_a_phrase(text: str, reason: str) -> None:
    with pytest.raises(FormatError, match=reason):
        parse_toml(text.encode("latin-1"))


def test_what_a_board_may_hold_is_read() -> None:
    assert parse_json('{"a": [1, -2.5, "ü", null, 18446744073709551615]}'.encode()) == {
        "a": [1, -2.5, "ü", None, 2**64 - 1]
    }
    read = parse_toml("a = nan\nb = -inf\nc = 1.5e-9\n[d.e]\nf = [1, 2]\n")
    assert math.isnan(read["a"])
    assert (read["b"], read["c"], read["d"]) == (-math.inf, 1.5e-9, {"e": {"f": [1, 2]}})


@pytest.mark.parametrize("quote", ['"', '"""', "'", "'''"])
def test_dots_and_brackets_in_a_text_are_not_counted(quote: str) -> None:
    text = "." * 500 + "[{=," * 20_000
    assert parse_toml(f"a = {quote}{text}{quote} # {text}\nb = 1") == {"a": text, "b": 1}


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large"
    with path.open("wb") as file:
        file.truncate(LARGEST_BYTES + 1)
    with pytest.raises(FormatError, match="larger than 2 MB"):
        read_limited(path)

"""Escaped text: a function for each destination at which a text from elsewhere ends up.

Names of aircraft, options of a log's own definitions and words of events are a stranger's. What is
a number is never given to these functions. JSON, TOML and Parquet need none, or `utf8_text`: their
writers know every text, and `terminal_text` leaves theirs the same text when it is read again.
"""

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from html import escape
from typing import Any, Final, TextIO

_NO_XML: Final = re.compile("[^\t\n\r -\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_NO_SCRIPT: Final = re.compile(r"[^\w .,:;()=+-]", re.ASCII)
_FORMULA: Final = re.compile(r"'*\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|'*[\t\r\n]")
_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?|[+-]?(nan|inf)", re.ASCII)
_NO_TERMINAL: Final = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\ud800-\udfff]"
)
"""Control characters but the tab, what turns the direction of writing, what nobody sees,
and halves of characters."""
_NO_FILE: Final = re.compile(r"[^\w \-().,]|^[. ]|[. ]\Z")
_DEVICES: Final = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)", re.IGNORECASE)
_LONGEST_FILE_BYTES: Final = 150
_REPLACEMENT: Final = "\ufffd"


def markup_text(text: str) -> str:
    """A text between the tags of HTML, XML and Qt's rich text. What XML cannot hold becomes U+FFFD;
    a carriage return, which its readers change, a reference."""
    return escape(_NO_XML.sub(_REPLACEMENT, text), quote=False).replace("\r", "&#13;")


def markup_attribute(text: str) -> str:
    """A text as an attribute of HTML or XML, with its quotes."""
    whole = escape(_NO_XML.sub(_REPLACEMENT, text)).replace("`", "&#96;")
    for letter in "\t\n\r":  # which a reader takes for spaces
        whole = whole.replace(letter, f"&#{ord(letter)};")
    return f'"{whole}"'


def javascript_text(text: str) -> str:
    """A text inside the quotes of a script in a page, whichever: ', " or those of a template."""
    return _NO_SCRIPT.sub(_escaped_units, text)


def csv_text(text: str) -> str:
    """The text of a CSV cell, for which quotes are the writer's matter. What a spreadsheet would
    take for a formula gets an apostrophe before it, as does what begins with apostrophes before
    such; a text that is a number stays."""
    if _FORMULA.match(text) and not _NUMBER.fullmatch(text):
        text = f"'{text}"
    return utf8_text(text)


def utf8_text(text: str) -> str:
    """A text for a file in UTF-8 whose writer knows all else: halves of characters become ?."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode()


def terminal_text(text: str) -> str:
    r"""A text for a line of a terminal: what would end the line, move the cursor, colour it or turn
    words round is written as \u001b, which JSON and TOML read as the same text again."""
    return text if text.isascii() and text.isprintable() else _NO_TERMINAL.sub(_escaped_units, text)


def file_name_text(text: str) -> str:
    """A text as a part of a file's name that every system takes, without a separator or a leading
    dot. Two texts give two names, unless they differ only behind the first 150 bytes;
    `urllib.parse.unquote` gives a short one back."""
    name = _NO_FILE.sub(_percent, text)
    if _DEVICES.match(name):
        name = f"%{ord(name[0]):02X}{name[1:]}"
    return name.encode()[:_LONGEST_FILE_BYTES].decode("utf-8", "ignore")


class TerminalOutput:
    """A stream whose texts pass `terminal_text`, for all that a command prints: what is printed at
    once is one line, so that no name in it makes another; `print_lines` prints several. Everything
    else is the stream's; `stream` itself is for those that draw, such as bars of progress."""

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream

    def write(self, text: str) -> int:
        """Write it escaped; what the stream's encoding lacks is escaped too. Raises OSError."""
        encoding = self.stream.encoding or "utf-8"
        line = text.removesuffix("\n")
        shown = terminal_text(line).encode(encoding, "backslashreplace").decode(encoding)
        self.stream.write(shown + text[len(line) :])
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        """Write them likewise."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.stream, name)


@contextmanager
def escaped_output() -> Iterator[None]:
    """Have everything that is printed meanwhile pass `terminal_text`, errors too."""
    before = sys.stdout, sys.stderr
    # None in a window's program; and a program in a program has it already
    if isinstance(before[0], TerminalOutput) or None in before:
        yield
        return
    with redirect_stdout(TerminalOutput(before[0])), redirect_stderr(TerminalOutput(before[1])):
        yield


def drawn_on(stream: Any) -> Any:
    """The stream behind a `TerminalOutput`, which takes control sequences."""
    return stream.stream if isinstance(stream, TerminalOutput) else stream


def _percent(found: re.Match[str]) -> str:
    """As URLs have it; a dot and a space too."""
    data = found[0].encode("utf-8", "replace")
    return "".join(f"%{byte:02X}" for byte in data)


def _escaped_units(found: re.Match[str]) -> str:
    data = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{data[i]:02x}{data[i + 1]:02x}" for i in range(0, len(data), 2))

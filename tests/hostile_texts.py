"""Texts that act where somebody has forgotten to escape them, and readers that notice it."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

ACTED: Final = "lapwing-acted"
_ACT: Final = f"document.title='{ACTED}'"

HOSTILE: Final = (
    f"${{{_ACT}}}",
    f"`);{_ACT};//",
    f"');{_ACT};//",
    f'");{_ACT};//',
    f"</script><script>{_ACT}</script>",
    f"</title><script>{_ACT}</script>",
    f'<img src=x onerror="{_ACT}">',
    f'" onload="{_ACT}" x="',
    "<!--<script>",
    "]]><name>acted</name>",
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-1+1",
    "@SUM(1)",
    "\t=1+1",
    "'=1+1",
    "\x1b]0;acted\x07\x1b[2J\x9b31m",
    "\u202egpj.exe\u2066",
    "..\\../acted:<>|?*",
    "\\u0000 \\x1b \\",
    "a\nb\r\nc",
    "q\"uote' & <b>",
    "con.txt",
    "half \udc80 of a character",
    "$\\frac{acted$ $",
)

CHROMIUM: Final = shutil.which("chromium")
_FLAGS: Final = (
    *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
    *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
)


def shown_by_browser(page: Path, folder: Path) -> str:
    """The page as Chromium has it once its scripts have run; it reaches nobody."""
    assert CHROMIUM is not None
    command = [
        CHROMIUM,
        *_FLAGS,
        "--dump-dom",
        f"--user-data-dir={folder / 'profile'}",
        page.as_uri(),
    ]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    return done.stdout


class PageText(HTMLParser):
    """What a page says outside of its scripts and styles, its tags and their attributes."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[str] = []
        self.text = ""
        self._is_text = True
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [name for name, _ in attrs]
        self._is_text = tag not in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        self._is_text = True

    def handle_data(self, data: str) -> None:
        self.text += data if self._is_text else ""


def formulas(cells: Iterable[str]) -> list[str]:
    """Those that a spreadsheet works out."""
    number = re.compile(r"[+-]?[\d.]+(e[+-]?\d+)?|-?(nan|inf)", re.IGNORECASE)
    return [
        cell for cell in cells
        if cell.lstrip().startswith(("=", "+", "-", "@")) and not number.fullmatch(cell)
    ]  # fmt: skip

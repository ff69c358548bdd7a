"""Pages of the manual: read, cut at their headings, searched, found for a panel."""

from pathlib import Path

import pytest

from app.help.manual import NoManualError, load_manual

TABLE = """{"pages": ["fly"], "about": {"pilot.sticks": "index", "pilot.*": "fly"}}"""
INDEX = "# Manual\n\nRead [Fly](fly.md).\n"
FLY = """# Fly

Take off.

## Land

Come down.

```
# no heading
```

### Softly

slowly
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in (("manual.json", TABLE), ("index.md", INDEX), ("fly.md", FLY)):
        (tmp_path / name).write_text(text, encoding="utf-8")
    return tmp_path


def test_a_page_is_cut_at_its_headings_but_not_in_code(folder: Path) -> None:
    page = load_manual(folder).pages["fly"]
    assert page.title == "Fly"
    assert [(s.title, s.level) for s in page.sections] == [("Fly", 1), ("Land", 2), ("Softly", 3)]
    assert "# no heading" in page.sections[1].text


def test_search_wants_all_words_in_one_section(folder: Path) -> None:
    manual = load_manual(folder)
    assert manual.search("come DOWN") == [("fly", "Land")]
    assert manual.search("take slowly") == []
    assert manual.search("  ") == []


def test_the_first_line_of_the_table_that_fits_counts(folder: Path) -> None:
    manual = load_manual(folder)
    assert manual.page_about("pilot.sticks") == "index"
    assert manual.page_about("a.stranger", "pilot.actions") == "fly"
    assert manual.page_about("a.stranger") == ""


def test_a_missing_page_is_told_with_the_remedy(folder: Path) -> None:
    (folder / "fly.md").unlink()
    with pytest.raises(NoManualError, match="Install Lapwing again"):
        load_manual(folder)

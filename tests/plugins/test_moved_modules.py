"""Modules are found by the names that they had before they moved, and are the same modules."""

import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from plugins.moved_modules import MovedModules

MOVED = {"lapwing_old": "lapwing_new.inner", "lapwing_old.clock": "lapwing_new.clock"}


@pytest.fixture(autouse=True)
def packages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    inner = tmp_path / "lapwing_new" / "inner"
    inner.mkdir(parents=True)
    for path in (inner.parent / "__init__.py", inner / "__init__.py"):
        path.write_text("")
    (inner / "reader.py").write_text("class Reader: pass")
    (inner.parent / "clock.py").write_text("NOW = 1")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [MovedModules(MOVED), *sys.meta_path])
    yield
    for name in [name for name in sys.modules if name.startswith("lapwing_")]:
        if name.split(".")[0] in {"lapwing_old", "lapwing_new"}:
            del sys.modules[name]


@pytest.mark.parametrize(
    ("before", "today"),
    [
        ("lapwing_old.reader", "lapwing_new.inner.reader"),
        ("lapwing_old", "lapwing_new.inner"),
        ("lapwing_old.clock", "lapwing_new.clock"),
    ],
)
@pytest.mark.parametrize("comes_first", ["before", "today"])
def test_a_module_is_the_same_by_both_names(before: str, today: str, comes_first: str) -> None:
    names = (before, today) if comes_first == "before" else (today, before)
    first, second = map(import_module, names)
    assert first is second
    assert first.__name__ == first.__spec__.name == today


def test_what_never_was_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError):
        import_module("lapwing_old.nothing")
    with pytest.raises(ModuleNotFoundError):
        import_module("lapwing_older")

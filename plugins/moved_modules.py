"""Moved modules: plugins from outside go on importing modules of the station by earlier names."""

import json
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType
from typing import Final

MOVED_FILE: Final = Path(__file__).with_name("moved_modules.json")
"""Today's name of each module and package by the earlier one; those inside a package that is not
listed by themselves moved with it."""


class MovedModules(MetaPathFinder):
    """Finds modules by their earlier names: they are the same modules."""

    def __init__(self, moved: Mapping[str, str]) -> None:
        self._moved = moved

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """See `importlib.abc.MetaPathFinder`."""
        name = self._today(fullname)
        return None if name is None else ModuleSpec(fullname, _MovedLoader(name))

    def _today(self, fullname: str) -> str | None:
        package, rest = fullname, ""
        while package:
            if package in self._moved:
                return f"{self._moved[package]}{rest}"
            package, _, last = package.rpartition(".")
            rest = f".{last}{rest}"
        return None


class _MovedLoader(Loader):
    def __init__(self, name: str) -> None:
        self._name = name
        self._spec: ModuleSpec | None = None

    def create_module(self, _spec: ModuleSpec) -> ModuleType:
        module = import_module(self._name)
        self._spec = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self._spec  # it stays the module that it was


def find_moved_modules() -> None:
    """Have them found from now on, before Python looks for files."""
    if not any(isinstance(finder, MovedModules) for finder in sys.meta_path):
        moved = json.loads(MOVED_FILE.read_text("utf-8"))
        sys.meta_path.insert(0, MovedModules(moved))

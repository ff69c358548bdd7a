"""Find plugins: in this repository's `plugins` folder, by entry point, in the user's folder.

A plugin that cannot be loaded is reported and left out; the others are not touched by it.
"""

import importlib
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import plugins
from plugins.api import Action, LinkKind, LogFormat, Page, Panel, Plugin

ENTRY_POINT_GROUP = "lapwing.plugins"

_Source = tuple[str, Callable[[], Any]]


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A plugin that was left out, and why."""

    name: str
    reason: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class PluginSet:
    """All plugins that loaded and all that did not."""

    plugins: tuple[Plugin, ...] = ()
    failures: tuple[PluginFailure, ...] = ()

    @property
    def panels(self) -> dict[str, Panel]:
        """Every panel by its full id, "<plugin id>.<panel id>"."""
        return {
            f"{plugin.id}.{panel.id}": panel for plugin in self.plugins for panel in plugin.panels
        }

    @property
    def pages(self) -> dict[str, Page]:
        """Every page of the Configure view by its full id, in their order there."""
        found = [
            (f"{plugin.id}.{page.id}", page) for plugin in self.plugins for page in plugin.pages
        ]
        return dict(sorted(found, key=lambda entry: (entry[1].order, entry[1].title)))

    @property
    def links(self) -> tuple[LinkKind, ...]:
        """Every way to reach an aircraft, those with a simulator first."""
        kinds = [kind for plugin in self.plugins for kind in plugin.links]
        return tuple(sorted(kinds, key=lambda kind: kind.scheme != "sim"))

    @property
    def log_formats(self) -> tuple[LogFormat, ...]:
        """Every further log format."""
        return tuple(entry for plugin in self.plugins for entry in plugin.log_formats)

    @property
    def actions(self) -> dict[str, Action]:
        """Every action by its full id, "<plugin id>.<action id>"."""
        return {
            f"{plugin.id}.{action.id}": action
            for plugin in self.plugins
            for action in plugin.actions
        }


def find_plugins(user_folder: Path | None = None) -> PluginSet:
    """Load every plugin there is. Never raises for a fault of a plugin."""
    found: dict[str, Plugin] = {}
    failures: list[PluginFailure] = []
    for name, load in _sources(user_folder):
        try:
            plugin = load()
            if not isinstance(plugin, Plugin):
                raise TypeError("it has no PLUGIN value of type plugins.api.Plugin")
            if plugin.id in found:
                raise ValueError(f"another plugin is already called {plugin.id!r}")
        except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
            reason = f"{type(error).__name__}: {error}"
            failures.append(PluginFailure(name, reason, traceback.format_exc()))
        else:
            found[plugin.id] = plugin
    return PluginSet(tuple(found.values()), tuple(failures))


def _sources(user_folder: Path | None) -> Iterator[_Source]:
    for module in pkgutil.iter_modules(plugins.__path__):
        if module.ispkg:
            yield module.name, _module_loader(f"plugins.{module.name}")
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        yield entry.name, entry.load
    if user_folder is not None and user_folder.is_dir():
        if str(user_folder) not in sys.path:
            sys.path.append(str(user_folder))
        importlib.invalidate_caches()
        for module in pkgutil.iter_modules([str(user_folder)]):
            yield module.name, _module_loader(module.name, user_folder)


def _module_loader(name: str, inside: Path | None = None) -> Callable[[], Any]:
    """Return a function that imports a module and returns its PLUGIN."""

    def load() -> Any:
        module = importlib.import_module(name)
        if inside is not None and inside not in Path(str(module.__file__)).parents:
            raise ImportError(f"its name is taken by {module.__file__}; rename the plugin's folder")
        return getattr(module, "PLUGIN", None)

    return load

"""Plugin loader: this repository's `plugins` folder, entry points, and the user's folder.

A plugin that cannot be loaded is reported and left out; the others are not touched by it. A module
in the user's folder that says nothing of a PLUGIN is a helper of a plugin beside it.
"""

import importlib
import pkgutil
import sys
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

import plugins
from plugins.api import Action, LinkKind, LogFormat, Page, Panel, Plugin, resolve
from telemetry.base.input_files import LARGEST_CODE_BYTES, read_bytes

ENTRY_POINT_GROUP = "lapwing.plugins"

OWN = "Lapwing"

Used = TypeVar("Used")

_Source = tuple[str, str, Callable[[], Any]]
"""A name, where it was found, and how to load it."""


@dataclass(frozen=True, slots=True)
class PluginFailure:
    """A plugin that was left out, and why."""

    name: str
    reason: str
    details: str = ""


class PluginError(Exception):
    """A function of a plugin failed: `what` did. Sentences for the user, with a remedy."""

    remedy = "Correct or uninstall the plugin; all else works as before."

    def __init__(self, what: str) -> None:
        super().__init__(f"{what}. {self.remedy}")
        self.what = what


@dataclass(frozen=True, slots=True)
class PluginSet:
    """All plugins that loaded and all that did not."""

    plugins: tuple[Plugin, ...] = ()
    failures: tuple[PluginFailure, ...] = ()
    origins: Mapping[str, str] = field(default_factory=dict)
    """Where each plugin was found, by its id: OWN, a distribution's name, or a folder."""

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
    def place_offers(self) -> tuple[str, ...]:
        """What makes the offers for places of a map, of every plugin that has some."""
        return tuple(plugin.place_offer for plugin in self.plugins if plugin.place_offer)

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
    origins: dict[str, str] = {}
    for name, origin, load in _sources(user_folder):
        try:
            plugin = load()
            if not isinstance(plugin, Plugin):
                raise TypeError(f"it has no PLUGIN value of type {Plugin.__module__}.Plugin")
            if plugin.id in found:
                raise ValueError(f"another plugin is already called {plugin.id!r}")
        except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
            reason = f"{type(error).__name__}: {error}"
            failures.append(PluginFailure(name, reason, traceback.format_exc()))
        else:
            found[plugin.id] = plugin
            origins[plugin.id] = origin
    return PluginSet(tuple(found.values()), tuple(failures), origins)


def use_plugin(
    plugin: Plugin,
    name: str,
    use: Callable[[Any], Used],
    passes: tuple[type[Exception], ...] = (),
) -> Used:
    """What `use` makes of the function that a plugin names, which is imported now.

    Raises what that may raise (`passes`), and PluginError for whatever else goes wrong.
    """
    try:
        return use(resolve(name))
    except passes:
        raise
    except Exception as error:  # a plugin may fail in any way it likes
        reason = f"{type(error).__name__}: {error}"
        raise PluginError(f"{name} of the plugin {plugin.title} failed ({reason})") from error


def _sources(user_folder: Path | None) -> Iterator[_Source]:
    for module in pkgutil.iter_modules(plugins.__path__):
        if module.ispkg:
            yield module.name, OWN, _module_loader(f"{plugins.__name__}.{module.name}")
    for entry in entry_points(group=ENTRY_POINT_GROUP):
        yield entry.name, entry.dist.name if entry.dist else entry.value, entry.load
    if user_folder is not None and user_folder.is_dir():
        if str(user_folder) not in sys.path:
            sys.path.append(str(user_folder))
        importlib.invalidate_caches()
        for module in pkgutil.iter_modules([str(user_folder)]):
            if not _is_helper(module.name, user_folder):
                yield module.name, str(user_folder), _module_loader(module.name, user_folder)


def _is_helper(name: str, folder: Path) -> bool:
    sources = (folder / f"{name}.py", folder / name / "__init__.py")
    texts = [read_bytes(path, LARGEST_CODE_BYTES) for path in sources if path.is_file()]
    return bool(texts) and not any(b"PLUGIN" in text for text in texts)


def _module_loader(name: str, inside: Path | None = None) -> Callable[[], Any]:
    """Return a function that imports a module and returns its PLUGIN."""

    def load() -> Any:
        module = importlib.import_module(name)
        if inside is not None and inside not in Path(str(module.__file__)).parents:
            raise ImportError(f"its name is taken by {module.__file__}; rename the plugin's folder")
        return getattr(module, "PLUGIN", None)

    return load

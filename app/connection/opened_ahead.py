"""The simulator that the window begins with, started before Qt is loaded: it takes as long to be
ready and has a processor to itself meanwhile. No Qt.
"""

from collections.abc import Callable

from app.connection.connections import SIMULATOR, Connect, start_address
from app.plugin_loading.loader import find_plugins
from app.preferences import PreferenceStore
from plugins.api import resolve
from telemetry.base.folders import Folders
from telemetry.protocol.links.link import Link, LinkError


class OpenedAhead:
    """A link that waits for whoever opens its address; none if `link` is None. `problem` is what
    was wrong with the preferences, to be told in the window."""

    def __init__(self, address: str = "", link: Link | None = None, problem: str = "") -> None:
        self.problem = problem
        self._address, self._link = address, link

    def open(self, address: str, open_link: Callable[[str], Link]) -> Link:
        """The link if it is of this address, once; else what `open_link` gives or raises."""
        link = self._link
        if link is None or address != self._address:
            return open_link(address)
        self._link = None
        return link

    def used_by(self, connect: Connect) -> Connect:
        """What connects as `connect` does, by this link where it fits."""
        return lambda address, open_link: connect(address, lambda at: self.open(at, open_link))

    def close(self) -> None:
        """Close the link if nobody has taken it."""
        if self._link is not None:
            self._link.close()
            self._link = None


def open_ahead(target: str, folders: Folders) -> OpenedAhead:
    """Start the simulator if the window is to begin with it, be it at `target` or, if that is "",
    by the preferences. What fails is tried again, and told, by the station."""
    if target and not _is_simulator(target):
        return OpenedAhead()
    preferences = PreferenceStore(folders.config / "preferences.json")
    kinds = find_plugins(folders.plugins).links
    kind = next((kind for kind in kinds if kind.scheme == SIMULATOR), None)
    try:
        devices = resolve(kind.devices) if kind and kind.devices else tuple
        address = target or start_address(preferences.current.connect_at_start, devices)
        link = resolve(kind.open)(address) if kind and _is_simulator(address) else None
    except (LinkError, OSError, ValueError, ImportError):
        return OpenedAhead(problem=preferences.problem)
    return OpenedAhead(address, link, preferences.problem)


def _is_simulator(address: str) -> bool:
    return address.startswith(f"{SIMULATOR}:")

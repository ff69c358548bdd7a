"""Opens a link of any kind that a plugin brings, for commands that have no window."""

import os
from typing import TYPE_CHECKING

from telemetry.folders import Folders
from telemetry.links.address import AddressError, scheme_of

if TYPE_CHECKING:
    from telemetry.links.link import Link


def open_link(address: str) -> "Link":
    """Open an address by the plugin that knows its kind; raise LinkError."""
    from app.plugin_loader import find_plugins
    from plugins.api import resolve

    kinds = {kind.scheme: kind for kind in find_plugins(Folders.of_user(os.environ).plugins).links}
    kind = kinds.get(scheme_of(address))
    if kind is None:
        known = ", ".join(f"{scheme}:" for scheme in sorted(kinds))
        raise AddressError(f"'{address}' cannot be opened; it may begin with {known}.")
    link: Link = resolve(kind.open)(address)
    return link

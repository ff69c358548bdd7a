"""Where Lapwing keeps what belongs to its user: settings, workspaces, logs, plugins."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import platformdirs

from telemetry.own_folders import HOME_VARIABLE, own_folder


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of one user. None of them needs to exist yet."""

    config: Path
    log: Path
    recordings: Path
    cache: Path
    state: Path

    @property
    def workspaces(self) -> Path:
        """The user's own workspaces and changed shipped ones."""
        return self.config / "workspaces"

    @property
    def plugins(self) -> Path:
        """Plugins that the user has put there; each is a folder or a module."""
        return self.config / "plugins"

    @property
    def definitions(self) -> Path:
        """UAVObject definitions (XML) of the user's own firmware."""
        return self.config / "definitions"

    @property
    def borrowed(self) -> Path:
        """What boards are to be given back, even after a crash."""
        return self.state / "borrowed"

    @property
    def drafts(self) -> Path:
        """Settings that are staged for boards and not sent."""
        return self.state / "drafts"

    @property
    def crash_log(self) -> Path:
        """The file that unexpected errors are written to."""
        return self.log / "lapwing.log"

    @classmethod
    def under(cls, home: Path) -> "Folders":
        """All folders below one, for a portable installation and for tests."""
        own = ("config", "log", "recordings", "cache", "state")
        return cls(*(home / name for name in own))

    @classmethod
    def of_user(cls, environ: Mapping[str, str]) -> "Folders":
        """The platform's usual places, or those below $LAPWING_HOME where it is set."""
        if home := environ.get(HOME_VARIABLE):
            return cls.under(Path(home).expanduser())
        return cls(
            config=own_folder("config", environ),
            log=own_folder("log", environ),
            recordings=platformdirs.user_documents_path() / "Lapwing" / "logs",
            cache=own_folder("cache", environ),
            state=own_folder("state", environ),
        )

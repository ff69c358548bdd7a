"""User folders: Lapwing's places for settings, workspaces, logs and plugins."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from platformdirs import PlatformDirs

HOME_VARIABLE: Final = "LAPWING_HOME"


@dataclass(frozen=True, slots=True)
class Folders:
    """The folders of one user. None of them needs to exist yet.

    The names of those that hold files of earlier versions never change.
    """

    config: Path
    log: Path
    recordings: Path
    cache: Path
    state: Path
    data: Path

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
    def plot_presets(self) -> Path:
        """Plots kept under names, one file each."""
        return self.config / "plots"

    @property
    def original_metadata(self) -> Path:
        """The metadata that boards had before it was changed temporarily, one file per board."""
        return self.state / "borrowed"

    @property
    def last_settings(self) -> Path:
        """The settings that boards told last time, one file per board."""
        return self.state / "last-settings"

    @property
    def drafts(self) -> Path:
        """Settings that are staged for boards and not sent, one file per board."""
        return self.state / "drafts"

    @property
    def temporary_settings(self) -> Path:
        """What boards held before settings were changed for a while, one file per board."""
        return self.state / "temporary-settings"

    @property
    def flight_backups(self) -> Path:
        """What was marked in flights and not saved, one file per flight."""
        return self.state / "flights"

    @property
    def mission_backup(self) -> Path:
        """The mission that was being edited and not saved."""
        return self.state / "missions"

    @property
    def receiver_setup(self) -> Path:
        """What boards held before a receiver set-up that has not ended, one file per board."""
        return self.state / "receiver-setup"

    @property
    def plan_backups(self) -> Path:
        """What plans boards had before an upload that has not ended, one file per board."""
        return self.state / "plans"

    @property
    def pending_uploads(self) -> Path:
        """Firmware that was begun to be put on boards and is not verified, one file per board."""
        return self.data / "firmware"

    @property
    def board_logs(self) -> Path:
        """What was fetched of the logs in boards' flash, one folder per board."""
        return self.state / "board-logs"

    @property
    def setup_answers(self) -> Path:
        """What was answered to the set-up assistant, one file per board."""
        return self.state / "setup"

    @property
    def checklists(self) -> Path:
        """What is looked at by hand before a flight, one file per board."""
        return self.data / "checklists"

    @property
    def configuration_sets(self) -> Path:
        """Settings kept under names, one folder per board."""
        return self.data / "sets"

    @property
    def simulated_flash(self) -> Path:
        """What simulated boards have saved, one file per aircraft."""
        return self.data / "simulator"

    @property
    def study_results(self) -> Path:
        """What studies have found that were begun in the window, one folder each."""
        return self.data / "studies"

    @property
    def video_templates(self) -> Path:
        """The user's own templates of videos with instruments, one file each."""
        return self.data / "video-templates"

    @property
    def map_tiles(self) -> Path:
        """Pictures of maps that were loaded."""
        return self.cache / "tiles"

    @property
    def grown_maps(self) -> Path:
        """Maps that were built of what aircraft saw: GeoTIFF, and worlds to fly in."""
        return self.recordings.parent / "maps"

    @property
    def crash_log(self) -> Path:
        """The file that unexpected errors are written to."""
        return self.log / "lapwing.log"

    @classmethod
    def under(cls, home: Path) -> "Folders":
        """All folders below one, for a portable installation and for tests."""
        own = ("config", "log", "recordings", "cache", "state", "data")
        return cls(*(home / name for name in own))

    @classmethod
    def of_user(cls, environ: Mapping[str, str]) -> "Folders":
        """The platform's usual places, or those below $LAPWING_HOME where it is set."""
        if home := environ.get(HOME_VARIABLE):
            return cls.under(Path(home).expanduser())
        usual = PlatformDirs("lapwing", appauthor=False)
        return cls(
            config=usual.user_config_path,
            log=usual.user_log_path,
            recordings=usual.user_documents_path / "Lapwing" / "logs",
            cache=usual.user_cache_path,
            state=usual.user_state_path,
            data=usual.user_data_path,
        )

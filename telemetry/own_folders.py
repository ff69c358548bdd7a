"""Where Lapwing keeps files of its own: the platform's usual folders, or below $LAPWING_HOME."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal

from platformdirs import PlatformDirs

HOME_VARIABLE: Final = "LAPWING_HOME"

Kind = Literal["config", "log", "cache", "data", "state"]


def own_folder(kind: Kind, environ: Mapping[str, str]) -> Path:
    """The folder for files of that kind; it need not exist yet."""
    if home := environ.get(HOME_VARIABLE):
        return Path(home).expanduser() / kind
    usual = PlatformDirs("lapwing", appauthor=False)
    return {
        "config": usual.user_config_path,
        "log": usual.user_log_path,
        "cache": usual.user_cache_path,
        "data": usual.user_data_path,
        "state": usual.user_state_path,
    }[kind]

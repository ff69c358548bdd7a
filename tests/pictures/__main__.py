"""Makes all pictures, or those named: `python -m tests.pictures [NAME ...]`."""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

os.environ["QT_QPA_PLATFORM"] = "offscreen"

from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.preferences import PreferenceStore
from app.refreshing.load_meter import LoadMeter
from app.run import make_application
from app.station import StartOptions, Station
from telemetry.base.folders import Folders
from telemetry.vehicle.vehicle import LinkState
from tests.pictures import states
from tests.pictures.flights import flight_files
from tests.pictures.table import FOLDER, LARGEST_BYTES, Picture, pictures
from tests.waiting import wait_until

_COLORS = 256
_TRIES = 3
"""A computer that is busy with something else may lose an aircraft that flies in real time."""
_ALONE = "pictured"


def main(names: Sequence[str]) -> int:
    """Make them; return 1 if one is too large, or its state did not come about."""
    wanted = [picture for picture in pictures() if not names or picture.name in names]
    problems: list[str] = []
    FOLDER.mkdir(exist_ok=True)
    LoadMeter.take = lambda _meter, _now: None  # type: ignore[method-assign]  # a busy machine's
    with tempfile.TemporaryDirectory(prefix="lapwing-pictures-", ignore_cleanup_errors=True) as at:
        os.environ["XDG_DATA_HOME"] = f"{at}/data"  # the aircraft's flash
        os.environ["LAPWING_HOME"] = f"{at}/home"  # profiles of input devices
        app = make_application()
        for picture in wanted:
            print(f"{picture.name}: ", end="", flush=True)
            problems.append(_problem(app, picture, Path(at)))
            print(problems[-1] or "made", flush=True)
    return int(any(problems))


def _problem(app: QApplication, picture: Picture, folder: Path) -> str:
    """Make one; what was wrong with it, "" for nothing."""
    problem = ""
    for number in range(_TRIES):
        try:
            _take(app, picture, folder, f"{picture.name}-{number}")
        except AssertionError as error:
            problem = f"{picture.state} did not come about: {error}"
        else:
            size = picture.path.stat().st_size
            return f"{size} bytes are too many" if size > LARGEST_BYTES else ""
    return problem


def _take(app: QApplication, picture: Picture, folder: Path, name: str) -> None:
    """One picture, of a station of its own with files under that name."""
    folders = Folders.under(folder / name)
    PreferenceStore(folders.config / "preferences.json").change(connect_at_start="")
    if picture.panels:
        _write_workspace(folders.workspaces / f"{_ALONE}.json", picture.panels)
    is_live = ":" in picture.target
    files = [] if is_live else flight_files(picture.target, folder)
    station = Station(
        app,
        folders,
        StartOptions(
            target=picture.target if is_live else str(files[0]),
            workspace=picture.workspace or _ALONE,
            at_s=picture.at_s,
            theme=picture.theme,
            size=picture.size,
            others=tuple(files[1:]),
        ),
    )
    try:
        station.start()
        station.hang_watch.stop()
        wait_until(lambda: _is_there(station, is_live=is_live))
        scene = states.Scene(station)
        getattr(states, picture.state)(scene)
        scene.see()
        station.tick.refresh_all()
        scene.see(0.2)
        _save(station, picture)
    finally:
        station.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


def _is_there(station: Station, *, is_live: bool) -> bool:
    QCoreApplication.processEvents()
    vehicle = station.fleet.active
    if vehicle is None or not is_live:
        return vehicle is not None and not station.work.is_busy
    return vehicle.status.state is LinkState.CONNECTED


def _write_workspace(path: Path, panels: Sequence[str]) -> None:
    keys = [panel.rpartition(".")[2] for panel in panels]
    made = dict(zip(keys, ({"panel": panel, "settings": {}} for panel in panels), strict=True))
    layout = {"tabs": keys, "current": keys[0]}
    text = json.dumps({"version": 1, "title": "Panel", "layout": layout, "panels": made})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _save(station: Station, picture: Picture) -> None:
    """With as many colours as a palette holds: a third of the bytes. Those that are seldom, as the
    theme's are in a landscape, keep a place of their own."""
    station.window.grab().save(str(picture.path))
    with Image.open(picture.path) as grabbed:
        small = grabbed.convert("RGB").quantize(
            _COLORS, method=Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE
        )
    small.save(picture.path, optimize=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Files are opened for reading in one place, which refuses what is none (`input_files`)."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("app", "plugins", "widgets", "telemetry", "simulation")

_SHIPPED = "what is shipped with the product"
_OWN_PROCESS = "words of a process of our own, in a folder made for it"
_CHECKED = "looked at by `check_file` before it is opened by its name"
_IN_MEMORY = "bytes that were read already"
OTHER_READERS = {
    "app/cli.py": "nothing, where output goes that nobody reads",
    "app/exporting/exports.py": _OWN_PROCESS,
    "app/help/manual.py": _SHIPPED,
    "app/native.py": "libraries of the system",
    "app/workspaces/workspace.py": _SHIPPED,
    "plugins/moved_modules.py": _SHIPPED,
    "plugins/stabilization/step_gains.py": _SHIPPED,
    "plugins/stabilization/step_run.py": _OWN_PROCESS,
    "simulation/command/force_option.py": _CHECKED,
    "simulation/compiler/machine.py": "libraries of the system",
    "simulation/compiler/source_digest.py": _SHIPPED,
    "simulation/sil/host.py": _CHECKED,
    "simulation/simulator/external_force.py": _CHECKED,
    "simulation/studies/flying.py": _OWN_PROCESS,
    "simulation/worlds/file_damage.py": "a recording that was just written",
    "simulation/worlds/ground_meshes.py": _IN_MEMORY,
    "telemetry/base/earth/magnetic_model.py": _SHIPPED,
    "telemetry/base/file_lock.py": "a file without content",
    "telemetry/base/input_files.py": "this place",
    "telemetry/base/memory.py": "libraries of the system",
    "telemetry/base/safe_files.py": "what it makes itself, and folders to be synced",
    "telemetry/base/simulation_command.py": _OWN_PROCESS,
    "telemetry/configuration/airframe/airframe.py": _SHIPPED,
    "telemetry/configuration/assistant/gain_templates.py": _SHIPPED,
    "telemetry/missions/terrain/geotiff.py": _CHECKED,
    "telemetry/missions/terrain/hgt.py": "a file that `open_file` has opened",
    "telemetry/protocol/objects/compact.py": _SHIPPED,
    "telemetry/protocol/objects/id_index.py": _SHIPPED,
    "telemetry/protocol/objects/make_index.py": _SHIPPED,
    "telemetry/recording/export/web_map.py": _SHIPPED,
    "telemetry/recording/video_files/container.py": _CHECKED,
    "telemetry/review/cameras/live_camera.py": "cameras, which are devices",
    "widgets/icons.py": _SHIPPED,
    "widgets/map/basemap.py": _SHIPPED,
    "widgets/map/basemap_build.py": "the maker of what is shipped",
    "widgets/map/names.py": _SHIPPED,
    "widgets/map/names_build.py": "the maker of what is shipped",
    "widgets/map/tile_cache.py": "the map's own cache",
    "widgets/map/tiles.py": "a database that `is_file`",
    "widgets/theme.py": _SHIPPED,
}

_ALWAYS = {"read_text", "read_bytes", "imread", "CDLL", "spec_from_file_location", "TiffFile"}
_OF_MODULE = {
    "np": {"load", "loadtxt", "genfromtxt", "fromfile", "memmap"},
    "os": {"open"},
    "sqlite3": {"connect"},
}
_NAME_FIRST = {"av.open", "io.open", "gzip.open", "lzma.open", "bz2.open"}
_WRITING = set("wxa")
_MAY_READ = re.compile(
    r"open\(|read_(?:text|bytes)|np\.(?:load|gen|from|mem)|sqlite3|CDLL|spec_from|Zip|imread|Tiff"
)


def _mode(call: ast.Call, place: int) -> str | None:
    """The mode of an `open`; None where it is none that is written out."""
    given = [word.value for word in call.keywords if word.arg == "mode"] + call.args[place:]
    if given:
        first = given[0]
        is_text = isinstance(first, ast.Constant) and isinstance(first.value, str)
        return str(first.value) if is_text and isinstance(first, ast.Constant) else None
    return "r"


def _reads(call: ast.Call, opened: set[int]) -> bool:
    """Whether a call opens or reads a file by its name. `opened` are the calls of `with`."""
    called = call.func
    if isinstance(called, ast.Name):
        return called.id == "open" and not _WRITING & set(_mode(call, 1) or "r")
    if not isinstance(called, ast.Attribute):
        return False
    owner = called.value.id if isinstance(called.value, ast.Name) else ""
    if called.attr in _OF_MODULE.get(owner, ()):
        return True
    if called.attr in _ALWAYS:
        return owner != "input_files"
    if called.attr == "ZipFile" or (
        called.attr == "open" and owner in {"av", "io", "gzip", "lzma"}
    ):
        return not _WRITING & set(_mode(call, 1) or "r")
    if called.attr != "open":
        return False
    mode = _mode(call, 0)
    has_mode = mode is not None and bool(mode) and set(mode) <= set("rwxabt+")
    is_asked = bool(call.args or call.keywords) or id(call) in opened
    return has_mode and is_asked and not _WRITING & set(mode or "")


def _readers(tree: ast.Module) -> Iterator[ast.Call]:
    opened = {
        id(item.context_expr)
        for node in ast.walk(tree)
        if isinstance(node, ast.With)
        for item in node.items
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _reads(node, opened):
            yield node


@pytest.mark.slow
def test_files_are_read_in_one_place() -> None:
    found = set()
    for path in (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py"))):
        text = path.read_text("utf-8")
        if _MAY_READ.search(text) and any(_readers(ast.parse(text))):
            found.add(path.relative_to(ROOT).as_posix())
    assert found == set(OTHER_READERS)


@pytest.mark.parametrize(
    "text",
    [
        "open(path)",
        "open(path, 'rb')",
        "path.open('rb')",
        "path.open(mode='r')",
        "path.open(encoding='utf-8')",
        "with path.open() as file: pass",
        "path.read_text(encoding='utf-8')",
        "path.read_bytes()",
        "np.load(path)",
        "np.memmap(path, '>i2')",
        "os.open(path, os.O_RDONLY)",
        "io.open(path)",
        "av.open(str(path))",
        "zipfile.ZipFile(path)",
        "sqlite3.connect(path)",
        "tifffile.TiffFile(path)",
    ],
)
def test_a_reader_elsewhere_would_be_found(text: str) -> None:
    assert len(list(_readers(ast.parse(text)))) == 1


def test_what_writes_and_what_opens_something_else_is_no_reader() -> None:
    text = (
        "open(path, 'w'); path.open('xb'); path.open('w+b'); part.open('a', encoding='utf-8')\n"
        "dialog.open(); self.open(address); flights.open([path]); zipfile.ZipFile(file, 'w')\n"
        "av.open(file, 'w', format=kind); input_files.read_bytes(path, 9); open_file(path)\n"
        "draft.open(f'Open {name}', mission)"
    )
    assert list(_readers(ast.parse(text))) == []

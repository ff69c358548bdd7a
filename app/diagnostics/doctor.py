"""`lapwing doctor`: what is installed, what is missing, and the remedy. Works without Qt."""

import argparse
import importlib.metadata
import json
import os
import platform
import sys
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from app.diagnostics.environment import EnvironmentProblem, check_display, check_qt
from app.diagnostics.usb_access import usb_access
from app.native import has_fonts, install_command, missing_libraries, missing_packages
from app.plugin_loading.contributions import contribution_failures
from app.plugin_loading.loader import OWN, find_plugins
from lapwing_packages import shared_packages
from simulation.compiler.code_folder import (
    FOLDER_VARIABLE,
    PLAIN_VARIABLE,
    code_folder,
    is_compiling,
)
from telemetry.base.command_line import print_lines
from telemetry.base.finding import Finding, Level
from telemetry.base.folders import Folders

_PACKAGES = {
    "PySide6": "PySide6-Essentials",
    "numpy": "numpy",
    "llvmlite": "llvmlite",
    "pyqtgraph": "pyqtgraph",
    "pyserial": "pyserial",
    "hidapi": "hidapi",
    "pysdl2": "PySDL2",
    "SDL": "pysdl2-dll",
    "platformdirs": "platformdirs",
    "av": "av",
    "cv2": "opencv-python-headless",
    "moderngl": "moderngl",
    "folium": "folium",
}
_NEEDED = {"PySide6", "numpy", "pyqtgraph", "platformdirs"}
_WITHOUT = {
    "llvmlite": "the simulator is slow without it",
    "pyserial": "serial ports cannot be opened without it",
    "hidapi": "boards by USB and 3-D mice are not seen without it",
    "pysdl2": "game controllers are not seen without it",
    "SDL": "game controllers are not seen without it",
    "av": "videos cannot be shown without it",
    "cv2": "videos cannot be synchronised without it",
    "moderngl": "simulated cameras see nothing without it",
    "folium": "web maps cannot be written without it",
}
_MARKS = {Level.OK: "ok     ", Level.WARNING: "warning", Level.ERROR: "MISSING"}
_SERIAL_GROUPS = ("dialout", "uucp", "tty")


def add_commands(subparsers: "argparse._SubParsersAction[Any]") -> None:
    """Add `doctor`; it sets `run(args) -> exit code`."""
    parser = subparsers.add_parser("doctor", help="show what is installed, missing, and the remedy")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=_run)


def examine(folders: Folders) -> tuple[Finding, ...]:
    """Look at everything Lapwing needs on this machine."""
    return (
        _python(),
        *_packages(),
        _qt_pair(),
        _libraries(),
        _fonts(),
        _display(os.environ),
        _serial(),
        usb_access(),
        *(_folder(name, path) for name, path in asdict(folders).items()),
        _compiled_code(),
        _package_names(),
        *_plugins(folders.plugins),
    )


def versions() -> dict[str, str]:
    """Lapwing, Python and the libraries it stands on, with their versions."""
    found = {"Lapwing": _version("lapwing") or "from a checkout", "Python": _python().text}
    for name, package in _PACKAGES.items():
        found[name] = _version(package) or "not installed"
    return found


def report_lines(findings: tuple[Finding, ...]) -> list[str]:
    """The findings as a person reads them."""
    width = max(len(finding.code) for finding in findings)
    lines = []
    for finding in findings:
        lines.append(f"{_MARKS[finding.level]}  {finding.code:<{width}}  {finding.text}")
        if finding.remedy:
            lines.append(f"{'':9}{'':<{width}}  -> {finding.remedy}")
    bad = sum(finding.level is Level.ERROR for finding in findings)
    lines.append("")
    lines.append("Everything needed is there." if not bad else f"{bad} needed things are missing.")
    return lines


def _run(args: argparse.Namespace) -> int:
    findings = examine(Folders.of_user(os.environ))
    is_well = all(finding.level < Level.ERROR for finding in findings)
    if args.json:
        print(json.dumps({"ok": is_well, "findings": list(map(_plain, findings))}))
    else:
        print_lines(report_lines(findings))
    return 0 if is_well else 2


def _plain(finding: Finding) -> dict[str, str]:
    """A finding as `--json` prints it."""
    return {
        "name": finding.code,
        "state": _MARKS[finding.level].strip().lower(),
        "found": finding.text,
        "remedy": finding.remedy,
    }


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def _python() -> Finding:
    return Finding(
        Level.OK, "Python", f"{platform.python_version()} on {platform.platform(terse=True)}"
    )


def _packages() -> list[Finding]:
    findings = []
    for name, package in _PACKAGES.items():
        if version := _version(package):
            findings.append(Finding(Level.OK, name, version))
            continue
        level = Level.ERROR if name in _NEEDED else Level.WARNING
        remedy = f"run `python -m pip install {package}`"
        if name in _WITHOUT:
            remedy += f"; {_WITHOUT[name]}"
        findings.append(Finding(level, name, "not installed", remedy))
    return findings


def _qt_pair() -> Finding:
    try:
        check_qt()
    except EnvironmentProblem as problem:
        return Finding(Level.ERROR, "Qt and Python", "do not work together", str(problem))
    return Finding(Level.OK, "Qt and Python", "work together")


def _libraries() -> Finding:
    missing = missing_libraries()
    if not missing:
        return Finding(Level.OK, "System libraries", "all that Qt needs")
    names = ", ".join(library.soname for library in missing)
    return Finding(Level.ERROR, "System libraries", names, install_command(missing_packages()))


def _fonts() -> Finding:
    if has_fonts():
        return Finding(Level.OK, "Fonts", "present")
    return Finding(Level.ERROR, "Fonts", "none", install_command(missing_packages()))


def _display(environ: Mapping[str, str]) -> Finding:
    try:
        check_display(environ)
    except EnvironmentProblem as problem:
        return Finding(Level.WARNING, "Display", "none", str(problem))
    named = [environ[key] for key in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY", "DISPLAY")
             if environ.get(key)]  # fmt: skip
    return Finding(Level.OK, "Display", named[0] if named else "the desktop's")


def _serial() -> Finding:
    if sys.platform != "linux":
        return Finding(Level.OK, "Serial ports", "need no permission here")
    import grp

    if os.geteuid() == 0:
        return Finding(Level.OK, "Serial ports", "opened as root")
    mine = {*os.getgroups()}
    for name in _SERIAL_GROUPS:
        try:
            group = grp.getgrnam(name)
        except KeyError:
            continue
        if group.gr_gid in mine:
            return Finding(Level.OK, "Serial ports", f"allowed by group {name}")
        remedy = f"run `sudo usermod -aG {name} $USER` and log in again"
        return Finding(Level.WARNING, "Serial ports", f"you are not in group {name}", remedy)
    return Finding(Level.OK, "Serial ports", "no group guards them here")


def _folder(name: str, path: Path) -> Finding:
    title = f"Folder {name}"
    existing = next(parent for parent in (path, *path.parents) if parent.exists())
    if existing.is_dir() and os.access(existing, os.W_OK):
        return Finding(Level.OK, title, str(path))
    remedy = f"make {existing} writable, or set LAPWING_HOME to a folder that is"
    return Finding(Level.WARNING, title, f"{path} cannot be written", remedy)


def _compiled_code() -> Finding:
    if not is_compiling(os.environ):
        remedy = f"install llvmlite, and leave {PLAIN_VARIABLE} unset"
        return Finding(Level.WARNING, "Compiled code", "nothing is compiled", remedy)
    folder = code_folder(os.environ)
    if folder is not None:
        return Finding(Level.OK, "Compiled code", f"kept in {folder}")
    remedy = f"set {FOLDER_VARIABLE} to a folder that can be written"
    found = "kept nowhere: each start compiles again"
    return Finding(Level.WARNING, "Compiled code", found, remedy)


def _package_names() -> Finding:
    if problem := shared_packages():
        found, _, remedy = problem.partition(". ")
        return Finding(Level.WARNING, "Package names", found, remedy)
    return Finding(Level.OK, "Package names", "shared with nothing that is installed here")


def _plugins(user_folder: Path) -> list[Finding]:
    found = find_plugins(user_folder)
    by_origin: dict[str, list[str]] = {OWN: [], str(user_folder): []}
    for plugin_id, origin in found.origins.items():
        by_origin.setdefault(origin, []).append(plugin_id)
    there = [
        Finding(Level.OK, "Plugins", f"{origin}: {', '.join(sorted(ids)) or 'none'}")
        for origin, ids in by_origin.items()
    ]
    remedy = "correct or uninstall it; the others are not affected"
    failed = [
        Finding(Level.WARNING, "Plugins", f"{failure.name} was left out: {failure.reason}", remedy)
        for failure in found.failures
    ]
    useless = (
        Finding(Level.WARNING, "Plugins", text, remedy) for text in contribution_failures(found)
    )
    return [*there, *failed, *useless]

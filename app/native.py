"""The native libraries that Qt needs on Linux: which are missing, and how to get them.

Run as `python -m app.native` before the first start. It imports nothing but the standard library,
because it must work where Qt does not.
"""

import ctypes
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Library:
    """A shared library by its soname, and the packages that bring it."""

    soname: str
    debian: str
    fedora: str


LIBRARIES = (
    Library("libglib-2.0.so.0", "libglib2.0-0", "glib2"),
    Library("libGL.so.1", "libgl1", "libglvnd-glx"),
    Library("libEGL.so.1", "libegl1", "libglvnd-egl"),
    Library("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon"),
    Library("libfreetype.so.6", "libfreetype6", "freetype"),
    Library("libfontconfig.so.1", "libfontconfig1", "fontconfig"),
    Library("libdbus-1.so.3", "libdbus-1-3", "dbus-libs"),
    Library("libxkbcommon-x11.so.0", "libxkbcommon-x11-0", "libxkbcommon-x11"),
    Library("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor"),
    Library("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm"),
    Library("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms"),
    Library("libxcb-shape.so.0", "libxcb-shape0", "libxcb"),
)
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
DEBIAN_FONT, FEDORA_FONT = "fonts-dejavu-core", "dejavu-sans-fonts"


def missing_libraries() -> tuple[Library, ...]:
    """The libraries that cannot be loaded here; always none away from Linux."""
    if sys.platform != "linux":
        return ()
    return tuple(library for library in LIBRARIES if not _can_load(library.soname))


def has_fonts() -> bool:
    """Whether any scalable font is installed; Qt draws no text without one."""
    if sys.platform != "linux":
        return True
    return any(
        next(Path(folder).expanduser().rglob("*.[to]t[fc]"), None) is not None
        for folder in FONT_FOLDERS
        if Path(folder).expanduser().is_dir()
    )


def missing_packages() -> tuple[str, ...]:
    """The system's package names that would complete it."""
    fedora = shutil.which("dnf") is not None
    packages = [lib.fedora if fedora else lib.debian for lib in missing_libraries()]
    if not has_fonts():
        packages.append(FEDORA_FONT if fedora else DEBIAN_FONT)
    return tuple(packages)


def install_command(packages: Sequence[str]) -> str:
    """The one command a person runs to install `packages`."""
    names = " ".join(packages)
    if shutil.which("dnf"):
        return f"sudo dnf install -y {names}"
    return f"sudo apt-get install -y --no-install-recommends {names}"


def main() -> int:
    """Install what is missing on a Debian family as root, otherwise say the one command."""
    packages = missing_packages()
    if not packages:
        return 0
    if shutil.which("apt-get") and os.geteuid() == 0:
        return _install(packages)
    print(f"Qt needs system libraries that are missing here: {', '.join(packages)}.")
    print(f"Install them with:  {install_command(packages)}")
    return 2


def _install(packages: Sequence[str]) -> int:
    print(f"Installing the system libraries that Qt needs: {', '.join(packages)}")
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    for command in (["apt-get", "update", "-q"], install):
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            print(f"'{' '.join(command)}' failed: {done.stderr.strip()}", file=sys.stderr)
            return 2
    return 0


def _can_load(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


if __name__ == "__main__":
    raise SystemExit(main())

"""Native libraries that Qt needs on Linux: which are missing, and how to get them.

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

INSTALL = {
    "dnf": "sudo dnf install -y",
    "zypper": "sudo zypper install -y",
    "apt-get": "sudo apt-get install -y --no-install-recommends",
    "pacman": "sudo pacman -S --needed",
}
"""How packages are installed, by the manager; the first that is there counts. pacman is last, as
that is also a game."""
DEBIAN = "apt-get"


@dataclass(frozen=True, slots=True)
class Library:
    """A shared library by its soname, and the packages that bring it in the order of INSTALL."""

    soname: str
    packages: tuple[str, str, str, str]


# fmt: off
LIBRARIES = (
    Library("libglib-2.0.so.0", ("glib2", "libglib-2_0-0", "libglib2.0-0", "glib2")),
    Library("libGL.so.1", ("libglvnd-glx", "Mesa-libGL1", "libgl1", "libglvnd")),
    Library("libEGL.so.1", ("libglvnd-egl", "Mesa-libEGL1", "libegl1", "libglvnd")),
    Library("libxkbcommon.so.0",
            ("libxkbcommon", "libxkbcommon0", "libxkbcommon0", "libxkbcommon")),
    Library("libfreetype.so.6", ("freetype", "libfreetype6", "libfreetype6", "freetype2")),
    Library("libfontconfig.so.1",
            ("fontconfig", "libfontconfig1", "libfontconfig1", "fontconfig")),
    Library("libdbus-1.so.3", ("dbus-libs", "libdbus-1-3", "libdbus-1-3", "dbus")),
    Library("libxkbcommon-x11.so.0",
            ("libxkbcommon-x11", "libxkbcommon-x11-0", "libxkbcommon-x11-0", "libxkbcommon-x11")),
    Library("libxcb-cursor.so.0",
            ("xcb-util-cursor", "libxcb-cursor0", "libxcb-cursor0", "xcb-util-cursor")),
    Library("libxcb-icccm.so.4", ("xcb-util-wm", "libxcb-icccm4", "libxcb-icccm4", "xcb-util-wm")),
    Library("libxcb-keysyms.so.1",
            ("xcb-util-keysyms", "libxcb-keysyms1", "libxcb-keysyms1", "xcb-util-keysyms")),
    Library("libxcb-shape.so.0", ("libxcb", "libxcb-shape0", "libxcb-shape0", "libxcb")),
)
# fmt: on
FONTS = ("dejavu-sans-fonts", "dejavu-fonts", "fonts-dejavu-core", "ttf-dejavu")
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")


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
    column = list(INSTALL).index(_manager())
    packages = [library.packages[column] for library in missing_libraries()]
    if not has_fonts():
        packages.append(FONTS[column])
    return tuple(dict.fromkeys(packages))


def install_command(packages: Sequence[str]) -> str:
    """The one command a person runs to install `packages`."""
    return f"{INSTALL[_manager()]} {' '.join(packages)}"


def _manager() -> str:
    return next((name for name in INSTALL if shutil.which(name)), DEBIAN)


def main() -> int:
    """Install what is missing on a Debian family as root, otherwise say the one command."""
    packages = missing_packages()
    if not packages:
        return 0
    if _manager() == DEBIAN and shutil.which(DEBIAN) and os.geteuid() == 0:
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

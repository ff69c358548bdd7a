"""What Qt lacks on a Linux is named in the words of its own package manager."""

import shutil

import pytest

from app import native

GL, EGL, CURSOR = (native.LIBRARIES[index] for index in (1, 2, 8))


@pytest.mark.parametrize(
    ("managers", "command"),
    [
        (["dnf"], "sudo dnf install -y libglvnd-glx libglvnd-egl xcb-util-cursor"),
        (["zypper"], "sudo zypper install -y Mesa-libGL1 Mesa-libEGL1 libxcb-cursor0"),
        (["pacman"], "sudo pacman -S --needed libglvnd xcb-util-cursor"),
        (["apt-get", "pacman"], "sudo apt-get install -y --no-install-recommends "
         "libgl1 libegl1 libxcb-cursor0"),
        ([], "sudo apt-get install -y --no-install-recommends libgl1 libegl1 libxcb-cursor0"),
    ],
)  # fmt: skip
def test_the_packages_are_those_of_the_system(
    monkeypatch: pytest.MonkeyPatch, managers: list[str], command: str
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name in managers else None)
    monkeypatch.setattr(native, "missing_libraries", lambda: (GL, EGL, CURSOR))
    monkeypatch.setattr(native, "has_fonts", lambda: True)
    assert native.install_command(native.missing_packages()) == command


def test_a_font_is_named_where_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name if name == "pacman" else None)
    monkeypatch.setattr(native, "missing_libraries", lambda: ())
    monkeypatch.setattr(native, "has_fonts", lambda: False)
    assert native.missing_packages() == ("ttf-dejavu",)

"""Voices of this computer: which there are, and that a text never is anything but words."""

import pytest

from telemetry.warnings.voices import VOICES, find_voices, plain


@pytest.mark.parametrize(
    ("platform", "installed", "found"),
    [
        ("linux", {"spd-say", "espeak-ng"}, ["spd-say", "espeak-ng"]),
        ("linux", set(), []),
        ("darwin", {"/usr/bin/say", "espeak-ng"}, ["say"]),
        ("win32", {"powershell"}, ["Windows"]),
    ],
)
def test_the_voices_of_a_platform(platform: str, installed: set[str], found: list[str]) -> None:
    def which(name: str) -> str | None:
        return name if name in installed else None

    assert [voice.name for voice in find_voices(platform, which)] == found


HOSTILE = "--version; $(touch x) `id` <speak> | rm\x00 \n -rf {0}"


def test_a_text_is_one_argument_behind_the_end_of_the_options() -> None:
    for voice in VOICES:
        command = voice.command(HOSTILE)
        assert command[:-1] == voice.arguments
        assert command[-2] == "--"
        assert not command[-1].startswith("-")


def test_on_windows_the_text_is_not_part_of_the_script() -> None:
    (voice,) = find_voices("win32", lambda name: name)
    assert voice.command(HOSTILE) == voice.arguments
    assert voice.environment(HOSTILE) == {"LAPWING_SPEECH": plain(HOSTILE)}
    assert not any("touch" in part for part in voice.command(HOSTILE))


def test_control_characters_and_marks_are_left_out() -> None:
    assert plain("\x1b[2J  Link\tlost <b>") == "2J Link lost b"
    assert plain("-5 metres") == "minus 5 metres"
    assert len(plain("a" * 5000)) == 300

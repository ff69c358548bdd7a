"""Speech voices of this computer: programs that say a text, each in a process of its own.

A text is one argument of a list, or in the environment, never part of a command that a shell or an
interpreter reads.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

_TEXT_VARIABLE: Final = "LAPWING_SPEECH"
_LONGEST: Final = 300
_WINDOWS_SCRIPT: Final = (
    "Add-Type -AssemblyName System.Speech; "
    "(New-Object System.Speech.Synthesis.SpeechSynthesizer)"
    f".Speak([Environment]::GetEnvironmentVariable('{_TEXT_VARIABLE}'))"
)


@dataclass(frozen=True, slots=True)
class VoiceProgram:
    """A program that speaks. `arguments` come before the text; where `in_environment`, the text is
    in a variable instead. `silence` is a command of its own that stops what is being said, for a
    program that only asks a service to speak."""

    name: str
    arguments: tuple[str, ...]
    silence: tuple[str, ...] = ()
    in_environment: bool = False

    def command(self, text: str) -> tuple[str, ...]:
        """The arguments to start it with."""
        return self.arguments if self.in_environment else (*self.arguments, plain(text))

    def environment(self, text: str) -> Mapping[str, str]:
        """What to add to the environment."""
        return {_TEXT_VARIABLE: plain(text)} if self.in_environment else {}

    def speak(self, text: str) -> "SpeakingProcess":
        """Begin to say a text. Raises OSError."""
        return SpeakingProcess(self, text)


VOICES: Final = (
    VoiceProgram("spd-say", ("spd-say", "--wait", "--"), ("spd-say", "--cancel")),
    VoiceProgram("espeak-ng", ("espeak-ng", "--")),
    VoiceProgram("espeak", ("espeak", "--")),
)
_MAC_VOICE: Final = VoiceProgram("say", ("/usr/bin/say",))
_WINDOWS_VOICE: Final = VoiceProgram(
    "Windows",
    ("powershell", "-NoProfile", "-NonInteractive", "-Command", _WINDOWS_SCRIPT),
    in_environment=True,
)


def find_voices(
    platform: str = sys.platform, which: Callable[[str], str | None] = shutil.which
) -> tuple[VoiceProgram, ...]:
    """The voices there are, the best first."""
    own = {"darwin": (_MAC_VOICE,), "win32": (_WINDOWS_VOICE,)}.get(platform, VOICES)
    return tuple(voice for voice in own if which(voice.arguments[0]) is not None)


def plain(text: str) -> str:
    """A text that no program takes for anything but words: no control characters, no mark-up, no
    option at its beginning."""
    words = "".join(letter if letter.isprintable() else " " for letter in text)
    words = words.translate(str.maketrans("", "", "<>[]|\\"))
    words = " ".join(words.split())
    if re.match(r"-\d", words):
        words = f"minus {words[1:]}"
    return words.lstrip("-/@ ")[:_LONGEST]


class SpeakingProcess:
    """A text being said, by a process."""

    def __init__(self, voice: VoiceProgram, text: str) -> None:
        self._voice = voice
        self._process = _start(voice.command(text), voice.environment(text))

    def is_over(self) -> bool:
        """Whether it has been said, or could not be."""
        return self._process.poll() is not None

    def has_failed(self) -> bool:
        """Whether nothing was heard. Known once it is over."""
        return bool(self._process.poll())

    def stop(self) -> None:
        """Be silent at once. In a thread that may wait for some milliseconds."""
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(0.5)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        if self._voice.silence:
            _start(self._voice.silence, {}).wait(2.0)


def _start(command: tuple[str, ...], environment: Mapping[str, str]) -> "subprocess.Popen[bytes]":
    hidden = getattr(subprocess, "CREATE_NO_WINDOW", 0)
    return subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **environment},
        creationflags=hidden,
    )

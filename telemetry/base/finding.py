"""Finding: what somebody should know, on one scale of how much it matters."""

from dataclasses import dataclass
from enum import IntEnum
from functools import partial


class Level(IntEnum):
    """How much something matters; the one scale for alarms, events, messages, rules and checks.

    UNKNOWN: nobody has said. INFO: good to know. WARNING: it works or flies, but badly. ERROR: do
    not start the motors; it does not work; it is refused.
    """

    UNKNOWN = 0
    OK = 1
    INFO = 2
    WARNING = 3
    ERROR = 4


_ALARM_LEVELS = {
    "Uninitialised": Level.UNKNOWN,
    "OK": Level.OK,
    "Warning": Level.WARNING,
    "Critical": Level.ERROR,
    "Error": Level.ERROR,
}


def level_of_alarm(severity: str) -> Level:
    """What an option of SystemAlarms.Alarm of any release says; one that is not known is an ERROR.

    The two worst change places between releases, so that both are the same here.
    """
    return _ALARM_LEVELS.get(severity, Level.ERROR)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at: a code for programs, words and a remedy for people.

    `title` names it where it is a line of a list that also shows what is in order. `outputs` are
    the numbers of the outputs it is about, `settings` the names of the settings ("Object.Field" or
    an object's), which stand as links after the words: a sentence for a pilot names none.
    """

    level: Level
    code: str
    text: str
    remedy: str = ""
    outputs: tuple[int, ...] = ()
    title: str = ""
    settings: tuple[str, ...] = ()


error = partial(Finding, Level.ERROR)
warning = partial(Finding, Level.WARNING)
info = partial(Finding, Level.INFO)

"""Alarm items of the alarm strip: the aircraft's alarms and the station's own, worst first.

What is no longer known is neither good nor bad: it comes last, with its age, as UNKNOWN.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from telemetry.base.finding import Finding, Level
from telemetry.recording.alarms import Alarm
from telemetry.recording.freshness import Freshness
from telemetry.vehicle.vehicle import LinkState, LinkStatus

KNOWN_NOW = Freshness()
POOR_LINK_PERCENT = (80, 50)
"""Below the first the link is a warning, below the second it is worse."""
_TOLD = (LinkState.FETCHING, LinkState.CONNECTED, LinkState.REPLAY)


@dataclass(frozen=True, slots=True)
class AlarmItem:
    """One thing that asks for attention: a title, its severity in a word, and the explanation.

    `age` is how old it is, in words, where it no longer tells what is; then its level is UNKNOWN.
    """

    title: str
    severity: str
    level: Level
    meaning: str
    remedy: str
    age: str = ""

    @property
    def headline(self) -> str:
        """Title, severity and age, as the strip shows them."""
        words = f"{self.title}: {self.severity.lower()}" if self.severity else self.title
        return f"{words}, {self.age} old" if self.age else words


OVERLOAD = AlarmItem(
    "Computer too slow",
    "",
    Level.WARNING,
    "The window does not keep up: pictures come less often and plots show less detail. What else "
    "comes late on this computer is not known from that; Controls says whether sticks go out.",
    "Close other programs, and panels that are not needed; plug in the charger.",
)


def alarm_items(
    status: LinkStatus,
    alarms: Sequence[Alarm],
    freshness: Freshness = KNOWN_NOW,
    *,
    is_overloaded: bool = False,
    notices: Sequence[Finding] = (),
    conditions: Sequence[Finding] = (),
) -> tuple[AlarmItem, ...]:
    """Return the station's troubles and the aircraft's `alarms`, the worst first, and of the same
    level in this order and the order given. `is_overloaded`: the computer does not keep up;
    `notices`: what parts of the station say of the aircraft; `conditions`: what its warnings
    say, but those whose subject, the code, is named by something else already.
    """
    age_s = status.silent_s if status.is_silent else freshness.alarms_age_s
    items = (
        *_station_items(status),
        *(AlarmItem(n.title, "", n.level, n.text, n.remedy) for n in notices),
        *_link_items(status),
        *_old_items(status, freshness, bool(alarms)),
        *(_item(alarm, age_s) for alarm in alarms),
        *((OVERLOAD,) if is_overloaded else ()),
    )
    told = (*items, *_condition_items(conditions, [item.title.casefold() for item in items]))
    return tuple(sorted(told, key=lambda item: -item.level))


def _condition_items(conditions: Sequence[Finding], named: Sequence[str]) -> Iterator[AlarmItem]:
    """Of one subject the worst only."""
    subjects: set[str] = set()
    for one in sorted(conditions, key=lambda one: -one.level):
        subject = one.code.casefold()
        if not subject or not (subject in subjects or any(n.startswith(subject) for n in named)):
            subjects.add(subject)
            remedy = "Its rule, and whether it speaks, can be changed in Warnings."
            yield AlarmItem(one.title, "", one.level, one.text, remedy)


def is_poor(status: LinkStatus) -> bool:
    """Whether so much of what arrives is damaged that the link itself is a warning."""
    quality = status.quality_percent
    return status.is_heard and quality is not None and quality < POOR_LINK_PERCENT[0]


def seconds_text(seconds: float) -> str:
    """Whole seconds up to two minutes, then minutes and seconds."""
    whole = int(seconds)
    return f"{whole}\u2009s" if whole < 120 else f"{whole // 60}:{whole % 60:02d}\u2009min"


def _item(alarm: Alarm, age_s: float | None) -> AlarmItem:
    meaning = f"{alarm.meaning} {alarm.detail}".rstrip()
    if age_s is None:
        return AlarmItem(alarm.title, alarm.severity, alarm.level, meaning, alarm.remedy)
    age, level = seconds_text(age_s), Level.UNKNOWN
    return AlarmItem(alarm.title, alarm.severity, level, meaning, alarm.remedy, age)


def _link_items(status: LinkStatus) -> list[AlarmItem]:
    """A link that goes silent, or of which too much is lost."""
    if status.is_late:
        return [
            AlarmItem(
                f"No data for {status.silence}",
                "",
                status.age_level,
                "Nothing whole has arrived from the aircraft since then; what is shown is old.",
                "Turn the antenna to it, or come closer, and be ready to fly it by its own remote "
                "control.",
            )
        ]
    if not is_poor(status):
        return []
    return [
        AlarmItem(
            "Link",
            f"{status.quality_percent} %",
            Level.WARNING,
            f"Only {status.quality_percent} % of what arrives is whole; the rest was damaged.",
            "Turn the antenna, come closer, or lower the update rates; on a cable check the baud "
            "rate.",
        )
    ]


def _old_items(status: LinkStatus, freshness: Freshness, has_alarms: bool) -> list[AlarmItem]:
    """What the aircraft goes on without telling, while its link lives."""
    if status.state not in _TOLD or status.is_late:
        return []
    items = []
    if freshness.attitude_age_s is not None:
        items.append(_old_item("Attitude", freshness.attitude_age_s, "its attitude"))
    if freshness.alarms_age_s is not None and not has_alarms:
        items.append(_old_item("Alarms", freshness.alarms_age_s, "its alarms"))
    return items


def _old_item(title: str, age_s: float, what: str) -> AlarmItem:
    return AlarmItem(
        title,
        "",
        Level.UNKNOWN,
        f"The aircraft has said nothing of {what} for {seconds_text(age_s)}; nobody here knows how "
        "it stands with that now.",
        "Watch the aircraft itself; check the link, and the update rates of its objects.",
        seconds_text(age_s),
    )


def _station_items(status: LinkStatus) -> tuple[AlarmItem, ...]:
    items = []
    if status.state in (LinkState.LOST, LinkState.RECONNECTING):
        items.append(
            AlarmItem(
                f"Link lost for {status.silence}" if status.silent_s else "Link lost",
                "",
                Level.ERROR,
                f"Nothing is heard of the aircraft; what is shown is old. {status.reason}".strip(),
                "Watch the aircraft, turn the antenna to it and fly it by its remote control; "
                "the station connects again by itself.",
            )
        )
    if status.from_last_time:
        items.append(
            AlarmItem(
                "Settings from last time",
                "",
                Level.INFO,
                f"{status.from_last_time} settings are shown as the board told them when it was "
                "here last; they are being fetched again.",
                "Wait for it: nothing is sent to the aircraft before all of them are verified.",
            )
        )
    if status.recording_error:
        items.append(
            AlarmItem(
                "Not recorded",
                "",
                Level.ERROR,
                f"This flight is no longer written to a file: {status.recording_error}",
                "Free some space and connect again to record.",
            )
        )
    return tuple(items)

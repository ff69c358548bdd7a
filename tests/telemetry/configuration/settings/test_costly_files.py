"""Files that cost minutes are read in time, or refused. Measured in time of the processor."""

import os
from collections.abc import Callable

import pytest

from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.toml_file import read_settings_file
from telemetry.configuration.settings.uav_file import read_uav
from telemetry.protocol.objects.catalogue import Catalogue

MOST_S = 3.0
HEAD = '[lapwing]\nformat = "settings"\nversion = 1\n'


def objects(count: int, name: str = "Unknown{}Settings", body: str = "") -> str:
    return "".join(f'<object name="{name.format(n)}">{body}</object>' for n in range(count))


def settings(text: str) -> bytes:
    return f"<uavobjects><settings>{text}</settings></uavobjects>".encode()


def toml(text: str) -> bytes:
    return (HEAD + text).encode()


FRAME = '<field name="AirframeType" values="Quod{}"/>'
UAV: dict[str, Callable[[], bytes]] = {
    "100,000 unknown names": lambda: settings(objects(100_000)),
    "4,900 unknown names": lambda: settings(objects(4_900)),
    "4,900 options that are none": lambda: settings(
        "".join(objects(1, "SystemSettings", FRAME.format(n)) for n in range(4_900))
    ),
    "4,900 instances": lambda: settings(objects(4_900, "Waypoint")),
    "a field of a million elements": lambda: settings(
        objects(1, "A", f'<field name="B" values="{"1," * 1_000_000}"/>')
    ),
    "a million elements that are empty": lambda: settings("<a/>" * 1_000_000),
    "text in a million pieces": lambda: settings("a<!---->" * 500_000),
    "a word of a million letters": lambda: settings(
        objects(1, "SystemSettings", FRAME.format("x" * 1_000_000))
    ),
    "16 MB": lambda: settings(" " * (16 << 20)),
}
TOML: dict[str, Callable[[], bytes]] = {
    "a million keys": lambda: toml("a = 1\n" * 1_000_000),
    "24,000 unknown names": lambda: toml("".join(f"[objects.U{n}]\nb=1\n" for n in range(24_000))),
    "4,900 unknown names": lambda: toml("".join(f"[objects.U{n}]\nb=1\n" for n in range(4_900))),
    "20,000 fields": lambda: toml("[objects.U]\n" + "".join(f"b{n}=1\n" for n in range(20_000))),
    "20,000 options that are none": lambda: toml(
        "[objects.MixerSettings]\nMixer1Type = [" + '"Quod",' * 20_000 + "]\n"
    ),
    "keys of ten thousand parts": lambda: toml("a." * 10_000 + "b = 1\n"),
    "half a million comments": lambda: toml("#\n" * 500_000),
    "an endless text": lambda: toml('a = "' + '\\"' * 500_000),
}


def outcome(read: Callable[[], SettingsDocument]) -> tuple[float, str]:
    start_s, refusal = os.times().user, ""
    try:
        read()
    except SettingsError as error:
        refusal = str(error)
    return os.times().user - start_s, refusal


@pytest.mark.slow
@pytest.mark.parametrize("case", UAV)
def test_a_costly_uav_file_is_read_in_time_or_refused(catalogue: Catalogue, case: str) -> None:
    data = UAV[case]()
    seconds, refusal = outcome(lambda: read_uav(data, "x.uav", catalogue))
    assert seconds < MOST_S
    assert refusal == "" or (refusal.startswith("x.uav") and len(refusal) < 300)


@pytest.mark.slow
@pytest.mark.parametrize("case", TOML)
def test_a_costly_settings_file_is_read_in_time_or_refused(catalogue: Catalogue, case: str) -> None:
    data = TOML[case]()
    seconds, refusal = outcome(lambda: read_settings_file(data, "x.toml", catalogue))
    assert seconds < MOST_S
    assert refusal == "" or (refusal.startswith("x.toml") and len(refusal) < 300)


def test_the_first_that_does_not_fit_is_told_with_what_is_like_it(catalogue: Catalogue) -> None:
    body = "".join(
        f'<object name="MixerSettings" instance="{n}"><field name="Mixer1Type" values="Moter"/>'
        "</object>"
        for n in range(300)
    )
    skipped = read_uav(settings(body), "x.uav", catalogue).snapshot.skipped
    assert len(skipped) == 101
    assert skipped[0].why == "'Moter' is not an option of Mixer1Type; is it Motor?"
    assert skipped[-1].why == "200 further values do not fit"

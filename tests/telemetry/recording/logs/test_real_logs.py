import json
from pathlib import Path

import pytest

from telemetry.recording.logs.reader import read_log
from tests.telemetry.recording.logs.books import CATALOGUE


def test_the_flight_of_2014_is_read_completely(shared_logs: Path) -> None:
    path = shared_logs / "openpilot-14.06-quad-2014-07-17.opl"
    reading = read_log(path, CATALOGUE)
    info = reading.info.as_json()
    per_object, without_value = info.pop("per_object"), info.pop("without_value")
    (reboot,) = info.pop("reboots")
    assert info == {
        "records": 10_553,
        "frames": 10_553,
        "crc_errors": 0,
        "junk_bytes": 0,
        "unknown_frames": 0,
        "objects": 159,
        "first_s": 0.035,
        "last_s": 747.463,
        "release": "OpenPilot-14.06-RC3",
        "wire": {"instance_id": "always", "metadata_bytes": 8},
    }
    assert reboot == pytest.approx(732, abs=5)  # a battery change
    assert sum(entry["count"] for entry in per_object.values()) == 10_553
    assert without_value == {}
    assert reading.warnings == ()
    events = reading.recording.events()
    assert (events[0].kind, events[0].text) == ("arming", "Armed")
    assert any(event.kind == "gap" and 264 < event.t < 266 for event in events)


@pytest.mark.parametrize("name", ["librepilot-next-session", "librepilot-next-hil"])
def test_captures_of_firmware_are_counted_object_by_object(shared_logs: Path, name: str) -> None:
    facts = json.loads((shared_logs / f"{name}.facts.json").read_text())
    reading = read_log(shared_logs / f"{name}.opl", CATALOGUE)
    info = reading.info
    assert (info.records, info.frames) == (facts["records"], facts["crc_valid_packets"])
    assert (info.crc_errors, info.junk_bytes, info.unknown_frames) == (0, 0, 0)
    by_name = {entry["name"]: entry["types"] for entry in facts["by_id"].values()}
    with_value = {name: types for name, types in by_name.items() if "OBJ" in types}
    assert info.objects == len(with_value)
    assert len(info.without_value) == facts["distinct_ids"] - len(with_value)
    assert (info.first_s, info.last_s) == (facts["first_ms"] / 1000, facts["last_ms"] / 1000)
    ids = {entry["name"]: object_id for object_id, entry in facts["by_id"].items()}
    expected = {
        name: (ids[name], types.get("OBJ", 0), types.get("OBJ_REQ", 0), types.get("NACK", 0))
        for name, types in by_name.items()
    }
    listed = info.as_json()
    found = {
        key: (entry["id"], entry["count"], entry["requests"], entry["refusals"])
        for key, entry in (listed["per_object"] | listed["without_value"]).items()
    }
    assert found == expected
    for entry in facts["by_id"].values():
        if "OBJ" in entry["types"]:
            assert list(reading.recording.instances(entry["name"])) == entry["instances"]
            samples = sum(
                reading.recording.track(entry["name"], instance).count  # type: ignore[union-attr]
                for instance in entry["instances"]
            )
            assert samples == entry["types"]["OBJ"]

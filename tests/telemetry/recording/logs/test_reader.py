import random
import struct
from pathlib import Path

import numpy as np
import pytest

from telemetry.protocol.objects.metadata import Metadata
from telemetry.protocol.wire.decoder import FrameDecoder
from telemetry.protocol.wire.dialect import Dialect
from telemetry.protocol.wire.frame import FrameType, encode
from telemetry.protocol.wire.scan import Bytes
from telemetry.recording.logs.reader import LogError, LogReading, read_log
from telemetry.recording.logs.records import Records, read_records
from tests.telemetry.protocol.wire.streams import flip_every
from tests.telemetry.recording.logs.books import (
    ATTITUDE,
    CATALOGUE,
    WAYPOINT,
    attitude,
    attitudes,
    frame,
    record,
    saved,
    stats,
)


def opened(path: Path) -> LogReading:
    return read_log(path, CATALOGUE)


def rolls(reading: LogReading) -> list[float]:
    return reading.recording.series("AttitudeState.Roll")[1].tolist()  # type: ignore[no-any-return]


@pytest.mark.slow
def test_a_whole_log_is_read_without_a_word(tmp_path: Path) -> None:
    reading = opened(saved(tmp_path, *attitudes(20, start_ms=35)))
    assert rolls(reading) == list(range(20))
    assert reading.recording.track("AttitudeState").times[:2].tolist() == [0.035, 0.135]  # type: ignore[union-attr]
    assert reading.warnings == ()
    info = reading.info.as_json()
    assert info.pop("per_object") == {
        "AttitudeState": {
            "id": "0x7421C7BA",
            "count": 20,
            "rate_hz": 10.526,
            "requests": 0,
            "refusals": 0,
        }
    }
    assert info.pop("without_value") == {}
    assert info == {
        "records": 20,
        "frames": 20,
        "crc_errors": 0,
        "junk_bytes": 0,
        "unknown_frames": 0,
        "objects": 1,
        "first_s": 0.035,
        "last_s": 1.935,
        "release": "LibrePilot-next-2019-02",
        "wire": {"instance_id": "always", "metadata_bytes": None},
        "reboots": [],
    }


@pytest.mark.slow
def test_records_cut_inside_frames_lose_nothing(tmp_path: Path) -> None:
    stream = b"".join(attitude(n) for n in range(50))
    cut = [record(10 * n, stream[7 * n : 7 * n + 7]) for n in range(len(stream) // 7 + 1)]
    reading = opened(saved(tmp_path, *cut))
    assert rolls(reading) == list(range(50))
    assert reading.info.junk_bytes == 0
    # A frame has the time of the record that brought its last byte.
    size = len(attitude(0))
    expected = [10 * ((size * (n + 1) - 1) // 7) / 1000 for n in range(50)]
    assert reading.recording.series("AttitudeState.Roll")[0].tolist() == expected


@pytest.mark.parametrize("garbage", [b"\xff" * 31, b"\0" * 100, bytes(range(256)) * 9])
def test_garbage_between_records_is_skipped_and_told(tmp_path: Path, garbage: bytes) -> None:
    parts = attitudes(20)
    reading = opened(saved(tmp_path, *parts[:9], garbage, *parts[9:]))
    assert rolls(reading) == list(range(20))
    assert reading.info.junk_bytes == len(garbage)
    assert f"{len(garbage)} bytes between the records are damaged" in reading.warnings[0]


@pytest.mark.parametrize(
    ("size", "damaged_bytes", "time_s"),
    [(42, 1, 0.9), (44, 55, 0.8), (60_000, 55, 0.8), (1 << 40, 55, 0.8)],
)
def test_a_frame_whose_record_has_a_size_that_lies_is_shown(
    tmp_path: Path, size: int, damaged_bytes: int, time_s: float
) -> None:
    """At the time of the record before, where the header with the size is not believed."""
    parts = attitudes(20)
    parts[9] = struct.pack("<Iq", 900, size) + parts[9][12:]
    reading = opened(saved(tmp_path, *parts))
    assert rolls(reading) == list(range(20))
    assert reading.recording.series("AttitudeState.Roll")[0][9] == time_s
    assert reading.warnings == (
        f"{damaged_bytes} bytes between the records are damaged; in them 1 frame was found.",
    )


def test_of_all_intact_frames_in_a_log_damaged_all_over_one_in_500_is_lost_at_most(
    tmp_path: Path,
) -> None:
    """One byte in a thousand has a wrong bit, in headers as in frames."""
    rng = random.Random(1)
    parts = [record(100 * n, attitude(n) + stats(n) * rng.randrange(4)) for n in range(5000)]
    intact = []
    for number, part in enumerate(parts):
        damaged = bytearray(part)
        for position in range(len(part)):
            if rng.random() < 0.001:
                damaged[position] ^= 1 << rng.randrange(8)
        parts[number] = bytes(damaged)
        if damaged[12:55] == part[12:55]:
            intact.append(number)
    shown = rolls(opened(saved(tmp_path, *parts)))
    assert 4700 < len(intact) < 4900
    assert len(set(shown).intersection(intact)) > 0.998 * len(intact)


@pytest.mark.parametrize("lost", [1, 20, 43, 50, 54])
def test_a_truncated_log_shows_what_is_complete(tmp_path: Path, lost: int) -> None:
    whole = b"".join(attitudes(20))
    reading = opened(saved(tmp_path, whole[:-lost]))
    assert rolls(reading) == list(range(19))
    assert reading.warnings == (
        "The file ends inside its last record; everything before it is shown.",
    )


def test_times_that_run_backwards_keep_the_order_of_the_file(tmp_path: Path) -> None:
    parts = attitudes(20)
    parts[9] = record(500, attitude(9))
    reading = opened(saved(tmp_path, *parts))
    assert rolls(reading) == list(range(20))
    times = reading.recording.series("AttitudeState.Roll")[0]
    assert np.all(np.diff(times) >= 0)
    assert times[[8, 9, 10]].tolist() == [0.8, 0.8, 1.0]
    assert reading.warnings == ("1 time ran backwards and was moved up in time.",)


def test_a_single_impossible_time_does_not_stretch_the_flight(tmp_path: Path) -> None:
    parts = attitudes(20)
    parts[9] = record(4_000_000_000, attitude(9))
    reading = opened(saved(tmp_path, *parts))
    assert rolls(reading) == list(range(20))
    assert reading.info.last_s == 1.9
    assert "1 record with an impossible time" in reading.warnings[0]


def test_a_second_session_in_the_same_file_is_appended(tmp_path: Path) -> None:
    first = [record(1000 * n, stats(60_000 + 1000 * n)) for n in range(10)]
    second = [record(1000 * n, stats(1000 * n)) for n in range(10)]
    reading = opened(saved(tmp_path, *first, *second))
    assert reading.info.reboots == (9.001,)
    assert reading.info.last_s == pytest.approx(18.001)
    assert "clock started again once" in reading.warnings[0]


def test_a_restart_of_the_aircraft_is_found(tmp_path: Path) -> None:
    flight_ms = [60_000, 61_000, 62_000, 8_000, 9_000]
    parts = [record(1000 * n, stats(ms)) for n, ms in enumerate(flight_ms)]
    assert opened(saved(tmp_path, *parts)).info.reboots == (3.0,)


@pytest.mark.parametrize(("scale", "is_told"), [(1, False), (1000, True)])
def test_microseconds_of_older_stations_are_converted(
    tmp_path: Path, scale: int, is_told: bool
) -> None:
    parts = [record(1000 * n * scale, stats(1000 * n)) for n in range(10)]
    reading = opened(saved(tmp_path, *parts))
    assert reading.info.last_s == 9.0
    assert any("microseconds" in warning for warning in reading.warnings) is is_told


def test_every_20th_byte_flipped_shows_nothing_wrong(tmp_path: Path) -> None:
    stream = b"".join(attitude(n) + stats(1000 * n) for n in range(400))
    short = b"".join(encode(FrameType.ACK, ATTITUDE.object_id, b"\0\0") for _ in range(400))
    damaged = flip_every(stream + short, 20)
    parts = [record(n, damaged[n : n + 50]) for n in range(0, len(damaged), 50)]
    reading = opened(saved(tmp_path, *parts))
    info = reading.info
    assert 0 < info.frames < 400
    assert info.crc_errors > 500
    assert set(rolls(reading)) <= set(range(400))
    assert reading.recording.series("SystemStats.FlightTime")[1].size == 0
    assert any("damaged frames were left out" in warning for warning in reading.warnings)


def test_unknown_objects_are_counted_and_the_rest_is_shown(tmp_path: Path) -> None:
    unknown = [record(50, encode(FrameType.OBJ, 0xDEADBEE0, bytes(9))) for _ in range(3)]
    misfit = record(60, encode(FrameType.OBJ, ATTITUDE.object_id, bytes(9)))
    reading = opened(saved(tmp_path, *attitudes(5), *unknown, misfit))
    assert rolls(reading) == list(range(5))
    assert reading.info.unknown_frames == 4
    assert reading.info.objects == 2
    assert reading.info.as_json()["per_object"]["0xDEADBEE0"]["count"] == 3


def test_a_single_instance_object_with_another_instance_is_not_shown(tmp_path: Path) -> None:
    wrong = frame(ATTITUDE, bytes(ATTITUDE.size), instance=5)
    far = frame(WAYPOINT, bytes(WAYPOINT.size), instance=1000)
    reading = opened(saved(tmp_path, *attitudes(3), record(400, wrong), record(500, far)))
    assert reading.info.unknown_frames == 2
    assert reading.recording.instances("Waypoint") == ()
    assert reading.recording.instances("AttitudeState") == (0,)


@pytest.mark.parametrize("header", [b"Tau Labs git hash:\n", b"dRonin git hash:\n"])
def test_logs_with_a_text_header_are_read(tmp_path: Path, header: bytes) -> None:
    text = header + b"8c101adc\nc16640bc7d66645e6bef1e8d042b7c7b8f7af373\n##\n"
    reading = opened(saved(tmp_path, text, *attitudes(7), name="flight.drlog"))
    assert rolls(reading) == list(range(7))
    assert reading.info.junk_bytes == 0


def test_the_other_dialect_is_read_and_named(tmp_path: Path) -> None:
    dialect = Dialect("multi", 7)
    meta = dialect.encode(FrameType.OBJ, ATTITUDE.object_id + 1, 0, True, Metadata().pack(7))
    frames = [
        frame(ATTITUDE, bytes(ATTITUDE.size), dialect=dialect),
        frame(WAYPOINT, bytes(WAYPOINT.size), instance=3, dialect=dialect),
        meta,
    ]
    reading = opened(saved(tmp_path, *(record(n, data) for n, data in enumerate(frames))))
    assert reading.info.as_json()["wire"] == {"instance_id": "multi", "metadata_bytes": 7}
    assert reading.recording.instances("Waypoint") == (3,)
    assert reading.recording.latest("AttitudeStateMeta", 1.0) is not None
    assert reading.info.unknown_frames == 0


def test_timestamped_and_plain_frames_of_an_object_are_one_column(tmp_path: Path) -> None:
    stamped = encode(FrameType.OBJ_TS, ATTITUDE.object_id, bytes(4) + attitude(1)[10:-1])
    parts = [record(0, attitude(0)), record(100, stamped), record(200, attitude(2))]
    assert rolls(opened(saved(tmp_path, *parts))) == [0, 1, 2]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "flight.opl is empty: nothing was recorded; open another log."),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0" + bytes(range(256)) * 40, "is not a flight log"),
        (struct.pack("<IQ", 0, 1 << 63) + b"\x3c" * 100, "is not a flight log"),
        (b"\0" * 5000, "is not a flight log"),
        (record(0, b"no frames in here"), "is not a flight log"),
        (b"Tau Labs git hash:\n", "is not a flight log"),
    ],
    ids=["empty", "jpeg", "claims-2^63-bytes", "zeros", "no-frames", "only-a-header"],
)
def test_a_file_that_is_no_log_is_refused_in_one_sentence(
    tmp_path: Path, content: bytes, sentence: str
) -> None:
    with pytest.raises(LogError, match=sentence):
        opened(saved(tmp_path, content))


def test_records_before_a_claim_of_2_to_63_bytes_are_shown(tmp_path: Path) -> None:
    reading = opened(saved(tmp_path, *attitudes(5), struct.pack("<IQ", 9, 1 << 63), b"\x3c" * 40))
    assert rolls(reading) == list(range(5))
    assert reading.warnings


def test_a_folder_and_a_missing_file_are_refused(tmp_path: Path) -> None:
    with pytest.raises(LogError, match="is a folder"):
        opened(tmp_path)
    with pytest.raises(LogError, match=r"Cannot read .*No such file"):
        opened(tmp_path / "absent.opl")


def test_a_file_that_is_gone_while_it_decodes_is_read_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As when a card is pulled; a mapped file would end the program here."""
    path = saved(tmp_path, *attitudes(5))

    def after_it_is_gone(data: Bytes, *options: int) -> Records:
        path.write_bytes(b"")
        return read_records(data, *options)

    monkeypatch.setattr("telemetry.recording.logs.reader.read_records", after_it_is_gone)
    assert rolls(opened(path)) == list(range(5))


def test_a_log_read_at_once_equals_the_same_bytes_received_live(tmp_path: Path) -> None:
    stream = b"".join(attitude(n) for n in range(30))
    damaged = bytearray(stream)
    damaged[100] ^= 0x40
    decoder = FrameDecoder()
    live = decoder.feed(bytes(damaged)) + decoder.finish()
    info = opened(saved(tmp_path, record(0, bytes(damaged)))).info
    assert info.frames == len(live)
    assert (info.crc_errors, info.junk_bytes) == (decoder.crc_errors, decoder.junk_bytes)

"""What was begun, on disk until it is verified."""

from pathlib import Path

from telemetry.configuration.firmware.image import read_image
from telemetry.configuration.firmware.pending import PendingUploads
from tests.boards.firmware_files import make_code, make_opfw


def test_what_was_begun_is_there_for_the_next_start(tmp_path: Path) -> None:
    image, bare = read_image(make_opfw(), "a.opfw"), read_image(make_code(), "b.bin", 0x0903)
    PendingUploads(tmp_path / "new").put("12 /34", image)
    PendingUploads(tmp_path / "new").put("56", bare)
    pending = PendingUploads(tmp_path / "new")
    assert [(each.serial, each.image) for each in pending.all()] == [
        ("12 /34", image),
        ("56", bare),
    ]
    pending.put("56", image)
    begun = pending.get("56")
    assert begun is not None
    assert begun.image == image
    pending.remove("56")
    pending.remove("56")
    assert pending.get("56") is None
    assert [each.serial for each in PendingUploads(tmp_path / "new").all()] == ["12 /34"]


def test_what_is_damaged_is_not_put_on_a_board(tmp_path: Path) -> None:
    pending = PendingUploads(tmp_path)
    pending.put("1", read_image(make_code(), "b.bin", 0x0903))
    (file,) = tmp_path.iterdir()
    whole = file.read_bytes()
    other = whole.replace(b'"board": 2307', b'"board": "x"')
    cut = (whole[:-1], whole[:-9] + b"\0" + whole[-8:], whole[:20], b"", b"[]\n", b"{}\n")
    for damaged in (*cut, other):
        file.write_bytes(damaged)
        assert pending.get("1") is None
        assert pending.all() == ()
    file.write_bytes(whole)
    file.with_name("copy.upload").write_bytes(whole)
    assert pending.get("1") is not None
    assert len(pending.all()) == 1

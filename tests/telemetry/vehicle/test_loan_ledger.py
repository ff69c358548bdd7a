"""What was borrowed is on disk, whatever happens."""

from pathlib import Path

import pytest

from telemetry.vehicle.loan_ledger import (
    LedgerError,
    Loan,
    LoanLedger,
    board_key,
    usual_folder,
)

BOARD = "0102030405060708090a0b0c"
GYRO = Loan(0x12345678, "GyroSensor", bytes(8))
BARO = Loan(0x9ABCDEF0, "BaroSensor", bytes(range(7)))


def test_what_one_process_borrowed_another_gives_back(tmp_path: Path) -> None:
    LoanLedger(tmp_path).add(BOARD, GYRO)
    LoanLedger(tmp_path).add(BOARD, BARO)
    assert LoanLedger(tmp_path).loans(BOARD) == {GYRO.object_id: GYRO, BARO.object_id: BARO}
    assert LoanLedger(tmp_path).loans("another") == {}


def test_the_first_state_is_the_one_remembered(tmp_path: Path) -> None:
    ledger = LoanLedger(tmp_path)
    ledger.add(BOARD, GYRO)
    ledger.add(BOARD, Loan(GYRO.object_id, "GyroSensor", b"our change"))
    assert ledger.loans(BOARD)[GYRO.object_id] == GYRO


def test_nothing_is_left_when_all_is_given_back(tmp_path: Path) -> None:
    ledger = LoanLedger(tmp_path)
    ledger.add(BOARD, GYRO)
    ledger.add(BOARD, BARO)
    ledger.remove(BOARD, GYRO.object_id)
    assert ledger.loans(BOARD) == {BARO.object_id: BARO}
    ledger.remove(BOARD, BARO.object_id)
    ledger.remove(BOARD, BARO.object_id)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("text", ["", "{", '{"loans": [{}]}', '{"loans": 3}', '["loans"]'])
def test_a_file_that_cannot_be_understood_is_not_taken_for_nothing(
    text: str, tmp_path: Path
) -> None:
    ledger = LoanLedger(tmp_path)
    ledger.path(BOARD).write_text(text)
    with pytest.raises(LedgerError, match=r"cannot be read .* then delete the file"):
        ledger.add(BOARD, GYRO)
    assert ledger.path(BOARD).read_text() == text


def test_a_folder_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way")
    with pytest.raises(LedgerError, match="cannot be re"):
        LoanLedger(blocked / "folder").add(BOARD, GYRO)


def test_boards_without_a_serial_number_are_told_apart_by_their_address() -> None:
    assert board_key(bytes(range(12)), "tcp:a:1") == board_key(bytes(range(12)), "serial:b")
    blank = bytes([0xFF] * 12)
    assert board_key(blank, "tcp:127.0.0.1:9000") == "ff" * 12 + "-tcp-127-0-0-1-9000"
    assert board_key(blank, "tcp:a:1") != board_key(blank, "tcp:a:2")
    assert board_key(b"", "tcp:a:1") == "board-tcp-a-1"


def test_the_folder_is_the_users(tmp_path: Path) -> None:
    assert usual_folder({"LAPWING_HOME": str(tmp_path)}) == tmp_path / "state" / "borrowed"
    assert usual_folder({}).name == "borrowed"

"""What is logged as a file: one of a peer is read, what is written comes back."""

import pytest

from telemetry.configuration.board_logs.log_table_file import (
    LogTable,
    LogTableError,
    read_log_table,
    write_log_table,
)
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy

PEERS = b"""<?xml version="1.0" encoding="UTF-8"?>
<!--This file was created by another station.-->
<settings version="1" enabled="1">
    <setting name="AccelState" level="0" period="0"/>
    <setting name="GyroState" level="1" period="10"/>
    <setting name="FlightStatus" level="2" period="0"/>
    <setting name="SystemAlarms" level="3" period="1000"/>
</settings>
"""
TABLE = LogTable(
    "OnlyWhenArmed",
    {
        "AccelState": UpdatePolicy(),
        "GyroState": UpdatePolicy(UpdateMode.PERIODIC, 10),
        "FlightStatus": UpdatePolicy(UpdateMode.ONCHANGE, 0),
        "SystemAlarms": UpdatePolicy(UpdateMode.THROTTLED, 1000),
    },
)


def test_a_file_of_a_peer_is_read_and_written() -> None:
    assert read_log_table(PEERS, "x.xml") == TABLE
    assert read_log_table(write_log_table(TABLE), "x.xml") == TABLE


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        (b'version="1" e', b'version="2" e', "no <settings> of version 1"),
        (b'enabled="1"', b'enabled="3"', "line 3: 'enabled' is a number from 0 to 2"),
        (b'level="3"', b'level="4"', "line 7: 'level' is a number from 0 to 3"),
        (b'period="10"', b'period="65536"', "line 5: 'period' is a number from 0 to 65535"),
        (b'period="10"', b'period="-1"', "line 5: 'period' is a number"),
        (b'"GyroState"', b'" "', "line 5: an object has no name"),
        (b'"GyroState"', b'"' + 100 * b"N" + b'"', "line 5: an object has no name"),
        (b"</settings>", b"", "well-formed"),
    ],
)
def test_what_is_wrong_is_named_with_its_line(before: bytes, after: bytes, what: str) -> None:
    assert before in PEERS
    with pytest.raises(LogTableError, match=r"^x\.xml is no file of what is logged: ") as error:
        read_log_table(PEERS.replace(before, after, 1), "x.xml")
    assert what in str(error.value)

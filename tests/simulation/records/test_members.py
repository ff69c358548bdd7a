"""Members of a record follow it and cannot be written."""

import numpy as np
import pytest

from simulation.records.interface import OUTPUT
from simulation.records.members import members_of


def test_members_follow_their_record() -> None:
    record = np.zeros(1, OUTPUT)[0]
    members = members_of(record)
    record["gps_count"] = 7
    record["position"] = (1.0, 2.0, 3.0)
    assert int(members["gps_count"]) == 7
    assert members["position"].tolist() == [1.0, 2.0, 3.0]
    assert set(members) == set(OUTPUT.names or ())


def test_members_are_only_read() -> None:
    members = members_of(np.zeros(1, OUTPUT)[0])
    with pytest.raises(ValueError, match="read-only"):
        members["gps_count"][...] = 1

"""Records as plain Python works on them: the numbers are those of numpy, the arrays are shared."""

import numpy as np
import pytest

from simulation.compiler.plain_record import PlainRecord
from simulation.compiler.program import Array

INNER = np.dtype([("whole", np.int64), ("real", np.float64)])
RECORD = np.dtype(
    [
        ("real", np.float64),
        ("whole", np.int64),
        ("row", np.float64, 3),
        ("table", np.float64, (2, 3)),
        ("inner", INNER),
        ("outside", INNER),
    ]
)


@pytest.fixture
def array() -> Array:
    array = np.zeros(1, RECORD)
    array["real"], array["whole"], array["inner"]["whole"] = 1.5, 7, 8
    return array


def test_numbers_are_loaded_and_stored(array: Array) -> None:
    record = PlainRecord(array[0])
    array["real"] = 2.5
    record.load()
    assert (record["real"], record["whole"], record["inner"]["whole"]) == (2.5, 7, 8)
    assert type(record["real"]) is float
    assert type(record["inner"]["whole"]) is int
    record["real"] += 1.0
    record["inner"]["whole"] -= 1
    assert array["real"] == 2.5
    record.store()
    assert array["real"] == 3.5
    assert array["inner"]["whole"] == 7


def test_what_is_set_becomes_the_members_kind(
    array: Array,
) -> None:
    record = PlainRecord(array[0])
    for value in (2.9, -2.9, True, np.float64(3.0)):
        record["whole"] = record["real"] = value
        array["whole"] = array["real"] = value
        assert (record["whole"], record["real"]) == (array["whole"], array["real"])
        assert type(record["whole"]) is int
        assert type(record["real"]) is float


def test_arrays_are_where_they_are(array: Array) -> None:
    record = PlainRecord(array[0])
    record["row"][1:][0] = 4.0
    record["table"][1, 2] = 5.0
    record["table"][0][1] = 6.0
    assert array["row"].tolist() == [[0.0, 4.0, 0.0]]
    assert array["table"].tolist() == [[[0.0, 6.0, 0.0], [0.0, 0.0, 5.0]]]


def test_a_shared_member_stays_numpys(array: Array) -> None:
    record = PlainRecord(array[0], shared=("outside",))
    assert isinstance(record["outside"], np.void)
    record["outside"]["real"] = 9.0
    assert array["outside"]["real"] == 9.0
    record.load()
    record.store()
    assert array["outside"]["real"] == 9.0

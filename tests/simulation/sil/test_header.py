"""The C header and the records are one and the same layout."""

import re
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simulation.records import interface
from simulation.sil.controller import Actuators, pack
from simulation.sil.records import (
    ABI,
    ACTUATORS,
    SIL_COMMAND,
    SIL_SENSORS,
    SIL_SETTINGS,
    members_of,
    shared_members,
)
from simulation.sil.target import HEADER_FOLDER, find_compiler
from tests.simulation.sil.flying import needs_compiler

HEADER = HEADER_FOLDER / "lapwing_sil.h"
STRUCTS: dict[str, np.dtype[Any]] = {
    "lapwing_settings": SIL_SETTINGS,
    "lapwing_sensors": SIL_SENSORS,
    "lapwing_command": SIL_COMMAND,
    "lapwing_actuators": ACTUATORS,
}


@pytest.mark.slow
@needs_compiler
def test_sizes_and_offsets_are_those_of_the_compiler(tmp_path: Path) -> None:
    lines, expected = [], []
    for struct, record in STRUCTS.items():
        lines.append(f'printf("%zu\\n", sizeof(struct {struct}));')
        expected.append(record.itemsize)
        for name in members_of(record):
            lines.append(f'printf("%zu\\n", offsetof(struct {struct}, {name}));')
            assert record.fields is not None
            expected.append(int(record.fields[name][1]))
    body = "\n".join(lines)
    source = tmp_path / "layout.c"
    source.write_text(
        '#include "lapwing_sil.h"\n#include <stddef.h>\n#include <stdio.h>\n'
        f"int main(void) {{ {body} return 0; }}\n"
    )
    program = tmp_path / "layout"
    compiler = find_compiler()
    assert compiler is not None
    subprocess.run([compiler, f"-I{HEADER_FOLDER}", str(source), "-o", str(program)], check=True)
    printed = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    assert [int(number) for number in printed.split()] == expected


@pytest.mark.parametrize("struct", STRUCTS)
def test_members_stand_in_the_same_order(struct: str) -> None:
    body = re.search(rf"struct {struct} \{{(.*?)^\}};", HEADER.read_text(), re.S | re.M)
    assert body is not None
    code = re.sub(r"/\*.*?\*/", "", body.group(1), flags=re.S)
    declared = re.findall(r"(int64_t|double) (\w+)", code)
    record = STRUCTS[struct]
    assert [name for _, name in declared] == list(members_of(record))
    kinds = {"int64_t": np.int64, "double": np.float64}
    assert all(record[name].base == kinds[kind] for kind, name in declared)


def test_the_interface_has_one_number() -> None:
    assert f"#define LAPWING_SIL_ABI {ABI}u" in HEADER.read_text()
    assert f"#define LAPWING_SIL_CHANNELS {interface.CHANNELS}" in HEADER.read_text()


@pytest.mark.parametrize("prefix", ["AXIS", "VERTICAL", "HORIZONTAL", "MIXER"])
def test_the_named_numbers_are_those_of_the_simulation(prefix: str) -> None:
    declared = dict(re.findall(rf"LAPWING_({prefix}_\w+) = (\d)", HEADER.read_text()))
    assert declared
    assert {name: getattr(interface, name) for name in declared} == {
        name: int(number) for name, number in declared.items()
    }


def test_a_controller_never_sees_the_truth() -> None:
    """What is handed over by name is measured or commanded; nothing of it is estimated either."""
    names = {*members_of(SIL_SENSORS), *members_of(SIL_COMMAND), *members_of(SIL_SETTINGS)}
    estimated = ("quaternion", "attitude_deg", "rates", "position", "velocity", "rotor_speed")
    assert not [name for name in names if name.startswith("true_") or name in estimated]


def test_every_sensor_of_the_simulator_is_handed_over() -> None:
    """A sensor added to OUTPUT must come into the header, or here as left out."""
    counted = {name for name in members_of(interface.OUTPUT) if name.endswith("_count")}
    left_out = {"rotor_count", "rotor_speed_count"}
    assert counted - left_out <= set(shared_members(SIL_SENSORS, interface.OUTPUT))


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="quaternion has 4 values, not 2"):
        pack(Actuators([1000.0] * 12, quaternion=(1.0, 0.0)))

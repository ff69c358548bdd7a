"""The import contracts of pyproject.toml hold, and each notices what it is there for."""

import json
import os
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import grimp
import pytest

ROOT = Path(__file__).resolve().parents[1]
OPTIONS = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]
ROOMS = OPTIONS["importlinter"]["root_packages"]

ROOMS_ORDER = "The rooms stand in this order"
INSTALLED = "What is installed needs nothing that is not"
CIRCLES = "Nothing imports in a circle"
QT = "Telemetry and simulation run without Qt"
SIMULATION = "Only the simulator plugin imports the simulation"
WIDGETS_KNOW = "What widgets know of telemetry: values, not what brings and changes them"
STRANGERS = "The plugins are strangers to each other"
APP = "Inside app: the station is built of parts that do not know it"
WIDGETS = "Inside widgets: views stand on drawings, drawings on the theme"
PLOT = "Inside plots: the view stands on curves, curves on what they read"
TELEMETRY = "Inside telemetry: from bytes to who flies"
RECORDING = "Inside telemetry.recording: exports read logs, logs fill recordings"
REVIEW = "Inside telemetry.review: a flight stands on what is worked out of its recording"
CONFIGURATION = (
    "Inside telemetry.configuration: everything changes an aircraft through its settings"
)
CALIBRATION = "Inside calibration: procedures carry out what fits ask for"
FLYING = "Inside telemetry.flying: orders and robots fly by controls and manoeuvres"
MATHEMATICS = (
    "Calibration fits and analysis are mathematics: they know neither links nor conversations"
)
IN_SIMULATION = "Inside simulation: each room knows only those below"
ON_BOARD = "What runs on board knows neither the world nor its sensors' errors"
PROGRAMS = "The compiled programs know no objects and no links"

FOR_TYPES = "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import"
ILLEGAL: list[tuple[dict[str, str], set[str]]] = [
    ({"widgets/icons.py": "import app.refreshing.tick"}, {ROOMS_ORDER}),
    ({"plugins/links/devices.py": "import tests.waiting"}, {INSTALLED}),
    ({"widgets/theme.py": "import simulation.records.interface"}, {ROOMS_ORDER, SIMULATION}),
    ({"plugins/map/panel.py": "import simulation.records.interface"}, {SIMULATION}),
    ({"plugins/api.py": "import simulation"}, {SIMULATION}),
    ({"plugins/stray.py": "import simulation"}, {SIMULATION}),
    ({"widgets/theme.py": "import telemetry.vehicle.vehicle"}, {WIDGETS_KNOW}),
    (
        {"widgets/collapsible.py": "import telemetry.configuration.settings.configuration"},
        {WIDGETS_KNOW},
    ),
    ({"plugins/map/panel.py": "import plugins.plots.panel"}, {STRANGERS}),
    ({"plugins/api.py": f"{FOR_TYPES} plugins.plots.panel"}, {STRANGERS, CIRCLES}),
    ({"telemetry/base/clock.py": "import PySide6.QtCore"}, {QT}),
    ({"simulation/records/flight.py": "import pyqtgraph"}, {QT}),
    ({"widgets/plot/xy_data.py": "import widgets.plot.view"}, {PLOT}),
    ({"app/workspaces/panel_layout.py": f"{FOR_TYPES} app.workspaces.workspace"}, {CIRCLES}),
    ({"app/monitoring/fence_monitor.py": "import app.menus.plugin_actions"}, {APP}),
    ({"widgets/collapsible.py": "import widgets.icons"}, {WIDGETS}),
    (
        {"telemetry/recording/flight_state.py": "import telemetry.configuration.hardware"},
        {TELEMETRY},
    ),
    ({"telemetry/protocol/session/session.py": "import telemetry.review.analysis"}, {TELEMETRY}),
    (
        {"telemetry/review/analysis/__init__.py": "import telemetry.review.flights.sync"},
        {REVIEW},
    ),
    (
        {"telemetry/recording/video_files/frame_source.py": "import telemetry.vehicle.vehicle"},
        {TELEMETRY, RECORDING},
    ),
    (
        {"telemetry/configuration/board/facts.py": "import telemetry.configuration.actuator_test"},
        {CONFIGURATION},
    ),
    ({"telemetry/flying/switches.py": "import telemetry.flying.controls"}, {FLYING, CIRCLES}),
    ({"telemetry/flying/robot/pilot.py": "import telemetry.flying.controls"}, {FLYING}),
    (
        {"telemetry/review/analysis/__init__.py": "import telemetry.protocol.links.link"},
        {MATHEMATICS},
    ),
    ({"simulation/serving/report.py": "import simulation.command.cli"}, {IN_SIMULATION, CIRCLES}),
    ({"simulation/control/pid.py": "import simulation.environment.air"}, {IN_SIMULATION, ON_BOARD}),
    ({"simulation/records/flight.py": "import telemetry.protocol.objects.definition"}, {PROGRAMS}),
]
"""What is added to which files, and the contracts that then break, no more and no fewer."""
CONTRACTS: list[dict[str, Any]] = OPTIONS["importlinter"]["contracts"]
EXHAUSTIVE = {
    container: contract["name"]
    for contract in CONTRACTS
    if contract.get("exhaustive")
    for container in contract["containers"]
}
"""The packages whose every module stands in a layer, and the contracts that say so."""

_LINT_EACH = """
import contextlib, io, json, sys
from pathlib import Path
from importlinter.cli import lint_imports

def broken_with(additions):
    before = {Path(name): Path(name).read_bytes() for name in additions if Path(name).exists()}
    for name, line in additions.items():
        path = Path(name)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(before.get(path, b"") + f"\\n{line}\\n".encode())
    with contextlib.redirect_stdout(io.StringIO()) as said:
        lint_imports(no_logo=True)
    for path in map(Path, additions):
        path.write_bytes(before[path]) if path in before else path.unlink()
    lines = said.getvalue().splitlines()
    assert any(line.startswith("Contracts: ") for line in lines), said.getvalue()
    return [line.partition(" BROKEN")[0] for line in lines if " BROKEN" in line]

print(json.dumps([broken_with(additions) for additions in json.loads(sys.argv[1])]))
"""


def _strays() -> tuple[dict[str, str], set[str]]:
    """A module without a layer in each package that has layers."""
    files = {f"{container.replace('.', '/')}/stray.py": "" for container in EXHAUSTIVE}
    return files, set(EXHAUSTIVE.values())


def _rounds() -> list[tuple[dict[str, str], set[str]]]:
    """All that is illegal in as few rounds as keep it apart which addition breaks which contract.
    What is broken without any would be so in every round, and each contract has to hold in one."""
    rounds: list[tuple[dict[str, str], set[str]]] = []
    for added, broken in [*ILLEGAL, _strays()]:
        for others, others_broken in rounds:
            if not broken & others_broken and not added.keys() & others.keys():
                others.update(added)
                others_broken.update(broken)
                break
        else:
            rounds.append((dict(added), set(broken)))
    return rounds


@pytest.mark.slow
def test_each_contract_breaks_by_what_it_forbids_and_by_nothing_else(tmp_path: Path) -> None:
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            target = tmp_path / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
    shutil.copyfile(ROOT / "pyproject.toml", tmp_path / "pyproject.toml")
    rounds = _rounds()
    done = subprocess.run(
        [sys.executable, "-c", _LINT_EACH, json.dumps([added for added, _ in rounds])],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=True,
    )
    for (added, expected), broken in zip(rounds, json.loads(done.stdout), strict=True):
        assert set(broken) == expected, added


def test_every_contract_is_seen_to_break_and_to_hold() -> None:
    names = {contract["name"] for contract in CONTRACTS}
    broken = [contracts for _, contracts in _rounds()]
    assert set().union(*broken) == names
    assert set.intersection(*broken) == set()


MOST_LINES = 4000
"""A package of more lines has an exhaustive contract that says what stands on what in it."""


def _large_packages() -> set[str]:
    """Every package of more than MOST_LINES lines, those within it among them."""
    lines: Counter[str] = Counter()
    for room in ROOMS:
        for path in (ROOT / room).rglob("*.py"):
            count = len(path.read_text(encoding="utf-8").splitlines())
            parts = path.relative_to(ROOT).parent.parts
            lines.update({".".join(parts[:depth]): count for depth in range(1, len(parts) + 1)})
    return {package for package, count in lines.items() if count > MOST_LINES}


@pytest.mark.slow
def test_every_large_package_has_a_contract_inside() -> None:
    large = _large_packages()
    assert {"app", "telemetry.configuration"} <= large
    assert large - EXHAUSTIVE.keys() - {"plugins"} == set()


def _imports_of_own_package(graph: grimp.ImportGraph) -> list[str]:
    """What no contract sees: a package that imports its modules is no sibling of theirs."""
    return [
        f"{module} imports {package}"
        for module in sorted(graph.modules)
        for package in graph.find_modules_directly_imported_by(module)
        if module.startswith(f"{package}.")
    ]


@pytest.mark.slow
def test_no_module_imports_the_package_it_stands_in() -> None:
    graph = grimp.build_graph(*ROOMS, cache_dir=None)
    assert _imports_of_own_package(graph) == []
    graph.add_import(importer="plugins.map.panel", imported="plugins.map")
    assert _imports_of_own_package(graph) == ["plugins.map.panel imports plugins.map"]

"""Rules of the house that no tool checks: sizes, clocks, blind handlers, import weight."""

import ast
import math
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROOMS = ("app", "widgets", "plugins", "telemetry", "simulation", "benchmarks", "examples")
FILE_LINES, FUNCTION_LINES = 600, 60

# Where a failure of somebody else's code must not take the station down (ARCHITECTURE.md, Errors).
BLIND_EXCEPT_BORDERS = {
    "app/plugin_loading/loader.py": "opening plugins",
    "app/menus/plugin_actions.py": "actions of plugins",
    "simulation/simulator/external_force.py": "a user's function",
    "simulation/command/force_option.py": "a user's file",
    "simulation/perception/suite.py": "readers of samples",
    "simulation/sil/host.py": "a user's controller",
    "simulation/studies/cluster.py": "a scheduler that somebody else has started",
    "simulation/studies/flying.py": "a user's function",
    "simulation/worlds/gl_context.py": "the graphics driver",
    "simulation/worlds/ground_meshes.py": "a user's elevation raster",
    "simulation/worlds/mesh_file.py": "a user's mesh",
    "telemetry/vehicle/connection.py": "worker loop",
    "widgets/map/tile_workers.py": "jobs of a map, handed to who asks for their results",
    "widgets/scene3d/gl_context.py": "the graphics driver",
    "widgets/view_host.py": "panels and pages",
}


# What says how an aircraft, its link, its plan and its controls are.
STATE_VIEWS = (
    "app/connection/*.py",
    "app/window/toolbar.py",
    "plugins/flight_display/*.py",
    "plugins/links/*.py",
    "plugins/pilot/*.py",
    "plugins/pilot/controllers/*.py",
    "plugins/plan/*.py",
    "plugins/warnings/*.py",
    "widgets/alarm_*.py",
    "widgets/checklist_view.py",
)

# What shows a text of run time in them that is no state (widgets/state_label.py).
NOT_A_STATE = {
    "app/connection/popup.py: QListWidgetItem": "a place to choose",
    "app/connection/popup.py: make_label": "how addresses are written",
    "app/connection/popup.py: self._address": "what the user types",
    "app/window/toolbar.py: self._vehicle": "the title of the button that chooses an aircraft",
    "plugins/pilot/aircraft_panel.py: item": "a table that is filled anew at every refresh",
    "plugins/pilot/button_row.py: button": "the title of a button",
    "plugins/pilot/checklist_panel.py: self._editor": "what the user types",
    "plugins/pilot/controllers/button_rows.py: QLabel": "what a button is called",
    "plugins/pilot/controllers/button_rows.py: light": "what a button is called",
    "plugins/pilot/controllers_panel.py: view.title": "what a device is called",
    "plugins/pilot/follow_settings.py: label": "what a field is called",
    "plugins/pilot/guided_view.py: self._behaviour": "the title of a button",
    "plugins/pilot/guided_view.py: self._question": "a question to the pilot",
    "plugins/pilot/station_offer.py: make_label": "a question to the pilot",
    "plugins/plan/checks_list.py: QListWidgetItem": "grey while it is of the plan before",
    "plugins/plan/checks_list.py: item": "grey while it is of the plan before",
    "plugins/plan/fence_strip.py: self.name": "what the user types",
    "plugins/plan/shape_boxes.py: make_label": "what a field is called",
    "plugins/plan/waypoint_form.py: label": "what a field is called",
    "plugins/plan/waypoint_form.py: self._explanation": "a help text",
    "plugins/plan/waypoint_form.py: self.name": "what the user types",
    "plugins/plan/plan_menu.py: self._name": "what a plan is called, while its menu is open",
    "plugins/plan/plan_menu.py: self._redo": "the title of a menu's entry",
    "plugins/warnings/rule_form.py: line": "what the user types",
    "widgets/alarm_explanation.py: make_label": "made anew whenever what it explains changes",
}


def _sources() -> Iterator[Path]:
    for room in ROOMS:
        yield from sorted((ROOT / room).rglob("*.py"))


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _trees(mentioning: str) -> Iterator[tuple[str, ast.Module]]:
    """Name and tree of each source in which a pattern occurs: to parse all takes seconds."""
    for path in _sources():
        text = path.read_text(encoding="utf-8")
        if re.search(mentioning, text):
            yield _name(path), ast.parse(text)


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """All statements, however deep; their expressions, in which no function is defined, are not
    looked into."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        for child in ast.iter_child_nodes(waiting.pop()):
            if isinstance(child, ast.stmt | ast.excepthandler | ast.match_case):
                waiting.append(child)
            if isinstance(child, ast.stmt):
                yield child


def _code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef, text: list[str]) -> int:
    """Lines of code of a function, without its docstring, comments and blank lines."""
    first = function.body[0]
    is_doc = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    skipped = range(first.lineno, (first.end_lineno or 0) + 1) if is_doc else range(0)
    lines = range(function.lineno, (function.end_lineno or function.lineno) + 1)
    return sum(
        1
        for number in lines
        if number not in skipped
        and text[number - 1].strip()
        and not text[number - 1].strip().startswith("#")
    )


_BEGINS = re.compile(r"( *)(@|class\b|(?:async +)?def\b)")


def _may_be_oversized(text: list[str]) -> bool:
    """Whether a function has, up to the next definition that does not stand in it, more lines of
    code than one may have: to parse all takes seconds. What a string defines ends nothing."""
    begun: list[tuple[int, float]] = []
    count, is_in_string = 0, False
    for line in text:
        begins = None if is_in_string else _BEGINS.match(line)
        if begins:
            indent = len(begins[1])
            while begun and begun[-1][0] >= indent:
                if count - begun.pop()[1] > FUNCTION_LINES:
                    return True
            begun.append((indent, count if begins[2].endswith("def") else math.inf))
        count += bool(line.strip()) and not line.lstrip().startswith("#")
        is_in_string ^= line.count('"""') % 2 == 1
    return any(count - first > FUNCTION_LINES for _, first in begun)


def _oversized(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8").splitlines()
    found = []
    if len(text) > FILE_LINES:
        found.append(f"{_name(path)} has {len(text)} lines")
    if not _may_be_oversized(text):
        return found
    for node in _statements(ast.parse("\n".join(text))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            size = _code_lines(node, text)
            if size > FUNCTION_LINES:
                found.append(f"{_name(path)}: {node.name} has {size} lines of code")
    return found


@pytest.mark.slow
def test_files_and_functions_stay_small() -> None:
    assert [fault for path in _sources() for fault in _oversized(path)] == []


@pytest.mark.parametrize(
    "around", ["if a:", "class A:", "try:\n pass\nfinally:", "match a:\n case 1:"]
)
def test_an_oversized_function_would_be_found(around: str) -> None:
    body = "\n".join("   x = 1" for _ in range(FUNCTION_LINES + 1))
    text = f"{around}\n  def long() -> None:\n{body}\n"
    (node,) = [n for n in _statements(ast.parse(text)) if isinstance(n, ast.FunctionDef)]
    assert _code_lines(node, text.splitlines()) > FUNCTION_LINES
    assert _may_be_oversized(text.splitlines())
    assert _may_be_oversized(f"{text}\ndef short() -> None: ...".splitlines())
    template = f'{body}\n   y = """\ndef other(): ...\n"""\n'
    assert _may_be_oversized(f"def long() -> None:\n   x = 1\n{template}".splitlines())
    assert not _may_be_oversized(text.splitlines()[: FUNCTION_LINES // 2])


@pytest.mark.slow
def test_only_the_clock_module_reads_clocks() -> None:
    faults = []
    for name, tree in _trees(mentioning=r"import\s.*\btime\b|from\s+time\b"):
        for node in ast.walk(tree):
            if isinstance(node, ast.Import) and any(a.name == "time" for a in node.names):
                faults.append(name)
            if isinstance(node, ast.ImportFrom) and node.module == "time":
                faults.append(name)
    faults = [name for name in faults if not name.startswith("benchmarks/")]
    assert faults == ["telemetry/base/clock.py"]


_HIDING_WORDS = ("What", "How", "Which", "Where", "Whether", "Why", "When", "Who", "That", "From")


def _hides_its_thing(text: str) -> bool:
    """Whether a module's docstring begins with a word that nobody would search for."""
    first = re.match(r'(?:\s*#.*\n)*\s*[rR]?["\']+\s*(\w+)', text)
    return first is not None and first[1] in _HIDING_WORDS


def test_a_module_docstring_begins_with_the_thing_itself() -> None:
    """*Geofence watch: ...*, so that a search for the thing finds the module."""
    found = [_name(path) for path in _sources() if _hides_its_thing(path.read_text("utf-8"))]
    assert found == []


@pytest.mark.parametrize("word", _HIDING_WORDS)
def test_a_docstring_that_hides_its_thing_would_be_found(word: str) -> None:
    assert _hides_its_thing(f'"""{word} a fence is crossed, in words."""\n')
    assert _hides_its_thing(f'"""\n{word} a fence is crossed.\n"""\n')
    assert not _hides_its_thing(f'"""Geofence watch: {word.lower()} one is crossed."""\n')
    assert _hides_its_thing(f'#!/usr/bin/env python\n\n"""{word} a fence is crossed."""\n')
    assert not _hides_its_thing(f'"""{word}ever it may be."""\n')


def _public_classes(sources: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Name of each public class to the files that define it, of (file, text). Read from the text,
    which is formatted: to parse all takes seconds."""
    found: dict[str, list[str]] = {}
    for name, text in sources:
        for class_name in re.findall(r"^class ([^\W_]\w*)", text, re.MULTILINE):
            found.setdefault(class_name, []).append(name)
    return found


def _shared_names(classes: dict[str, list[str]]) -> dict[str, list[str]]:
    return {name: files for name, files in classes.items() if len(files) > 1}


@pytest.mark.slow
def test_a_public_class_name_is_unique_in_the_product() -> None:
    texts = ((_name(path), path.read_text(encoding="utf-8")) for path in _sources())
    assert _shared_names(_public_classes(texts)) == {}


def test_a_class_name_used_twice_would_be_found() -> None:
    texts = [
        ("a.py", "class Report: ...\nclass _Own: ..."),
        ("b.py", "import a\n\nclass Report(a.Report): ...\n    class Own: ...\nclass _Own: ..."),
    ]
    assert _shared_names(_public_classes(texts)) == {"Report": ["a.py", "b.py"]}


def _private_names(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """What belongs to others and begins with one underscore; the methods of NamedTuple aside."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, a.name) for a in node.names if a.name.startswith("_"))
        if not isinstance(node, ast.Attribute) or node.attr in {"_replace", "_asdict"}:
            continue
        owner = node.value.id if isinstance(node.value, ast.Name) else ""
        is_private = node.attr.startswith("_") and not node.attr.startswith("__")
        if is_private and owner not in {"self", "cls"}:
            yield node.lineno, node.attr


# Text that may be one, so that not all tests need to be parsed.
_PRIVATE = re.compile(
    r"(?<!\bself)(?<!\bcls)\s*\._(?!_)|\bimport\b[^\n]*\b_|^\s+_\w+(?: as \w+)?,?$", re.MULTILINE
)


@pytest.mark.slow
def test_tests_use_public_names_only() -> None:
    texts = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("*.py")}
    found = {
        f"{_name(path)}: {name}"
        for path, text in texts.items()
        if _PRIVATE.search(text)
        for _, name in _private_names(ast.parse(text))
    }
    assert found == set()


@pytest.mark.parametrize(
    "text",
    ["page._parts", "from a import _b", "from a import (\n    b,\n    _c,\n)", "f(x)._y = 1"],
)
def test_private_access_would_be_found(text: str) -> None:
    assert _PRIVATE.search(text)
    assert len(list(_private_names(ast.parse(text)))) == 1
    assert list(_private_names(ast.parse("self._a, x.__dict__, x._replace(y=1)"))) == []


PRODUCT = ("app", "widgets", "plugins", "telemetry", "simulation")
_MODULE = re.compile(rf"(?<![\w./])(?:{'|'.join(PRODUCT)})(?:\.\w+)+")


# The beginning of a formatted file, its docstring and what it imports, holds no other string; what
# follows mentions a room or not, so that not all files need to be parsed.
_HEAD = re.compile(
    r'(?:#.*\n|\s)*(?:"""(?:[^"\\]|\\.|"(?!""))*"""\n)?'
    r"(?:\n|(?:from|import) [\w., ]+(?:\([\w.,\s]*\))?\n)*"
)
_ROOM = re.compile(rf"(?<![\w./])(?:{'|'.join(PRODUCT)})\.")


def _mentions_room(text: str) -> bool:
    head = _HEAD.match(text)
    return _ROOM.search(text, head.end() if head else 0) is not None


def _may_name_modules(name: str) -> bool:
    """Manifests of plugins, read without loading what they name, and the table of commands."""
    return name == "app/cli.py" or re.fullmatch(r"plugins/\w+/__init__\.py", name) is not None


def _is_module(dotted: str) -> bool:
    """Whether it is a package or module, or the beginning is one and a name in it follows."""
    path = ROOT.joinpath(*dotted.split("."))
    places = (path, path.with_suffix(".py"), path.parent.with_suffix(".py"))
    return any(place.exists() for place in places)


def _named_modules(text: str) -> set[str]:
    """Modules that its strings name, whole or but for what is filled in; a string that stands by
    itself documents."""
    nodes = list(ast.walk(ast.parse(text)))
    documents = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    strings = [
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        if id(node) not in documents
    ]
    for node in nodes:
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else "_" for part in node.values)
            strings.append("".join(map(str, parts)))
    found = {dotted for string in strings for dotted in _MODULE.findall(string)}
    return {dotted for dotted in found if _is_module(dotted.partition("._")[0])}


@pytest.mark.slow
def test_no_module_is_named_in_a_string() -> None:
    """A search for its users finds them, and who moves it need not know where it is spelled out."""
    texts = {_name(path): path.read_text(encoding="utf-8") for path in _sources()}
    found = {
        f"{name}: {dotted}"
        for name, text in texts.items()
        if name.split("/")[0] in PRODUCT and not _may_name_modules(name) and _mentions_room(text)
        for dotted in _named_modules(text)
    }
    assert found == set()


@pytest.mark.parametrize(
    "text",
    [
        'run("-m", "telemetry.base.clock")',
        'resolve("telemetry.base.clock:monotonic_s")',
        'import_module(f"telemetry.base.clock.{name}")',
        'import_module(f"telemetry.{name}")',
        'code = "from telemetry.base.clock import monotonic_s"',
    ],
)
def test_a_module_in_a_string_would_be_found(text: str) -> None:
    assert _named_modules(text)
    assert _mentions_room(
        f'"""Words."""\n\nimport telemetry.base\nfrom app import (\n    a,\n)\n\n{text}'
    )
    assert not _mentions_room('"""Of telemetry.base."""\n\nimport telemetry.base.clock\n\na = 1\n')
    assert not _named_modules(
        '"""See telemetry.base.clock."""\na = "telemetry.no_such.thing of app.py"'
    )
    assert _may_name_modules("plugins/map/__init__.py")
    assert not _may_name_modules("plugins/map/panel.py")


def _is_blind(handler: ast.ExceptHandler) -> bool:
    if handler.type is None:
        return True
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    blind = {"Exception", "BaseException"}
    return any(isinstance(kind, ast.Name) and kind.id in blind for kind in named)


@pytest.mark.parametrize("kind", ["", " Exception", " (OSError, Exception)"])
def test_a_blind_handler_would_be_found(kind: str) -> None:
    (tried,) = ast.parse(f"try:\n    pass\nexcept{kind}:\n    pass").body
    assert isinstance(tried, ast.Try)
    assert _is_blind(tried.handlers[0])


def test_every_room_is_looked_at() -> None:
    assert {_name(path).split("/")[0] for path in _sources()} == set(ROOMS)


@pytest.mark.slow
def test_blind_handlers_stand_at_the_borders_only() -> None:
    blind = set()
    for name, tree in _trees(mentioning=r"except\s*:|except\b[^:]*Exception\b"):
        handlers = [n for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler)]
        if any(map(_is_blind, handlers)):
            blind.add(name)
    assert blind == set(BLIND_EXCEPT_BORDERS)


_MAKES_LABEL = {"FittedText", "QLabel", "QListWidgetItem", "make_heading", "make_label"}


def _is_fixed(text: ast.expr) -> bool:
    """Whether a text is a literal or a constant, or one of several."""
    if isinstance(text, ast.IfExp):
        return _is_fixed(text.body) and _is_fixed(text.orelse)
    if isinstance(text, ast.Subscript):
        return _is_fixed(text.value)
    name = text.id if isinstance(text, ast.Name) else ""
    name = text.attr if isinstance(text, ast.Attribute) else name
    return isinstance(text, ast.Constant) or name.isupper()


def _shown_words(tree: ast.AST) -> Iterator[str]:
    """What is given a text of run time by other means than a statement; a label that is made with
    a title that was handed on is no such thing."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called, shown_by, text = node.func, node.func, node.args[-1]
        name = called.id if isinstance(called, ast.Name) else ""
        if isinstance(called, ast.Attribute):
            name, shown_by = called.attr, called.value
        if name in {"set_text", "show_text"}:
            shown_by, text = node.args[0], node.args[1]
        is_label = name in _MAKES_LABEL and not isinstance(text, ast.Name)
        is_shown = name in {"set_text", "show_text", "setText", "setPlainText"}
        if (is_label or is_shown) and not _is_fixed(text):
            yield ast.unparse(shown_by)


@pytest.mark.slow
def test_what_is_said_of_a_state_goes_through_a_statement() -> None:
    """Words that somebody once put into a label stay there, and need not be so any more."""
    views = [path for pattern in STATE_VIEWS for path in sorted(ROOT.glob(pattern))]
    found = {
        f"{_name(path)}: {shown_by}"
        for path in views
        for shown_by in _shown_words(ast.parse(path.read_text("utf-8")))
    }
    assert found == set(NOT_A_STATE)
    assert all(any(ROOT.glob(pattern)) for pattern in STATE_VIEWS)


@pytest.mark.parametrize(
    "text",
    [
        "label.setText(words)",
        "label.setText(f'{count} waypoints are on board')",
        "label.setText(ON_BOARD if is_there else words)",
        "show_text(label, carrying.text, 'muted')",
        "labels.set_text(label, words)",
        "make_label(f'Connected to {name}')",
    ],
)
def test_a_state_said_by_other_means_would_be_found(text: str) -> None:
    assert len(list(_shown_words(ast.parse(text)))) == 1


def test_a_statement_a_constant_and_a_title_may_be_shown() -> None:
    fixed = "label.state(told); label.setText(EMPTY); set_text(label, 'Off' if a else TITLES[1])"
    assert list(_shown_words(ast.parse(f"{fixed}; make_label(title); QListWidgetItem()"))) == []


# Where a text may be taken for rich text: each escapes what is put into it by `markup_text`. All
# else is plain by the style sheet (widgets/stylesheet.py), tool tips too.
RICH_TEXT = {
    "app/help/text.py": "the manual; what a panel says of itself is escaped",
    "plugins/calibration/guide.py": "words of its own",
    "plugins/identification/series_view.py": "titles of pyqtgraph",
    "plugins/simulator/figure_view.py": "titles and labels of pyqtgraph",
    "plugins/system_health/explanation.py": "an alarm explained",
    "widgets/diagrams.py": "no text of its own",
    "widgets/plot/overlays.py": "a table of figures",
    "widgets/setting_links.py": "names of settings as links",
    "widgets/spectrum/canvas.py": "paths of pyqtgraph",
    "widgets/stylesheet.py": "the rule itself",
    "widgets/theme.py": "colours of pyqtgraph",
}
_RICH = re.compile(
    r"""["']rich["']|setTextFormat\((?!Qt\.TextFormat\.PlainText)|[a-z]Html\(|setMarkdown"""
    r"|setWhatsThis|QText(?:Edit|Browser|Document)|QMessageBox|QErrorMessage|QGraphicsTextItem"
    r"|import pyqtgraph"
)


@pytest.mark.slow
def test_rich_text_is_shown_in_these_places_only() -> None:
    rooms = ("app", "widgets", "plugins", "examples")
    sources = (path for path in _sources() if path.relative_to(ROOT).parts[0] in rooms)
    found = {_name(path) for path in sources if _RICH.search(path.read_text("utf-8"))}
    assert found == set(RICH_TEXT)


@pytest.mark.parametrize(
    "text",
    [
        'label.setProperty("rich", True)',
        "label.setTextFormat(Qt.TextFormat.AutoText)",
        "view.setHtml(words)",
        "QMessageBox.warning(self, title, words)",
        "view = QTextEdit(words)",
        "import pyqtgraph as pg",
    ],
)
def test_rich_text_elsewhere_would_be_found(text: str) -> None:
    assert _RICH.search(text)
    assert not _RICH.search("text.setTextFormat(Qt.TextFormat.PlainText); a.setToolTip(words)")


_PAST_ESCAPING = re.compile(r"\bprint\([^\n]*drawn_on|sys\.__std(?:out|err)__\.|sys\.stdout\.write")


@pytest.mark.slow
def test_what_is_printed_is_escaped() -> None:
    """`drawn_on` is for bars of progress; one line that is written over is escaped by itself."""
    texts = {_name(path): path.read_text("utf-8") for path in _sources()}
    found = {name for name, text in texts.items() if _PAST_ESCAPING.search(text)}
    assert found == {"telemetry/configuration/settings/headless.py"}
    assert _PAST_ESCAPING.search("print(error, file=drawn_on(sys.stderr))")


@pytest.mark.slow
def test_telemetry_and_simulation_are_usable_without_qt() -> None:
    """A researcher's notebook needs no Qt."""
    code = (
        "import sys; import telemetry.recording.logs.reader, telemetry.vehicle.vehicle, "
        "telemetry.protocol.session.session, simulation.autopilot.autopilot, "
        "simulation.scenarios.flight; "
        "sys.exit(any(name.startswith('PySide6') for name in sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == 0


@pytest.mark.slow
def test_the_window_starts_without_the_compiler_and_what_only_flights_need() -> None:
    """The simulator runs in a process of its own; the window only shows and asks. What watches and
    speaks comes with the first aircraft, and with the first thing to say; serial ports can be
    lacking, and `lapwing doctor` says so."""
    late = (
        "llvmlite",
        "scipy",
        "pyarrow",
        "simulation.studies.flying",
        "telemetry.warnings.flight_watch",
        "telemetry.warnings.speech_worker",
        "serial",
    )
    assert all(find_spec(name) for name in late)
    panels = ("controls_panel", "scenarios_panel", "studies_panel", "link")
    modules = ", ".join(["app.diagnostics.doctor", *(f"plugins.simulator.{p}" for p in panels)])
    code = f"import sys, app.station, {modules}; sys.exit(any(map(sys.modules.get, {late})))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False)
    assert done.returncode == 0

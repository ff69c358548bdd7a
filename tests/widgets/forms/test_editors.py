"""The right editor for every field, and what it takes."""

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QValidator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractSpinBox
from pytestqt.qtbot import QtBot

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.definition import FieldDefinition, FieldType
from widgets.forms.editors import (
    HexEditor,
    NumberEditor,
    OptionEditor,
    TextEditor,
    editor_value,
    make_editor,
    range_text,
)
from widgets.forms.special_editors import ScaledEditor
from widgets.forms.spin_boxes import NumberBox


def number(type_: FieldType, limits: str = "", units: str = "") -> FieldDefinition:
    return FieldDefinition("N", type_, limits=limits, units=units)


ENUM = FieldDefinition(
    "E", FieldType.ENUM, options=("A", "B", "C"), option_values=(0, 1, 2), limits="%NE:C"
)


@pytest.mark.parametrize(
    ("field", "kind", "value"),
    [
        (ENUM, OptionEditor, "B"),
        (number(FieldType.UINT32), NumberEditor, 4_294_967_295),
        (number(FieldType.INT16), NumberEditor, -32768),
        (number(FieldType.FLOAT), NumberEditor, 3.3e-05),
        (number(FieldType.FLOAT), NumberEditor, -3.4e38),
        (number(FieldType.UINT32, units="hex"), HexEditor, 0xDEADBEEF),
        (number(FieldType.INT8, units="hex"), HexEditor, -2),
        (FieldDefinition("T", FieldType.UINT8, 20, units="char"), TextEditor, "Lapwing"),
    ],
)
def test_each_editor_gives_back_what_it_shows(
    qtbot: QtBot, field: FieldDefinition, kind: type, value: Any
) -> None:
    editor = make_editor(field)
    qtbot.addWidget(editor)
    editor.set_value(value)
    assert isinstance(editor, kind)
    assert editor_value(editor) == pytest.approx(value)


def test_options_advised_against_are_offered_only_if_chosen(qtbot: QtBot) -> None:
    editor = make_editor(ENUM)
    qtbot.addWidget(editor)
    assert isinstance(editor, OptionEditor)
    assert [editor.itemText(row) for row in range(editor.count())] == ["A", "B"]
    editor.set_value("C")
    assert editor.value() == "C"


def test_a_number_stays_in_its_advised_range(qtbot: QtBot) -> None:
    editor = make_editor(number(FieldType.FLOAT, "%BE:0:0.01"))
    qtbot.addWidget(editor)
    assert isinstance(editor, NumberEditor)
    editor.set_value(0.003)
    assert "0 to 0.01" in editor.toolTip()
    assert editor.validate("5e-3", 0)[0] == QValidator.State.Acceptable
    assert editor.validate("0,004", 0)[0] == QValidator.State.Acceptable
    assert editor.validate("0.02", 0)[0] == QValidator.State.Intermediate
    assert editor.validate("x", 0)[0] == QValidator.State.Invalid
    editor.selectAll()
    qtbot.keyClicks(editor, "0.0045")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor_value(editor) == pytest.approx(0.0045)
    qtbot.keyClick(editor, Qt.Key.Key_Up)
    assert editor_value(editor) == pytest.approx(0.0046)


def test_a_value_out_of_range_is_shown_as_it_is(qtbot: QtBot) -> None:
    editor = make_editor(number(FieldType.FLOAT, "%BE:0:1"))
    qtbot.addWidget(editor)
    editor.set_value(7)
    assert editor_value(editor) == 7


def test_whole_numbers_take_no_fraction(qtbot: QtBot) -> None:
    editor = make_editor(number(FieldType.UINT8))
    qtbot.addWidget(editor)
    assert isinstance(editor, NumberEditor)
    assert editor.validate("1.5", 0)[0] == QValidator.State.Intermediate
    assert editor.validate("256", 0)[0] == QValidator.State.Intermediate
    editor.set_value(254)
    for _ in range(3):
        editor.stepBy(1)
    assert editor_value(editor) == 255


@pytest.mark.slow
def test_every_field_of_the_default_release_has_an_editor_for_its_default(qtbot: QtBot) -> None:
    for definition in load_catalogue().release("LibrePilot-next-2019-02"):
        for f in definition.fields:
            editor = make_editor(f)
            qtbot.addWidget(editor)
            default = f.defaults[0] if f.defaults else (f.options or (0,))[0]
            if not isinstance(editor, TextEditor):
                editor.set_value(default)
                assert editor_value(editor) == pytest.approx(default), (definition.name, f.name)


def test_ranges_in_words() -> None:
    plain = "\N{NARROW NO-BREAK SPACE}"
    assert range_text(number(FieldType.UINT8, units="m")) == f"0 to 255{plain}m"
    assert range_text(number(FieldType.FLOAT, "%BI:2")) == "2 or more"
    assert range_text(number(FieldType.FLOAT, "%SM:2")) == "2 or less"
    assert range_text(number(FieldType.FLOAT)) == "any number"
    assert range_text(ENUM) == "A, B"


def test_a_tool_tip_says_what_for_and_how_much_in_short_lines(qtbot: QtBot) -> None:
    words = " ".join(["Raise it until the aircraft answers crisply."] * 4)
    f = FieldDefinition("N", FieldType.FLOAT, limits="%BE:0:1", description=words)
    editor = make_editor(f)
    qtbot.addWidget(editor)
    lines = editor.toolTip().splitlines()
    assert " ".join(lines[:-1]) == words
    assert lines[-1] == "0 to 1"
    assert max(map(len, lines)) < 70


def typed_into(box: QAbstractSpinBox, text: str) -> None:
    line = box.lineEdit()
    line.selectAll()
    QTest.keyClicks(line, text)
    QTest.keyClick(line, Qt.Key.Key_Return)


@pytest.mark.parametrize(
    ("text", "words"),
    [("300", "300 is out of range. It takes 0 to 255."), ("4.5", "4.5 is not a whole number.")],
)
def test_what_the_type_cannot_hold_is_refused_with_a_sentence(
    qtbot: QtBot, text: str, words: str
) -> None:
    editor = NumberEditor(FieldDefinition("RollMax", FieldType.UINT8), 0, takes_unusual=True)
    qtbot.addWidget(editor)
    editor.set_value(55)
    editor.show()
    said: list[str] = []
    editor.refused.connect(said.append)
    typed_into(editor, text)
    assert said == [f"Not taken: {words}"]
    assert words[:20] in editor.toolTip().replace("\n", " ")
    assert editor.number() == 55
    typed_into(editor, "70")
    assert (editor.number(), len(said)) == (70, 1)


def test_a_box_with_a_unit_refuses_with_a_sentence(qtbot: QtBot) -> None:
    box = ScaledEditor(0.001, "s", (0.0, 60.0))
    qtbot.addWidget(box)
    box.set_value(5000)
    said: list[str] = []
    box.refused.connect(said.append)
    typed_into(box, "300")
    assert said == ["Not taken: 300 is out of range. It takes 0.0 to 60.0\u202fs."]
    assert box.number() == 5000


@pytest.mark.parametrize(
    ("decimals", "text", "value", "said"),
    [
        (3, "-12.354808", -12.355, ()),
        (3, "\N{MINUS SIGN}12.35", -12.35, ()),
        (3, "-900.5", 1.0, ("Not taken: -900.5 is out of range. It takes -100.000 to 100.000 s.",)),
        (0, "4.5", 1.0, ("Not taken: 4.5 is not a whole number. It takes -100 to 100 s.",)),
    ],
)
def test_a_number_copied_from_elsewhere_is_taken(
    qtbot: QtBot, decimals: int, text: str, value: float, said: tuple[str, ...]
) -> None:
    box = NumberBox("Offset", (-100.0, 100.0), decimals, " s")
    qtbot.addWidget(box)
    box.setValue(1.0)
    told: list[str] = []
    box.refused.connect(told.append)
    QGuiApplication.clipboard().setText(text)
    box.lineEdit().selectAll()
    box.lineEdit().paste()
    QTest.keyClick(box.lineEdit(), Qt.Key.Key_Return)
    assert box.value() == value
    assert tuple(told) == said

"""Reading definition files: every form of the format, and errors a person can act on."""

from pathlib import Path

import pytest

from telemetry.protocol.objects.definition import ObjectDefinition, UpdateMode
from telemetry.protocol.objects.definition_folder import DefinitionFolder
from telemetry.protocol.objects.definition_xml import (
    DefinitionError,
    parse_definition,
    parse_definitions,
)


def wrap(fields: str, attributes: str = "") -> str:
    return (
        f'<xml>\n<object name="Thing" singleinstance="true" settings="true" {attributes}>\n'
        '<description>  A\n thing. </description>\n<access gcs="readonly" flight="readwrite"/>\n'
        '<telemetrygcs acked="true" updatemode="onchange" period="0"/>\n'
        '<telemetryflight acked="false" updatemode="throttled" period="250"/>\n'
        f'<logging updatemode="never" period="0"/>\n{fields}\n</object>\n</xml>'
    )


def test_everything_about_an_object_is_read() -> None:
    thing = parse_definition(
        wrap(
            '<field name="A" units="m" type="uint8" elementnames="X, Y,Z" defaultvalue="1,2,0x10"/>'
        ),
        "thing.xml",
    )
    assert (thing.name, thing.settings, thing.single_instance) == ("Thing", True, True)
    assert thing.description == "A thing."
    assert thing.gcs_readonly
    assert not thing.flight_readonly
    assert thing.gcs_policy.acked
    assert thing.flight_policy.mode is UpdateMode.THROTTLED
    assert thing.flight_policy.period_ms == 250
    assert thing.logging_policy.mode is UpdateMode.MANUAL
    field = thing.fields[0]
    assert field.element_names == ("X", "Y", "Z")
    assert field.elements == 3
    assert field.defaults == (1, 2, 16)


def test_lists_as_child_elements_are_taken_verbatim() -> None:
    thing = parse_definition(
        wrap(
            '<field name="A" type="enum"><elementnames><elementname>Left, or so</elementname>'
            "<elementname>Right</elementname></elementnames>"
            "<options><option>No, never</option><option> Yes</option></options></field>"
        ),
        "thing.xml",
    )
    assert thing.fields[0].options == ("No, never", " Yes")
    assert thing.fields[0].element_names == ("Left, or so", "Right")


def test_a_clone_takes_type_elements_and_options() -> None:
    thing = parse_definition(
        wrap(
            '<field name="A" type="enum" elements="2" options="No,Yes" defaultvalue="Yes"/>'
            '<field name="B" cloneof="A" defaultvalue="No,Yes"/>'
            '<field name="C" cloneof="Thing.A"/>'
        ),
        "thing.xml",
    )
    a, b, c = thing.fields
    assert (b.type, b.elements, b.options) == (a.type, 2, ("No", "Yes"))
    assert b.defaults == ("No", "Yes")
    assert c.defaults == ()


def test_a_parent_gives_options_and_their_numbers() -> None:
    thing = parse_definition(
        wrap(
            '<field name="A" type="enum" options="Off,One,Two,Three"/>'
            '<field name="B" type="enum" parent="Thing.A" options="Off,Three,Two"/>'
            '<field name="C" type="enum" parent="Thing.A"/>'
        ),
        "thing.xml",
    )
    assert thing.fields[1].option_values == (0, 3, 2)
    assert thing.fields[1].option_text(3) == "Three"
    assert thing.fields[2].options == ("Off", "One", "Two", "Three")


def test_a_parent_may_stand_in_another_file(tmp_path: Path) -> None:
    fields = '<field name="A" type="enum" options="Off,One,Two"/>'
    (tmp_path / "shared.xml").write_text(wrap(fields).replace("Thing", "Shared"), encoding="utf-8")
    child = '<field name="B" type="enum" parent="Shared.A" options="Off,Two"/>'
    (tmp_path / "a.xml").write_text(wrap(child), encoding="utf-8")
    folder = DefinitionFolder(tmp_path, "test")
    thing = folder.named("Thing")
    assert folder.errors == ()
    assert thing is not None
    assert thing.fields[0].option_values == (0, 2)


def test_files_that_take_from_each_other_are_refused(tmp_path: Path) -> None:
    for name, other in (("Ping", "Pong"), ("Pong", "Ping")):
        text = wrap(f'<field name="A" cloneof="{other}.A"/>').replace("Thing", name)
        (tmp_path / f"{name.lower()}.xml").write_text(text, encoding="utf-8")
    folder = DefinitionFolder(tmp_path, "test")
    assert folder.all() == ()
    assert len(folder.errors) == 2


def test_several_objects_share_a_file() -> None:
    text = wrap('<field name="A" type="int8"/>')
    second = text[text.index("<object") : text.index("</xml>")].replace("Thing", "Other")
    both = parse_definitions(text.replace("</xml>", second + "</xml>"), "two.xml")
    assert [definition.name for definition in both] == ["Thing", "Other"]
    with pytest.raises(DefinitionError, match="2 objects"):
        parse_definition(text.replace("</xml>", second + "</xml>"), "two.xml")


@pytest.mark.parametrize("name", ["../../x", "/x", "C:x", "a/b", "a\\b", ".", "", "x" * 101, "x."])
def test_an_object_is_called_as_a_firmware_can_call_it(name: str) -> None:
    text = wrap('<field name="A" type="int8"/>').replace('"Thing"', f'"{name}"')
    with pytest.raises(DefinitionError, match=r"thing\.xml, line 2: .*name"):
        parse_definition(text, "thing.xml")
    with pytest.raises(ValueError, match="no name"):
        ObjectDefinition(name, ())


def test_old_files_say_that_their_bytes_stand_in_file_order() -> None:
    fields = '<field name="A" type="uint8"/><field name="B" type="float"/>'
    old = parse_definition(wrap(fields, 'fieldorder="xml"'), "old.xml")
    new = parse_definition(wrap(fields), "new.xml")
    assert [f.name for f in old.wire_fields] == ["A", "B"]
    assert [f.name for f in new.wire_fields] == ["B", "A"]
    assert old.object_id != new.object_id


@pytest.mark.parametrize(
    ("fields", "line", "what"),
    [
        ('<field name="A" type="flaot"/>', 9, "unknown field type 'flaot'"),
        ('\n<field name="A"/>', 10, "<field> has no type"),
        ('<field type="int8"/>', 9, "<field> has no name"),
        ('<field name="A" type="enum"/>', 9, "enum field A has no options"),
        ('<field name="A" type="enum" options="X,X"/>', 9, "A has an option twice"),
        ('<field name="A" type="int8" elements="two"/>', 9, "elements is 'two'"),
        ('<field name="A" type="int8" elements="0"/>', 9, "A has 0 elements"),
        ('<field name="A" cloneof="B"/>', 9, "there is no field Thing.B"),
        ('<field name="A" type="int8"/>\n<field name="A" type="int8"/>', 10, "A stands twice"),
        ('<field name="A" type="int8"></fiel>', 9, "not well-formed XML"),
        ("", 2, "Thing has no fields"),
        ('<field name="../A" type="int8"/>', 9, "'../A' is no name"),
        ('<field name="A B" type="int8"/>', 9, "'A B' is no name"),
        ('<field name="A" type="float" defaultvalue="1e999"/>', 9, "1e999 is more than"),
        ('<field name="A" type="float" defaultvalue="1e300"/>', 9, "1e300 is more than"),
        ('<field name="A" type="uint8" defaultvalue="1e999"/>', 9, "1e999 is more than"),
        (f'<field name="A" type="uint8" defaultvalue="{"9" * 5000}"/>', 9, "is more than"),
        (f'<field name="A" type="int8" elements="{"9" * 5000}"/>', 9, "elements is '999"),
        ('<field name="A" type="enum" options="Aus,Ан"/>', 9, "no firmware can have"),
        (f'<field name="A" type="enum" options="{",".join(map(str, range(256)))}"/>', 9, "no firm"),
        ("".join(f'<field name="A{n}" type="int8"/>' for n in range(256)), 2, "256 fields"),
    ],
)
def test_an_error_says_where_what_and_what_to_do(fields: str, line: int, what: str) -> None:
    with pytest.raises(DefinitionError) as caught:
        parse_definition(wrap(fields), "thing.xml")
    error = caught.value
    assert (error.file, error.line) == ("thing.xml", line)
    assert what in error.what
    assert error.remedy
    assert str(error).startswith(f"thing.xml, line {line}: ")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('settings="true"', 'settings="yes"'),
        ('updatemode="throttled"', 'updatemode="sometimes"'),
        ('gcs="readonly"', 'gcs="writeonly"'),
        ('period="250"', 'period="-1"'),
        ("<xml>", "<html>"),
        ("object", "abject"),
    ],
)
def test_wrong_attributes_are_refused(old: str, new: str) -> None:
    text = wrap('<field name="A" type="int8"/>').replace(old, new)
    text = text.replace("</xml>", "</html>") if new == "<html>" else text
    with pytest.raises(DefinitionError):
        parse_definition(text, "thing.xml")


def test_a_definition_file_may_not_declare_entities() -> None:
    bomb = '<!DOCTYPE xml [<!ENTITY a "aaaaaaaa">]>' + wrap('<field name="&a;" type="int8"/>')
    with pytest.raises(DefinitionError, match="document type of its own"):
        parse_definition(bomb, "thing.xml")


@pytest.mark.slow
def test_files_that_wait_for_each_other_in_a_long_chain_end(tmp_path: Path) -> None:
    for number in range(400):
        text = wrap(f'<field name="A" cloneof="Thing{number + 1}.A"/>')
        (tmp_path / f"{number}.xml").write_text(text.replace('Thing"', f'Thing{number}"'))
    folder = DefinitionFolder(tmp_path, "test")
    assert folder.all() == ()
    assert len(folder.errors) == 400


def test_a_file_that_is_large_or_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / "bytes.xml").write_bytes(b"\xff\xfe")
    with (tmp_path / "large.xml").open("wb") as file:
        file.truncate(5 << 20)
    folder = DefinitionFolder(tmp_path, "test")
    assert folder.all() == ()
    text, large = sorted(str(error) for error in folder.errors)
    assert "large.xml, line 0: the file cannot be read: it is larger than 4 MB" in large
    assert "bytes.xml" in text

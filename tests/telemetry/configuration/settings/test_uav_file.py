"""`.uav` from elsewhere: what the peers write, what hands have written, and what means ill."""

import pytest

from telemetry.configuration.settings.document import SettingsDocument, SettingsError
from telemetry.configuration.settings.uav_file import read_uav
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.recording.sample import Value

BANK = "StabilizationSettingsBank1"


def read(text: str | bytes, catalogue: Catalogue) -> SettingsDocument:
    data = text if isinstance(text, bytes) else text.encode()
    return read_uav(data, "test.uav", catalogue)


def settings(body: str) -> str:
    return f"<!DOCTYPE UAVObjects>\n<uavobjects><settings>{body}</settings></uavobjects>"


def field(name: str, values: str, object_name: str = "SystemSettings") -> str:
    return settings(
        f'<object name="{object_name}"><field name="{name}" values="{values}"/></object>'
    )


def value(text: str, path: str, catalogue: Catalogue, name: str = "SystemSettings") -> Value:
    document = read(text, catalogue)
    assert document.snapshot.skipped == ()
    return document.snapshot.objects[name, 0].values[path]


def complaints(text: str, catalogue: Catalogue) -> str:
    return "; ".join(f"{s.name}: {s.why}" for s in read(text, catalogue).snapshot.skipped)


@pytest.mark.parametrize(
    ("tag", "last"), [("20141026", "Geofence"), ("20150131", "Logging"), ("", "Logging")]
)
def test_elements_have_the_names_of_the_release_that_the_file_is_of(
    catalogue: Catalogue, tag: str, last: str
) -> None:
    """ModuleSettings 50780700: Tau Labs 20141026 has UAVORelay among the modules and no Logging
    (interface facts)."""
    states = ",".join(["Disabled"] * 23 + ["Enabled"])
    content = (
        f'<uavobjects><version><firmware tag="{tag}"/></version><settings>'
        f'<object name="ModuleSettings" id="0x50780700"><field name="AdminState" values="{states}"'
        "/></object></settings></uavobjects>"
    )
    held = read_uav(content.encode(), "x.uav", catalogue).snapshot.objects["ModuleSettings", 0]
    assert [path for path, value in held.values.items() if value == "Enabled"] == [
        f"AdminState.{last}"
    ]


def test_a_file_of_a_peer(catalogue: Catalogue) -> None:
    document = read(
        """<!DOCTYPE UAVObjects>
<uavobjects>
    <version>
        <hardware revision="3" serial="1B0035001147333231343239" type="9"/>
        <firmware tag="16.09" hash="f135aa98" date="20160910 11:42" uavo="e11bae1d"/>
        <gcs tag="16.09" hash="f135aa98" date="20160910 11:42" uavo="e11bae1d"/>
    </version>
    <settings>
        <object name="SystemSettings" id="0x74AB3A70">
            <field values="QuadX" name="AirframeType"/>
            <field values="76,97,112,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0" name="VehicleName"/>
            <field values="0,1,0,4294967295" name="GUIConfigData"/>
        </object>
        <object name="AttitudeSettings" id="0xB20D3DE">
            <field values="0.0500000007" name="AccelKp"/>
            <field values="9.99999975e-05" name="AccelKi"/>
        </object>
    </settings>
</uavobjects>""",
        catalogue,
    )
    assert document.identity.board == 0x0903
    assert document.identity.serial == "1b0035001147333231343239"
    assert document.identity.firmware == "16.09"
    assert document.aircraft == "Lap"
    system = document.snapshot.objects["SystemSettings", 0]
    assert system.values["AirframeType"] == "QuadX"
    assert system.values["GUIConfigData.3"] == 0xFFFFFFFF
    attitude = document.snapshot.objects["AttitudeSettings", 0].values
    assert attitude["AccelKp"] == pytest.approx(0.05)
    assert document.snapshot.skipped == ()


def test_an_old_file_has_settings_as_its_root(catalogue: Catalogue) -> None:
    text = field("AirframeType", "QuadX").replace("<uavobjects>", "").replace("</uavobjects>", "")
    document = read(text, catalogue)
    assert document.snapshot.objects["SystemSettings", 0].values["AirframeType"] == "QuadX"
    assert not document.identity.is_known


@pytest.mark.parametrize("text", ["QuadX", "quadx", " QuadX ", "9"])
def test_options_in_any_letter_case_with_spaces_and_as_numbers(
    catalogue: Catalogue, text: str
) -> None:
    number = catalogue.find("SystemSettings").field_named("AirframeType").option_number("QuadX")
    assert value(
        field("AirframeType", text.replace("9", str(number))), "AirframeType", catalogue
    ) == ("QuadX")


@pytest.mark.parametrize(
    ("text", "number"), [("0x1F", 31), ("31.0", 31), (" 31 ", 31), ("031", 31)]
)
def test_whole_numbers_in_many_ways(catalogue: Catalogue, text: str, number: int) -> None:
    assert value(field("RollMax", text, BANK), "RollMax", catalogue, BANK) == number


@pytest.mark.parametrize(
    "body",
    [
        '<field name="RollRatePID" values="0.004, 0.005 ,0.0001,0.3"/>',
        '<field name="RollRatePID"><element name="Kp" value="0.004"/></field>',
        '<field name="RollRatePID.Kp" values="0.004"/>',
        '<field name="RollRatePID">0.004,0.005,0.0001,0.3</field>',
        '<field name="RollRatePID" type="float" units="" elements="4" values="0.004,0,0,0"/>',
    ],
)
def test_elements_in_many_ways(catalogue: Catalogue, body: str) -> None:
    text = settings(f'<object name="{BANK}" made_by="somebody">{body}<note/></object>')
    assert value(text, "RollRatePID.Kp", catalogue, BANK) == pytest.approx(0.004)


def test_a_text_may_stand_as_text(catalogue: Catalogue) -> None:
    assert value(field("VehicleName", "Blue, quad"), "VehicleName", catalogue) == "Blue,quad"


def test_instances_by_attribute(catalogue: Catalogue) -> None:
    body = '<object name="{0}" instance="{1}"><field name="RollMax" values="4{1}"/></object>'
    text = settings(body.format(BANK, 0) + body.format(BANK, 1))
    objects = read(text, catalogue).snapshot.objects
    assert objects[BANK, 0].values["RollMax"] == 40
    assert objects[BANK, 1].values["RollMax"] == 41


def test_an_unknown_id_is_read_as_the_release_that_fits_the_rest(catalogue: Catalogue) -> None:
    old = catalogue.find("StabilizationSettings", "OpenPilot-14.06")
    others = "".join(
        f'<object name="{d.name}" id="0x{d.object_id:X}"/>'
        for d in catalogue.release("OpenPilot-14.06")
        if d.settings and d.name != "StabilizationSettings"
    )
    text = settings(f'{others}<object name="StabilizationSettings" id="0x12345678"/>')
    found = read(text, catalogue).snapshot.objects["StabilizationSettings", 0]
    assert found.definition == old


def test_what_nobody_knows_is_kept_as_text(catalogue: Catalogue) -> None:
    assert value(field("Foo", "1,2", "Strange"), "Foo.1", catalogue, "Strange") == "2"
    assert value(field("Foo", "bar"), "Foo", catalogue) == "bar"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (field("AirframeType", "QuadXX"), "'QuadXX' is not an option of AirframeType; is it QuadX"),
        (field("RollMax", "300", BANK), "RollMax takes 0 to 255, not 300"),
        (field("RollMax", "fast", BANK), "RollMax takes a number, not 'fast'"),
        (field("RollMax", "nan", BANK), "RollMax takes a whole number, not 'nan'"),
        (field("RollMax", "1e400", BANK), "RollMax takes a whole number"),
        (field("RollMax", "", BANK), "RollMax takes a number, not ''"),
        (field("RollRatePID", "1e39,0,0,0", BANK), "RollRatePID takes numbers up to 3.4e38"),
        (field("RollRatePID", "1,2", BANK), "RollRatePID has 4 elements, and the file 2"),
        (field("VehicleName", "x" * 21), "VehicleName takes 20 characters, not 21"),
        (field("Roll", "1", "AttitudeState"), "AttitudeState: not a settings object"),
    ],
)
def test_values_that_cannot_be_are_left_out_and_told(
    catalogue: Catalogue, text: str, why: str
) -> None:
    assert why in complaints(text, catalogue)


def test_an_object_that_stands_there_twice_counts_once(catalogue: Catalogue) -> None:
    body = '<object name="SystemSettings"><field name="AirSpeedMax" values="{}"/></object>'
    document = read(settings(body.format(11) + body.format(12)), catalogue)
    assert document.snapshot.objects["SystemSettings", 0].values["AirSpeedMax"] == 11
    assert "twice" in document.snapshot.skipped[0].why


def test_flight_data_are_passed_over(catalogue: Catalogue) -> None:
    text = field("AirSpeedMax", "11").replace(
        "</uavobjects>", '<data><object name="AttitudeState"/></data></uavobjects>'
    )
    assert "flight data" in complaints(text, catalogue)


BOMB = (
    '<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">'
    + "".join(
        f'<!ENTITY {b} "{"&" + a + ";"}{("&" + a + ";") * 9}">'
        for a, b in zip("abcdefgh", "bcdefghi", strict=True)
    )
    + "]><uavobjects><settings>&i;</settings></uavobjects>"
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (BOMB, "line 1: it declares a document type of its own"),
        ('<!DOCTYPE a SYSTEM "file:///etc/passwd"><uavobjects/>', "document type of its own"),
        ('<!DOCTYPE a PUBLIC "x" "http://localhost/x"><uavobjects/>', "document type of its own"),
        (settings("&lol;"), "line 2: the XML ends or breaks here"),
        (settings("<object name='a'>\n")[:-25], "breaks here"),
        ("", "no element found"),
        ("\0\1\2", "breaks here"),
        ("{}", "breaks here"),
        ("<html/>", "line 1: <html> stands where <uavobjects> is expected"),
        ("<uavobjects/>", "it has no <settings>"),
        (settings("<object/>"), "line 2: an object has no name"),
        (settings('<object name="A"><field/></object>'), "a field of A has no name"),
        (settings('<object name="A" instance="1000"/>'), "1000 is no instance"),
        (settings('<object name="A" instance="-1"/>'), "-1 is no instance"),
        ("<uavobjects>" + "<a>" * 100_000, "nested too deeply"),
        ('<?xml version="1.0" encoding="klingon"?><uavobjects/>', "encoding"),
    ],
)
def test_files_that_are_none_are_refused_with_the_line(
    catalogue: Catalogue, text: str, why: str
) -> None:
    with pytest.raises(SettingsError, match="Nothing was taken from it") as refused:
        read(text, catalogue)
    assert why in str(refused.value)
    assert str(refused.value).startswith("test.uav is no settings file that can be read: line ")


def test_other_encodings_are_read(catalogue: Catalogue) -> None:
    text = '<?xml version="1.0" encoding="UTF-16"?>' + field("AirSpeedMax", "11").partition("\n")[2]
    assert read(text.encode("utf-16"), catalogue).snapshot.objects


def declared(encoding: str, name: str = "") -> str:
    body = field("AirSpeedMax", "11").partition("\n")[2].replace("<settings>", f"<settings>{name}")
    return f'<?xml version="1.0" encoding="{encoding}"?>{body}'


@pytest.mark.parametrize(
    ("encoding", "name"),
    [
        ("gb2312", "云雀"),
        ("shift_jis", "ひばり"),
        ("utf-7", "Käuzchen"),
        ("euc-kr", "종다리"),
        ("windows-1251", "Чибис"),
        ("cp037", "Lapwing"),
    ],
)
def test_an_encoding_that_python_knows_is_read(
    catalogue: Catalogue, encoding: str, name: str
) -> None:
    text = declared(encoding, f'<object name="Own"><field name="Name" values="{name}"/></object>')
    data = text.encode(encoding)
    if encoding == "cp037":  # EBCDIC: nobody can read there what it says
        with pytest.raises(SettingsError, match="Nothing was taken"):
            read(data, catalogue)
        return
    objects = read(data, catalogue).snapshot.objects
    assert objects["Own", 0].values == {"Name": name}
    assert objects["SystemSettings", 0].values == {"AirSpeedMax": 11.0}


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (declared("gb2312").encode() + b"\xff\xff", "it is not written in gb2312"),
        (declared("utf-7").encode() + b"+2AA-", "its encoding cannot be read"),  # half a character
        (declared("punycode").encode(), "its encoding is not known (punycode)"),
        (declared("idna").encode(), "its encoding is not known (idna)"),
        (declared("unicode_escape").encode(), "its encoding is not known (unicode_escape)"),
        (declared("base64").encode(), "its encoding is not known (base64)"),
        (declared("utf-16").encode(), "breaks here"),
    ],
)
def test_an_encoding_that_nobody_reads_is_a_sentence(
    catalogue: Catalogue, data: bytes, why: str
) -> None:
    with pytest.raises(SettingsError, match="Nothing was taken from it") as refused:
        read(data, catalogue)
    assert why in str(refused.value)

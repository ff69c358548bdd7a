"""Set-up templates of other stations, laid out as the 43 that LibrePilot *next* ships."""

import json
from pathlib import Path
from typing import Any

import pytest

from telemetry.configuration.settings.document import SettingsError
from telemetry.configuration.settings.files import read_settings
from telemetry.protocol.objects.catalogue import Catalogue, load_catalogue

BANK = "StabilizationSettingsBank1"


@pytest.fixture(scope="module")
def catalogue() -> Catalogue:
    return load_catalogue()


def content(catalogue: Catalogue) -> dict[str, Any]:
    pid = [{"name": "Kp", "value": 0.0025}, {"name": "Ki", "value": 0.004}]
    fields = [
        {"name": "RollMax", "type": "uint8", "unit": "deg", "values": [{"name": "0", "value": 42}]},
        {"name": "RollRatePID", "type": "float32", "unit": "", "values": pid},
        {"name": "EnablePiroComp", "type": "enum", "values": [{"name": "0", "value": "False"}]},
        {"name": "FromTheFuture", "type": "uint8", "values": [{"name": "0", "value": 1}]},
    ]
    number = f"{catalogue.find(BANK).object_id:X}"
    bank = {"name": BANK, "id": number, "instance": 0, "setting": True, "fields": fields}
    made_of = {"name": "Blue 250", "motor": "2204", "weight": "", "photo": "AAAA", "type": 1}
    return {**made_of, "objects": [bank]}


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "Blue.optmpl"
    path.write_text(text)
    return path


def test_a_template_is_read_as_settings(tmp_path: Path, catalogue: Catalogue) -> None:
    document = read_settings(written(tmp_path, json.dumps(content(catalogue))), catalogue)
    assert (document.aircraft, document.note) == ("Blue 250", "motor 2204")
    values = document.snapshot.objects[BANK, 0].values
    assert values["RollMax"] == 42
    assert values["RollRatePID.Kp"] == pytest.approx(0.0025)
    assert values["EnablePiroComp"] == "False"


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"objects": 1}', '{"objects": [{"fields": 1}]}'])
def test_what_is_none_is_said(tmp_path: Path, catalogue: Catalogue, text: str) -> None:
    with pytest.raises(SettingsError, match=r"Blue\.optmpl is no set-up template"):
        read_settings(written(tmp_path, text), catalogue)

"""Forms made from definitions: every object of the shipped firmware opens. One of each kind is
opened, with LAPWING_ALL_WAYS=1 all of them."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from plugins.configure.all_settings import AllSettingsPage
from plugins.testing import QuietCommands, add
from telemetry.configuration.settings.slots import slots_of
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue
from telemetry.protocol.objects.definition import FieldDefinition, ObjectDefinition
from telemetry.protocol.objects.values import is_text
from telemetry.recording.recording import Recording
from telemetry.vehicle.vehicle import Fleet, LinkState, LinkStatus, Vehicle
from tests.plugins.driven import Driven
from tests.telemetry.configuration.settings.bench import Bench
from widgets.error_card import ErrorCard
from widgets.forms.formats import is_hex
from widgets.settings.editor import SettingEditor

PAGE = "configure.all_settings"
OBJECTS = 122


@pytest.fixture
def everything(qtbot: QtBot, catalogue: Catalogue) -> Iterator[Driven]:
    """The view on an aircraft that has sent one sample of every object."""
    recording = Recording("everything")
    for definition in catalogue.release(DEFAULT_RELEASE):
        add(recording, 0.0, definition.name)
    vehicle = Vehicle("everything", recording, catalogue, QuietCommands())
    vehicle.status = LinkStatus(LinkState.CONNECTED)
    fleet = Fleet()
    fleet.add(vehicle)
    with ThreadPoolExecutor(1) as jobs:
        driven = Driven(qtbot, fleet, jobs)
        yield driven
        driven.context.close()


def _sample(release: list[ObjectDefinition]) -> list[ObjectDefinition]:
    """One object after the other that has a kind of field that none before it had."""
    found, met = [], set[tuple[object, ...]]()
    for definition in sorted(release, key=lambda d: d.size):
        kinds = {_kind(definition, f) for f in definition.fields}
        if kinds - met:
            found.append(definition)
            met |= kinds
    return found


def _kind(definition: ObjectDefinition, f: FieldDefinition) -> tuple[object, ...]:
    """What its editor depends on."""
    may_be_set = definition.settings and not definition.gcs_readonly
    many = f.elements > 1
    return may_be_set, definition.settings, f.type, many, is_hex(f), is_text(f), bool(f.limits)


@pytest.mark.slow
def test_every_object_opens_and_each_value_can_be_set_or_says_why_not(
    everything: Driven, catalogue: Catalogue
) -> None:
    page = everything.page(PAGE)
    assert isinstance(page, AllSettingsPage)
    page.with_data.setChecked(True)
    assert page.objects.count() == OBJECTS
    release = [*catalogue.release(DEFAULT_RELEASE)]
    for definition in release if "LAPWING_ALL_WAYS" in os.environ else _sample(release):
        name = definition.name
        page.objects.setCurrentText(name)
        everything.refresh()
        assert page.objects.currentText() == name
        editors = [e for e in page.findChildren(SettingEditor) if e.name == name]
        assert {e.path for e in editors} == set(slots_of(definition)), name
        for shown in editors:
            assert shown.editor is not None
            is_writable = definition.settings and not definition.gcs_readonly
            assert shown.editor.isEnabled() == is_writable, f"{name}.{shown.path}"
            if not is_writable:
                assert "not a setting" in shown.tip() or "read-only" in shown.tip()
    QCoreApplication.processEvents()
    assert everything.panel.findChildren(ErrorCard) == []


@pytest.mark.slow
def test_settings_come_without_data_objects_at_first(
    everything: Driven, catalogue: Catalogue
) -> None:
    page = everything.page(PAGE)
    assert isinstance(page, AllSettingsPage)
    names = [page.objects.itemText(row) for row in range(page.objects.count())]
    assert names == [d.name for d in catalogue.release(DEFAULT_RELEASE) if d.settings]
    assert len(names) == 44
    page.show_setting("AttitudeState", "Roll")
    assert page.objects.currentText() == "AttitudeState"


@pytest.mark.slow
def test_staging_defaults_stages_what_differs(driven: Driven, bench: Bench) -> None:
    bench.put("StabilizationSettingsBank1", "RollMax", 40)
    page = driven.page(PAGE)
    assert isinstance(page, AllSettingsPage)
    page.objects.setCurrentText("StabilizationSettingsBank1")
    page.defaults.click()
    assert [dict(edit.after) for edit in bench.settings.staged()] == [{"RollMax": 55}]


@pytest.mark.slow
def test_only_what_differs_from_the_default_is_listed(driven: Driven, bench: Bench) -> None:
    """The board starts with the defaults of its release, which the catalogue has."""
    page = driven.page(PAGE)
    assert isinstance(page, AllSettingsPage)
    page.not_default.setChecked(True)
    assert page.objects.count() == 0
    bench.put("StabilizationSettingsBank1", "RollMax", 40)
    bench.put("MixerSettings", "ThrottleCurve1.50", 0.4)
    page.not_default.setChecked(False)
    page.not_default.setChecked(True)
    names = [page.objects.itemText(row) for row in range(page.objects.count())]
    assert names == ["MixerSettings", "StabilizationSettingsBank1"]
    page.objects.setCurrentText("StabilizationSettingsBank1")
    shown = {e.path for e in page.findChildren(SettingEditor) if e.name == names[1]}
    assert shown == {"RollMax"}
    page.show_setting("StabilizationSettingsBank1", "PitchMax")  # what is searched for is found
    assert not page.not_default.isChecked()

"""What no aircraft survives is not sent by the command line: a value, a file, a template, a set."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from app import cli
from plugins.testing import catalogue
from telemetry.base.folders import HOME_VARIABLE, Folders
from telemetry.configuration.settings import cli as settings_cli
from telemetry.configuration.settings.files import write_settings
from telemetry.configuration.settings.sets import ConfigurationSets
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import read_path, row_of
from tests.destructive_settings import (
    ROUNDS,
    Values,
    board_for_all,
    document_of,
    names_of,
)
from tests.telemetry.configuration.settings.test_cli import AT, BoardLink
from tests.telemetry.protocol.session.fakes import MemoryBoard

Door = Callable[[Values, Catalogue], list[str]]


def by_value(wanted: Values, _: Catalogue) -> list[str]:
    return ["set", AT, *(f"{n}.{p}={v}" for n, values in wanted.items() for p, v in values.items())]


def by_uav(wanted: Values, catalogue: Catalogue) -> list[str]:
    write_settings(Path("x.uav"), document_of(wanted, catalogue))
    return ["apply", "x.uav", AT]


def by_own_file(wanted: Values, catalogue: Catalogue) -> list[str]:
    write_settings(Path("x.settings.toml"), document_of(wanted, catalogue))
    return ["apply", "x.settings.toml", AT]


def by_template(wanted: Values, catalogue: Catalogue) -> list[str]:
    objects = []
    for (name, _), held in document_of(wanted, catalogue).snapshot.objects.items():
        fields: dict[str, list[dict[str, object]]] = {}
        for path, value in held.values.items():
            field, _, element = path.partition(".")
            fields.setdefault(field, []).append({"name": element or "0", "value": value})
        told = [{"name": field, "values": parts} for field, parts in fields.items()]
        objects.append({"name": name, "instance": 0, "fields": told})
    Path("x.optmpl").write_text(json.dumps({"name": "x", "objects": objects}), encoding="utf-8")
    return ["apply", "x.optmpl", AT]


def by_set(wanted: Values, catalogue: Catalogue) -> list[str]:
    sets = ConfigurationSets(Folders.of_user(os.environ).configuration_sets)
    sets.save("x", document_of(wanted, catalogue), is_replacing=True)
    return ["apply", "set:x", AT]


DOORS: tuple[Door, ...] = (by_value, by_uav, by_own_file, by_template, by_set)


class Shell:
    """Runs the real command against a board in memory; `err` is what the last one said."""

    def __init__(self, board: MemoryBoard, read: Callable[[], tuple[str, str]]) -> None:
        self.board = board
        self.err = ""
        self._read = read

    def run(self, *words: str) -> int:
        code = cli.main(["settings", *words])
        _, self.err = self._read()
        return code


@pytest.fixture
def shell(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Shell:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path / "home"))
    board = board_for_all(catalogue())
    monkeypatch.setattr(cli, "open_link", lambda _: BoardLink(catalogue(), board))
    monkeypatch.setattr(settings_cli, "catalogue_for", lambda _: catalogue())
    return Shell(board, capsys.readouterr)


@pytest.mark.parametrize("door", DOORS)
def test_every_one_is_named_and_none_is_sent(shell: Shell, door: Door) -> None:
    before = dict(shell.board.values)
    for wanted in ROUNDS:
        assert shell.run(*door(wanted, catalogue())) == 1
        missed = [name for name in names_of(wanted) if f"{name}=" not in shell.err]
        assert missed == [], shell.err
    settings = [d.object_id for d in shell.board.definitions.values() if d.settings]
    assert all(shell.board.values[key, 0] == before[key, 0] for key in settings)


def test_named_they_are_sent(shell: Shell) -> None:
    """The control: the same command, with a word for each."""
    (wanted, *_) = ROUNDS
    words = by_uav(wanted, catalogue())
    assert shell.run(*words, "--force", ",".join(sorted(names_of(wanted)))) == 0
    for name, values in wanted.items():
        definition = shell.board.named(name)
        row = row_of(definition, shell.board.values[definition.object_id, 0])
        for path, value in values.items():
            held = read_path(definition, row, path)
            assert held == (value if isinstance(value, str) else pytest.approx(value)), path

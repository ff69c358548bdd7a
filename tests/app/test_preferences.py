"""Preferences take over what fits and survive anything else."""

from pathlib import Path

import pytest

from app.preferences import REMEMBERED_LIMIT, Preferences, PreferenceStore


def test_changes_are_there_at_the_next_start(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    first = PreferenceStore(path)
    assert first.change(theme="dark", scale=1.4) == ""
    second = PreferenceStore(path)
    assert second.current == first.current
    assert second.current.theme == "dark"


@pytest.mark.parametrize(
    "value",
    [
        {"theme": 3},
        {"scale": "big"},
        {"scale": True},
        {"remembered": "tcp:a:1"},
        {"remembered": [1, 2]},
        {"unheard_of": 1},
    ],
)
def test_what_does_not_fit_keeps_its_default(value: dict[str, object]) -> None:
    assert Preferences.from_json(value) == Preferences()


def test_numbers_are_kept_in_range() -> None:
    chosen = Preferences.from_json({"scale": 9, "link_loss_s": 0})
    assert (chosen.scale, chosen.link_loss_s) == (2.0, 1.0)


def test_the_latest_address_comes_first_and_old_ones_go(tmp_path: Path) -> None:
    store = PreferenceStore(tmp_path / "preferences.json")
    for number in range(REMEMBERED_LIMIT + 3):
        store.remember(f"tcp:host:{number}")
    store.remember("tcp:host:5")
    remembered = store.current.remembered
    assert remembered[:2] == ("tcp:host:5", f"tcp:host:{REMEMBERED_LIMIT + 2}")
    assert len(remembered) == len(set(remembered)) == REMEMBERED_LIMIT


def test_a_full_disk_is_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "no-folder").write_text("")
    store = PreferenceStore(tmp_path / "no-folder" / "preferences.json")
    assert store.change(theme="dark").startswith("The preferences could not be saved")
    assert store.current.theme == "dark"


@pytest.mark.parametrize(("kept_s", "read_s"), [(8.0, 5.0), (5.0, 5.0), (12.0, 12.0)])
def test_the_link_is_lost_after_5_s_unless_somebody_changed_it(
    tmp_path: Path, kept_s: float, read_s: float
) -> None:
    """A file of version 1 holds 8 s, which was usual then, whether chosen or not."""
    path = tmp_path / "preferences.json"
    path.write_text(f'{{"version": 1, "theme": "dark", "link_loss_s": {kept_s}}}')
    store = PreferenceStore(path)
    assert (store.current.link_loss_s, store.current.theme) == (read_s, "dark")
    store.change(link_loss_s=8.0)
    assert PreferenceStore(path).current.link_loss_s == 8.0


def test_two_windows_keep_what_the_other_has_changed(tmp_path: Path) -> None:
    path = tmp_path / "preferences.json"
    one, other = PreferenceStore(path), PreferenceStore(path)
    assert one.change(theme="dark") == ""
    assert other.change(units="imperial") == ""
    assert one.remember("tcp:one") == ""
    assert other.remember("tcp:other") == ""
    assert other.current.theme == "system"  # what it shows
    kept = PreferenceStore(path).current
    assert (kept.theme, kept.units) == ("dark", "imperial")
    assert kept.remembered == ("tcp:other", "tcp:one")

"""Video templates: what their files may say, and what is said of those that are wrong."""

from pathlib import Path

import pytest

from app.exporting.video_template import USUAL, VideoTemplates, read_template

GOOD = """title = "Own"
[instruments.a]
shows = "speed"
at = "top left"
width = 0.2
height = 0.1
"""


def written(folder: Path, text: str, name: str = "own") -> Path:
    path = folder / f"{name}.toml"
    path.write_text(text)
    return path


def test_shipped_templates_are_read_and_the_usual_one_is_first(tmp_path: Path) -> None:
    templates = VideoTemplates(tmp_path / "none")
    assert templates.names() == (USUAL, "corners", "minimal", "race")
    usual = templates.load(USUAL)
    assert usual.views == ("display", "map", "attitude")
    assert usual.strip_share == 0.25
    shown = {one.shows for name in templates.names() for one in templates.load(name).instruments}
    assert shown >= {"horizon", "speed", "height", "battery", "map", "sticks", "plot"}


def test_ones_own_stand_beside_the_shipped_or_in_their_place(tmp_path: Path) -> None:
    written(tmp_path, GOOD)
    written(tmp_path, GOOD, "race")
    templates = VideoTemplates(tmp_path)
    assert templates.names() == (USUAL, "corners", "minimal", "own", "race")
    assert templates.load("race").title == "Own"
    (speed,) = templates.load("own").instruments
    assert (speed.name, speed.shows, speed.at, speed.panel) == ("a", "speed", "top left", "")
    with pytest.raises(ValueError, match="no template 'lost'; choose among beside, corners"):
        templates.load("lost")


def test_a_plot_is_told_its_fields(tmp_path: Path) -> None:
    plot = 'shows = "plot"\nfields = ["AttitudeState.Roll"]\nwindow_s = 5.0'
    (one,) = read_template(written(tmp_path, GOOD.replace('shows = "speed"', plot))).instruments
    assert one.panel == "plots.plot"
    assert one.settings["fields"] == ["AttitudeState.Roll"]
    assert one.settings["window_s"] == 5.0


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ('"top left"', '"top lefty"', "line 4: 'at' in [instruments.a] is 'top lefty'"),
        ("width = 0.2", "width = 20", "line 5: 'width' in [instruments.a] is 20"),
        (
            "width = 0.2",
            "widht = 0.2",
            "line 5: Unknown key 'widht' in [instruments.a]. Write width.",
        ),
        ("height = 0.1\n", "", "line 2: 'height' is missing in [instruments.a]. Add it"),
        ('"speed"', '"plot"', "line 2: 'fields' is missing in [instruments.a]. Write fields ="),
        ('"speed"', '"panel"', "line 2: 'panel' is missing in [instruments.a]. Name a panel."),
        ('"speed"', '"plot"\nfields = 3', "line 4: 'fields' in [instruments.a] is no list"),
        ('title = "Own"', "", "'title' must be a text"),
        ('title = "Own"', 'title = "Own"\ncolour = 3', "line 2: Unknown key 'colour'"),
        (GOOD, 'title = "Own"', "shows neither a [strip] nor an instrument. Add"),
        (GOOD, "title = ", "Not valid TOML"),
        ("[instruments.a]", "instruments = 3\n[x]", "own.toml"),
    ],
)
def test_what_is_wrong_names_file_key_and_remedy(
    tmp_path: Path, before: str, after: str, sentence: str
) -> None:
    assert before in GOOD
    path = written(tmp_path, GOOD.replace(before, after))
    with pytest.raises(ValueError) as raised:  # noqa: PT011
        read_template(path)
    assert str(raised.value).startswith("own.toml")
    assert sentence in str(raised.value)


def test_very_many_instruments_are_refused(tmp_path: Path) -> None:
    body = GOOD.partition("[")[2]
    text = 'title = "Own"\n' + "".join(f"[{body.replace('.a]', f'.a{n}]')}" for n in range(30))
    with pytest.raises(ValueError, match=r"There are 30 instruments\. Leave at most 24"):
        read_template(written(tmp_path, text))

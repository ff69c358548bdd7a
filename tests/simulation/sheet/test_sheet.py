"""What an aircraft's sheet says, against sums by hand."""

import json
import math
from itertools import islice
from pathlib import Path
from xml.etree import ElementTree

import pytest

from app.cli import main
from simulation.aircraft.aircraft import load_aircraft
from simulation.aircraft.performance import hover
from simulation.autopilot.preset import load_preset
from simulation.environment.earth import GRAVITY
from simulation.scenarios.figure import Axes, series
from simulation.sheet.contents import AircraftSheet, SheetRow
from simulation.sheet.make import make_sheet
from simulation.sheet.page import write_page
from simulation.sheet.steady_flight import hover_in_wind
from telemetry.protocol.objects.catalogue import Catalogue

pytestmark = pytest.mark.slow


def test_a_hover_in_wind_leans_until_its_weight_overcomes_the_drag(catalogue: Catalogue) -> None:
    """By the balance of forces: tan(tilt) = (C v^2 + n k_d W v) / (m g) of body and discs, and
    the discs flap back by c v / (W R), c and the others being the file's."""
    p = load_aircraft("ar100b").parameters
    still, flown = islice(hover_in_wind(load_preset("ar100b"), catalogue, 8.0), 2)
    speed, radius = hover(p).speed_radps, float(p["rotor_radius"])
    discs_n = float(p["rotor_count"] * p["k_d"]) * speed * 8.0
    drag_n = float(p["drag_force"][0]) * 8.0**2 + discs_n
    leaning = math.atan(drag_n / (float(p["mass"]) * GRAVITY))
    expected_deg = math.degrees(leaning + float(p["flapping"]) * 8.0 / (speed * radius))
    assert still.tilt_deg < 0.5
    assert flown.speed_mps == pytest.approx(8.0, abs=0.1)
    assert flown.tilt_deg == pytest.approx(expected_deg, rel=0.1)
    assert flown.is_held


def test_the_sheet_of_a_quadrotor_agrees_with_itself(catalogue: Catalogue) -> None:
    sheet = make_sheet("crazyflie", catalogue)
    rows = {row.name: row.value for row in sheet.rows}
    p = load_aircraft("crazyflie").parameters
    energy_wh = float(p["capacity_as"]) * 3.7 / 3600.0
    assert rows["hover endurance"] == pytest.approx(
        60.0 * energy_wh / rows["hover power"], rel=0.01
    )
    assert rows["longest endurance"] >= rows["hover endurance"]
    assert rows["top speed"] == pytest.approx(rows["wind limit"], rel=0.25)
    assert [axes.title for axes in sheet.axes] == [
        "Tilt",
        "Power",
        "Endurance",
        "Step in roll",
        "Step in pitch",
        "Step in yaw",
    ]
    assert all(len(series.x) > 3 for axes in sheet.axes for series in axes.series)


def test_the_sheet_of_an_aeroplane_is_a_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The phugoid's period is about pi sqrt(2) V / g (Lanchester), damping aside."""
    page = tmp_path / "sheet.png"
    assert main(["sim", "--sheet", "sea-vixen", "--json", "--plot", str(page)]) == 0
    rows = json.loads(capsys.readouterr().out)["sheet"]
    assert page.read_bytes().startswith(b"\x89PNG")
    lanchester_s = math.pi * math.sqrt(2.0) * rows["slowest"]["value"] / GRAVITY
    assert rows["phugoid"]["value"] == pytest.approx(lanchester_s, rel=0.4)
    assert rows["slowest"]["value"] < rows["wind limit"]["value"] < rows["top speed"]["value"]


@pytest.mark.parametrize(
    ("words", "remedy"),
    [
        (["--record", "x.opl"], "give only --plot and --json beside it"),
        (["--scenario", "endurance"], "give only --plot and --json beside it"),
        (["--plot", "sheet.gif"], "must end with .png or .pdf"),
        (["--plot", "nowhere/sheet.png"], "make it first"),
    ],
)
def test_what_a_sheet_cannot_take_is_refused_before_it_flies(
    words: list[str], remedy: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["sim", "--sheet", "ar100b", *words]) == 1
    assert remedy in capsys.readouterr().err


@pytest.mark.parametrize("text", ["$x^$ <b>&amp;", "$x_1$"])
def test_a_name_stands_on_the_page_as_it_is(tmp_path: Path, text: str) -> None:
    """What matplotlib takes for mathematics would be set as such, or raise."""
    from matplotlib import rc_context

    line = series(text, [0.0, 1.0], [0.0, 1.0])
    sheet = AircraftSheet(
        text, text, (SheetRow(text, 1.0, text, text),), (Axes(text, text, text, (line, line)),)
    )
    with rc_context({"svg.fonttype": "none"}):
        write_page(sheet, tmp_path / "sheet.svg")
    said = [element.text or "" for element in ElementTree.parse(tmp_path / "sheet.svg").iter()]
    assert sum(text in one for one in said) == 10, "2 in the head, 3 in a row, 3 and 2 lines"

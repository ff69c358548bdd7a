"""A study's report says what numpy says of the same flights, and takes no text for markup."""

import re
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from simulation.studies.charts import bar, diagram
from simulation.studies.ending import read_table
from simulation.studies.figures import MOST_POINTS, failures_first, histogram, scatter
from simulation.studies.flight import Drawn, Flown
from simulation.studies.report import report_page, write_report
from simulation.studies.result_folder import ResultFolder, begin_result
from simulation.studies.statistics import Interval, mean_interval
from simulation.studies.study import read_study
from tests.simulation.studies.written_results import (
    TEXT,
    WIND,
    flown_in,
    lands_in_little_wind,
    number_of,
)


class _Page(HTMLParser):
    """The tags of a page, its attributes, and the rows of its tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.rows: list[list[str]] = []
        self._is_cell = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")
            self._is_cell = True

    def handle_endtag(self, tag: str) -> None:
        self._is_cell = self._is_cell and tag not in ("td", "th")

    def handle_data(self, data: str) -> None:
        if self._is_cell:
            self.rows[-1][-1] += data

    def rows_of(self, first: str) -> list[list[str]]:
        return [row for row in self.rows if row and row[0] == first]


def numbers_in(text: str) -> list[float]:
    return [float(found) for found in re.findall(r"-?\d+\.?\d*(?:e-?\d+)?", text)]


def points_of(svg: str, style: str) -> list[list[tuple[float, float]]]:
    """The points of each path of a style, as they are drawn."""
    paths = re.findall(rf'<path class="{style} s\d" d="([^"]*)"', svg)
    pair = r"[ML](-?[\d.]+) (-?[\d.]+)"
    return [[(float(x), float(y)) for x, y in re.findall(pair, path)] for path in paths]


@pytest.fixture(scope="module")
def landing(tmp_path_factory: pytest.TempPathFactory) -> ResultFolder:
    return flown_in(tmp_path_factory.mktemp("study") / "landing", lands_in_little_wind)


def test_numbers_are_those_of_the_flights(landing: ResultFolder) -> None:
    from scipy import stats  # which takes a second to import

    page = report_page(landing)
    table = read_table(landing)
    wind, touchdown = table.parameters[WIND], table.metrics["touchdown_mps"]
    (mean,) = re.findall(r"<h2>touchdown_mps</h2><p>Mean ([^,]*),", page)
    reach = stats.t.ppf(0.975, 39) * touchdown.std(ddof=1) / np.sqrt(40)
    wanted = [touchdown.mean(), touchdown.mean() - reach, touchdown.mean() + reach]
    assert numbers_in(mean) == pytest.approx(wanted, rel=1e-3)
    rows = _Page(page)
    (failed,) = rows.rows_of("failed")
    wilson = stats.binomtest(int((wind > 6.0).sum()), 40).proportion_ci(method="wilson")
    assert int(failed[1]) == (wind > 6.0).sum()
    assert numbers_in(failed[2])[1:] == pytest.approx([wilson.low, wilson.high], rel=1e-3)
    ranks = [numbers_in(row[2])[0] for row in rows.rows_of(WIND) if len(row) == 4]
    passed = stats.spearmanr(wind, wind <= 6.0).statistic
    assert ranks[:2] == pytest.approx([passed, 1.0], rel=1e-3)
    listed = [row for row in rows.rows if len(row) == 6 and row[1] == "failed"]
    assert [int(row[0]) for row in listed] == np.flatnonzero(wind > 6.0).tolist()
    assert "40 of 40 flights" in page
    assert "digest" in page


def test_nothing_of_it_comes_from_elsewhere_and_no_text_is_markup(landing: ResultFolder) -> None:
    page = report_page(landing)
    parsed = _Page(page)
    assert not {"script", "img", "link", "iframe", "b", "u", "i"} & parsed.tags
    assert not [name for name, _ in parsed.attributes if name.startswith("on") or name == "src"]
    assert "http" not in page
    assert "url(" not in page
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in page
    assert "touchdown &lt;img src=x onerror=alert(1)&gt;" in page


def test_it_is_written_whole_or_not_at_all(landing: ResultFolder, tmp_path: Path) -> None:
    out = tmp_path / "report.html"
    write_report(landing, out)
    assert out.read_text("utf-8") == report_page(landing)
    with pytest.raises(OSError, match="No such file"):
        write_report(landing, tmp_path / "missing" / "report.html")
    assert [path.name for path in tmp_path.iterdir()] == ["report.html"]


def test_a_study_without_a_flight_has_a_report(tmp_path: Path) -> None:
    study = read_study(TEXT.format(flights=3, sampling="random"), tmp_path)
    assert "0 of 3 flights" in report_page(begin_result(tmp_path / "new", study, {}))


def test_indices_stand_in_it_where_the_sampling_gives_them(tmp_path: Path) -> None:
    def fly(drawn: Drawn) -> Flown:
        wind, mass = number_of(drawn, WIND), number_of(drawn, "mass_kg")
        return Flown(drawn.index, {"sum": wind + mass}, "passed")

    page = report_page(flown_in(tmp_path / "sobol", fly, 256, "sobol"))
    shares = {
        row[0]: [numbers_in(cell)[0] for cell in (row[2], row[4])]
        for row in _Page(page).rows
        if len(row) == 5 and row[2] and row[0] in (WIND, "mass_kg")
    }
    variances = {WIND: 81.0 / 12.0, "mass_kg": 0.25}  # of a uniform number, and of two choices
    for name, variance in variances.items():
        assert shares[name] == pytest.approx([variance / sum(variances.values())] * 2, abs=0.03)
    assert "Sobol" not in report_page(flown_in(tmp_path / "random", fly, 8))


def test_a_histogram_counts_every_flight(landing: ResultFolder) -> None:
    table = read_table(landing)
    values = table.metrics["touchdown_mps"]
    axes = histogram(table, "touchdown_mps", mean_interval(values))
    flights, mean, _ = axes.series
    edges, counts = flights.x[::2], flights.y[1:-1:2]
    assert counts.sum() == 40
    for number, (low, high) in enumerate(pairwise(edges)):
        is_last = number == len(counts) - 1
        inside = (values >= low) & ((values <= high) if is_last else (values < high))
        assert counts[number] == inside.sum()
    assert mean.x.tolist() == [values.mean()] * 2


@pytest.mark.slow
def test_a_scatter_is_thinned_out_and_says_so(tmp_path: Path) -> None:
    def fly(drawn: Drawn) -> Flown:
        return Flown(drawn.index, {"y": 1.0}, "failed" if drawn.index % 1000 == 7 else "passed")

    table = read_table(flown_in(tmp_path / "many", fly, 5000))
    axes = scatter(table, WIND, "y")
    passed, failed = axes.series
    assert (len(passed.x), len(failed.x)) == (1665, 5), "failures are rare, and all drawn"
    assert len(passed.x) <= MOST_POINTS
    assert axes.title == "5,000 flights, passed: one in 3 is drawn"
    (drawn, _) = points_of(diagram(axes), "dots")
    assert len(drawn) == 1665
    rows = failures_first(table)
    assert table.index[rows][:6].tolist() == [7, 1007, 2007, 3007, 4007, 0]


def test_points_are_drawn_where_they_are(landing: ResultFolder) -> None:
    table = read_table(landing)
    passed, failed = points_of(diagram(scatter(table, WIND, "touchdown_mps")), "dots")
    drawn = np.array(passed + failed)
    wind = table.parameters[WIND]
    order = np.concatenate([wind[wind <= 6.0], wind[wind > 6.0]])
    across = np.polyfit(order, drawn[:, 0], 1)
    up = np.polyfit(0.5 + 0.1 * order, drawn[:, 1], 1)
    assert np.abs(np.polyval(across, order) - drawn[:, 0]).max() < 0.1
    assert np.abs(np.polyval(up, 0.5 + 0.1 * order) - drawn[:, 1]).max() < 0.1
    assert across[0] > 0.0 > up[0], "to the right, and upwards"


def test_a_bar_begins_at_zero_with_its_whisker_about_its_end() -> None:
    drawn = bar(Interval(-0.5, -0.75, -0.25, 9), -1.0, 1.0)
    (start, width) = map(
        float, re.findall(r'<rect class=bar x="([\d.]+)".* width="([\d.]+)"', drawn)[0]
    )
    (left, right) = map(float, re.findall(r'd="M([\d.]+) 6v8m0-4H([\d.]+)', drawn)[0])
    assert (start, start + width) == (55.0, 110.0)
    assert (left, right) == (27.5, 82.5)
    assert "whisker" not in bar(Interval(0.5, np.nan, np.nan, 1), -1.0, 1.0)

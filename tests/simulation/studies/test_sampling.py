"""What flights draw: the distributions that the file says, by the seed and the flight alone."""

import math
from pathlib import Path

import numpy as np
import pytest

from simulation.files.parameter_file import ParameterError
from simulation.studies.distribution import StudyError, read_distribution
from simulation.studies.sampling import count_sentence, draw_sample, flight_count
from simulation.studies.study import Study, load_study, read_study
from simulation.studies.variation import uniform_numbers
from tests.simulation.studies.running_studies import UNIFORM, study

EVEN = (np.arange(4000) + 0.5) / 4000


@pytest.mark.parametrize(
    ("table", "mean", "deviation"),
    [
        ({"uniform": [2.0, 5.0]}, 3.5, 3.0 / math.sqrt(12.0)),
        ({"log_uniform": [1.0, math.e]}, math.e - 1.0, None),
        ({"triangular": [0.0, 0.0, 3.0]}, 1.0, 3.0 / math.sqrt(18.0)),
        ({"normal": [10.0, 2.0], "limits": [-100.0, 100.0]}, 10.0, 2.0),
        # Half a normal distribution: sqrt(2 / pi) and sqrt(1 - 2 / pi) deviations.
        ({"normal": [0.0, 1.0], "limits": [0.0, 100.0]}, 0.79788, 0.60281),
        ({"log_normal": [3.0, 0.5], "limits": [0.0, 1e6]}, 3.0 * math.exp(0.125), None),
        ({"choices": [1, 5]}, 0.5, 0.5),
    ],
)
def test_distributions_are_those_of_the_textbook(
    table: dict[str, list[float]], mean: float, deviation: float | None
) -> None:
    values = read_distribution("x", table).values(EVEN)
    assert values.mean() == pytest.approx(mean, rel=2e-3)
    if deviation is not None:
        assert values.std() == pytest.approx(deviation, rel=5e-3)


def test_limits_cut_off_and_never_clip() -> None:
    """Clipped ones would heap up at the ends."""
    how = read_distribution("x", {"normal": [0.0, 1.0], "limits": [-0.5, 0.5]})
    values = how.values(EVEN)
    assert np.histogram(values, 10, (-0.5, 0.5))[0].max() < 1.1 * 400
    assert how.ends == (-0.5, 0.5)


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([1.0, 2.0], "must be a table"),
        ({}, "has no distribution; give one of uniform"),
        ({"gauss": [0, 1]}, "'gauss'"),
        ({"uniform": [0.0, 1.0], "normal": [0.0, 1.0]}, "'uniform, normal'"),
        ({"uniform": [1.0]}, r"takes \[least, most\]"),
        ({"uniform": [2.0, 1.0]}, "is empty: 2 is not below 1; swap them"),
        ({"normal": [0.0, 1.0]}, "has no end; give 'x' limits"),
        ({"normal": [0.0, -1.0], "limits": [0, 1]}, "must be above 0"),
        ({"normal": [0.0, 1.0], "limits": [1, 0]}, "leave nothing between them"),
        ({"normal": [0.0, 1.0], "limits": [50, 60]}, "leave nothing of its distribution"),
        ({"log_uniform": [0.0, 1.0]}, "has no logarithm at 0"),
        ({"choices": []}, "has no choices"),
        ({"choices": [True]}, "cannot be True"),
        ({"uniform": [0.0, math.nan]}, r"takes \[least, most\]"),
        ({"uniform": [0.0, 1.0], "steps": 1}, "2 or more"),
        ({"uniform": [0.0, 1.0], "relative": 1}, "must be true or false"),
    ],
)
def test_what_is_no_distribution_is_said(table: object, words: str) -> None:
    with pytest.raises(StudyError, match=words):
        read_distribution("x", table)


def test_a_flight_draws_the_same_in_any_study() -> None:
    """Whatever else varies, and however many there are."""
    few = draw_sample(study("noted", "x = { uniform = [0.0, 1.0] }", flights="7"))
    more = draw_sample(
        study("noted", "w = { uniform = [0, 1] }\nx = { uniform = [0.0, 1.0] }", flights="99")
    )
    assert few.columns["x"].tolist() == more.columns["x"][:7].tolist()
    assert few.seeds == more.seeds[:7]
    assert uniform_numbers(1, "x", 5, 2).tolist() == few.columns["x"][5:7].tolist()
    assert len(set(more.seeds)) == 99
    assert abs(np.corrcoef(more.columns["x"], more.columns["w"])[0, 1]) < 4 / math.sqrt(99)


def test_a_latin_hypercube_has_one_flight_in_each_slice() -> None:
    sample = draw_sample(study("noted", flights="50", sampling='"latin-hypercube"'))
    assert sorted((sample.columns["x"] * 50).astype(int)) == list(range(50))


def test_a_grid_has_every_combination_equally_often() -> None:
    flown = study(
        "noted",
        'x = { uniform = [0.0, 1.0], steps = 3 }\ny = { choices = ["a", "b"] }',
        flights="10",
        sampling='"grid"',
    )
    sample = draw_sample(flown)
    assert count_sentence(flown) == "12 flights: every combination of the grid equally often."
    drawn = [tuple(sample.values(i).values()) for i in range(len(sample))]
    assert drawn == [(x, y) for x in (0.0, 0.5, 1.0) for y in ("a", "b")] * 2


def test_sobol_flies_a_power_of_two_for_each_index() -> None:
    from scipy import stats  # which takes a second to import

    flown = study(
        "noted", f"{UNIFORM}\nz = {{ uniform = [0, 1] }}", flights="5", sampling='"sobol"'
    )
    assert flight_count(flown) == 8 * (2 + 2)
    assert count_sentence(flown) == "32 flights: 8 (a power of two) times 2 parameters + 2."
    x, z = (draw_sample(flown).columns[name].reshape(4, 8) for name in ("x", "z"))
    assert x[2].tolist() == x[1].tolist()  # of B; z is of A
    assert z[2].tolist() == z[0].tolist()
    assert x[3].tolist() == x[0].tolist()
    assert stats.kstest(x[0], "uniform").pvalue > 0.5


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "'name' is missing"),
        ('name = "a"\nflight = 3', r"study\.toml, line 2: Unknown key 'flight'.* Write flights"),
        ('name = "a b"\nfunction = "a:b"', "letters, digits"),
        ('name = "a"', "either a 'scenario' or a 'function'"),
        ('name = "a"\nscenario = "x"\nfunction = "a:b"', "either a 'scenario' or a 'function'"),
        ('name = "a"\nfunction = "import os"', "write module:name"),
        ('name = "a"\nfunction = "a:b"\nflights = 0', "line 3: 'flights' is 0"),
        ('name = "a"\nfunction = "a:b"\nflights = 1.5', "line 3: 'flights' is 1.5"),
        ('name = "a"\nfunction = "a:b"\nsampling = "sobol"', "Nothing varies"),
        ('name = "a"\nfunction = "a:b"\nsampling = "halton"', '"latin-hypercube" or "sobol"'),
        ('name = "a"\nfunction = "a:b"\naircraft = "hector"', "has no aircraft"),
        ('name = "a"\nfunction = "a:b"\nkeep = { logs = "all" }', "neither columns nor logs"),
        ('name = "a"\nscenario = "x"\nkeep = { columns = ["true_positon"] }', "true_position"),
        ('name = "a"\nscenario = "x"\nkeep = { rate_hz = 300 }', "no whole number of milli"),
        ('name = "a"\nfunction = "a:b"\nstop = { metric = "y" }', "'half_width' is missing"),
        (
            'name = "a"\nfunction = "a:b"\nflights = 9\nstop = { metric = "y", half_width = 1 }',
            "batch of 'stop' is larger",
        ),
        (
            'name = "a"\nfunction = "a:b"\nsampling = "grid"\nvary.x = { uniform = [0, 1] }',
            "how many values 'x' has",
        ),
        ("name = ", "Not valid TOML"),
    ],
)
def test_what_is_no_study_is_said(text: str, words: str) -> None:
    with pytest.raises((StudyError, ParameterError), match=words):
        read_study(text, Path())


def test_no_such_study(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="There is no study 'nothing'"):
        load_study("nothing")
    with pytest.raises(ParameterError, match=r"nothing\.toml: The file cannot be read"):
        load_study(tmp_path / "nothing.toml")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(ParameterError, match="it is a folder"):
        load_study(folder)


def test_names_may_stand_in_tables() -> None:
    """As TOML reads `scenario.wind_mps = ...` without quotes."""
    quoted = study("noted", '"a.b" = { uniform = [0, 1] }\n"a.c.d" = { choices = [1] }')
    plain = study("noted", "a.b = { uniform = [0, 1] }\na.c.d = { choices = [1] }")
    assert quoted.vary == plain.vary
    assert isinstance(plain, Study)

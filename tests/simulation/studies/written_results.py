"""Results of studies that nobody has flown, written as a study writes them."""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from simulation.studies.flight import Drawn, Flown
from simulation.studies.result_folder import ResultFolder, begin_result
from simulation.studies.sampling import draw_sample
from simulation.studies.study import read_study

TEXT: Final = """# Does it land?
name = "landing"
function = "math:hypot"
flights = {flights}
sampling = "{sampling}"
[vary]
wind_mps = {{ uniform = [0.0, 9.0] }}
mass_kg = {{ choices = [1.0, 2.0] }}
'<b>"kind"&' = {{ choices = ["a", "<script>alert(1)</script>"] }}
"""
WIND: Final = "wind_mps"
Fly = Callable[[Drawn], Flown]


def flown_in(folder: Path, fly: Fly, flights: int = 40, sampling: str = "random") -> ResultFolder:
    """A result folder in which these flights were flown, the last one first."""
    study = read_study(TEXT.format(flights=flights, sampling=sampling), folder)
    result = begin_result(folder, study, {"lapwing": "<i>0.1</i>"})
    sample = draw_sample(study)
    drawn = {i: Drawn(i, sample.values(i), sample.seeds[i]) for i in range(len(sample))}
    with result.written() as journal:
        journal.add(drawn, [fly(one) for one in reversed(drawn.values())])
    return result


def number_of(drawn: Drawn, name: str) -> float:
    value = drawn.values[name]
    assert isinstance(value, float)
    return value


def lands_in_little_wind(drawn: Drawn) -> Flown:
    """Harder the more wind there is; above 6 m/s it fails."""
    wind = number_of(drawn, WIND)
    metrics = {"touchdown_mps": 0.5 + 0.1 * wind, "<u>x</u>": float(drawn.index)}
    if wind > 6.0:
        return Flown(drawn.index, metrics, "failed", "touchdown <img src=x onerror=alert(1)>")
    return Flown(drawn.index, metrics, "passed")

"""Studies flown in the process of the test, in the place of workers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from simulation.studies.flying import FlightBlock, fly_block
from simulation.studies.result_folder import ResultFolder, begin_result
from simulation.studies.running import StudyEnd, StudyRun
from simulation.studies.sampling import draw_sample
from simulation.studies.study import Study, read_study
from simulation.studies.study_table import save_table
from simulation.studies.workers import Taken, Workers
from tests.simulation.studies.functions import MODULE

VERSIONS = {"lapwing": "test"}


@dataclass
class ImmediateWorkers:
    """Flies what is submitted at once, and hands it back in an order of `choose`; block number n
    comes back unflown, its process dead, if n is among `dying`."""

    count: int = 2
    deaths: int = 0
    trouble: str = ""
    choose: Callable[[Sequence[FlightBlock]], int] = lambda waiting: 0
    dying: set[int] = field(default_factory=set)
    submitted: int = 0
    _waiting: list[FlightBlock] = field(default_factory=list)

    def submit(self, block: FlightBlock) -> None:
        self._waiting.append(block)

    def take(self, longest_s: float) -> list[Taken]:
        block = self._waiting.pop(self.choose(self._waiting))
        self.submitted += 1
        if self.submitted in self.dying:
            self.deaths += 1
            return [Taken(block, None, died=True)]
        return [Taken(block, fly_block(block))]

    def close(self) -> None: ...


UNIFORM = "x = { uniform = [0.0, 1.0] }"


def noted_study(notes: Path, function: str = "noted", **keys: str) -> Study:
    """A study of a function that notes its calls in that folder."""
    return study(function, f'{UNIFORM}\nnotes = {{ choices = ["{notes.as_posix()}"] }}', **keys)


def study(function: str, vary: str = UNIFORM, **keys: str) -> Study:
    """A study of one of the functions of the tests."""
    lines = {"name": '"test"', "function": f'"{MODULE}:{function}"', "flights": "40", **keys}
    text = "".join(f"{key} = {value}\n" for key, value in lines.items())
    return read_study(f"{text}[vary]\n{vary}\n", Path())


def fly(flown: Study, path: Path, workers: Workers | None = None) -> tuple[StudyEnd, ResultFolder]:
    """Fly a study into a folder, or go on with it."""
    folder = begin_result(path, flown, VERSIONS)
    with folder.written() as journal:
        run = StudyRun(
            draw_sample(flown),
            folder,
            workers or ImmediateWorkers(),
            lambda done, total: None,
            lambda what: None,
        )
        end = run.fly(journal)
    save_table(end.table, folder)
    return end, folder

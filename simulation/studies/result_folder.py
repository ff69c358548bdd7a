"""Result folder of a study: what was flown, safe against whatever ends it.

    study.toml        as it is flown
    versions.json     what it was flown by
    flights.jsonl     the journal, which counts: a line for each flight as it comes
    flights.parquet   the same as a table in the order of the flights, made anew at each end
    flights/7.opl     what is kept of a flight besides, written before its line

A kill loses the flights under way: the journal's last line may be torn, and is cut off.
"""

import json
import math
import os
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO, Final

from simulation.studies.distribution import StudyError, Value
from simulation.studies.flight import ERROR, OUTCOMES, Drawn, Flown
from simulation.studies.study import Study, read_study
from telemetry.base.file_lock import locked
from telemetry.base.input_files import open_file
from telemetry.base.safe_files import replace_file
from telemetry.base.text_formats import FormatError, parse_json, read_limited

STUDY: Final = "study.toml"
VERSIONS: Final = "versions.json"
JOURNAL: Final = "flights.jsonl"
TABLE: Final = "flights.parquet"
KEPT: Final = "flights"
_LONGEST_LINE: Final = 1 << 20
_ORIGIN: Final = "folder"
"""Where the study's file stood, and beside it what it names."""
_MUST_AGREE: Final = ("lapwing", "equations", "function", "scenario", "aircraft")
"""Digits of other packages may differ in the last place; these decide what is flown."""


class ResultFolder:
    """The folder of one study. Use `open_result` or `begin_result`."""

    def __init__(self, path: Path, study: Study) -> None:
        self.path = path
        self.study = study

    @property
    def table(self) -> Path:
        """Where the table is, once there is one."""
        return self.path / TABLE

    def kept(self, index: int, ending: str) -> Path:
        """Where that of a flight is kept."""
        return self.path / KEPT / f"{index}.{ending}"

    def lines(self) -> Iterator[tuple[Drawn, Flown]]:
        """What the journal says, in the order in which flights ended. A torn last line is left out.
        Raises StudyError for what no study has written."""
        return JournalReading(self).lines()

    @contextmanager
    def written(self) -> Iterator["Journal"]:
        """The journal, to be written by this process alone. Raises StudyError while another one
        flies into it, and OSError."""
        with ExitStack() as held:
            try:
                held.enter_context(locked(self.path / JOURNAL, 0.0))
            except OSError:
                raise StudyError(
                    f"Another study is being flown into {self.path}. Wait for it, or give another "
                    "--out."
                ) from None
            journal = (self.path / JOURNAL).open("ab+")
            held.callback(journal.close)
            _cut_torn_line(journal)
            yield Journal(self, journal)


class JournalReading:
    """Reads a journal that grows: whoever asks again gets what has come since."""

    def __init__(self, folder: ResultFolder) -> None:
        self._path = folder.path / JOURNAL
        self._end = 0
        self._number = 0

    def lines(self) -> Iterator[tuple[Drawn, Flown]]:
        """What has not been read yet. Raises as `ResultFolder.lines`."""
        try:
            with open_file(self._path) as journal:
                journal.seek(self._end)
                for line in journal:
                    if line.endswith(b"\n"):
                        flight = self._read(line)
                        self._end += len(line)
                        self._number += 1
                        yield flight
        except FileNotFoundError:
            return

    def _read(self, line: bytes) -> tuple[Drawn, Flown]:
        try:
            return _parse(parse_json(line, _LONGEST_LINE, takes_nan=True))
        except (FormatError, LookupError, TypeError, ValueError) as error:
            raise StudyError(
                f"Line {self._number + 1} of {self._path} is damaged ({error}). Delete it "
                "to fly its flight again."
            ) from None


class Journal:
    """Adds flights to a result folder."""

    def __init__(self, folder: ResultFolder, file: BinaryIO) -> None:
        self._folder = folder
        self._file = file

    def add(self, drawn: Mapping[int, Drawn], flown: list[Flown]) -> None:
        """Keep what came of some flights; on the disk when it returns. Raises OSError."""
        lines = []
        for one in flown:
            for ending, content in one.files.items():
                place = self._folder.kept(one.index, ending)
                place.parent.mkdir(exist_ok=True)
                replace_file(place, content)
            line = _line(drawn[one.index], one)
            if len(line) > _LONGEST_LINE:
                too_long = replace(one, metrics={}, outcome=ERROR, reason="Too many metrics.")
                line = _line(drawn[one.index], too_long)
            lines.append(line)
        end = self._file.seek(0, os.SEEK_END)
        try:
            self._file.write(b"".join(lines))
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError:
            self._file.truncate(end)  # a full disk leaves half a line
            raise


def begin_result(path: Path, study: Study, versions: Mapping[str, str]) -> ResultFolder:
    """The folder of a study, new, or the one in which it goes on. Raises StudyError for one that
    holds something else, and OSError."""
    if (path / STUDY).exists():
        there = open_result(path).study
        if there.text != study.text:
            raise StudyError(
                f"{path} holds another study, '{there.name}', or another version of this one. Give "
                "another --out."
            )
        _check_versions(path, versions)
    elif path.exists() and any(one.suffix != ".part" for one in path.iterdir()):
        raise StudyError(f"{path} holds files that are no study. Give another --out.")
    else:
        path.mkdir(parents=True, exist_ok=True)
        replace_file(path / STUDY, study.text.encode())
    told = {**versions, _ORIGIN: str(study.folder.absolute())}
    replace_file(path / VERSIONS, json.dumps(told, indent=1).encode())
    return ResultFolder(path, study)


def difference_from(ours: Mapping[str, str], theirs: Mapping[str, str]) -> str:
    """Why two processes do not fly the same study, as a phrase; "" if they do."""
    differing = [
        f"{name} {theirs.get(name, 'missing')} in the place of {ours[name]}"
        for name in _MUST_AGREE
        if name in ours and ours[name] != theirs.get(name)
    ]
    return ", ".join(differing)


def _check_versions(path: Path, versions: Mapping[str, str]) -> None:
    """Refuse to mix flights of two versions. Raises StudyError."""
    before = _read_versions(path)
    is_begun = (path / JOURNAL).exists() and (path / JOURNAL).stat().st_size > 0
    if is_begun and before and (different := difference_from(versions, before)):
        raise StudyError(
            f"{path} was flown by {different}. Go on with what flew it, or give another --out."
        )


def _read_versions(path: Path) -> dict[str, str]:
    try:
        told = parse_json(read_limited(path / VERSIONS))
    except (OSError, FormatError):
        return {}
    return {str(k): str(v) for k, v in told.items()} if isinstance(told, dict) else {}


def open_result(path: Path) -> ResultFolder:
    """What a study has left in a folder. Raises StudyError and ParameterError."""
    try:
        text = read_limited(path / STUDY).decode()
    except (OSError, FormatError, UnicodeDecodeError):
        raise StudyError(
            f"{path} holds no study: there is no {STUDY} in it. Give the folder that `lapwing "
            "study run` has written."
        ) from None
    origin = Path(_read_versions(path).get(_ORIGIN, path))
    return ResultFolder(path, read_study(text, origin))


def _cut_torn_line(journal: BinaryIO) -> None:
    """What a kill has left of a line is of a flight that is flown again."""
    end = journal.seek(0, os.SEEK_END)
    at = end
    while at > 0:
        step = min(at, _LONGEST_LINE)
        journal.seek(at - step)
        found = journal.read(step).rfind(b"\n")
        if found >= 0:
            at = at - step + found + 1
            break
        at -= step
    if at < end:
        journal.truncate(at)


def _line(drawn: Drawn, flown: Flown) -> bytes:
    said = [
        flown.index,
        drawn.seed,
        dict(drawn.values),
        {k: None if math.isnan(v) else v for k, v in flown.metrics.items()},
        flown.outcome,
        flown.reason,
        round(flown.seconds, 6),
    ]
    return json.dumps(said, separators=(",", ":")).encode() + b"\n"


def _parse(said: Any) -> tuple[Drawn, Flown]:
    index, seed, values, metrics, outcome, reason, seconds = said
    if type(index) is not int or index < 0 or type(seed) is not int or outcome not in OUTCOMES:
        raise ValueError("it is no flight")
    drawn: dict[str, Value] = dict(values)
    numbers = {str(k): math.nan if v is None else float(v) for k, v in metrics.items()}
    flown = Flown(index, numbers, outcome, str(reason), float(seconds))
    return Drawn(index, drawn, seed), flown

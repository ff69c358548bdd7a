"""Truth file of a sensor: what is true of each sample, beside its stream.

A ZIP archive of NumPy arrays in blocks, one row a sample, which `numpy.load` reads.

    000000.number, 000000.time_us           of the sample; the simulated time at which it began
    000000.position_m                       where the sensor was then, NED
    000000.attitude_q_wxyz                  turns its axes into NED
    000000.range_m, …                       what else the kind of sensor knows
    000000.depth_m, 000000.segment, …       of every pixel of a picture, if that was asked for
    segment_names                           what the numbers in `segment` stand for

Nothing is lost: what is of every pixel is deflated, which `numpy.load` undoes.
"""

import io
import zipfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from simulation.perception.mounted_sensor import SuiteSample
from simulation.perception.pixel_truth import PIXEL_TRUTH
from telemetry.protocol.streams.samples import StreamError

_BLOCK_ROWS: Final = 64
_BLOCK_BYTES: Final = 16 << 20
_OF_NO_TIME: Final = (1980, 1, 1, 0, 0, 0)
_QUICKEST: Final = 1

Arrays = dict[str, npt.NDArray[Any]]


class TruthFile:
    """The truth beside one stream. Raises OSError, and StreamError where the file is already
    there."""

    def __init__(
        self, path: Path, of_pixels: Collection[str] = (), segment_names: Sequence[str] = ()
    ) -> None:
        """`of_pixels` are names of PIXEL_TRUTH that are to be kept; `segment_names` stand at the
        numbers of `segment`."""
        try:
            self._file = path.open("xb")
        except FileExistsError:
            raise StreamError(f"{path} is there already; record to another name.") from None
        self._archive = zipfile.ZipFile(self._file, "w", zipfile.ZIP_STORED)
        self._of_pixels = of_pixels
        self._segment_names = segment_names
        self._rows: list[Arrays] = []
        self._bytes = 0
        self._blocks = 0

    def add(self, taken: SuiteSample) -> None:
        """Keep what is true of one more sample."""
        row = self._row(taken)
        if self._rows and _shapes(row) != _shapes(self._rows[0]):
            self._flush()
        self._rows.append(row)
        self._bytes += sum(array.nbytes for array in row.values())
        if len(self._rows) >= _BLOCK_ROWS or self._bytes >= _BLOCK_BYTES:
            self._flush()

    def close(self) -> None:
        """Write what is left."""
        try:
            self._flush()
            self._archive.close()
        finally:
            self._file.close()

    def _row(self, taken: SuiteSample) -> Arrays:
        truth, values = taken.truth, taken.truth.values
        large = getattr(values, "large", ())
        small = {name: values[name] for name in values if name not in large}
        return {
            "number": np.array(taken.sample.number),
            "time_us": np.array(truth.time_us),
            "position_m": truth.position_m,
            "attitude_q_wxyz": truth.attitude_q_wxyz,
            **{name: array for name, array in small.items() if array.ndim == 1},
            **{name: values[name] for name in self._of_pixels if name in values},
        }

    def _flush(self) -> None:
        rows, self._rows, self._bytes = self._rows, [], 0
        if not rows:
            return
        if not self._blocks and "segment" in rows[0]:
            self._write("segment_names", np.array(self._segment_names, np.str_))
        for name in rows[0]:
            self._write(f"{self._blocks:06d}.{name}", np.stack([row[name] for row in rows]))
        self._blocks += 1

    def _write(self, name: str, column: npt.NDArray[Any]) -> None:
        data = io.BytesIO()
        np.lib.format.write_array(data, column, allow_pickle=False)
        member = zipfile.ZipInfo(f"{name}.npy", _OF_NO_TIME)
        is_large = name.partition(".")[2] in PIXEL_TRUTH
        how = zipfile.ZIP_DEFLATED if is_large else zipfile.ZIP_STORED
        self._archive.writestr(member, data.getvalue(), how, _QUICKEST)


def _shapes(row: Arrays) -> dict[str, tuple[int, ...]]:
    return {name: array.shape for name, array in row.items()}

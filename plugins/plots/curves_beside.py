"""Curves beside: what a flight is compared with is drawn in its plots by itself."""

from widgets.plot.readers import path_in_log
from widgets.plot.view import PlotView


class CurvesBeside:
    """Has a plot draw each curve of the flight from the log that it is compared with, too. One that
    the user takes out stays out; all of them go with the comparison.
    """

    def __init__(self, view: PlotView) -> None:
        self._view = view
        self._log = ""
        self._laid: set[str] = set()

    def follow(self, log: str) -> None:
        """Draw what there is of this log, "" for none."""
        model = self._view.model
        if log != self._log:
            for path in self._laid:
                self._view.remove_path(path_in_log(path, self._log))
            self._log, self._laid = log, set()
        own = {curve.path for curve in model.curves if not curve.log} if log else set()
        if new := own - self._laid:
            for path in (path for path in model.paths if path in new):
                model.add_beside(path, log)
            self._laid |= new
            self._view.add_paths(())

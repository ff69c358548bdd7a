"""Browsed vehicle: one aircraft with its objects, drafts, commands, and its release."""

from concurrent.futures import Executor, Future

from plugins.object_browser.contents import Contents
from plugins.object_browser.edits import RowEdits
from plugins.object_browser.nodes import ObjectEntry
from plugins.object_browser.rows import RowContext
from plugins.object_browser.search import NotDefault, Search
from plugins.object_browser.sources import GLOW_S
from telemetry.vehicle.vehicle import Vehicle

_SEEK_S = 2.0


class BrowsedVehicle:
    """Follows the cursor over one vehicle's recording. Edits stay drafts until they are sent."""

    def __init__(self, vehicle: Vehicle, jobs: Executor) -> None:
        self.vehicle = vehicle
        self.contents = Contents(vehicle.recording)
        self.edits = RowEdits(vehicle)
        self.scene = RowContext(self.edits, vehicle.catalogue.explain)
        self.release = ""
        self._jobs = jobs
        self._best: Future[str | None] | None = None
        self._glowing_until = 0.0

    @property
    def is_glowing(self) -> bool:
        """Whether a glow still has to be shown fading, its end included."""
        return self.scene.clock_s < self._glowing_until

    def follow(self, t: float, clock_s: float) -> None:
        """Move every source to the cursor. A seek is no news, so it does not glow."""
        scene = self.scene
        glow = abs(t - scene.t) < _SEEK_S
        scene.t, scene.clock_s = t, clock_s
        for source in self.contents.sources():
            if source.follow(self.vehicle.recording, t, clock_s, glow=glow):
                self.edits.settle(source)
                if glow:
                    self._glowing_until = clock_s + GLOW_S

    def learn_release(self) -> bool:
        """Learn which release this is; True when that has changed.

        A live session says it itself, once it has seen enough. A log is recognised in a job by
        the ids in it.
        """
        told = self.vehicle.status.release
        if told and told != self.release:
            self.release = told
            return True
        if self.release or not self.contents.count or self.vehicle.is_live:
            return False
        if self._best is None:
            ids = self.contents.object_ids
            self._best = self._jobs.submit(self.vehicle.catalogue.best_release, ids)
        elif self._best.done():
            self.release = self._best.result() or ""
        return bool(self.release)

    def not_default(self, search: Search) -> NotDefault:
        """What a search admits of the settings that differ from their defaults, or will."""
        sources = self.contents.sources()
        return NotDefault(search, {source: self.edits.of(source) for source in sources})

    def entries(self, *, with_metadata: bool, with_absent: bool) -> tuple[ObjectEntry, ...]:
        """The objects to list."""
        has_release = with_absent and self.release
        absent = self.vehicle.catalogue.release(self.release) if has_release else ()
        return self.contents.entries(absent, with_metadata=with_metadata)

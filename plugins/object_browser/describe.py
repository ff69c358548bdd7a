"""Description of the selected row for the detail pane, and which commands make sense now."""

from concurrent.futures import Executor, Future

from plugins.object_browser.browsed_vehicle import BrowsedVehicle
from plugins.object_browser.detail import DetailPane
from plugins.object_browser.facts import Fact, object_facts, title_of, value_facts
from plugins.object_browser.model import object_of, source_of
from plugins.object_browser.nodes import ObjectNode
from plugins.object_browser.rows import TreeNode
from plugins.object_browser.sources import ObjectSource
from plugins.object_browser.values import ValueNode
from telemetry.protocol.objects.definition import ObjectDefinition

_KEYS: tuple[Fact, ...] = (
    ("Ctrl+F", "search names, fields and units"),
    ("Enter", "edit a setting, plot a measured value"),
    ("F2", "edit any value"),
    ("Drag", "a field onto a plot"),
)


class Describer:
    """Writes into one detail pane."""

    def __init__(self, pane: DetailPane, jobs: Executor) -> None:
        self._pane = pane
        self._jobs = jobs
        self._releases: dict[int, Future[tuple[str, ...]]] = {}

    def show(
        self, node: TreeNode | None, viewed: BrowsedVehicle, refusal: str | None, refused: str
    ) -> None:
        """Describe a row. `refusal` says why nothing can be sent, `refused` why the last edit
        was not taken over.
        """
        source, owner = source_of(node), object_of(node)
        if node is None or source is None or owner is None:
            self._show_overview(viewed, refusal)
            return
        if isinstance(node, ValueNode):
            text = viewed.scene.explain(node.source.definition.name, node.field)
            facts = value_facts(node, viewed.scene)
        else:
            text = owner.entry.definition.description
            facts = object_facts(owner, self._releases_with(owner.entry.definition, viewed))
        self._pane.show_facts(title_of(node, source), text, facts)
        self._show_actions(source, owner, viewed, refusal, refused)

    def _show_overview(self, viewed: BrowsedVehicle, refusal: str | None) -> None:
        settings, data = viewed.contents.counts()
        facts = (
            ("Firmware", viewed.release or "not known yet"),
            ("Settings", f"{settings} objects"),
            ("Data", f"{data} objects"),
            *_KEYS,
        )
        self._pane.show_facts("Objects", "Select an object or a field to see what it is.", facts)
        self._pane.show_outcome(refusal or "", "muted")
        self._pane.show_buttons(False)

    def _show_actions(
        self,
        source: ObjectSource,
        owner: ObjectNode,
        viewed: BrowsedVehicle,
        refusal: str | None,
        refused: str,
    ) -> None:
        edits = viewed.edits
        progress = edits.progress(source)
        is_dirty = any(edits.count(own) for own in owner.all_sources())
        is_waiting = progress is not None and progress.state == "waiting"
        can_send = refusal is None and not is_waiting and not edits.settings.is_busy
        undo_title = edits.undo_title(owner.all_sources())
        undo_title = undo_title if can_send and not is_dirty else ""
        if refused:
            self._pane.show_outcome(f"Not taken over: {refused}.", "danger")
        elif progress is not None and (is_waiting or not is_dirty):
            tone = {"waiting": "muted", "done": "ok", "failed": "danger"}[progress.state]
            self._pane.show_outcome(progress.sentence, tone, undo_title)
        elif refusal is not None:
            self._pane.show_outcome(refusal, "muted")
        elif progress is not None and progress.state == "failed":
            self._pane.show_outcome(progress.sentence, "danger")
        elif is_dirty:
            self._pane.show_outcome("Changes are not sent yet.", "muted")
        else:
            self._pane.show_outcome("", "muted", undo_title)
        names: set[str] = {"revert"} if is_dirty else set()
        if can_send:
            names |= {"send"} if is_dirty else set()
            names |= set() if source.key.is_metadata else {"request", "save", "load", "erase"}
        self._pane.enable(names)
        self._pane.show_buttons(viewed.vehicle.is_live)

    def _releases_with(
        self, definition: ObjectDefinition, viewed: BrowsedVehicle
    ) -> tuple[str, ...] | None:
        object_id = definition.object_id
        if object_id not in self._releases:
            releases_with = viewed.vehicle.catalogue.releases_with
            self._releases[object_id] = self._jobs.submit(releases_with, object_id)
        future = self._releases[object_id]
        return future.result() if future.done() else None

"""Plot preset menu: kept plots to show, and the plot to keep."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QMenu, QWidget

from widgets.dialogs import ask_for_file, ask_for_text, ask_where_to_save
from widgets.plot.model import PlotModel
from widgets.plot.plot_state import curves_state, restore_curves, restore_view, view_state
from widgets.plot.presets import SUFFIX, PlotPresetError, PlotPresets, write_preset

_KIND = f"Plot (*{SUFFIX})"


class PresetActions:
    """What is done with presets from one plot. `changed` is called when its curves are others."""

    def __init__(
        self,
        plot: QWidget,
        model: PlotModel,
        changed: Callable[[], None],
        tell: Callable[[str], None],
    ) -> None:
        self._plot = plot
        self._model = model
        self._changed = changed
        self._tell = tell
        self.presets: PlotPresets | None = None

    def fill(self, menu: QMenu) -> None:
        """Offer all presets, and what can be done with them."""
        presets = self.presets
        if presets is None:
            return
        names, has_curves = presets.names(), bool(self._model.curves)
        for name in names:
            menu.addAction(name.replace("&", "&&"), partial(self.apply, name))
        menu.addSeparator()
        menu.addAction("Save as preset…", self._ask_name).setEnabled(has_curves)
        menu.addAction("Save as file…", self._ask_export).setEnabled(has_curves)
        menu.addAction("Take from file…", self._ask_import)
        if names:
            delete = menu.addMenu("Delete")
            for name in names:
                delete.addAction(name.replace("&", "&&"), partial(self.remove, name))

    def apply(self, name: str) -> None:
        """Plot what was saved under a name."""
        if self.presets is not None:
            self._try(lambda presets: self._show(presets.load(name)), "")

    def save(self, name: str) -> None:
        """Keep what is plotted under a name."""
        self._try(lambda presets: presets.save(name, self._state()), f"Preset {name} saved.")

    def remove(self, name: str) -> None:
        """Forget a preset."""
        self._try(lambda presets: presets.remove(name), f"Preset {name} deleted.")

    def take_file(self, path: Path) -> None:
        """Keep and plot a preset that somebody has sent."""

        def take(presets: PlotPresets) -> None:
            name = presets.take_file(path)
            self._show(presets.load(name))
            self._tell(f"Preset {name} taken from {path.name}.")

        self._try(take, "")

    def save_file(self, path: Path) -> None:
        """Write what is plotted as a file for others."""
        self._try(
            lambda _presets: write_preset(path, path.stem, self._state()),
            f"Plot saved as {path.name}.",
        )

    def _try(self, act: Callable[[PlotPresets], None], done: str) -> None:
        if self.presets is None:
            return
        try:
            act(self.presets)
        except PlotPresetError as error:
            self._tell(str(error))
            return
        if done:
            self._tell(done)

    def _state(self) -> dict[str, Any]:
        options = {
            key: value for key, value in view_state(self._model).items() if key != "window_s"
        }
        return {"fields": curves_state(self._model), **options}

    def _show(self, state: dict[str, Any]) -> None:
        restore_curves(self._model, state.get("fields"))
        restore_view(self._model, {key: state[key] for key in state if key != "window_s"})
        self._changed()

    def _ask_name(self) -> None:
        ask_for_text(self._plot, "Save as preset", "Name of the preset", self.save)

    def _ask_export(self) -> None:
        title, name = "Save plot as file", f"plot{SUFFIX}"
        ask_where_to_save(self._plot, title, _KIND, SUFFIX, self.save_file, name)

    def _ask_import(self) -> None:
        ask_for_file(self._plot, "Take plot from file", _KIND, self.take_file)

"""The View menu: panels, themes, sizes."""

from functools import partial

from PySide6.QtWidgets import QApplication

from app.menus.parts import MenuParts
from app.window.commands import Command, MenuEntry, MenuItem, Submenu
from app.window.overlay import CommandPalette
from app.workspaces.panel_host import PanelHost
from widgets.theme import theme_names


def view_menu(parts: MenuParts) -> tuple[MenuItem, ...]:
    """Everything that changes how the window looks."""
    window, look = parts.window, parts.appearance
    return (
        Submenu("Add panel", partial(panel_entries, parts), "View"),
        Command(
            "add-panel", "Add panel by name …", partial(_choose_panel, parts), ("Ctrl+N",), "View"
        ),
        Command("find", "Find in the panel", partial(_find, parts), ("Ctrl+F",), "View"),
        Command(
            "panel-menu", "Menu of the panel", partial(_panel_menu, parts), ("Shift+F10",), "View"
        ),
        Submenu("Theme", partial(_themes, parts), "View"),
        Command("next-theme", "Next theme", partial(_next_theme, parts), ("T",), "View"),
        Command("larger", "Larger", lambda: look.enlarge(0.1), ("Ctrl++", "Ctrl+="), "View"),
        Command("smaller", "Smaller", lambda: look.enlarge(-0.1), ("Ctrl+-",), "View"),
        Command("usual-size", "Usual size", lambda: look.set_scale(1.0), ("Ctrl+0",), "View"),
        Command(
            "full-screen", "Full screen", partial(_toggle_full_screen, parts), ("F11",), "View"
        ),
        Command("menu", "Open the menu", window.toolbar.popup_main_menu, ("F10",)),
    )


def panel_entries(parts: MenuParts, group: str = "") -> list[MenuEntry]:
    """Every kind of panel by its title; choosing one adds it to the workspace that shows."""
    return [
        MenuEntry(panel.title, partial(_add_panel, parts, panel_id), "", group)
        for panel_id, panel in parts.services.panels.items()
    ]


def _add_panel(parts: MenuParts, panel_id: str) -> None:
    page = parts.window.stack.current_page
    if page is not None:
        page.add_panel(panel_id)


def _choose_panel(parts: MenuParts) -> None:
    CommandPalette(parts.window, panel_entries(parts), "Add a panel")


def _panel_menu(parts: MenuParts) -> None:
    """Open the menu of the panel in use, else of the first to be seen."""
    page, hosts = parts.window.stack.current_page, _shown_panels(parts)
    if page is not None and hosts:
        page.open_menu(hosts[0].key, hosts[0].mapToGlobal(hosts[0].rect().center()))


def _shown_panels(parts: MenuParts) -> list[PanelHost]:
    """The panels that can be seen, the one in use before the others."""
    page = parts.window.stack.current_page
    hosts = [host for host in (page.hosts if page else ()) if host.is_showing()]
    focused = QApplication.focusWidget()
    if focused is not None:
        hosts.sort(key=lambda host: not host.isAncestorOf(focused))
    return hosts


def _find(parts: MenuParts) -> None:
    """Go to the search of a panel that has one: the one in use, else the first to be seen."""
    hosts = _shown_panels(parts)
    if not any(host.start_search() for host in hosts):
        parts.services.messages.tell("No panel here has a search. Ctrl+5 shows the objects.")


def _themes(parts: MenuParts) -> list[MenuEntry]:
    choose = parts.appearance.choose
    return [
        MenuEntry(name.capitalize(), partial(choose, name)) for name in ("system", *theme_names())
    ]


def _next_theme(parts: MenuParts) -> None:
    names = theme_names()
    present = names.index(parts.appearance.theme.name)
    parts.appearance.choose(names[(present + 1) % len(names)])
    parts.services.messages.tell(f"Theme: {parts.appearance.theme.title}")


def _toggle_full_screen(parts: MenuParts) -> None:
    if parts.window.isFullScreen():
        parts.window.showNormal()
    else:
        parts.window.showFullScreen()

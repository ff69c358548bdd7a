"""Plugin actions, in the menus that they name."""

from functools import partial

from app.menus.parts import MenuParts
from app.messages import Message
from app.window.commands import Command
from plugins.api import Action, PanelContext, resolve
from telemetry.base.finding import Level


def plugin_commands(parts: MenuParts) -> tuple[Command, ...]:
    """One command per action of any plugin."""
    return tuple(
        Command(
            action_id,
            action.title,
            partial(_run, parts, action),
            (action.shortcut,) if action.shortcut else (),
            action.menu,
        )
        for action_id, action in parts.actions.items()
    )


def _run(parts: MenuParts, action: Action) -> None:
    services = parts.services
    context = PanelContext(
        fleet=services.fleet,
        theme=services.theme,
        jobs=services.jobs,
        show_message=services.messages.tell,
        run_action=services.run_action,
        open_log=services.open_log,
        connect=services.connect,
    )
    try:
        resolve(action.run)(context)
    except Exception as error:  # noqa: BLE001  a plugin may fail in any way it likes
        services.messages.put(Message(f"{action.title} failed: {error!r}.", Level.WARNING))

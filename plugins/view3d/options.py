"""View options: what shows besides the aircraft, as the menu and the settings say."""

from dataclasses import dataclass, fields, replace

from plugins.api import Json

AUTOMATIC, NO_WORLD = "automatic", ""


@dataclass(frozen=True, slots=True)
class SpaceOptions:
    """`world` is the name or path of one of the simulator's, AUTOMATIC for that of the connected
    one. `tiles` are where map tiles come from (see `widgets.map.tiles`), `terrain` a file of
    heights. `track_color` as of the map: "", "height", "speed", a field or an expression."""

    world: str = AUTOMATIC
    tiles: str = ""
    terrain: str = ""
    track_color: str = ""
    has_plan: bool = True
    has_wind: bool = True
    has_sensors: bool = True
    has_map: bool = True
    has_opengl: bool = True

    def restored(self, state: Json) -> "SpaceOptions":
        """With what a state says, as far as it is of the right kind."""
        said = {
            part.name: state[part.name]
            for part in fields(self)
            if type(state.get(part.name)) is type(getattr(self, part.name))
        }
        return replace(self, **said)

    def to_json(self) -> Json:
        """As `restored` takes it."""
        return {part.name: getattr(self, part.name) for part in fields(self)}

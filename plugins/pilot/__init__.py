"""Pilot: arming, guided actions, on-screen sticks, keyboard, input devices."""

from plugins.api import Action, Panel, Plugin
from plugins.pilot.action_titles import ACTION_TITLES

PLUGIN = Plugin(
    id="pilot",
    title="Pilot",
    description="Arm, take off, hold, land, and fly by hand with what is at hand.",
    panels=(
        Panel(
            id="controls",
            title="Controls",
            widget="plugins.pilot.panel:ControlsPanel",
            rate_hz=20,
            least_hz=10,
            needs_vehicle=False,
            help=(
                "Hold Arm and take off for a moment. It arms and climbs by itself. Hold "
                "keeps the place, Land comes down. Arm is for taking off by hand. "
                "Fly by hand takes over in stabilized mode with the on-screen sticks, the keyboard "
                "(arrows: roll and pitch, A D: yaw, W S: throttle) or a device of Controllers."
            ),
            least_size=(430, 150),
        ),
        Panel(
            id="actions",
            title="Actions",
            widget="plugins.pilot.actions_panel:ActionsPanel",
            rate_hz=10,
            least_hz=5,
            needs_vehicle=False,
            help=(
                "Hold Arm and take off for a moment: it arms and climbs. In the air the same place "
                "is Hold, which keeps the place; Land comes down, Return flies back to where it "
                "was armed. Go to … opens what needs numbers: a place, a height, an orbit. "
                "Fly by hand takes over with the keys and the sticks. Stop motors acts at once, "
                "held, in the air too. A tool tip says why a button cannot be pressed."
            ),
            least_size=(480, 90),
        ),
        Panel(
            id="sticks",
            title="Sticks",
            widget="plugins.pilot.sticks_panel:SticksPanel",
            rate_hz=10,
            least_hz=5,
            needs_vehicle=False,
            help=(
                "Both sticks, to drag with the mouse or with fingers, or to see where a device's "
                "are. After Fly by hand the keys push them too (arrows: roll and pitch, A D: yaw, "
                "W S: throttle) until Esc. Choose below what flies: keys and sticks, or a device "
                "of Controllers. Let go sends no sticks any more."
            ),
            least_size=(240, 152),
        ),
        Panel(
            id="controllers",
            title="Controllers",
            widget="plugins.pilot.controllers_panel:ControllersPanel",
            rate_hz=20,
            least_hz=10,
            needs_vehicle=False,
            help=(
                "What is plugged in: game controllers, RC transmitters by USB, 3-D mice, programs. "
                "The bars show what a device says and what is made of it before anything flies. "
                "Set up step by step asks for each stick in turn; what is changed counts once it "
                "is saved, for every aircraft or for this one. Give a button the emergency stop."
            ),
            least_size=(480, 300),
        ),
        Panel(
            id="guided",
            title="Guided flight",
            widget="plugins.pilot.guided_panel:GuidedPanel",
            rate_hz=10,
            least_hz=5,
            needs_vehicle=False,
            help=(
                "Hold a button for a moment to ask the aircraft to do something by itself: take "
                "off, go somewhere, orbit, change height, land. A tool tip says why one cannot be "
                "asked for now. On the map, right click to go to a place or to orbit it. What this "
                "aircraft cannot do is not shown. The plan on board is left as it is."
            ),
            least_size=(340, 140),
        ),
        Panel(
            id="checklist",
            title="Ready",
            widget="plugins.pilot.checklist_panel:ChecklistPanel",
            rate_hz=4,
            least_hz=2,
            needs_vehicle=False,
            help=(
                "What has to be so before a flight: what the aircraft and the station tell, each "
                "with its cause and what to do, and what you look at by hand and tick. The list by "
                "hand is this aircraft's own and can be edited; ticks last for one flight. The "
                "strip above says Ready once nothing is missing."
            ),
            least_size=(340, 160),
        ),
        Panel(
            id="aircraft",
            title="Aircraft",
            widget="plugins.pilot.aircraft_panel:AircraftPanel",
            rate_hz=5,
            least_hz=2,
            needs_vehicle=False,
            help=(
                "All aircraft and logs: link, mode, arming, battery, place, alarm, recording. "
                "Double click, or Make active, has the keys and sticks fly another one; nothing "
                "else does. Choose several to have them hold, land or return, or their motors off: "
                "it names them, and is held to confirm. Each refuses for its own reason."
            ),
            least_size=(480, 220),
        ),
    ),
    actions=tuple(
        Action(id=name, title=title, run=f"plugins.pilot.actions:{name}", menu="Fly")
        for name, title in ACTION_TITLES
    ),
    place_offer="plugins.pilot.place_offer:place_offer",
)

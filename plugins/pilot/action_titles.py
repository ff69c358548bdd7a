"""Pilot action titles by the ids that menus, buttons of devices and other plugins use."""

ACTION_TITLES = (
    ("arm", "Arm"),
    ("take_off", "Arm and take off"),
    ("hold", "Hold"),
    ("land", "Land"),
    ("return_home", "Return to where it was armed"),
    ("pause", "Pause mission"),
    ("resume", "Resume mission"),
    ("stop", "Emergency stop: motors off"),
)

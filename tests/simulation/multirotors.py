"""The multirotors that ship and fly by rotor physics."""

MULTIROTORS = (
    "ar100b",
    "ar100x6",
    "ar200",
    "ar200-payload",
    "ardrone-rotors",
    "crazyflie",
    "hector",
    "octocopter",
    "y6",
)

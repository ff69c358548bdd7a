"""Settings groups of attitude and sensors, which the page shows folded."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """An object's settings and what they are about."""

    name: str
    title: str
    about: str


GROUPS = (
    Group(
        "AttitudeSettings",
        "Attitude",
        "How the board is mounted, what level is, and the simple attitude filter.",
    ),
    Group(
        "RevoSettings",
        "Attitude filter and magnetometer limits",
        "Which filter works attitude and position out, and when a compass is distrusted.",
    ),
    Group(
        "AccelGyroSettings",
        "Accelerometer and gyro",
        "Bias, scale and drift with temperature, as the calibrations above write them.",
    ),
    Group(
        "RevoCalibration",
        "Magnetometer on board",
        "Bias and transform of the built-in compass.",
    ),
    Group(
        "AuxMagSettings",
        "External magnetometer",
        "Where it is connected, how it is turned, and when it is used.",
    ),
    Group("HomeLocation", "Home location", "Where home is, and the Earth's field and gravity."),
    Group("EKFConfiguration", "Navigation filter", "How much the filter trusts each sensor."),
    Group("AltitudeFilterSettings", "Height filter", "How height is mixed of its sensors."),
)
OBJECTS = tuple(group.name for group in GROUPS)

"""Calibration of attitude and sensors: what they get wrong, measured and taken out."""

from plugins.api import Page, Plugin
from plugins.calibration.groups import OBJECTS

PLUGIN = Plugin(
    id="calibration",
    title="Attitude and calibration",
    description="Calibrations of the sensors with drawn poses, and the settings of the attitude.",
    pages=(
        Page(
            id="sensors",
            title="Calibration",
            widget="plugins.calibration.page:CalibrationPage",
            order=70,
            objects=OBJECTS,
            words="level gyro accelerometer six point magnetometer compass temperature thermal "
            "board rotation trim attitude fusion ekf home location",
            help="Measures what the sensors get wrong and stages the correction; nothing is sent "
            "before you apply it. With the simulator, errors and poses are set in the panel "
            "Simulator controls.",
        ),
    ),
)

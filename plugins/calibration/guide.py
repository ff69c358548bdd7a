"""Calibration guide: how to try every calibration with the simulator, where it is asked for."""

from PySide6.QtWidgets import QWidget

from widgets.collapsible import FOLD_MARGINS, CollapsibleGroup
from widgets.parts import make_column, make_label

_TEXT = """\
All of this can be done with the simulator. Its controls are in the workspace \
<i>Simulator</i>; a calibration goes on while you are there. Under <i>Sensor errors</i> give a \
sensor a bias or a scale: that is what is to be found. Then start one here, and on the controls:
<ul>
<li><b>Board rotation</b>: before you start, turn the board under <i>Board</i> by a quarter \
turn, and tick <i>Held by hand</i> under <i>On the bench</i>. When nose up is asked for, set \
<i>Pitch</i> to 90.</li>
<li><b>Temperature</b>: before you start, give <i>Gyro bias by warmth</i> a value. Then raise \
<i>Board warmer than the air</i> bit by bit by more than 10 K, and finish.</li>
<li><b>Accelerometer</b>: tick <i>Held by hand</i>; set <i>Roll</i> to -90, 180, 90 and back to 0, \
then <i>Pitch</i> to -90 and 90, each for five seconds.</li>
<li><b>Gyro bias</b>: do nothing.</li>
<li><b>Level</b>: tick <i>Held by hand</i>; for the half turn set <i>Yaw</i> to 180.</li>
<li><b>Magnetometer</b>: tick <i>Held by hand</i>, and set <i>Turned about</i> to 60 °/s.</li>
</ul>
Put it down again (untick <i>Held by hand</i>) before you fly."""


class GuideView(QWidget):
    """A fold with the steps."""

    def __init__(self) -> None:
        super().__init__()
        body = QWidget()
        text = make_label(_TEXT, wraps=True)
        text.setProperty("rich", True)
        body.setLayout(make_column(text, margins=FOLD_MARGINS))
        self.setLayout(
            make_column(CollapsibleGroup("Try it with the simulator", body, is_open=False))
        )

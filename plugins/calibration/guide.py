"""How to try every calibration with the simulator, where it is asked for."""

from PySide6.QtWidgets import QLabel, QVBoxLayout, QWidget

from widgets.fold import Fold

_TEXT = """\
Connect the simulator and open its desk beside this page. Under <i>Sensor errors</i> give each \
sensor a bias or a scale: that is what the calibrations find.
<ol>
<li><b>Board rotation</b>: turn the board under <i>Board</i> (Board rolled, pitched, yawed), apply \
nothing; then tick <i>Held by hand</i> under <i>On the bench</i>, leave roll and pitch at 0, and \
when it is asked for set <i>Pitch</i> to 90.</li>
<li><b>Temperature</b>: give <i>Gyro bias by warmth</i> a value, start, then raise <i>Board warmer \
than the air</i> step by step by more than 10 K.</li>
<li><b>Accelerometer</b>: tick <i>Held by hand</i>; set <i>Roll</i> to -90, 180, 90 and 0, then \
<i>Pitch</i> to -90 and 90, each time it asks.</li>
<li><b>Gyro bias</b>: let it stand.</li>
<li><b>Level</b>: let it stand or hold it; for the half turn set <i>Yaw</i> to 180 (held by hand).\
</li>
<li><b>Magnetometer</b>: hold it, and let <i>Turned about</i> be 60 °/s.</li>
</ol>
Put it down again (untick <i>Held by hand</i>) before you fly."""


class GuideView(QWidget):
    """A fold with the steps."""

    def __init__(self) -> None:
        super().__init__()
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(26, 0, 0, 8)
        text = QLabel(_TEXT)
        text.setWordWrap(True)
        column.addWidget(text)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(Fold("Try it with the simulator", body, is_open=False))

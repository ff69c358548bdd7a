"""Style sheet: the few rules that the Fusion style and a palette cannot express.

Widgets choose a rule by dynamic property, never by colour:
`tight` of a button: without room to spare beside its text, `dense` the same of one that flies, as
high in each density; `dense` of a number box: without arrows;
`role` of a button: "primary", "danger", "stop", "attention" or "flat"; `tone` of a label: "muted",
"ok", "caution", "danger", "commanded", "selected"; `textSize` of a label: "small", "title",
"display"; `card` of a frame: "plain", "ok", "caution", "danger"; `rich` of a label: True for rich
text. All other labels and tool tips are plain, whatever their text looks like.
"""

from collections.abc import Mapping
from string import Template

_LENGTHS_PX = (2, 4, 8, 12, 16, 20, 22, 24, 28, 32)

_QT_ADDS_PX = 3
"""To the heights of tool buttons and number boxes, whatever their style sheet says."""


def style_sheet(
    colors: Mapping[str, str], lengths_px: Mapping[str, int], scale: float, icons: str
) -> str:
    """Return the application-wide style sheet for `colors` (token to #rrggbb).

    `lengths_px` are the heights of a "target", a "flight_target", a "row" and the type sizes, the
    "hair" that lines are wide, and the "radius" of corners; all others are `scale` times as usual.
    `icons` is the folder of the few small drawings that a style sheet can only take from files.
    """
    spaces = {f"px{length}": max(1, round(length * scale)) for length in _LENGTHS_PX}
    frame = 2 * (spaces["px4"] + lengths_px["hair"])
    inner = {
        "in_target": lengths_px["target"] - frame,
        "in_flight_target": lengths_px["flight_target"] - frame,
        "in_box": lengths_px["target"] - 2 * lengths_px["hair"],
        "in_tool": lengths_px["target"] - frame - _QT_ADDS_PX,
        "in_spin": lengths_px["target"] - 2 * lengths_px["hair"] - _QT_ADDS_PX,
    }
    wider = 2 - min(
        2, lengths_px["hair"]
    )  # the ring around what has the focus takes of its padding
    inner |= {f"ring{name}": spaces[f"px{name}"] - wider for name in (2, 4, 8, 12)}
    inner["ring_tab"] = spaces["px12"] - 2
    lengths = {name: f"{px}px" for name, px in {**spaces, **lengths_px, **inner}.items()}
    return Template(_RULES).substitute({**colors, **lengths, "icons": icons})


_RULES = """
QToolTip { background: $raised; color: $text; border: $hair solid $line; padding: $px8; }

#pageBorder { background: $window; }
#pageBorder:hover { background: $accent; }
#panelTitles { background: $surface; }
#panelTabs::tab { background: transparent; color: $muted; padding: 0 $px8; border: 0;
  min-width: 0; }
#panelTabs::tab:selected { color: $text; }
#panelTabs::tab:hover { background: $hover; }
#panelTabs::tab:left { padding: $px8 0; min-width: $px16; max-width: $px22; min-height: 0;
  max-height: 10000px; }
#panelTabs:focus { border: 2px solid $focus; }
QToolButton[role="bare"] { background: transparent; border: 0; padding: 0; border-radius: 0;
  min-width: $px22; max-width: $px22; min-height: $px22; max-height: $px22; }
QToolButton[role="bare"]:hover { background: $hover; }
QToolButton[role="bare"]:focus { border: 2px solid $focus; }
QSplitter::handle { background: $window; }
QSplitter::handle:horizontal { width: 4px; }
QSplitter::handle:vertical { height: 4px; }
QSplitter::handle:hover { background: $accent; }

QToolBar { background: $surface; border: 0; border-bottom: $hair solid $line;
  padding: 2px $px8; spacing: $px4; }
QToolBar::separator { background: $line; width: $hair; margin: $px8 $px4; }
#toolbar, #messagePlace { background: $surface; border-bottom: $hair solid $line; }
#timelineBar { background: $surface; border-top: $hair solid $line; }
QStatusBar { background: $surface; color: $muted; border-top: $hair solid $line; }
QStatusBar::item { border: 0; }
QMenuBar { background: $surface; border-bottom: $hair solid $line; }
QMenuBar::item { padding: $px4 $px12; background: transparent; border-radius: $radius; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; border: $hair solid $line; padding: $px4; }
QMenu::item { padding: $px4 $px24 $px4 $px12; border-radius: $radius; min-height: $px20; }
QMenu::item:selected { background: $accent; color: $text_on_accent; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::separator { background: $line; height: $hair; margin: $px4 $px8; }

QPushButton, QToolButton { background: $raised; color: $text; border: $hair solid $line;
  border-radius: $radius; padding: $px4 $px12; min-height: $in_target; }
QPushButton[tight="true"] { padding: $px4 $px2; }
QPushButton[dense="true"] { padding: $px4 $px2; min-height: $in_flight_target; }
QToolButton { padding: $px4; min-width: $in_target; min-height: $in_tool; }
QToolBar QToolButton, QToolButton:flat { background: transparent; border-color: transparent; }
QPushButton:hover, QToolButton:hover { background: $hover; border-color: $line; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:checked, QToolButton:checked { background: $accent_soft; border-color: $accent;
  color: $text; }
QPushButton:focus, QToolButton:focus { border: 2px solid $focus; padding: $ring4 $ring12; }
QPushButton[tight="true"]:focus, QPushButton[dense="true"]:focus { padding: $ring4 $ring2; }
QToolButton:focus { padding: $ring4; }
QPushButton:disabled, QToolButton:disabled { color: $disabled; background: transparent; }
QPushButton[role="primary"] { background: $accent; color: $text_on_accent; border-color: $accent;
  font-weight: 600; }
QPushButton[role="danger"] { background: $danger; color: $text_on_danger; border-color: $danger;
  font-weight: 600; }
QPushButton[role="primary"]:focus, QPushButton[role="danger"]:focus {
  border: 2px solid $text; }
QPushButton[role="primary"]:disabled, QPushButton[role="danger"]:disabled {
  background: transparent; color: $disabled; border-color: $line; }
QPushButton[role="stop"] { color: $danger; border-color: $danger; }
QPushButton[role="stop"]:focus { border: 2px solid $focus; }
QPushButton[role="stop"]:disabled { color: $disabled; border-color: $line; }
QPushButton[role="flat"], QToolButton[role="flat"] { background: transparent;
  border-color: transparent; }
QPushButton[role="flat"]:hover, QToolButton[role="flat"]:hover { background: $hover; }
QToolButton[role="flat"]:checked { background: $accent_soft; border-color: $accent; }
QToolButton[role="attention"] { background: $attention; color: $text_on_attention;
    border-color: $attention; }
QToolButton[role="flat"]:focus { border-color: $focus; }
QToolButton::menu-indicator { image: none; width: 0; }

QLabel, QToolTip { qproperty-textFormat: PlainText; }
QLabel[rich="true"] { qproperty-textFormat: RichText; }

QLineEdit, QPlainTextEdit, QTextEdit { background: $input; color: $text;
  border: $hair solid $line; border-radius: $radius; padding: $px4 $px8;
  selection-background-color: $accent; selection-color: $text_on_accent; }
QLineEdit { min-height: $in_target; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $focus;
  padding: $ring4 $ring8; }
QLineEdit:disabled { color: $disabled; background: transparent; }

QComboBox, QAbstractSpinBox { background: $input; color: $text; border: $hair solid $line;
  border-radius: $radius; padding: 0 $px8; min-height: $in_box;
  selection-background-color: $accent; selection-color: $text_on_accent; }
QAbstractSpinBox { min-height: $in_spin; }
QComboBox { background: $raised; padding: 0 $px2 0 $px8; }
QComboBox:hover { background: $hover; }
QComboBox:focus, QAbstractSpinBox:focus { border: 2px solid $focus; padding: 0 $ring8; }
QComboBox:focus { padding: 0 $ring2 0 $ring8; }
QComboBox:disabled, QAbstractSpinBox:disabled { color: $disabled; background: transparent; }
QComboBox::drop-down { border: 0; width: $px20; }
QComboBox::down-arrow { image: url("$icons/down.svg"); width: $px16; height: $px16; }
QComboBox QAbstractItemView { background: $raised; border: $hair solid $line;
  padding: $px4; }
QComboBox QAbstractItemView::item { min-height: $target; }
QAbstractSpinBox::up-button { subcontrol-origin: border; subcontrol-position: top right;
  width: $px24; border: 0; }
QAbstractSpinBox::down-button { subcontrol-origin: border; subcontrol-position: bottom right;
  width: $px24; border: 0; }
QAbstractSpinBox[dense="true"]::up-button, QAbstractSpinBox[dense="true"]::down-button {
  width: 0; }
QAbstractSpinBox::up-button:hover, QAbstractSpinBox::down-button:hover { background: $hover; }
QAbstractSpinBox::up-arrow { image: url("$icons/up.svg"); width: $px12; height: $px12; }
QAbstractSpinBox::down-arrow { image: url("$icons/down.svg"); width: $px12; height: $px12; }
QAbstractSpinBox[dense="true"]::up-arrow, QAbstractSpinBox[dense="true"]::down-arrow {
  image: none; width: 0; height: 0; }
QAbstractSpinBox QLineEdit, QComboBox QLineEdit { border: 0; background: transparent;
  padding: 0 $px4; min-height: 0; }
QAbstractItemView QAbstractSpinBox, QAbstractItemView QComboBox, QAbstractItemView QLineEdit {
  min-height: 0; border-radius: 0; }

QCheckBox, QRadioButton { min-height: $target; spacing: $px8; background: transparent; }
QCheckBox::indicator, QRadioButton::indicator, QAbstractItemView::indicator {
  width: $px16; height: $px16; background: $input; border: $hair solid $muted; border-radius: 4px; }
QRadioButton::indicator { border-radius: $px8; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: 2px solid $focus; }
QCheckBox::indicator:checked, QAbstractItemView::indicator:checked {
  background: $accent; border-color: $accent;
  image: url("$icons/tick.svg"); }
QRadioButton::indicator:checked { background: $text_on_accent; border: $px4 solid $accent;
  width: $px8; height: $px8; }
QCheckBox[heading="true"] { font-weight: 600; }
QCheckBox[heading="true"]::indicator { background: transparent; border: 2px solid transparent;
  image: url("$icons/right.svg"); }
QCheckBox[heading="true"]::indicator:checked { image: url("$icons/down.svg"); }
QCheckBox[heading="true"]::indicator:focus { border: 2px solid $focus; }
QCheckBox:focus, QRadioButton:focus { color: $focus; text-decoration: underline; }
QCheckBox:disabled, QRadioButton:disabled { color: $disabled; }

QTabWidget::pane { border: 0; border-top: $hair solid $line; }
QTabBar { qproperty-drawBase: 0; }
QTabBar::tab { background: transparent; color: $muted; border: 0;
  border-bottom: 3px solid transparent; padding: 2px $px12; min-height: $in_target; }
#toolbar QTabBar::tab { border-top: $px4 solid transparent; padding: $px4 $px12; }
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { border: 2px solid $focus; border-bottom-width: 3px;
  padding: 0 $ring_tab 2px $ring_tab; }

QAbstractItemView { background: $surface; alternate-background-color: $raised; color: $text;
  border: 0; selection-background-color: $accent_soft; selection-color: $text; outline: 0; }
QAbstractItemView:focus { border: 2px solid $focus; }
QTreeView::item, QListView::item { min-height: $row; }
QHeaderView { background: $surface; border: 0; }
QHeaderView::section { background: $surface; color: $muted; border: 0;
  border-bottom: $hair solid $line; padding: $px4; font-weight: 600; }

QTableCornerButton::section { background: $surface; border: 0;
  border-bottom: $hair solid $line; }

QScrollArea { background: transparent; border: 0; }
QScrollArea[isFilled="true"] { background: palette(window); }
QAbstractScrollArea::corner { background: transparent; border: 0; }
QScrollBar { background: transparent; border: 0; margin: 0; }
QScrollBar:vertical { width: 12px; }
QScrollBar:horizontal { height: 12px; }
QScrollBar::handle { background: $line; border-radius: 4px; margin: 2px; }
QScrollBar::handle:vertical { min-height: $px32; }
QScrollBar::handle:horizontal { min-width: $px32; }
QScrollBar::handle:hover { background: $muted; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }

QProgressBar { background: $raised; border: $hair solid $line; border-radius: 4px; color: $text;
  text-align: center; min-height: $px16; }
QProgressBar::chunk { background: $accent_soft; border-radius: 4px; }
QSlider { min-height: $target; }
QSlider::groove:horizontal { background: $line; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider[twoSided="true"]::sub-page:horizontal { background: $line; }
QSlider::handle:horizontal { background: $text; width: $px16; margin: -6px 0;
  border-radius: 4px; }
QSlider::handle:horizontal:focus { background: $focus; }
QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled {
  background: $disabled; }

QGroupBox { border: $hair solid $line; border-radius: $radius; margin-top: $px20;
  padding: $px8; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: $px12; padding: 0 $px4; color: $muted; }
QFrame[card="plain"] { background: $surface; border: $hair solid $line; border-radius: $radius; }
QFrame[card="ok"] { background: $ok_soft; border: $hair solid $ok; border-radius: $radius; }
QFrame[card="caution"] { background: $caution_soft; border: $hair solid $caution;
  border-radius: $radius; }
QFrame[card="danger"] { background: $danger_soft; border: $hair solid $danger;
  border-radius: $radius; }

QLabel[tone="muted"] { color: $muted; }
QLabel[tone="ok"] { color: $ok; }
QLabel[tone="caution"] { color: $caution; }
QLabel[tone="danger"] { color: $danger; }
QLabel[tone="commanded"] { color: $commanded; }
QLabel[tone="selected"] { color: $selected; }
QLabel[textSize="small"] { font-size: $small; }
QLabel[textSize="title"] { font-size: $title; font-weight: 600; }
QLabel[textSize="display"] { font-size: $display; font-weight: 600; }
"""

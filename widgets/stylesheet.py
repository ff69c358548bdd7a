"""Style sheet: the few rules that the Fusion style and a palette cannot express.

Widgets choose a rule by dynamic property, never by colour:
`dense` of a button or number box: without room to spare, and without arrows;
`role` of a button: "primary", "danger", "attention" or "flat"; `tone` of a label: "muted", "ok",
"caution", "danger", "commanded", "selected"; `textSize` of a label: "small", "title", "display";
`card` of a frame: "plain", "ok", "caution", "danger"; `rich` of a label: True for rich text. All
other labels and tool tips are plain, whatever their text looks like.
"""

from collections.abc import Mapping
from string import Template


def style_sheet(colors: Mapping[str, str], scale: float, line_px: float, icons: str) -> str:
    """Return the application-wide style sheet for `colors` (token to #rrggbb), lengths `scale`
    times as large as usual and lines `line_px` wide.

    `icons` is the folder of the few small drawings that a style sheet can only take from files.
    """
    lengths = {
        f"px{length}": f"{max(1, round(length * scale))}px"
        for length in (2, 4, 5, 6, 8, 9, 10, 12, 14, 16, 18, 22, 24, 28, 30, 32)
    }
    lines = {"hair": f"{max(1, round(line_px))}px"}
    return Template(_RULES).substitute({**colors, **lengths, **lines, "icons": icons})


_RULES = """
QToolTip { background: $raised; color: $text; border: $hair solid $line; padding: $px6; }

#pageBorder { background: $window; }
#pageBorder:hover { background: $accent; }
#panelTitles { background: $surface; }
#panelTabs::tab { background: transparent; color: $muted; padding: 0 $px8; border: 0;
  min-height: $px18; max-height: $px22; min-width: 0; }
#panelTabs::tab:selected { color: $text; }
#panelTabs::tab:hover { background: $hover; }
#panelTabs::tab:left { padding: $px8 0; min-width: $px18; max-width: $px22; min-height: 0;
  max-height: 10000px; }
#panelTabs:focus { border: 2px solid $focus; }
QToolButton[role="bare"] { background: transparent; border: 0; padding: 0; min-width: 0;
  min-height: 0; border-radius: 0; }
QToolButton[role="bare"]:hover { background: $hover; }
QToolButton[role="bare"]:focus { border: 2px solid $focus; }
QSplitter::handle { background: $window; }
QSplitter::handle:horizontal { width: 5px; }
QSplitter::handle:vertical { height: 5px; }
QSplitter::handle:hover { background: $accent; }

QToolBar { background: $surface; border: 0; border-bottom: $hair solid $line;
  padding: 2px $px6; spacing: $px4; }
QToolBar::separator { background: $line; width: 1px; margin: $px6 $px4; }
#toolbar { background: $surface; border-bottom: 1px solid $line; }
#timelineBar { background: $surface; border-top: 1px solid $line; }
QStatusBar { background: $surface; color: $muted; border-top: $hair solid $line; }
QStatusBar::item { border: 0; }
QMenuBar { background: $surface; border-bottom: $hair solid $line; }
QMenuBar::item { padding: $px6 $px10; background: transparent; border-radius: 4px; }
QMenuBar::item:selected { background: $hover; }
QMenu { background: $raised; border: $hair solid $line; padding: $px4; }
QMenu::item { padding: $px6 $px24 $px6 $px12; border-radius: 4px; min-height: $px18; }
QMenu::item:selected { background: $accent; color: $text_on_accent; }
QMenu::item:disabled { color: $disabled; background: transparent; }
QMenu::separator { background: $line; height: 1px; margin: $px4 $px8; }

QPushButton, QToolButton { background: $raised; color: $text; border: $hair solid $line;
  border-radius: 6px; padding: $px4 $px12; min-height: $px22; }
QPushButton[dense="true"] { padding: $px4 2px; min-height: $px30; }
QToolButton { padding: $px4 $px6; min-width: $px18; }
QToolBar QToolButton, QToolButton:flat { background: transparent; border-color: transparent; }
QPushButton:hover, QToolButton:hover { background: $hover; border-color: $line; }
QPushButton:pressed, QToolButton:pressed { background: $pressed; }
QPushButton:checked, QToolButton:checked { background: $accent_soft; border-color: $accent;
  color: $text; }
QPushButton:focus, QToolButton:focus { border: 2px solid $focus; }
QPushButton:disabled, QToolButton:disabled { color: $disabled; background: transparent; }
QPushButton[role="primary"] { background: $accent; color: $text_on_accent; border-color: $accent;
  font-weight: 600; }
QPushButton[role="danger"] { background: $danger; color: $text_on_danger; border-color: $danger;
  font-weight: 600; }
QPushButton[role="primary"]:focus, QPushButton[role="danger"]:focus {
  border: 2px solid $text; }
QPushButton[role="primary"]:disabled, QPushButton[role="danger"]:disabled {
  background: transparent; color: $disabled; border-color: $line; }
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
  border: $hair solid $line; border-radius: 6px; padding: $px4 $px8;
  selection-background-color: $accent; selection-color: $text_on_accent; }
QLineEdit { min-height: $px22; }
QLineEdit:focus, QPlainTextEdit:focus, QTextEdit:focus { border: 2px solid $focus; }
QLineEdit:disabled { color: $disabled; background: transparent; }

QComboBox, QAbstractSpinBox { background: $input; color: $text; border: $hair solid $line;
  border-radius: 6px; padding: 0 $px8; min-height: $px28;
  selection-background-color: $accent; selection-color: $text_on_accent; }
QComboBox { background: $raised; }
QComboBox:hover { background: $hover; }
QComboBox:focus, QAbstractSpinBox:focus { border: 2px solid $focus; }
QComboBox:disabled, QAbstractSpinBox:disabled { color: $disabled; background: transparent; }
QComboBox::drop-down { border: 0; width: $px24; }
QComboBox::down-arrow { image: url("$icons/down.svg"); width: $px16; height: $px16; }
QComboBox QAbstractItemView { background: $raised; border: $hair solid $line;
  padding: $px4; }
QComboBox QAbstractItemView::item { min-height: $px28; }
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

QCheckBox, QRadioButton { min-height: $px32; spacing: $px8; background: transparent; }
QCheckBox::indicator, QRadioButton::indicator { width: $px16; height: $px16;
  background: $input; border: $hair solid $muted; border-radius: 4px; }
QRadioButton::indicator { border-radius: $px9; }
QCheckBox::indicator:hover, QRadioButton::indicator:hover { border-color: $accent; }
QCheckBox::indicator:focus, QRadioButton::indicator:focus { border: 2px solid $focus; }
QCheckBox::indicator:checked { background: $accent; border-color: $accent;
  image: url("$icons/tick.svg"); }
QRadioButton::indicator:checked { background: $text_on_accent; border: $px5 solid $accent;
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
  border-bottom: 3px solid transparent; padding: $px6 $px14; min-height: $px22; }
QTabBar::tab:hover { color: $text; background: $hover; }
QTabBar::tab:selected { color: $text; border-bottom-color: $accent; }
QTabBar::tab:focus { border: 2px solid $focus; }

QAbstractItemView { background: $surface; alternate-background-color: $raised; color: $text;
  border: 0; selection-background-color: $accent_soft; selection-color: $text; outline: 0; }
QAbstractItemView:focus { border: 2px solid $focus; }
QTreeView::item, QListView::item { min-height: $px24; }
QHeaderView { background: $surface; border: 0; }
QHeaderView::section { background: $surface; color: $muted; border: 0;
  border-bottom: $hair solid $line; padding: $px6 3px; font-weight: 600; }

QTableCornerButton::section { background: $surface; border: 0;
  border-bottom: $hair solid $line; }

QScrollArea { background: transparent; border: 0; }
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
  text-align: center; min-height: $px14; }
QProgressBar::chunk { background: $accent_soft; border-radius: 3px; }
QSlider { min-height: $px32; }
QSlider::groove:horizontal { background: $line; height: 4px; border-radius: 2px; }
QSlider::sub-page:horizontal { background: $accent; border-radius: 2px; }
QSlider[twoSided="true"]::sub-page:horizontal { background: $line; }
QSlider::handle:horizontal { background: $text; width: $px16; margin: -6px 0;
  border-radius: 4px; }
QSlider::handle:horizontal:focus { background: $focus; }
QSlider::handle:horizontal:disabled, QSlider::sub-page:horizontal:disabled {
  background: $disabled; }

QGroupBox { border: $hair solid $line; border-radius: 8px; margin-top: $px18;
  padding: $px10 $px8 $px8 $px8; font-weight: 600; }
QGroupBox::title { subcontrol-origin: margin; left: $px10; padding: 0 $px4; color: $muted; }
QFrame[card="plain"] { background: $surface; border: $hair solid $line; border-radius: 8px; }
QFrame[card="ok"] { background: $ok_soft; border: $hair solid $ok; border-radius: 8px; }
QFrame[card="caution"] { background: $caution_soft; border: $hair solid $caution;
  border-radius: 8px; }
QFrame[card="danger"] { background: $danger_soft; border: $hair solid $danger;
  border-radius: 8px; }

QLabel[tone="muted"] { color: $muted; }
QLabel[tone="ok"] { color: $ok; }
QLabel[tone="caution"] { color: $caution; }
QLabel[tone="danger"] { color: $danger; }
QLabel[tone="commanded"] { color: $commanded; }
QLabel[tone="selected"] { color: $selected; }
QLabel[textSize="small"] { font-size: $px12; }
QLabel[textSize="title"] { font-size: $px18; font-weight: 600; }
QLabel[textSize="display"] { font-size: $px28; font-weight: 600; }
"""

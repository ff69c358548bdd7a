"""What is wrong with the board itself, from its alarms, with the way out."""

from telemetry.alarms import Alarm, read_alarms
from telemetry.finding import Finding
from telemetry.recording.sample import Sample

_OF_THE_BOARD = (
    *("BootFault", "SystemConfiguration", "OutOfMemory", "StackOverflow", "CPUOverload"),
    *("EventSystem", "SDCard"),
)
_BOOT_REMEDY = (
    "Correct the hardware settings and save them. If the board does not start well with them, "
    "use Safe boot below."
)


def board_faults(alarms: Sample | None) -> list[Finding]:
    """The board's own alarms that ask for attention, worst first."""
    if alarms is None:
        return []
    active = [a for a in read_alarms(alarms) if a.name in _OF_THE_BOARD and a.is_active]
    return sorted(map(_finding, active), key=lambda finding: -finding.level)


def _finding(alarm: Alarm) -> Finding:
    why = f"{alarm.title}: {alarm.detail or alarm.meaning}"
    if alarm.detail.startswith("Settings were changed that only take effect"):
        return Finding(alarm.level, alarm.name, why, "Restart the board below.")
    remedy = _BOOT_REMEDY if alarm.name == "BootFault" else alarm.remedy
    return Finding(alarm.level, alarm.name, why, remedy)

"""SystemAlarms: the one place where modules raise and clear the alarms that are theirs."""

from collections.abc import Mapping

from simulation.autopilot.board import SimulatedBoard


class Alarms:
    """Writes SystemAlarms; what is set here is seen by all modules at once."""

    def __init__(self, board: SimulatedBoard) -> None:
        self._entry = board["SystemAlarms"]
        field = self._entry.definition.field_named("Alarm")
        self._index = {name: i for i, name in enumerate(field.element_names)}
        self._numbers = {name: field.option_number(name) for name in field.options}
        self._said: tuple[Mapping[str, str], bytes] = ({}, b"")
        self._extended = self._entry.definition.field_named("ExtendedAlarmStatus")

    def set(self, **severities: str) -> None:
        """Set alarms by name."""
        self.set_all(severities)

    def set_all(self, severities: Mapping[str, str]) -> None:
        """Set many alarms by name; tells nobody if nothing has changed."""
        if (severities, self._entry.packed()) == self._said:
            return
        alarms = self._entry.fields["Alarm"]
        for name, severity in severities.items():
            alarms[self._index[name]] = self._numbers[severity]
        self._said = severities, self._entry.packed()
        self._entry.announce()

    def explain_configuration(self, status: str, detail: int) -> None:
        """Say what the alarm SystemConfiguration is about."""
        fields = self._entry.fields
        fields["ExtendedAlarmStatus"][0] = self._extended.option_number(status)
        fields["ExtendedAlarmSubStatus"][0] = detail

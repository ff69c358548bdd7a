"""Input device panel: live bars, the wizard, profiles, and which device flies."""

import math
from collections.abc import Hashable
from dataclasses import replace
from pathlib import Path

from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from plugins.api import PanelContext
from plugins.pilot.controllers.bars import axis_name
from plugins.pilot.controllers.draft import Detection, ProfileDraft
from plugins.pilot.controllers.view import ControllersView
from plugins.pilot.devices.chosen_devices import ChosenDevices
from plugins.pilot.devices.device_choice import (
    DeviceChoice,
    aircraft_of,
    choice_of,
    kept_profiles,
)
from plugins.pilot.devices.hub import HUB, DeviceHub, InputDevice
from plugins.pilot.devices.profile import ControlSetup, Profile, with_mode
from plugins.pilot.devices.profile_file import SUFFIX, read_profile_file, write_profile_file
from plugins.pilot.devices.profile_store import EVERY_AIRCRAFT, ProfileStore
from plugins.pilot.devices.wizard import DONE, Wizard, calibration
from telemetry.base.clock import monotonic_s
from telemetry.base.statement import Statement
from telemetry.base.text_formats import FormatError
from telemetry.flying.inputs.stick_controls import StickControl
from telemetry.recording.flight_state import read_flight_state
from widgets.dialogs import ask_for_file, ask_where_to_save
from widgets.parts import make_column
from widgets.theme import Theme, hand_theme

NOT_SET_UP = "Nobody has set this device up: it flies nothing before that."
CHANGED = "Changed, not saved: until then what is saved counts."
ARMED = "Not saved: the aircraft is armed. Disarm it first; what is changed here stays."
SAVED = "Saved."
CHOOSE = "Choose a device on the left."
_AWAKE_S = 0.4
"""A station stays awake for a little longer than that."""
_FILTER = f"Controller profile (*{SUFFIX})"


class ControllersPanel(QWidget):
    """Shows what devices say, and edits the profile of the one that is chosen.

    What is edited counts once it is saved. Devices are read while the panel is in sight.
    """

    def __init__(
        self, context: PanelContext, hub: DeviceHub = HUB, store: ProfileStore | None = None
    ) -> None:
        super().__init__()
        self._context = context
        self._hub = hub
        self._store = store or kept_profiles()
        self._is_reading = False
        self._woken_s = -math.inf
        self._key = ""
        self._scope = EVERY_AIRCRAFT
        self._draft: ProfileDraft | None = None
        self._detection: Detection | None = None
        self._wizard: Wizard | None = None
        self._told: Statement | None = None
        self._view: ControllersView | None = None
        self._theme = context.theme
        self._column = make_column()
        self.setLayout(self._column)
        context.on_close(self._leave)

    @property
    def view(self) -> ControllersView:
        """What is to be seen, built when somebody looks: a tab may hide it."""
        if self._view is None:
            self._view = ControllersView(self._hub)
            self._column.addWidget(self._view)
            self._connect_view(self._view)
            hand_theme(self._view, self._theme)
        return self._view

    def apply_theme(self, theme: Theme) -> None:
        """Take over new colours, for what is built later."""
        self._theme = theme

    @property
    def profile(self) -> Profile:
        """The profile as it is edited."""
        return self._draft.profile if self._draft is not None else Profile()

    def refresh(self, t: float) -> None:
        """Show what devices say now, and go on with what is being detected."""
        if self._view is None and not self.isVisible():
            return
        choice = self._choice()
        devices = self._hub.devices
        if choice is not None:
            devices = choice.usable(devices)
        self._keep_awake(bool(devices))
        device = self._chosen_device(devices)
        self._follow_draft(device)
        self._detect(device)
        states = {other.key: self._state(other) for other in devices}
        self.view.show_devices(devices, states, device.key if device else "")
        self._show_device(device)
        if choice is not None:
            choice.follow(is_flying=self._is_armed())
        self.view.mix.show_choice(choice, devices)
        self.view.programs.refresh()

    def _keep_awake(self, has_devices: bool) -> None:
        """Have bars move with the sticks, also where no aircraft is that keeps the station busy."""
        vehicle, now_s = self._context.vehicle, monotonic_s()
        is_busy = vehicle is not None and vehicle.is_live
        if has_devices and not is_busy and now_s - self._woken_s >= _AWAKE_S:
            self._woken_s = now_s
            self._context.wake()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.view.show()
        if not self._is_reading:
            self._hub.join()
        self._is_reading = True

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._stop_reading()

    def import_from(self, path: Path) -> None:
        """Take a shared profile over, to look at and save. Says why if it is none."""
        if self._draft is None:
            return
        try:
            profile, name, guid = read_profile_file(path)
        except FormatError as error:
            self._tell(f"{path.name} is not read: {error}.")
        except OSError as error:
            self._tell(f"{path} cannot be read ({error.strerror}).")
        else:
            self._edit(profile)
            is_other = guid != self._draft.kind.guid
            self._tell(f"Made for another device: {name}. Try every stick." if is_other else "")

    def export_to(self, path: Path) -> None:
        """Write the profile as it stands here to a file, to share it."""
        if self._draft is None:
            return
        kind = self._draft.kind
        try:
            write_profile_file(path, self._draft.profile, kind.name, kind.guid)
        except OSError as error:
            self._tell(f"{path} cannot be written ({error.strerror}).")
        else:
            self._tell(f"Written to {path.name}.")

    def _connect_view(self, view: ControllersView) -> None:
        view.device_chosen.connect(self._choose_device)
        view.scope_chosen.connect(self._choose_scope)
        view.mode_chosen.connect(lambda mode: self._edit(with_mode(self.profile, mode)))
        view.springs_chosen.connect(self._set_springs)
        view.wizard_pressed.connect(lambda: self._begin(Wizard(self.profile)))
        view.calibrate_pressed.connect(lambda: self._begin(calibration(self.profile)))
        view.button_pressed.connect(lambda: self._begin_detection(None, other_side=False))
        view.cancel_pressed.connect(self._cancel)
        view.save_pressed.connect(self._save)
        view.revert_pressed.connect(self._revert)
        view.import_pressed.connect(self._ask_import)
        view.export_pressed.connect(self._ask_export)
        view.sticks.changed.connect(self._set_control)
        view.curves.changed.connect(self._set_control)
        view.sticks.detect_asked.connect(
            lambda control, other: self._begin_detection(control, other_side=other)
        )
        view.buttons.changed.connect(
            lambda setups: self._edit(replace(self.profile, buttons=setups))
        )
        view.mix.chosen.connect(self._choose)
        view.programs.told.connect(self._context.show_message)

    # Which device and whose profile

    def _chosen_device(self, devices: tuple[InputDevice, ...]) -> InputDevice | None:
        """The device that is looked at; the first one until the user chooses."""
        found = next((device for device in devices if device.key == self._key), None)
        if found is None and devices and self._draft is None:
            found = devices[0]
            self._key = found.key
        return found

    def _follow_draft(self, device: InputDevice | None) -> None:
        """Begin to edit what is kept for the device, unless that is what is edited."""
        scope = self._scope_now()
        draft = self._draft
        if device is None:
            return
        if draft is not None and (draft.kind, draft.aircraft) == (device.kind, scope):
            return
        if draft is not None and draft.kind == device.kind and draft.is_changed:
            self._draft = replace(draft, aircraft=scope)  # typed for one, kept for another
            return
        saved = self._store.profile(device.kind, scope)
        self._draft = ProfileDraft(device.kind, scope, saved, saved or Profile())

    def _scope_now(self) -> str:
        return self._scope if self._scope == self._aircraft() else EVERY_AIRCRAFT

    def _aircraft(self) -> str:
        vehicle = self._context.vehicle
        return aircraft_of(vehicle) if vehicle is not None else ""

    def _choose_device(self, key: str) -> None:
        self._cancel()
        self._key, self._draft = key, None

    def _choose_scope(self, key: str) -> None:
        self._scope = key

    def _choice(self) -> DeviceChoice | None:
        vehicle = self._context.vehicle
        return choice_of(vehicle) if vehicle is not None and vehicle.is_live else None

    def _choose(self, chosen: ChosenDevices) -> None:
        choice = self._choice()
        if choice is not None:
            choice.choose(chosen)

    def _is_armed(self) -> bool:
        vehicle = self._context.vehicle
        if vehicle is None or not vehicle.is_live:
            return False
        return read_flight_state(vehicle.recording, vehicle.end_s).is_armed

    # Editing

    def _edit(self, profile: Profile) -> None:
        if self._draft is not None:
            self._draft = replace(self._draft, profile=profile)
            self._told = None

    def _set_control(self, control: StickControl, setup: ControlSetup) -> None:
        self._edit(self.profile.with_control(control, setup))

    def _set_springs(self, springs: bool) -> None:
        throttle = replace(self.profile.control("throttle"), springs=springs)
        self._set_control("throttle", throttle)

    def _save(self) -> None:
        draft = self._draft
        if draft is None:
            return
        if self._is_armed():
            self._tell(ARMED)
            return
        if self._store.save(draft.kind, draft.aircraft, draft.profile):
            self._draft = replace(draft, saved=draft.profile)
        self._tell(self._store.problem or SAVED)

    def _revert(self) -> None:
        if self._draft is not None:
            self._cancel()
            self._edit(self._draft.saved or Profile())

    # Detecting

    def _begin(self, wizard: Wizard) -> None:
        self._detection, self._wizard = None, wizard

    def _begin_detection(self, control: StickControl | None, *, other_side: bool) -> None:
        device = self._hub.device(self._key)
        self._wizard = None
        if device is not None:
            self._detection = Detection(device.reading, control, other_side)

    def _cancel(self) -> None:
        self._detection = self._wizard = self._told = None

    def _detect(self, device: InputDevice | None) -> None:
        """Go on with what was asked for. A device that is gone ends a detection, and the wizard
        waits for it."""
        reading = device.reading if device is not None else None
        if self._detection is not None:
            if reading is None:
                self._detection = None
                return
            found = self._detection.found(reading, self.profile)
            if found is not None:
                self._detection = None
                self._edit(found)
        if self._wizard is not None:
            self._wizard.step(reading)
            if self._wizard.stage == "done":
                self._edit(self._wizard.profile)
                self._wizard = None
                self._tell(DONE)

    # Showing

    def _state(self, device: InputDevice) -> str:
        profile = self._store.profile(device.kind, self._aircraft())
        choice = self._choice()
        if choice is not None and choice.pilot == device.key:
            return "Chosen here" if profile is not None else "Chosen here, not set up"
        if profile is None or profile.missing:
            return "Not set up"
        return "Ready"

    def _show_device(self, device: InputDevice | None) -> None:
        view, draft = self.view, self._draft
        reading = device.reading if device is not None else None
        profile = self.profile
        names = self._axis_names(device)
        view.title.setText(draft.kind.name if draft is not None else "Controllers")
        view.show_scopes(self._scopes(), self._scope_now())
        view.reading.show_reading(reading, names)
        view.sticks.show_profile(profile, names)
        view.sticks.show_reading(profile, reading)
        view.buttons.show_profile(profile, names)
        view.buttons.show_reading(reading)
        view.curves.show_profile(profile, reading)
        view.show_throttle(profile.mode, springs=profile.control("throttle").springs)
        self._show_progress(device)

    def _show_progress(self, device: InputDevice | None) -> None:
        view, draft, wizard = self.view, self._draft, self._wizard
        is_asking = wizard is not None or self._detection is not None
        view.cancel.setVisible(is_asking)
        view.show_progress(*(wizard.progress if wizard is not None else (0, 0)))
        for part in (view.sticks, view.curves, view.buttons, view.mode, view.springs, view.scope):
            part.setEnabled(draft is not None)
        for button in view.setting_up:
            button.setEnabled(device is not None and not is_asking)
        is_changed = draft is not None and draft.is_changed
        view.save.setEnabled(is_changed and not is_asking)
        view.revert.setEnabled(is_changed)
        view.export_file.setEnabled(draft is not None)
        text, tone = self._sentence(device)
        kept = self._kept
        is_kept = kept is not None and not is_asking
        view.say(kept if is_kept and kept is not None else Statement(text), "" if is_kept else tone)

    def _tell(self, text: str) -> None:
        """Say what has come of something, while what it was about is still the same."""
        ends = "the profile, the device or the aircraft is another one"
        self._told = Statement(text, self._aircraft(), self._version, ends=ends) if text else None

    @property
    def _version(self) -> Hashable:
        """What a sentence that is kept is about."""
        return self._draft, self._is_armed()

    @property
    def _kept(self) -> Statement | None:
        return self._told and self._told.if_of(self._aircraft(), self._version)

    def _sentence(self, device: InputDevice | None) -> tuple[str, str]:
        """What to do or to know now, and its tone."""
        if self._wizard is not None:
            return self._wizard.sentence, "commanded"
        if self._detection is not None:
            return self._detection.sentence, "commanded"
        draft = self._draft
        if draft is None:
            return (CHOOSE if self._hub.devices else ""), "muted"
        if device is None:
            return f"{draft.kind.name} is not plugged in any more.", "caution"
        if draft.is_changed:
            return CHANGED, "caution"
        missing = ", ".join(draft.profile.missing)
        if draft.saved is None:
            return NOT_SET_UP, "caution"
        return (
            (f"Nothing moves {missing}: it flies nothing before that.", "caution")
            if missing
            else ("", "")
        )

    def _axis_names(self, device: InputDevice | None) -> tuple[str, ...]:
        if device is None:
            return ()
        count = len(device.reading.axes)
        return tuple(axis_name(axis, device.kind.axes) for axis in range(count))

    def _scopes(self) -> list[tuple[str, str]]:
        entries = [("every aircraft", EVERY_AIRCRAFT)]
        vehicle, key = self._context.vehicle, self._aircraft()
        if vehicle is not None and key:
            entries.append((f"{vehicle.name} only", key))
        return entries

    # Files and the end

    def _ask_import(self) -> None:
        ask_for_file(self, "Import a controller profile", _FILTER, self.import_from)

    def _ask_export(self) -> None:
        title = "Export the controller profile"
        ask_where_to_save(self, title, _FILTER, SUFFIX, self.export_to)

    def _stop_reading(self) -> None:
        if self._is_reading:
            self._hub.leave()
        self._is_reading = False

    def _leave(self) -> None:
        if self._view is not None:
            self._view.programs.close_all()
        self._stop_reading()

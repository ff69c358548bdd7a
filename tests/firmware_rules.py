"""What firmware accepts and refuses, row by row, for the tests of all who claim to know it.

The rows are those of design/firmware-rules.md, read in the sources of LibrePilot *next*; each
refusal stands beside something like it that is accepted. The simulated board and the station's
checks are tested against this table, never against each other.
"""

from typing import NamedTuple

# flight/libraries/sanitycheck.c -------------------------------------------------------------

MULTIROTORS = (
    *("QuadX", "QuadP", "Hexa", "HexaX", "HexaH", "HexaCoax", "Tri"),
    *("Octo", "OctoX", "OctoV", "OctoCoaxP", "OctoCoaxX"),
)
OTHERS = (
    *("FixedWing", "FixedWingElevon", "FixedWingVtail", "HeliCP", "VTOL", "Custom"),
    *("GroundVehicleCar", "GroundVehicleDifferential", "GroundVehicleMotorcycle"),
    *("GroundVehicleBoat", "GroundVehicleDifferentialBoat"),
)


QUAD, TRI, WING, HELICOPTER, CAR, CUSTOM = (
    *("QuadX", "Tri", "FixedWing", "HeliCP", "GroundVehicleCar", "Custom"),
)
NAVIGATION = "GPS Navigation (INS13)"
WITHOUT = "Basic (Complementary)"
LEVEL = ("Attitude", "Attitude", "Rate", "Manual")


class PositionCase(NamedTuple):
    """One position of the switch on one aircraft."""

    mode: str
    is_sane: bool
    airframe: str = QUAD
    assist: str = "None"
    fusion: str = NAVIGATION
    axes: tuple[str, ...] = LEVEL

    @property
    def title(self) -> str:
        """The case in one line."""
        verdict = "flies" if self.is_sane else "is refused"
        axes = "-".join(self.axes) if self.mode.startswith("Stabilized") else ""
        return f"{self.mode} {verdict} {self.airframe} {self.assist} {self.fusion} {axes}".strip()


HOVERING = ("PositionHold", "VelocityRoam", "Land", "AutoTakeoff")
TRAVELLING = (
    *("PathPlanner", "CourseLock", "HomeLeash", "AbsolutePosition"),
    *("POI", "ReturnToBase", "AutoCruise"),
)
POSITIONS = (
    # Any GPS assist: not a multirotor, or a fusion without navigation.
    PositionCase("Stabilized1", True, assist="GPSAssist"),
    PositionCase("Stabilized1", True, TRI, assist="GPSAssist"),
    *(
        PositionCase("Stabilized1", False, frame, "GPSAssist")
        for frame in (WING, HELICOPTER, CAR, CUSTOM)
    ),
    *(PositionCase("Stabilized1", True, frame) for frame in (WING, HELICOPTER, CAR, CUSTOM)),
    PositionCase("Stabilized1", False, assist="GPSAssist", fusion=WITHOUT),
    PositionCase("Stabilized1", True, fusion=WITHOUT),
    # Manual: GPS assist; multirotor.
    PositionCase("Manual", False),
    PositionCase("Manual", False, TRI),
    *(PositionCase("Manual", True, frame) for frame in (WING, HELICOPTER, CAR, CUSTOM)),
    PositionCase("Manual", False, WING, assist="GPSAssist"),
    # Stabilized n.
    *(
        PositionCase("Stabilized1", is_sane, frame, axes=axes)
        for frame, is_sane in ((QUAD, False), (WING, True))
        for axes in (
            ("Manual", "Attitude", "Rate", "Manual"),
            ("Attitude", "Manual", "Rate", "Manual"),
            ("Attitude", "Attitude", "Manual", "Manual"),
        )
    ),
    *(
        PositionCase(
            "Stabilized1", is_sane, assist="GPSAssist", axes=(roll, pitch, "Rate", "Manual")
        )
        for roll, pitch, is_sane in (
            ("Rattitude", "Attitude", True),
            ("Rate", "Attitude", False),
            ("Attitude", "Rate", False),
            ("Attitude", "AxisLock", False),
        )
    ),
    *(
        PositionCase("Stabilized1", False, WING, axes=axes)
        for height in ("AltitudeHold", "AltitudeVario")
        for axes in (
            (height, "Attitude", "Rate", "Manual"),
            ("Attitude", height, "Rate", "Manual"),
            ("Attitude", "Attitude", height, "Manual"),
        )
    ),
    *(
        PositionCase("Stabilized1", True, axes=(*LEVEL[:3], thrust))
        for thrust in ("Manual", "AltitudeHold", "AltitudeVario", "CruiseControl")
    ),
    *(
        PositionCase("Stabilized1", False, axes=(*LEVEL[:3], thrust))
        for thrust in ("Rate", "Attitude", "Rattitude", "Acro+", "SystemIdent")
    ),
    PositionCase("Stabilized1", False, axes=("Acro+", "Attitude", "Rate", "CruiseControl")),
    PositionCase("Stabilized1", False, axes=("Attitude", "Acro+", "Rate", "CruiseControl")),
    PositionCase("Stabilized1", True, axes=("Attitude", "Attitude", "Acro+", "CruiseControl")),
    PositionCase("Stabilized1", True, axes=("Acro+", "Acro+", "Rate", "Manual")),
    # Modes that fly by themselves: no navigation; some of them GPS assist too.
    *(PositionCase(mode, True) for mode in (*HOVERING, *TRAVELLING)),
    *(PositionCase(mode, True, CAR) for mode in (*HOVERING, *TRAVELLING)),
    *(PositionCase(mode, False, fusion=WITHOUT) for mode in (*HOVERING, *TRAVELLING)),
    *(PositionCase(mode, True, assist="GPSAssist") for mode in HOVERING),
    *(PositionCase(mode, False, assist="GPSAssist") for mode in TRAVELLING),
    # AutoTune: GPS assist; not a multirotor.
    PositionCase("AutoTune", True),
    PositionCase("AutoTune", True, fusion=WITHOUT),
    PositionCase("AutoTune", False, assist="GPSAssist"),
    *(PositionCase("AutoTune", False, frame) for frame in (WING, HELICOPTER, CAR, CUSTOM)),
)


# flight/modules/ManualControl/armhandler.c, okToArm -----------------------------------------


class ArmingCase(NamedTuple):
    """What the aircraft is doing at the instant it is asked to arm."""

    mode: str
    may_arm: bool
    thrust: str = "Manual"
    assist: str = "None"
    is_always_stabilized: bool = False


HAND_FLOWN = ("Manual", *(f"Stabilized{n}" for n in range(1, 7)))
ARMING = (
    *(ArmingCase(mode, True) for mode in HAND_FLOWN),
    *(ArmingCase("Stabilized1", True, thrust) for thrust in ("CruiseControl", "Manual")),
    *(ArmingCase("Stabilized1", False, thrust) for thrust in ("AltitudeHold", "AltitudeVario")),
    *(ArmingCase(mode, False, assist="GPSAssist") for mode in HAND_FLOWN),
    ArmingCase("Stabilized1", True, assist="GPSAssist_PrimaryThrust"),
    *(ArmingCase(mode, False, is_always_stabilized=True) for mode in HAND_FLOWN),
    *(ArmingCase(mode, True) for mode in ("AutoTakeoff", "PathPlanner")),
    *(ArmingCase(mode, True, assist="GPSAssist") for mode in ("AutoTakeoff", "PathPlanner")),
    *(
        ArmingCase(mode, False, is_always_stabilized=True)
        for mode in ("AutoTakeoff", "PathPlanner")
    ),
    *(
        ArmingCase(mode, False)
        for mode in (
            *("Land", "AutoTune", "PositionHold", "CourseLock", "VelocityRoam", "HomeLeash"),
            *("AbsolutePosition", "ReturnToBase", "POI", "AutoCruise"),
        )
    ),
)

# shared/uavobjectdefinition/systemalarms.xml; okToArm and forcedDisArm

FORBIDDING = (
    *("SystemConfiguration", "BootFault", "OutOfMemory", "StackOverflow", "CPUOverload"),
    *("EventSystem", "Receiver", "ManualControl", "Actuator", "Attitude", "Nav", "Sensors"),
    *("Magnetometer", "Airspeed", "Stabilization", "Guidance", "PathPlan", "Battery"),
    *("FlightTime", "I2C"),
)
TOLERATED = ("GPS", "Telemetry")
"""Alarms that do not forbid arming, however bad."""

"""Hardware sections of the page, as data: an object, its fields, and words about it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HardwareSection:
    """One group: a form of an object's fields (none named: all) and what is measured beside it.

    `live` are paths "Object.Field" of values that show whether it works.
    """

    title: str
    about: str
    name: str
    fields: tuple[str, ...] = ()
    live: tuple[str, ...] = ()


SECTIONS = (
    HardwareSection(
        "Speeds and lines",
        "Speeds of the serial ports and details of single lines. The other end must agree.",
        "HwSettings",
        (
            *("TelemetrySpeed", "GPSSpeed", "DebugConsoleSpeed", "MSPSpeed", "MAVLinkSpeed"),
            *("RadioAuxStream", "SBusMode", "DSMxBind", "WS2811LED_Out"),
        ),
    ),
    HardwareSection(
        "Modules",
        "Parts of the firmware that run only where they are enabled, and what the analogue inputs "
        "measure.",
        "HwSettings",
        ("OptionalModules", "ADCRouting"),
    ),
    HardwareSection(
        "GPS",
        "The receiver's protocol and how it is set up.",
        "GPSSettings",
        live=(
            *("GPSPositionSensor.Status", "GPSPositionSensor.Satellites"),
            *("GPSPositionSensor.PDOP", "GPSPositionSensor.SensorType"),
        ),
    ),
    HardwareSection(
        "Battery",
        "What flies with you, and when to land.",
        "FlightBatterySettings",
        live=(
            *("FlightBatteryState.Voltage", "FlightBatteryState.Current"),
            *("FlightBatteryState.ConsumedEnergy", "FlightBatteryState.NbCells"),
        ),
    ),
    HardwareSection(
        "Airspeed",
        "The sensor that measures the speed through the air.",
        "AirspeedSettings",
        live=("AirspeedState.CalibratedAirspeed", "AirspeedSensor.SensorConnected"),
    ),
    HardwareSection(
        "Gimbal",
        "Keeps a camera level. The outputs that move it are set on the page of the airframe.",
        "CameraStabSettings",
        live=("CameraDesired.RollOrServo1", "CameraDesired.PitchOrServo2", "CameraDesired.Yaw"),
    ),
    HardwareSection(
        "Camera trigger",
        "When the camera is triggered: by a switch, by time or by distance.",
        "CameraControlSettings",
    ),
    HardwareSection(
        "Tuning by transmitter",
        "Turns a knob of the transmitter into a gain while flying.",
        "TxPIDSettings",
        live=("TxPIDStatus.CurPIDs.Instance1", "AccessoryDesired.AccessoryVal"),
    ),
    HardwareSection(
        "Automatic tuning",
        "The board shakes itself in flight and works out gains of its own.",
        "SystemIdentSettings",
        live=("SystemIdentState.Period", "SystemIdentState.Noise.Roll"),
    ),
    HardwareSection(
        "Radio",
        "The board's modem. Both ends need the same band, speed and channels.",
        "OPLinkSettings",
        live=(
            *("OPLinkStatus.LinkState", "OPLinkStatus.RSSI", "OPLinkStatus.LinkQuality"),
            *("OPLinkStatus.RxGood", "OPLinkStatus.TXRate", "OPLinkStatus.RXRate"),
        ),
    ),
    HardwareSection(
        "On-screen display", "What is drawn over the picture of the camera.", "OsdSettings"
    ),
    HardwareSection(
        "HoTT telemetry", "What a HoTT transmitter says and warns of.", "HoTTBridgeSettings"
    ),
    HardwareSection("Discovery F4 bare ports", "Ports of this board.", "HwDiscoveryF4BareSettings"),
    HardwareSection("SPRacing F3 ports", "Ports of this board.", "HwSPRacingF3Settings"),
    HardwareSection("SPRacing F3 EVO ports", "Ports of this board.", "HwSPRacingF3EVOSettings"),
    HardwareSection("Piko BLX ports", "Ports of this board.", "HwPikoBLXSettings"),
    HardwareSection("tinyFISH ports", "Ports of this board.", "HwTinyFISHSettings"),
)
OBJECTS = tuple(dict.fromkeys(section.name for section in SECTIONS))

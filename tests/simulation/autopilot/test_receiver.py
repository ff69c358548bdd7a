"""From pulses to stick positions."""

from simulation.autopilot.board import Board
from simulation.autopilot.receiver import Channel, Receiver
from telemetry.objects.values import pack_values
from telemetry.vehicle.sticks import Sticks, channels_us


def send(board: Board, sticks: Sticks) -> None:
    source = board["GCSReceiver"].definition
    payload = pack_values(source, {"Channel": channels_us(sticks, mode_positions=6)})
    assert board.write(source.object_id, 0, payload)


def test_a_channel_scales_both_sides_of_neutral_and_reversed_ranges() -> None:
    channel = Channel(0, 1000, 1400, 2000)
    assert [channel.scale(us) for us in (900, 1000, 1200, 1400, 1700, 2100)] == [
        *(-1.0, -1.0, -0.5, 0.0, 0.5, 1.0)
    ]
    reversed_channel = Channel(0, 2000, 1500, 1000)
    assert reversed_channel.scale(2000) == -1.0
    assert reversed_channel.scale(1000) == 1.0


def test_the_stations_sticks_arrive_as_they_were_meant(board: Board) -> None:
    receiver = Receiver(board)
    command = board["ManualControlCommand"]
    for position in range(6):
        send(board, Sticks(1.0, -1.0, 0.0, 0.0, position, arm=True))
        receiver.update(position * 20_000)
        assert command.row["FlightModeSwitchPosition"] == position
    assert (command.row["Roll"], command.row["Pitch"], command.row["Yaw"]) == (1.0, -1.0, 0.0)
    assert command.row["Throttle"] == -1.0
    assert command.row["Channel"].tolist()[:5] == [1000, 2000, 1000, 1500, 1917]
    assert board["AccessoryDesired"].row["AccessoryVal"] == 1.0


def test_the_deadband_swallows_small_deflections(board: Board) -> None:
    receiver = Receiver(board)
    send(board, Sticks(roll=0.015, pitch=0.5))
    receiver.update(0)
    assert board["ManualControlCommand"].row["Roll"] == 0.0
    assert 0.48 < board["ManualControlCommand"].row["Pitch"] < 0.5


def test_a_stale_stream_sets_failsafe_values_and_says_so(board: Board) -> None:
    receiver = Receiver(board, timeout_us=500_000)
    command = board["ManualControlCommand"]
    send(board, Sticks(roll=1.0, throttle=0.6, flight_mode_position=1))
    receiver.update(0)
    assert command.row["Connected"] == 1
    board["FlightStatus"].set(Armed=2)
    receiver.update(480_000)
    assert command.row["Connected"] == 1
    receiver.update(500_000)
    assert command.row["Connected"] == 0
    assert (command.row["Roll"], command.row["Throttle"]) == (0.0, -1.0)
    assert command.row["FlightModeSwitchPosition"] == 4
    send(board, Sticks(flight_mode_position=1))
    receiver.update(520_000)
    assert command.row["Connected"] == 1
    assert command.row["FlightModeSwitchPosition"] == 1


def test_on_the_ground_silence_leaves_the_mode_alone(board: Board) -> None:
    receiver = Receiver(board)
    receiver.update(10_000_000)
    assert board["ManualControlCommand"].row["Connected"] == 0
    assert board["ManualControlCommand"].row["FlightModeSwitchPosition"] == 0


def test_channels_of_other_groups_mean_no_connection(board: Board) -> None:
    receiver = Receiver(board)
    settings = board["ManualControlSettings"]
    groups = settings.row["ChannelGroups"].copy()
    groups[0] = settings.number("ChannelGroups", "PPM")
    settings.set(ChannelGroups=groups)
    send(board, Sticks())
    receiver.update(0)
    assert board["ManualControlCommand"].row["Connected"] == 0

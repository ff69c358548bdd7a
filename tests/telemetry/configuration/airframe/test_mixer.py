"""To and from MixerSettings of every release."""

from collections.abc import Mapping
from dataclasses import replace

import pytest

from telemetry.configuration.airframe.airframe import (
    Airframe,
    AirframeError,
    Levels,
    airframe_named,
    all_airframes,
)
from telemetry.configuration.airframe.mixer import (
    Curves,
    Mixer,
    MixerChannel,
    read_curves,
    read_levels,
    read_mixer,
    write_curves,
    write_levels,
    write_mixer,
)
from telemetry.configuration.airframe.mixer_generation import Options, generate
from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.definition import ObjectDefinition
from telemetry.protocol.objects.values import pack_values, read_value, row_of

RELEASES = ("LibrePilot-next-2019-02", "OpenPilot-14.10", "OpenPilot-11.08", "TauLabs-20151123",
            "dRonin-next-2021-06")  # fmt: skip


def _over_the_wire(definition: ObjectDefinition, values: Mapping[str, object]) -> dict[str, object]:
    row = row_of(definition, pack_values(definition, values))
    return {f.name: read_value(definition, row, f.name) for f in definition.fields}


@pytest.mark.parametrize("release", RELEASES)
def test_a_mixer_comes_back_from_the_wire(catalogue: Catalogue, release: str) -> None:
    definition = catalogue.find("MixerSettings", release)
    empty = read_mixer(_over_the_wire(definition, {}), definition)
    mixer = generate(airframe_named("Octo"), options=Options(on_board=empty))
    read = read_mixer(_over_the_wire(definition, write_mixer(mixer, definition)), definition)
    assert (read.size, read.full_weight) == (empty.size, empty.full_weight)
    assert [(c.output, c.type, c.vector[:5]) for c in read.channels] == [
        (c.output, c.type, c.vector) for c in mixer.channels
    ]


def test_dronin_has_fewer_and_finer_outputs(catalogue: Catalogue) -> None:
    for release, empty in (("dRonin-next-2021-06", Mixer((), 10, 128)), (None, Mixer((), 12, 127))):
        definition = catalogue.find("MixerSettings", release)
        assert read_mixer(_over_the_wire(definition, {}), definition) == empty


def test_accessory_weights_of_dronin_stay(catalogue: Catalogue) -> None:
    definition = catalogue.find("MixerSettings", "dRonin-next-2021-06")
    values = {"Mixer1Type": "Servo", "Mixer1Vector": (0, 0, 0, 0, 0, 7, -300, 1)}
    mixer = read_mixer(_over_the_wire(definition, values), definition)
    assert mixer.channels[0].vector == (0, 0, 0, 0, 0, 7, -300, 1)
    assert write_mixer(mixer, definition)["Mixer1Vector"] == values["Mixer1Vector"]


@pytest.mark.parametrize("frame", all_airframes(), ids=lambda frame: frame.name)
def test_every_frame_fits_the_newest_firmware(catalogue: Catalogue, frame: Airframe) -> None:
    definition = catalogue.find("MixerSettings", None)
    mixer, curves = generate(frame), Curves.of_frame(frame)
    values = write_mixer(mixer, definition) | write_curves(curves, definition)
    on_board = _over_the_wire(definition, values)
    unnamed = tuple(replace(channel, name="") for channel in mixer.channels)
    assert read_mixer(on_board, definition) == replace(mixer, channels=unnamed)
    assert read_curves(on_board).curve1 == pytest.approx(curves.curve1)
    assert read_curves(on_board).curve2 == pytest.approx(curves.curve2)


@pytest.mark.parametrize(
    ("channels", "why"),
    [
        ((MixerChannel(1, "ReversableMotor"),), "cannot be ReversableMotor"),
        ((MixerChannel(11, "Motor"),), "no output 11"),
        ((MixerChannel(1, "Motor"), MixerChannel(1, "Servo")), "used twice"),
    ],
)
def test_what_a_firmware_lacks_is_refused(
    catalogue: Catalogue, channels: tuple[MixerChannel, ...], why: str
) -> None:
    definition = catalogue.find("MixerSettings", "dRonin-next-2021-06")
    with pytest.raises(AirframeError, match=why):
        write_mixer(Mixer(channels), definition)


def test_curves_and_levels_of_a_release_without_them(catalogue: Catalogue) -> None:
    dronin = catalogue.find("MixerSettings", "dRonin-next-2021-06")
    assert set(write_curves(Curves(), dronin)) == {"ThrottleCurve2", "Curve2Source"}
    assert write_levels(Levels(50, 50, 50), dronin) == {}
    assert read_levels({}) is None
    assert read_curves({}) == Curves()


def test_curves_and_levels_come_back(catalogue: Catalogue) -> None:
    definition = catalogue.find("MixerSettings", None)
    curves = Curves((0, 0.5, 0.5, 0.5, 1), (-1, -0.5, 0, 0.5, 1), "Collective", -30, 2)
    values = write_curves(curves, definition) | write_levels(Levels(1, 2, 3), definition)
    on_board = _over_the_wire(definition, values)
    assert read_curves(on_board) == curves
    assert read_levels(on_board) == (1, 2, 3)


def test_a_vector_too_short_is_refused() -> None:
    with pytest.raises(AirframeError, match="Mixer1Vector has 2 elements"):
        read_mixer({"Mixer1Type": "Motor", "Mixer1Vector": (1, 2)})

"""Metadata in its three packed forms."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from telemetry.protocol.objects.catalogue import load_catalogue
from telemetry.protocol.objects.definition import UpdateMode, UpdatePolicy
from telemetry.protocol.objects.metadata import (
    METADATA_SIZES,
    Metadata,
    fitting_logging,
    metaobject,
)

CATALOGUE = load_catalogue()
periods = st.integers(0, 0xFFFF)
policies = st.builds(UpdatePolicy, st.sampled_from(UpdateMode), periods, st.booleans())
loggings = st.builds(UpdatePolicy, st.sampled_from(UpdateMode), periods)
metadata = st.builds(Metadata, st.booleans(), st.booleans(), policies, policies, loggings)


def test_known_bytes_from_running_firmware() -> None:
    """GyroState of LibrePilot: periodic every 1000 ms, nothing else."""
    assert Metadata.unpack(bytes.fromhex("1000e80300000000")) == Metadata(
        flight=UpdatePolicy(UpdateMode.PERIODIC, 1000)
    )


def test_readonly_is_one_and_every_flag_has_its_bit() -> None:
    on_change, throttled = UpdateMode.ONCHANGE, UpdateMode.THROTTLED
    for value, flags in (
        (Metadata(flight_readonly=True), 0x001),
        (Metadata(gcs_readonly=True), 0x002),
        (Metadata(flight=UpdatePolicy(acked=True)), 0x004),
        (Metadata(gcs=UpdatePolicy(acked=True)), 0x008),
        (Metadata(flight=UpdatePolicy(throttled)), 0x030),
        (Metadata(gcs=UpdatePolicy(on_change)), 0x080),
        (Metadata(logging=UpdatePolicy(UpdateMode.PERIODIC)), 0x100),
    ):
        assert value.pack(8) == flags.to_bytes(2, "little") + bytes(6)


@pytest.mark.parametrize("size", [8, 19])
@given(value=metadata)
def test_complete_forms_keep_everything(size: int, value: Metadata) -> None:
    packed = value.pack(size)
    assert len(packed) == size
    assert Metadata.unpack(packed) == value


@pytest.mark.slow
@given(value=metadata)
def test_the_7_byte_form_loses_only_the_logging_mode(value: Metadata) -> None:
    back = Metadata.unpack(value.pack(7))
    assert (back.flight, back.gcs) == (value.flight, value.gcs)
    assert (back.flight_readonly, back.gcs_readonly) == (value.flight_readonly, value.gcs_readonly)
    assert back.logging.period_ms == value.logging.period_ms


def test_what_does_not_fit_is_refused() -> None:
    long = Metadata(flight=UpdatePolicy(UpdateMode.PERIODIC, 70_000))
    assert Metadata.unpack(long.pack(19)) == long
    for size in (7, 8):
        with pytest.raises(ValueError, match="0 to 65535 ms, not 70000"):
            long.pack(size)
    with pytest.raises(ValueError, match="not 9"):
        long.pack(9)
    with pytest.raises(ValueError, match="not 9"):
        Metadata.unpack(bytes(9))


@pytest.mark.parametrize("size", METADATA_SIZES)
def test_a_metaobject_has_the_next_id_and_its_size(size: int) -> None:
    definition = CATALOGUE.find("GyroState")
    meta = metaobject(definition, size)
    assert meta.name == "GyroStateMeta"
    assert meta.object_id == definition.object_id + 1
    assert meta.size == size
    assert metaobject(definition, size) is meta
    with pytest.raises(ValueError, match="not 9"):
        metaobject(definition, 9)


def test_the_definitions_own_policy() -> None:
    own = Metadata.of(CATALOGUE.find("FlightBatteryState"))
    assert own.flight == UpdatePolicy(UpdateMode.PERIODIC, 1000)
    assert Metadata.of(CATALOGUE.find("ObjectPersistence")).flight.acked


@pytest.mark.parametrize(
    ("sent", "wanted", "fitting"),
    [
        ((UpdateMode.PERIODIC, 100), (UpdateMode.PERIODIC, 20), (UpdateMode.PERIODIC, 20)),
        ((UpdateMode.PERIODIC, 100), (UpdateMode.THROTTLED, 20), (UpdateMode.PERIODIC, 20)),
        ((UpdateMode.PERIODIC, 100), (UpdateMode.ONCHANGE, 0), (UpdateMode.ONCHANGE, 0)),
        ((UpdateMode.THROTTLED, 500), (UpdateMode.PERIODIC, 20), (UpdateMode.THROTTLED, 20)),
        ((UpdateMode.THROTTLED, 500), (UpdateMode.THROTTLED, 20), (UpdateMode.THROTTLED, 20)),
        ((UpdateMode.THROTTLED, 500), (UpdateMode.ONCHANGE, 0), (UpdateMode.THROTTLED, 500)),
        ((UpdateMode.THROTTLED, 500), (UpdateMode.MANUAL, 0), (UpdateMode.MANUAL, 0)),
        ((UpdateMode.ONCHANGE, 0), (UpdateMode.THROTTLED, 20), (UpdateMode.PERIODIC, 20)),
        ((UpdateMode.MANUAL, 0), (UpdateMode.THROTTLED, 20), (UpdateMode.THROTTLED, 20)),
    ],
)
def test_logging_fits_how_an_object_is_sent(
    sent: tuple[UpdateMode, int], wanted: tuple[UpdateMode, int], fitting: tuple[UpdateMode, int]
) -> None:
    """As firmware (updateObject of telemetry.c) can do it, no timer set anew at each event."""
    assert fitting_logging(UpdatePolicy(*wanted), UpdatePolicy(*sent)) == UpdatePolicy(*fitting)

from telemetry.configuration.settings.slots import default_values, values_by_path, whole_fields
from telemetry.protocol.objects.catalogue import DEFAULT_RELEASE, Catalogue, load_catalogue


def test_values_by_field_and_back() -> None:
    catalogue: Catalogue = load_catalogue()
    for name in ("MixerSettings", "SystemSettings", "ActuatorSettings"):
        definition = catalogue.find(name, DEFAULT_RELEASE)
        values = default_values(definition)
        assert values_by_path(definition, whole_fields(definition, values)) == values


def test_a_field_that_is_not_whole_is_left_out() -> None:
    definition = load_catalogue().find("MixerSettings", DEFAULT_RELEASE)
    values = default_values(definition)
    del values["Mixer1Vector.Yaw"]
    assert "Mixer1Vector" not in whole_fields(definition, values)

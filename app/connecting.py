"""How the station really connects: a worker thread per connection, recording into a folder."""

from collections.abc import Callable
from pathlib import Path

from app.connections import Connect
from app.preferences import Preferences
from telemetry.configuration.settings.configuration import configuration_of
from telemetry.configuration.settings.draft_store import DraftStore
from telemetry.links.link import Link
from telemetry.objects.catalogue import Catalogue
from telemetry.session.config import SessionConfig
from telemetry.vehicle.connection import connect
from telemetry.vehicle.vehicle import Vehicle


def make_connect(
    catalogue: Callable[[], Catalogue],
    preferences: Callable[[], Preferences],
    usual_folder: Path,
    metadata_folder: Path,
    drafts: DraftStore,
) -> Connect:
    """Return a function that opens a connection with the present preferences.

    Flights are recorded in the folder that the user chose, otherwise in `usual_folder`. Metadata
    that is to be restored on boards is kept in `metadata_folder`, what is staged for them in
    `drafts`.
    """

    def connect_with_preferences(address: str, open_link: Callable[[str], Link]) -> Vehicle:
        chosen = preferences()
        folder = chosen.recording_folder
        vehicle = connect(
            address,
            open_link,
            catalogue(),
            Path(folder).expanduser() if folder else usual_folder,
            SessionConfig(link_loss_s=chosen.link_loss_s),
            metadata_folder,
        )
        configuration_of(vehicle).draft_store = drafts
        return vehicle

    return connect_with_preferences

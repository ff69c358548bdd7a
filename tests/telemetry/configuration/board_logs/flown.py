"""Flights in the flash of an emulated board."""

import random

from telemetry.protocol.objects.catalogue import Catalogue
from telemetry.protocol.objects.values import pack_values
from tests.boards.emulated_log_flash import LogFlash


def flown(catalogue: Catalogue, *lengths: int, seed: int = 1) -> LogFlash:
    """So many flights of at least so many entries each, SystemStats once a second."""
    flash, wild, t_us = LogFlash(), random.Random(seed), 3e6 + seed
    attitude, stats = (catalogue.find(name) for name in ("AttitudeState", "SystemStats"))
    for length in lengths:
        flash.say(t_us, "FlightStatus Armed: On board logging enabled.")
        while flash.number < length:
            t_us += wild.choice((5_000, 20_000, 500_000))
            data = wild.randbytes(attitude.size)
            flash.log(t_us, attitude.object_id, data)
            if wild.random() < 0.3:
                told = pack_values(stats, {"FlightTime": round(t_us / 1000)})
                flash.log(t_us, stats.object_id, told)
        flash.say(t_us, "FlightStatus Disarmed: On board Logging disabled.")
        flash.end_flight()
    flash.write_all()
    return flash

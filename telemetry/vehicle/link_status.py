"""Link status that the station shows, from what a conversation says of itself."""

from dataclasses import asdict
from typing import Final

from telemetry.protocol.session.config import SessionState
from telemetry.vehicle.conversation import Report
from telemetry.vehicle.vehicle import LATE_S, LinkState, LinkStatus

_QUIET_S = 3.0
_HEARD = (LinkState.FETCHING, LinkState.CONNECTED)
RESTARTS: Final = "The board restarts, as it was asked to."
_STATES = {
    SessionState.IDLE: LinkState.CONNECTING,
    SessionState.CONNECTING: LinkState.CONNECTING,
    SessionState.FETCHING: LinkState.FETCHING,
    SessionState.CONNECTED: LinkState.CONNECTED,
    SessionState.LOST: LinkState.LOST,
}


def link_status(
    report: Report, loss_s: float, *, was_connected: bool, is_restart_awaited: bool = False
) -> LinkStatus:
    """The status of a link whose conversation gave this report. `was_connected`: this is not the
    first attempt, but one to get back. `is_restart_awaited`: its board was asked to restart, so
    that its silence is none of the link. What is recorded is not known here.
    """
    session, counters = report.session, report.session.counters
    state = _STATES[session.state]
    if state is LinkState.CONNECTING and was_connected:
        state = LinkState.RECONNECTING
    if is_restart_awaited and (state not in _HEARD or report.silent_s > LATE_S):
        state = LinkState.RESTARTING
    return LinkStatus(
        state=state,
        fetched=session.fetched,
        total=session.total,
        heard_s=report.heard_s,
        **asdict(report.rates),
        crc_errors=counters.crc_errors,
        junk_bytes=counters.junk_bytes,
        unknown_ids=session.unknown_ids,
        unknown_frames=counters.unknown_frames,
        retries=counters.retries,
        reason=reason_for(state, report, loss_s),
        release=session.release,
        from_last_time=report.from_last_time,
    )


def reason_for(state: LinkState, report: Report, loss_s: float) -> str:
    """Why it is not better, and what to look at."""
    if state is LinkState.LOST:
        if report.rates.rx_bytes_per_s:
            return "All that arrives is damaged. Check antenna, cable and baud rate."
        return f"Nothing whole arrives, which counts as lost after {loss_s:g} s. It is waited for."
    if state is LinkState.RESTARTING:
        return RESTARTS
    if state is LinkState.CONNECTED:
        return _what_is_missing(report.session.missing)
    if state not in (LinkState.CONNECTING, LinkState.RECONNECTING):
        return ""
    if report.progress or report.open_for_s < _QUIET_S:
        return report.progress
    counters = report.session.counters
    if counters.crc_errors > counters.frames:
        return "Nearly all that arrives is damaged. Check antenna, cable and baud rate."
    if counters.frames:
        return "Telemetry arrives but the board does not answer. Check the way up to it."
    if counters.rx_bytes:
        return "Bytes arrive, but no telemetry. Check the baud rate."
    return (
        "The link is open, but nothing arrives. Check power, cable and baud rate, and whether "
        "another program is connected to it already."
    )


def _what_is_missing(names: tuple[str, ...]) -> str:
    if not names:
        return ""
    kinds = "1 kind" if len(names) == 1 else f"{len(names)} kinds"
    return (
        f"{kinds} of data did not come, though asked for again and again. Connect anew to ask once "
        "more; Objects shows what was not received."
    )

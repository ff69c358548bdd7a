"""Senders of sticks by UDP, told apart by the name that they give or by their address and port."""

import math
from dataclasses import dataclass
from typing import Final, Literal

SUCCEEDS_S: Final = 0.1
"""So long a port has to be silent before another one may have its name: five periods of 50 Hz."""
_REMEMBERED_S: Final = 1.0
_MOST_PORTS: Final = 256
_MOST_NAMES: Final = 64
_KEEPS_SENDING: Final = 3
"""Packets of one port within a second. Of a port per packet, which the system draws by lot from
some 28,000, two may come from the same one by chance; a third within a second does not."""

Caller = tuple[str, int]
_ANY_PORT: Final[Caller] = ("", 0)
"""Stands for the ports of who takes another one for each packet."""
Standing = Literal["owner", "apart", "waits"]


@dataclass(frozen=True, slots=True)
class UdpSender:
    """Who sent a packet. `key` is the same as long as it is the same sender."""

    key: str
    title: str


@dataclass(slots=True)
class _Port:
    """What was heard of a port under one name within the last second."""

    first_s: float
    heard_s: float
    packets: int = 0


class _Claim:
    """Whose a name is, of the ports that send under it.

    It is the port's that sends under it. Another port has it once the first has been silent for
    0.1 s (a program that was started again), or at once where each port was heard one time only (a
    port per packet); until then it waits. A port that waits and keeps sending, while the owner
    sends too, is a sender apart, and from then on so is every other one: a name that two use at
    once tells nobody who is who. An owner that was succeeded and is heard again has its name back.
    """

    def __init__(self) -> None:
        self._owner: Caller | None = None
        self._former: Caller | None = None
        self._is_single = False
        """Whether the owner was heard one time only."""
        self._heard_s = -math.inf
        self._ports: dict[Caller, _Port] = {}
        self._apart: dict[Caller, None] = {}

    def standing(self, caller: Caller, packets: int, now_s: float) -> Standing:
        """What a port is under this name that was heard `packets` times since the last call."""
        if caller in self._apart:
            return "apart"
        port = self._note(caller, packets, now_s)
        if self._speaks(caller, port, now_s):
            self._heard_s = now_s
            return "owner"
        keeps_sending = port.packets >= _KEEPS_SENDING and port.first_s < self._heard_s
        if self._apart or keeps_sending:
            self._set_apart(caller)
            return "apart"
        return "waits"

    def _speaks(self, caller: Caller, port: _Port, now_s: float) -> bool:
        """Whether it is the owner that is heard, or who has the name from now on."""
        is_silent = now_s - self._heard_s > SUCCEEDS_S
        is_first = port.packets == 1
        if caller == self._owner:
            self._is_single = False
            return True
        if caller == self._former:
            if self._owner not in (None, _ANY_PORT) and not is_silent:
                self._set_apart(self._owner)
            self._owner, self._former, self._is_single = caller, None, False
            return True
        if self._owner == _ANY_PORT and is_first:
            return True
        if self._is_single and is_first and not is_silent:
            self._owner, self._is_single = _ANY_PORT, False
            return True
        if is_silent and not self._apart:
            self._owner, self._former, self._is_single = caller, self._owner, is_first
            return True
        return False

    def _note(self, caller: Caller, packets: int, now_s: float) -> _Port:
        port = self._ports.pop(caller, None)
        if port is None or now_s - port.heard_s > _REMEMBERED_S:
            port = _Port(now_s, now_s)
        port.packets, port.heard_s = port.packets + packets, now_s
        self._ports[caller] = port
        while len(self._ports) > _MOST_PORTS:
            del self._ports[next(iter(self._ports))]
        return port

    def _set_apart(self, caller: Caller) -> None:
        self._apart[caller] = None
        while len(self._apart) > _MOST_PORTS:
            del self._apart[next(iter(self._apart))]


class UdpSenders:
    """Tells who sent a packet to one port. However many ports and names send, of 64 names it is
    remembered whose they are; of more, those last heard."""

    def __init__(self, port: int) -> None:
        self._place = f"udp:{port}"
        self._claims: dict[str, _Claim] = {}

    def sender_of(self, caller: Caller, name: str, packets: int, now_s: float) -> UdpSender | None:
        """Who sends from this address and port under this name, "" for none; None for one that has
        to wait until the name is free. `packets` is how often the port was heard since the last
        call."""
        at = f"{caller[0]}:{caller[1]}"
        if not name:
            return UdpSender(f"{self._place}/{at}", f"UDP {at}")
        claim = self._claims.pop(name, None) or _Claim()
        self._claims[name] = claim
        while len(self._claims) > _MOST_NAMES:
            del self._claims[next(iter(self._claims))]
        standing = claim.standing(caller, packets, now_s)
        if standing == "waits":
            return None
        named = UdpSender(f"{self._place}/named {name}", f"UDP “{name}”")
        if standing == "owner":
            return named
        return UdpSender(f"{self._place}/{at} named {name}", f"UDP {at} “{name}”")

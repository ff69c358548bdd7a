"""Senders told apart, by what a name and ports that send under it are."""

from plugins.pilot.devices.udp_senders import SUCCEEDS_S, Caller, UdpSenders

PERIOD_S = 0.02
ONE: Caller = ("127.0.0.1", 5001)
TWO: Caller = ("127.0.0.1", 5002)
THREE: Caller = ("127.0.0.1", 5003)
NAMED = "UDP “joy”"


class Heard:
    """A port at which packets come under one name."""

    def __init__(self, name: str = "joy") -> None:
        self._name = name
        self.now_s = 10.0
        self._senders = UdpSenders(9042)

    def say(self, caller: Caller, packets: int = 1) -> str:
        sender = self._senders.sender_of(caller, self._name, packets, self.now_s)
        return sender.title if sender is not None else "waits"

    def say_often(self, *callers: Caller, times: int = 20) -> list[list[str]]:
        """What each is in each of so many periods."""
        said = []
        for _ in range(times):
            self.now_s += PERIOD_S
            said.append([self.say(caller) for caller in callers])
        return said


def apart(caller: Caller) -> str:
    return f"UDP {caller[0]}:{caller[1]} “joy”"


def test_without_a_name_it_is_address_and_port() -> None:
    heard = Heard("")
    assert heard.say(ONE) == "UDP 127.0.0.1:5001"
    assert heard.say(TWO) == "UDP 127.0.0.1:5002"


def test_a_name_is_no_address() -> None:
    senders = UdpSenders(9042)
    keys = {
        found.key
        for name in ("", "127.0.0.1:5001", "joy", "named joy")
        if (found := senders.sender_of(ONE, name, 1, 1.0)) is not None
    }
    assert len(keys) == 4


def test_a_successor_waits_until_the_owner_is_silent_and_has_the_name_then() -> None:
    heard = Heard()
    heard.say_often(ONE)
    last_s = heard.now_s
    for [title] in heard.say_often(TWO):
        assert title in (NAMED, "waits")
    assert heard.say(TWO) == NAMED
    heard = Heard()
    heard.say_often(ONE)
    last_s = heard.now_s
    heard.now_s = last_s + SUCCEEDS_S * 0.9
    assert heard.say(TWO) == "waits"
    heard.now_s = last_s + SUCCEEDS_S * 1.1
    assert heard.say(TWO) == NAMED


def test_the_name_stays_with_the_one_that_had_it_while_both_send() -> None:
    heard = Heard()
    heard.say_often(ONE)
    both = heard.say_often(ONE, TWO)
    assert [first for first, _ in both] == [NAMED] * 20
    assert NAMED not in [second for _, second in both]
    assert both[-1][1] == apart(TWO)


def test_once_two_had_a_name_at_once_silence_gives_it_to_nobody_else() -> None:
    heard = Heard()
    heard.say_often(ONE, TWO)
    heard.now_s += SUCCEEDS_S * 2
    assert heard.say(THREE) == apart(THREE)
    assert heard.say_often(TWO, THREE)[-1] == [apart(TWO), apart(THREE)]
    assert heard.say(ONE) == NAMED


def test_an_owner_that_stalled_has_its_name_back_from_its_successor() -> None:
    heard = Heard()
    heard.say_often(ONE)
    heard.say_often(TWO)
    assert heard.say_often(ONE, TWO) == [[NAMED, apart(TWO)]] * 20


def test_a_port_per_packet_is_one_sender_and_a_port_beside_it_another() -> None:
    heard = Heard()
    ports: list[Caller] = [("127.0.0.1", 20_000 + number) for number in range(100)]
    assert [heard.say_often(port, times=1) for port in ports] == [[[NAMED]]] * 100
    heard.say_often(("127.0.0.1", 30_000), times=1)
    titles = []
    for number in range(20):
        heard.say_often(("127.0.0.1", 31_000 + number), times=1)
        titles.append(heard.say(ONE, packets=40))
    assert NAMED not in titles
    assert titles[-1] == apart(ONE)


def test_names_without_end_are_not_kept_without_end() -> None:
    senders = UdpSenders(9042)
    found = [senders.sender_of(ONE, f"joy {n}", 1, n / 1000) for n in range(10_000)]
    assert [sender.title for sender in found if sender is not None][-1] == "UDP “joy 9999”"
    again = senders.sender_of(TWO, "joy 0", 1, 10.0)
    assert again is not None, "who had a name so long ago is forgotten"

"""Inputs near to those of a corpus: cut, doubled, and spliced with what has hurt parsers before."""

import random
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from tests.fuzz.parsers import Parser

_LARGEST: Final = 1 << 16
_MOST_CUTS: Final = 5
_TIMES: Final = (1, 1, 1, 2, 50)
_WORD: Final = re.compile(rb"[A-Za-z_]\w+|[0-9.+-]+|[^\w\s]+")
_HOSTILE: Final = (
    *(b"", b"\0", b"\xff", b"\xff" * 4, b"\x3c", b"\x3c\x20", b"\xed\xa0\x80", b"\xef\xbb\xbf"),
    *(b"1e999", b"-1e999", b"NaN", b"nan", b"inf", b"9" * 400, b"9" * 5000, b"0x" + b"f" * 99),
    *(b"[" * 2000, b"{" * 200, b'{"a":' * 300, b"<a>" * 40, b"a." * 99, b"../" * 9, b"-1", b"0"),
    *(b"null", b"true", b"[]", b"{}", b'""', b"1e308", b"18446744073709551616", b"\\ud800"),
    *(b'"', b"'", b"\n", b"\r\n", b",", b"=", b"&lt;", b"&#0;", b"<!--", b"\x85", "٣".encode()),
)

Cut = tuple[float, int, bytes, int]
"""Where in the input, how many bytes go, what comes in their place, and how often."""


def _spliced(data: bytes, cuts: Sequence[Cut]) -> bytes:
    for place, length, piece, times in cuts:
        start = int(place * len(data))
        data = data[:start] + piece * times + data[start + length :]
    return data[:_LARGEST]


def _words(parser: Parser) -> list[bytes]:
    """What stands in the corpus, to be put elsewhere."""
    found = {word for data in parser.corpus.values() for word in _WORD.findall(data)[:200]}
    return sorted(found) or [b"x"]


def strategy_for(parser: Parser) -> SearchStrategy[bytes]:
    """Inputs for a parser, most of them nearly sound, that Hypothesis makes small."""
    pieces = st.one_of(
        st.sampled_from(_HOSTILE), st.sampled_from(_words(parser)), st.binary(max_size=8)
    )
    places = st.integers(0, 4095).map(lambda place: place / 4096)
    cuts = st.tuples(places, st.integers(0, 40), pieces, st.sampled_from(_TIMES))
    seeds = st.sampled_from(list(parser.corpus.values()))
    return st.builds(_spliced, seeds, st.lists(cuts, min_size=1, max_size=_MOST_CUTS))


def inputs_for(parser: Parser, seed: int) -> Iterator[bytes]:
    """The same kind of inputs without end, a hundred times as fast and the same for a `seed`."""
    draw = random.Random(seed)
    words, seeds = _words(parser), list(parser.corpus.values())
    pieces: tuple[Callable[[], bytes], ...] = (
        lambda: draw.choice(_HOSTILE),
        lambda: draw.choice(words),
        lambda: draw.randbytes(draw.randrange(9)),
    )
    while True:
        cuts = [
            (draw.random(), draw.randrange(41), draw.choice(pieces)(), draw.choice(_TIMES))
            for _ in range(draw.randint(1, _MOST_CUTS))
        ]
        yield _spliced(draw.choice(seeds), cuts)


def smallest(data: bytes, fails: Callable[[bytes], bool]) -> bytes:
    """A shorter input that fails like `data`: what can be left out is."""
    length = len(data) // 2
    while length:
        start = 0
        while start < len(data):
            shorter = data[:start] + data[start + length :]
            if fails(shorter):
                data = shorter
            else:
                start += length
        length //= 2
    return data

"""Remembered outputs: the output of each motor and servo, as stations keep it on board.

No firmware reads SystemSettings.GUIConfigData; it is there so that a station can show the same
assignment again. Each channel has 4 bits with its output, 0 for none; which 4 depends on the
family, and for multirotors on whether the release has OctoX: its motors came to stand before the
yaw servo. Helicopters and custom frames are not remembered.
"""

from collections.abc import Mapping, Sequence
from typing import Final

from telemetry.configuration.airframe.airframe import FIXED_WING, GROUND, MULTIROTOR, Airframe

_BITS: Final = 4
_PER_WORD: Final = 8
_LARGEST: Final = (1 << _BITS) - 1
_MULTIROTOR: Final = ("N", "S", "E", "W", "NW", "NE", "SW", "SE")
_OCTO_X: Final = ("NNE", "ENE", "ESE", "SSE", "SSW", "WSW", "WNW", "NNW")
_YAW_SERVO: Final = "YawServo"
_COAXIAL: Final[dict[str, dict[str, str]]] = {
    "HexaCoax": {"NWt": "NW", "NWb": "W", "NEt": "NE", "NEb": "E", "St": "S", "Sb": "SE"},
    "OctoCoaxP": {
        **{"Nt": "N", "Nb": "NE", "Et": "E", "Eb": "SE"},
        **{"St": "S", "Sb": "SW", "Wt": "W", "Wb": "NW"},
    },
    "OctoCoaxX": {
        **{"NWt": "NW", "NWb": "N", "NEt": "NE", "NEb": "E"},
        **{"SEt": "SE", "SEb": "S", "SWt": "SW", "SWb": "W"},
    },
}
_FIXED_WING: Final = {
    "Motor": 0,
    **{"Aileron1": 1, "Aileron2": 2, "Elevon1": 1, "Elevon2": 2},
    **{"Elevator1": 3, "Elevator2": 4, "Vtail1": 3, "Vtail2": 4},
    **{"Rudder1": 5, "Rudder2": 6},
}
_GROUND: Final = {
    **{"FrontMotor": 0, "LeftMotor": 0, "Motor": 0, "RearMotor": 1, "RightMotor": 1},
    **{"Steering1": 2, "Steering": 2, "Steering2": 3, "Balance": 3},
}


def recalled_outputs(
    frame: Airframe, words: Sequence[int], *, has_octo_x: bool = True
) -> dict[str, int]:
    """The outputs by channel that were left on board; empty if none were."""
    read = {name: _read(words, place) for name, place in _places(frame, has_octo_x).items()}
    return {name: output for name, output in read.items() if output}


def remembered_outputs(
    frame: Airframe, outputs: Mapping[str, int], words: Sequence[int], *, has_octo_x: bool = True
) -> tuple[int, ...]:
    """`words` with these outputs in them; whatever else is in them stays."""
    written = list(words)
    for name, place in _places(frame, has_octo_x).items():
        word, shift = divmod(place, _PER_WORD)
        if word < len(written):
            cleared = written[word] & ~(_LARGEST << shift * _BITS)
            output = outputs.get(name, 0)
            written[word] = cleared | (output if output <= _LARGEST else 0) << shift * _BITS
    return tuple(written)


def _places(frame: Airframe, has_octo_x: bool) -> dict[str, int]:
    """The place of each channel, counted in fours of bits."""
    if frame.family == FIXED_WING:
        table: Mapping[str, int] = _FIXED_WING
    elif frame.family == GROUND:
        table = _GROUND
    elif frame.family == MULTIROTOR:
        names = (*_MULTIROTOR, *(_OCTO_X if has_octo_x else ()), _YAW_SERVO)
        table = {name: place for place, name in enumerate(names)}
    else:
        table = {}
    alias = _COAXIAL.get(frame.name, {})
    named = {c.name: alias.get(c.name, c.name) for c in frame.channels}
    return {name: table[known] for name, known in named.items() if known in table}


def _read(words: Sequence[int], place: int) -> int:
    word, shift = divmod(place, _PER_WORD)
    return int(words[word]) >> shift * _BITS & _LARGEST if word < len(words) else 0

"""What a damaged disk or a stranger may have put where a JSON or TOML file is expected."""

from typing import Final

DEEP: Final = "[" * 200_000
DIGITS: Final = "9" * 4000
"""As many as Python still reads into a whole number, which no float can hold."""
MORE_DIGITS: Final = "9" * 20_000

HOSTILE_JSON: Final = {
    "200,000 brackets": '{"version": 1, "a": ' + DEEP,
    "900 brackets that end": '{"version": 1, "a": ' + "[" * 900 + "]" * 900 + "}",
    "1e999": '{"version": 1, "a": 1e999}',
    "NaN": '{"version": 1, "a": NaN}',
    "4,000 digits": '{"version": 1, "a": ' + DIGITS + "}",
    "20,000 digits": '{"version": 1, "a": ' + MORE_DIGITS + "}",
    "no text": "\xff\xfe\x00",
    "not an object": "[1]",
}

"""Shipped warning rules, from resources/warnings/shipped.json."""

from functools import cache
from typing import Final

from telemetry.base.installation import RESOURCES
from telemetry.base.text_formats import read_limited
from telemetry.warnings.rule import WarningRule
from telemetry.warnings.rule_file import parse_rules

SHIPPED_FILE: Final = RESOURCES / "warnings" / "shipped.json"


@cache
def shipped_rules() -> tuple[WarningRule, ...]:
    """All of them, in their order there."""
    return parse_rules(read_limited(SHIPPED_FILE))

"""Usual warning rules, before a user has any: resources/warnings, and those of plugins."""

from functools import cache
from typing import Final

from telemetry.base.installation import RESOURCES
from telemetry.base.registry import Registry
from telemetry.base.text_formats import read_limited
from telemetry.warnings.rule import WarningRule
from telemetry.warnings.rule_file import parse_rules

SHIPPED_FILE: Final = RESOURCES / "warnings" / "shipped.json"


@cache
def shipped_rules() -> tuple[WarningRule, ...]:
    """All of them, in their order there."""
    return parse_rules(read_limited(SHIPPED_FILE))


@cache
def usual_rules() -> Registry[WarningRule]:
    """Those shipped and those of plugins, by their id."""
    return Registry("warnings", {rule.id: rule for rule in shipped_rules()})

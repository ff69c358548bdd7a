"""Rule book of warnings: those shipped or of plugins, and the user's own, in one readable file.

A rule of the user's with the id of a shipped one stands in its place; taken away, the shipped one
is back. A rule for one board, made of one for all, counts there in the place of that one.
"""

import secrets
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Final

from telemetry.base import safe_files
from telemetry.base.safe_files import Json
from telemetry.warnings.rule import MOST_RULES, WarningRule
from telemetry.warnings.rule_file import VERSION, rules_from_json
from telemetry.warnings.shipped_rules import usual_rules

RULES_FILE: Final = "warnings.json"
_FOR: Final = "@"
"""Between the id of a rule for all and the board that has one of its own."""


class RuleBook:
    """For the GUI thread. A change is saved at once; `problem` is a sentence about the last reading
    or saving that failed. Without a path nothing is kept."""

    def __init__(
        self, path: Path | None = None, shipped: tuple[WarningRule, ...] | None = None
    ) -> None:
        self.problem = ""
        self._path = path
        self._shipped = tuple(usual_rules().values()) if shipped is None else shipped
        self._own: dict[str, WarningRule] = {}
        if path is not None:
            stored = safe_files.load(path, check=rules_from_json, otherwise="Those shipped count.")
            self.problem = stored.problem
            if stored.value is not None:
                self._own = {rule.id: rule for rule in rules_from_json(stored.value)}
        self.rules = self._merged()

    @property
    def own(self) -> tuple[WarningRule, ...]:
        """What the user has added or changed."""
        return tuple(self._own.values())

    def rules_for(self, aircraft: str) -> tuple[WarningRule, ...]:
        """Those that are on and count for a board."""
        replaced = {
            r.id.partition(_FOR)[0] for r in self.rules if aircraft and r.aircraft == aircraft
        }
        return tuple(
            rule
            for rule in self.rules
            if rule.is_on
            and rule.aircraft in ("", aircraft)
            and (rule.aircraft or rule.id not in replaced)
        )

    def is_own(self, rule_id: str) -> bool:
        """Whether the user has added or changed it."""
        return rule_id in self._own

    def is_shipped(self, rule_id: str) -> bool:
        """Whether there is a shipped rule of this id."""
        return any(rule.id == rule_id for rule in self._shipped)

    def put(self, *rules: WarningRule) -> bool:
        """Add rules, or have them stand in the place of those with their ids. False, with the
        reason in `problem`, if they are too many or the disk does not take them."""
        if len({*self._own, *(rule.id for rule in rules)}) > MOST_RULES:
            self.problem = f"There are at most {MOST_RULES} rules of your own."
            return False
        return self._keep({rule.id: rule for rule in rules})

    def take_away(self, rule_id: str) -> bool:
        """Forget a rule of the user's; a shipped one of this id is back."""
        return self._keep({rule_id: None})

    def put_edited(self, rule: WarningRule) -> WarningRule:
        """Keep an edited rule and return it. One that now counts for one board only gets an id of
        its own, so that the others keep what they had."""
        general = rule.id.partition(_FOR)[0]
        if rule.aircraft and any(r.id == general and not r.aircraft for r in self.rules):
            rule = replace(rule, id=f"{general}{_FOR}{rule.aircraft}")
        self.put(rule)
        return rule

    def free_id(self) -> str:
        """An id that no rule has, in no other window or file of rules either."""
        return f"own-{secrets.token_hex(8)}"

    def _keep(self, changes: dict[str, WarningRule | None]) -> bool:
        """Change rules by their ids; None takes one away. Those of other windows stay."""
        own = self._changed(self._own, changes)

        def new(value: Json) -> Json:
            nonlocal own
            if value:
                own = self._changed({r.id: r for r in rules_from_json(value)}, changes)
            return {**value, "rules": _json(own.values())}

        self.problem = ""
        if self._path is not None:
            try:
                self.problem = safe_files.change(self._path, new, VERSION, check=rules_from_json)
            except OSError as error:
                self.problem = f"The rules could not be saved: {error.strerror or error}."
        self._own = own
        self.rules = self._merged()
        return not self.problem

    def _changed(
        self, own: dict[str, WarningRule], changes: dict[str, WarningRule | None]
    ) -> dict[str, WarningRule]:
        merged = {**own, **changes}
        return {i: rule for i, rule in merged.items() if rule and rule not in self._shipped}

    def _merged(self) -> tuple[WarningRule, ...]:
        ids = {rule.id for rule in self._shipped}
        changed = [self._own.get(rule.id, rule) for rule in self._shipped]
        return (*changed, *(rule for rule in self._own.values() if rule.id not in ids))


def _json(rules: Iterable[WarningRule]) -> list[dict[str, object]]:
    return [rule.to_json() for rule in rules]

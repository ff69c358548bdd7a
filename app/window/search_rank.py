"""Search rank: how well the parts of words that somebody typed fit the name of an action."""

import re

Rank = tuple[int, ...]
"""How well a name fits, the smaller the better."""


def rank(typed: str, title: str, group: str = "") -> Rank | None:
    """How well a title fits what was typed; None where it does not.

    Each part of what was typed, in any order, begins a word of the title or of its group ("File"),
    stands inside one, consists of beginnings of several words ("addpan"), or has its letters in
    the order of the title's. Beginnings of words are better than all else, and the whole title is
    best.
    """
    typed, title, group = typed.lower().strip(), title.lower(), group.lower()
    if not title.startswith(typed):
        fits = [_fit(part, title, group) for part in typed.split()]
        known = [fit for fit in fits if fit is not None]
        return (1, max(known), sum(known), len(title)) if len(known) == len(fits) else None
    return (-1 if title == typed else 0,) if typed else (0,)


def _fit(part: str, title: str, group: str) -> int | None:
    """How one part fits, from 0 for the beginning of a word of the title."""
    for worse, text in enumerate((title, group)):
        if re.search(rf"\b{re.escape(part)}", text):
            return worse
    for worse, text in enumerate((title, group), 2):
        if part in text:
            return worse
    if _begins_words(part, title):
        return 4
    rest = iter(title)
    return 5 if all(letter in rest for letter in part) else None


def _begins_words(part: str, title: str) -> bool:
    """Whether a part consists of beginnings of words of a title, in order."""
    starts = [found.start() for found in re.finditer(r"\b\w", title)]
    places = {-1}
    for letter in part:
        earliest = min(places)
        reached = {place + 1 for place in places if place >= 0}
        reached |= {start for start in starts if start > earliest}
        places = {place for place in reached if title[place : place + 1] == letter}
        if not places:
            return False
    return True

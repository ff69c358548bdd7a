"""Search matches: the rows that a search opens."""

from plugins.object_browser.model import object_of
from plugins.object_browser.nodes import GroupNode
from plugins.object_browser.rows import TreeNode
from plugins.object_browser.search import Search

_FEW = 12
"""A search that finds this few objects opens them all."""


def found_keys(groups: tuple[TreeNode, ...], search: Search, *, by_category: bool) -> set[str]:
    """The headings, and what was found by its fields, if it is not too much."""
    if not search.is_active:
        return set()
    headings = list(groups)
    objects: list[TreeNode] = []
    while headings:
        heading = headings.pop()
        for child in heading.children:
            (headings if isinstance(child, GroupNode) else objects).append(child)
    found = {node.key for node in groups}
    if by_category:
        found |= {child.key for group in groups for child in group.children}
    is_few = len(objects) <= _FEW
    return found | {node.key for node in objects if is_few or not _is_named(node, search)}


def _is_named(node: TreeNode, search: Search) -> bool:
    owner = object_of(node)
    return owner is not None and search.names_object(owner.entry.definition)

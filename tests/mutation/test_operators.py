"""Changes of statements: what each operator makes, and what nothing is made of."""

import ast

import pytest

from tests.mutation.operators import Statement
from tests.mutation.places import statements


def made(source: str) -> list[str]:
    """All changes of a module, as the text that becomes of it."""
    code = source.encode()
    return [
        (code[: one.start] + one.new.encode() + code[one.end :]).decode()
        for _, node, _ in statements(ast.parse(code).body, (), 1)
        for one in Statement(code, node).changes()
    ]


@pytest.mark.parametrize(
    ("source", "changed"),
    [
        ("x = a < b", ["x = a >= b", "x = a <= b"]),
        ("x = a is b", ["x = a is not b"]),
        ("x = a not in b", ["x = a in b"]),
        ("x = (a) + (b)", ["x = (a) - (b)"]),
        ("x = 'ä' if a else b", ["x = 'ä' if (not (a)) else b"]),
        ("x = g('ä', b // c)", ["x = g(b // c, 'ä')", "x = g('ä', b * c)"]),
        ("x = 0", ["x = 1"]),
        ("x = 1.5", ["x = 2.5", "x = 3.0", "x = (-1.5)"]),
        ("x = 1e6", ["x = 2000000.0", "x = (-1000000.0)"]),
        ("x = True", ["x = False"]),
        ("x = not a", ["x = (bool(a))"]),
        ("x = -a", ["x = (+(a))"]),
        ("x = a and b", ["x = (a or b)"]),
        ("f(a, b)", ["pass", "f(b, a)"]),
        ("x.y = a", ["pass"]),
        ("x += a", ["pass", "x -= a"]),
        ("raise a", ["pass"]),
        ("def f(x=2): return x", [
            "def f(x=3): return x", "def f(x=4): return x", "def f(x=(-2)): return x",
            "def f(x=2): return None",
        ]),
        ("for x in a:\n  if x: break", [
            "for x in a:\n  pass", "for x in a:\n  if (not (x)): break",
            "for x in a:\n  if x: continue",
        ]),
    ],
)  # fmt: skip
def test_operators_change_one_thing_each(source: str, changed: list[str]) -> None:
    assert made(source) == changed
    for one in changed:
        ast.parse(one)


@pytest.mark.parametrize(
    "source",
    [
        '"""Of 3."""',
        "x: Literal[3]",
        "x = 'a' + 'b'",
        "x = f'{a + 1}'",
        "import a",
        "log.info(a, b)",
        "def __repr__(self): return 1 + 1",
        "if TYPE_CHECKING:\n  x = 3",
        "x = zip(a, a, strict=True)",
        "x = max(a, b)",
        "class A(B, n=1): pass",
        "@mark(3)\ndef f() -> A[3]: ...",
        "assert a < 3",
    ],
)
def test_nothing_is_made_of_texts_types_and_logging(source: str) -> None:
    assert made(source) == []

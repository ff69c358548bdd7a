"""Function body in LLVM's language while it is written: blocks of instructions, and variables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from simulation.compiler.kinds import (
    REAL,
    TRUTH,
    WHOLE,
    CompilationError,
    Kind,
    Scalar,
    TupleKind,
    Value,
    common_kind,
    constant,
    items_of,
    known_real,
    llvm_types,
    tuple_of,
)

_END: Final = 2.0**63
"""Whole numbers are below it."""


class Widened(Exception):  # noqa: N818 - not an error: the function is written once more
    """A variable that has held `name`s of one kind is given another; both fit `kind`."""

    def __init__(self, name: str, kind: Kind) -> None:
        super().__init__(name)
        self.name, self.kind = name, kind


@dataclass
class Block:
    """Instructions in a row; nothing follows one that ends with a jump."""

    label: str
    lines: list[str] = field(default_factory=list)
    is_reached: bool = False
    is_closed: bool = False
    assigned: set[str] | None = None
    """Variables that have a value on every way here; None before there is a way."""


@dataclass
class EnclosingLoop:
    """Where `continue` and `break` go."""

    again: Block
    after: Block


Call = Callable[["Body", Any, Sequence[Value], Mapping[str, Value]], Value]


class Body:
    """Writes instructions into the block `here`.

    `find` gives what a name means that is no variable; `call` writes the call of a function with
    these values for its parameters, in order and by name.
    """

    def __init__(
        self,
        find: Callable[[str], Value],
        call: Call,
        kinds: dict[str, Kind],
        marks: list[str],
    ) -> None:
        """`kinds` are those of variables known to change theirs; `marks` are the module's."""
        self.find = find
        self.call = call
        self.note_fault: Callable[[int, str], tuple[str, int]] | None = None
        """In checked code: the place in memory and the number that say this fault of a line."""
        self.line = 0
        self.marks = marks
        self.apart = ""
        """The mark of what is read and written in a loop whose rounds are apart; in checked code,
        where calls remain calls, there is none."""
        self.loops: list[EnclosingLoop] = []
        self.returned: list[tuple[Block, Value]] = []
        self._kinds = kinds
        self._slots: dict[str, Value] = {}
        self._blocks = [Block("begin", assigned=set())]
        self._names = 0
        self.here = self._blocks[0]

    # --- blocks ---

    def block(self) -> Block:
        """A new one, to be entered later."""
        self._names += 1
        return Block(f"b{self._names}")

    def enter(self, block: Block) -> None:
        """Go on writing there; nothing, if there is no way to it."""
        block.is_closed = not block.is_reached
        if block.is_reached:
            self._blocks.append(block)
        self.here = block

    def jump(self, target: Block, mark: str = "") -> None:
        """End this block, if it has not ended yet."""
        self._close(f"br label %{target.label}{mark}", target)

    def branch(self, condition: Value, then: Block, other: Block) -> None:
        """End this block with a choice."""
        choice = f"label %{then.label}, label %{other.label}"
        self._close(f"br i1 {condition.operand}, {choice}", then, other)

    def give_back(self, value: Value) -> None:
        """End this block with the function's result."""
        if not self.here.is_closed:
            self.returned.append((self.here, value))
            self.here.is_closed = True

    def _close(self, line: str, *targets: Block) -> None:
        if not self.here.is_closed:
            self.here.lines.append(line)
            self.here.is_closed = True
            for target in targets:
                target.is_reached = True
                so_far = self.here.assigned or set()
                before = so_far if target.assigned is None else target.assigned
                target.assigned = so_far & before

    # --- instructions ---

    def add(self, instruction: str) -> str:
        """Write an instruction that has a result; its name."""
        self._names += 1
        name = f"%t{self._names}"
        self.here.lines.append(f"{name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Write one without."""
        self.here.lines.append(instruction)

    def mark(self, text: str) -> str:
        """Say something about instructions; its name."""
        self.marks.append(text)
        return f"!{len(self.marks) - 1}"

    @property
    def access(self) -> str:
        """What stands behind an instruction that reads or writes memory."""
        return f", !llvm.access.group {self.apart}" if self.apart else ""

    def chosen(self, holds: str, operand: str, other: str, fault: str) -> str:
        """One of two whole numbers, the first if the truth `holds`. In checked code the fault of
        this line is noted when it does not."""
        if self.note_fault is not None:
            place, number = self.note_fault(self.line, fault)
            before = self.add(f"load i64, ptr {place}")
            noted = self.add(f"select i1 {holds}, i64 {before}, i64 {number}")
            self.do(f"store i64 {noted}, ptr {place}")
        return self.add(f"select i1 {holds}, i64 {operand}, i64 {other}")

    def merge(self, arrivals: Sequence[tuple[Block, Value]], target: Block) -> Value:
        """End the open blocks with jumps to `target`, enter it, and there have the value of the
        block that was come from."""
        kind = arrivals[0][1].kind
        for _, value in arrivals[1:]:
            kind = common_kind(kind, value.kind)
        ways: list[list[str]] = [[] for _ in llvm_types(kind)]
        for block, value in arrivals:
            self.here = block
            for way, operand in zip(ways, self.convert(value, kind).operands, strict=True):
                way.append(f"[{operand}, %{block.label}]")
            self.jump(target)
        self.enter(target)
        names = [
            self.add(f"phi {name} {', '.join(way)}")
            for name, way in zip(llvm_types(kind), ways, strict=True)
        ]
        return Value(kind, tuple(names))

    # --- variables ---

    def is_variable(self, name: str) -> bool:
        """Whether something was assigned to the name before."""
        return name in self._slots

    def read(self, name: str) -> Value:
        """The variable's value here. Raises CompilationError if a way leads around its
        assignments."""
        if name not in (self.here.assigned or ()):
            raise CompilationError(f"'{name}' is not assigned on every way here")
        kind, slots = self._slots[name]
        loads = zip(llvm_types(kind), slots, strict=True)
        return Value(kind, tuple(self.add(f"load {type_}, ptr {slot}") for type_, slot in loads))

    def assign(self, name: str, value: Value) -> None:
        """Give the variable a value. Raises Widened if its kind so far cannot hold it."""
        if name not in self._slots:
            self._declare(name, self._kinds.get(name, value.kind))
        if self.here.assigned is not None:
            self.here.assigned.add(name)
        kind, slots = self._slots[name]
        fitting = common_kind(kind, value.kind)
        if fitting != kind:
            raise Widened(name, fitting)
        value = self.convert(value, kind)
        for type_, operand, slot in zip(llvm_types(kind), value.operands, slots, strict=True):
            self.do(f"store {type_} {operand}, ptr {slot}")

    def _declare(self, name: str, kind: Kind) -> None:
        names = tuple(f"%v.{name}.{i}" for i in range(len(llvm_types(kind))))
        self._slots[name] = Value(kind, names)

    # --- conversions ---

    def convert(self, value: Value, kind: Kind) -> Value:
        """The same value in a kind that can hold it; a real number given for a whole one is cut
        off towards zero."""
        match value.kind, kind:
            case given, wanted if given == wanted:
                return value
            case Scalar() as given, Scalar() as wanted:
                return Value(wanted, (self._converted(value.operand, given, wanted),))
            case TupleKind(), TupleKind():
                pairs = zip(items_of(value), kind.items, strict=True)
                return tuple_of([self.convert(item, wanted) for item, wanted in pairs])
        raise CompilationError("a number is needed here")

    def _converted(self, operand: str, given: Scalar, wanted: Scalar) -> str:
        if wanted == TRUTH:
            nothing = constant(0.0).operand if given == REAL else "0"
            compare = "fcmp une" if given == REAL else "icmp ne"
            return self.add(f"{compare} {given.llvm} {operand}, {nothing}")
        if given == WHOLE and not operand.startswith("%"):
            return constant(float(operand)).operand
        if given == REAL and wanted == WHOLE:
            return self._cut_off(operand)
        how = {(TRUTH, WHOLE): "zext", (TRUTH, REAL): "uitofp", (WHOLE, REAL): "sitofp"}
        return self.add(f"{how[given, wanted]} {given.llvm} {operand} to {wanted.llvm}")

    def _cut_off(self, operand: str) -> str:
        """Towards zero, a whole number of 64 bits."""
        if not operand.startswith("%"):
            real = known_real(operand)
            if not -_END <= real < _END:
                raise CompilationError(f"{real} is no whole number of 64 bits")
            return str(int(real))
        whole_number = self.add(f"fptosi double {operand} to i64")
        if self.note_fault is None:
            return whole_number
        begins = self.add(f"fcmp oge double {operand}, {constant(-_END).operand}")
        ends = self.add(f"fcmp olt double {operand}, {constant(_END).operand}")
        fits = self.add(f"and i1 {begins}, {ends}")
        return self.chosen(
            fits, whole_number, "0", "OverflowError ({}: no whole number of 64 bits)"
        )

    # --- the whole ---

    def text(self, result: Kind) -> str:
        """The blocks, as they stand in a definition."""
        for block, value in self.returned:
            self.here, block.is_closed = block, False
            self._close(self._return(self.convert(value, result)))
        slots = [
            f"{slot} = alloca {type_}\nstore {type_} zeroinitializer, ptr {slot}"
            for kind, names in self._slots.values()
            for type_, slot in zip(llvm_types(kind), names, strict=True)
        ]
        first, *others = self._blocks
        lines = [f"{first.label}:", *slots, *first.lines]
        for block in others:
            lines += [f"{block.label}:", *block.lines]
        return "\n".join(lines)

    def _return(self, value: Value) -> str:
        types = llvm_types(value.kind)
        if len(types) <= 1:
            return f"ret {types[0]} {value.operand}" if types else "ret void"
        whole_type, so_far = f"{{{', '.join(types)}}}", "undef"
        for i, (type_, operand) in enumerate(zip(types, value.operands, strict=True)):
            so_far = self.add(f"insertvalue {whole_type} {so_far}, {type_} {operand}, {i}")
        return f"ret {whole_type} {so_far}"


def result_type(kind: Kind) -> str:
    """What a function that gives this kind returns."""
    types = llvm_types(kind)
    return types[0] if len(types) == 1 else f"{{{', '.join(types)}}}" if types else "void"


def unpacked(body: Body, kind: Kind, returned: str) -> Value:
    """The value that a call has returned under this name."""
    types = llvm_types(kind)
    if len(types) <= 1:
        return Value(kind, (returned,) if types else ())
    names = (
        body.add(f"extractvalue {result_type(kind)} {returned}, {i}") for i in range(len(types))
    )
    return Value(kind, tuple(names))

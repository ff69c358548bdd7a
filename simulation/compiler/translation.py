"""Program translation: a program and all parts it calls, as one module in LLVM's language."""

import ast
import builtins
import inspect
import linecache
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import FunctionType
from typing import Any, NamedTuple

import numpy as np

from simulation.compiler.body import Body, Widened, result_type, unpacked
from simulation.compiler.kinds import (
    NOTHING,
    CompilationError,
    Kind,
    RecordView,
    Value,
    common_kind,
    constant,
    llvm_types,
)
from simulation.compiler.library import DECLARATIONS, Emit
from simulation.compiler.statements import write

Function = Callable[..., Any]
_TAKES_MORE = inspect.CO_VARARGS | inspect.CO_VARKEYWORDS


class Translated(NamedTuple):
    """A function for arguments of certain kinds."""

    name: str
    result: Kind


class Translation:
    """Collects functions as they are called, once for each combination of kinds of arguments.

    `parts` are those that may be called, and whether their code replaces the call; `others` write
    what they do themselves.
    """

    def __init__(self, parts: Mapping[Any, bool], others: Mapping[Any, Emit]) -> None:
        self._parts = parts
        self._others = others
        self.translated: dict[tuple[Any, ...], Translated] = {}
        """By a function and the kinds of its arguments; the program itself is the last one."""
        self.fault: np.ndarray[Any, Any] | None = None
        """One whole number; given, the code is checked, and it is the number in `faults`, from 1,
        of what was wrong last."""
        self.faults: list[str] = []
        self._begun: list[Function] = []
        self._texts: list[str] = []
        self._marks: list[str] = []
        self.arrays: list[np.ndarray[Any, Any]] = []
        """Those that the program works on besides its record: it knows them by their place in
        memory, so they have to be kept as long as it runs, and it cannot be used elsewhere."""

    def program(self, name: str, function: Function, kinds: Sequence[Kind]) -> str:
        """The module in which the function can be found by this name; it returns nothing."""
        whole = self._translate(name, function, kinds, ("", "nounwind"))
        self.translated[(function, *kinds)] = whole
        marks = [f"!{i} = {mark}" for i, mark in enumerate(self._marks)]
        return "\n".join([DECLARATIONS, *self._texts, *marks])

    def _call(
        self, body: Body, function: Any, given: Sequence[Value], named: Mapping[str, Value]
    ) -> Value:
        if function in self._others:
            return self._others[function](body, given)
        if function not in self._parts:
            name = getattr(function, "__qualname__", function)
            raise CompilationError(f"{name} is neither in `math` nor marked with @njit_part")
        values = _bound(function, given, named)
        key = (function, *(value.kind for value in values))
        if key not in self.translated:
            how = "alwaysinline" if self._parts[function] else "noinline"
            name = f"{function.__name__}.{len(self.translated)}"
            marks = ("internal", f"{how} nounwind")
            self.translated[key] = self._translate(name, function, key[1:], marks)
        name, result = self.translated[key]
        operands = ", ".join(
            f"{type_} {operand}"
            for value in values
            for type_, operand in zip(llvm_types(value.kind), value.operands, strict=True)
        )
        call = f"call {result_type(result)} @{name}({operands}){body.access}"
        if llvm_types(result):
            return unpacked(body, result, body.add(call))
        body.do(call)
        return Value(result, ())

    def _translate(
        self, name: str, function: Function, kinds: Sequence[Kind], marks: tuple[str, str]
    ) -> Translated:
        """`marks` stand before and behind a definition."""
        if not isinstance(function, FunctionType) or function in self._begun:
            raise CompilationError(f"{name} is no function, or calls itself")
        self._begun.append(function)
        widened: dict[str, Kind] = {}
        try:
            while True:
                body = Body(self._finder(function), self._call, widened, self._marks)
                if self.fault is not None:
                    body.note_fault = self._noter(function, self.fault)
                try:
                    parameters = _write_function(body, function, kinds)
                    break
                except Widened as variable:
                    widened[variable.name] = variable.kind
            result = _result_kind(body)
        except CompilationError as error:
            error.path = error.path or function.__code__.co_filename
            raise
        self._begun.pop()
        before, behind = marks
        head = f"define {before} {result_type(result)} @{name}({parameters}) {behind}"
        self._texts.append(f"{head} {{\n{body.text(result)}\n}}")
        return Translated(name, result)

    def _finder(self, function: Function) -> Callable[[str], Value]:
        """Gives what a name means in the function, if it is none of its own variables."""
        cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        enclosed = {name: cell.cell_contents for name, cell in cells}

        def find(name: str) -> Value:
            if name in function.__code__.co_varnames:
                raise CompilationError(f"'{name}' is read above where it is assigned")
            for names in (enclosed, function.__globals__, vars(builtins)):
                if name in names:
                    found = names[name]
                    is_array = isinstance(found, np.ndarray)
                    return self._array(found) if is_array else constant(found)
            raise CompilationError(f"'{name}' is not known here")

        return find

    def _noter(
        self, function: FunctionType, fault: "np.ndarray[Any, Any]"
    ) -> Callable[[int, str], tuple[str, int]]:
        def note(line: int, what: str) -> tuple[str, int]:
            self.faults.append(what.format(f"{function.__code__.co_filename}:{line}"))
            return self._array(fault).operand, len(self.faults)

        return note

    def _array(self, array: "np.ndarray[Any, Any]") -> Value:
        self.arrays.append(array)
        kind = RecordView(array.dtype, array.shape, array.strides)
        return Value(kind, (f"inttoptr (i64 {array.ctypes.data} to ptr)",))


def _write_function(body: Body, function: Function, kinds: Sequence[Kind]) -> str:
    """Write it all; its parameters, as they stand in a definition."""
    node = _definition(function)
    arguments, code = node.args.args, function.__code__
    if len(arguments) != len(kinds) or code.co_flags & _TAKES_MORE or code.co_kwonlyargcount:
        raise CompilationError(f"{function.__name__} has to take {len(kinds)} plain parameters")
    parameters = []
    for argument, kind in zip(arguments, kinds, strict=True):
        types = llvm_types(kind)
        names = tuple(f"%a.{argument.arg}.{i}" for i in range(len(types)))
        parameters += [f"{type_} {name}" for type_, name in zip(types, names, strict=True)]
        body.assign(argument.arg, Value(kind, names))
    write(body, node.body)
    body.give_back(Value(NOTHING, ()))
    return ", ".join(parameters)


def _result_kind(body: Body) -> Kind:
    if not body.returned:
        raise CompilationError("it never ends")
    kind = body.returned[0][1].kind
    for _, value in body.returned[1:]:
        kind = common_kind(kind, value.kind)
    return kind


def _bound(function: Function, given: Sequence[Value], named: Mapping[str, Value]) -> list[Value]:
    """The arguments in the order of the parameters, defaults in place of those not given."""
    code, defaults = function.__code__, function.__defaults__ or ()
    names = code.co_varnames[: code.co_argcount]
    values = dict(zip(names[len(names) - len(defaults) :], map(constant, defaults), strict=True))
    values |= dict(zip(names, given, strict=False)) | dict(named)
    if len(given) > len(names) or set(values) != set(names):
        raise CompilationError(f"{function.__name__} takes {', '.join(names)}")
    return [values[name] for name in names]


def _definition(function: Function) -> ast.FunctionDef:
    code = function.__code__
    definitions = _definitions("".join(linecache.getlines(code.co_filename)))
    if code.co_firstlineno not in definitions:
        raise CompilationError(f"{function.__qualname__} is not defined by `def` in a file")
    return definitions[code.co_firstlineno]


@cache
def _definitions(source: str) -> dict[int, ast.FunctionDef]:
    """The functions of a file or of a notebook's cell, by the line they begin in."""
    functions = (node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.FunctionDef))
    return {min([f.lineno, *(mark.lineno for mark in f.decorator_list)]): f for f in functions}

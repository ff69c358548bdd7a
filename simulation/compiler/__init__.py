"""Compiler of the simulator's programs: Python on records, by way of LLVM, to machine code.

numba can do this too and took ten times as long for it, nearly all in its own Python: it infers
types by iteration, for a language that has objects, exceptions and arrays of unknown layout. Parts
of programs have none of these. Records give the type, place and shape of everything before the
first statement is read, so one pass over the syntax tree translates a function.

    kinds        what a value can be: numbers, views of records and arrays, tuples
    body         a function in LLVM's language while it is written: blocks, variables
    arithmetic   operators and conversions of numbers
    memory       members of records and elements of arrays
    library      what of `math` and of Python's own functions can be called
    expressions, statements   the syntax tree, node by node
    translation  a program and the parts it calls, as one LLVM module
    machine      LLVM itself: optimising, machine code, loading it
    store        the cache on disk

Results are those of the plain Python functions to the bit: no operation is reordered or fused. A
part that needs more than there is here is refused with its file and line.
"""

"""LLVM: from its language to machine code of this computer, and that into memory."""

import ctypes
import sys
from functools import cache

import llvmlite
import llvmlite.binding as llvm

from simulation.compiler.arithmetic import POWER
from simulation.compiler.library import LIBRARY_FUNCTIONS

_LEVEL = 2  # the third takes longer and gains nothing
_engines: list[llvm.ExecutionEngine] = []  # keep what is loaded in memory


@cache
def description() -> str:
    """What machine code is made for and by: on another processor or LLVM it is made anew."""
    _initialise()
    versions = f"{llvmlite.__version__} {llvm.llvm_version_info} {_LEVEL}"
    return f"{versions} {llvm.get_process_triple()} {llvm.get_host_cpu_name()} {_features()}"


def machine_code(text: str) -> bytes:
    """Optimise a module and make it an object file."""
    _initialise()
    module = llvm.parse_assembly(text)
    machine = _target_machine()
    module.triple = llvm.get_process_triple()
    module.data_layout = str(machine.target_data)
    options = llvm.create_pipeline_tuning_options(_LEVEL)
    options.loop_vectorization = options.slp_vectorization = False  # no gain on three axes
    builder = llvm.create_pass_builder(machine, options)
    builder.getModulePassManager().run(module, builder)
    return bytes(machine.emit_object(module))


def load(code: bytes, name: str) -> int:
    """The address of a function in an object file, which stays loaded."""
    _initialise()
    _bind_library()
    engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), _target_machine())
    engine.add_object_file(llvm.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _engines.append(engine)
    return int(engine.get_function_address(name))


@cache
def _initialise() -> None:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()


def _features() -> str:
    try:
        return str(llvm.get_host_cpu_features().flatten())
    except RuntimeError:  # not known for this kind of processor
        return ""


def _target_machine() -> llvm.TargetMachine:
    target = llvm.Target.from_triple(llvm.get_process_triple())
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(),
        features=_features(),
        opt=_LEVEL,
        reloc="static" if target.name.startswith("x86") else "default",
        codemodel="jitdefault",
        jit=True,
    )


@cache
def _bind_library() -> None:
    """Let machine code find the functions of the C library that Python itself uses."""
    library = ctypes.CDLL("ucrtbase" if sys.platform == "win32" else None)
    for name in LIBRARY_FUNCTIONS:
        address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        if address is not None:
            llvm.add_symbol(POWER if name == "pow" else name, address)

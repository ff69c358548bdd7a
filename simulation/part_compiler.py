"""Has numba keep the parts of a program as code to be built into it, and no more than that.

numba optimises every function and turns it into machine code as soon as it is compiled, for calls
from outside. Nobody calls a part from outside: its code goes into the program that calls it, and
is optimised there once more. So a part stays as it was written until then, which saves a third of
the time it takes to compile a program and leaves the program as fast.

This is an extension by numba's own means, a compiler with a step of its own; but the step uses
parts of numba that its documentation does not promise: `_dynfunc`, the code library's link list
and `finalize`, and what `NativeLowering` leaves behind. So pyproject.toml bounds numba from above
by the last version the tests have passed with. If a later one has moved what is imported here,
importing this module raises ImportError, `simulation.compiled` takes numba's usual compiler, and
compiling takes longer with the same results. If it changes only what those names do, compiling a
program fails in `finalize` or `run_pass` below: do not raise the bound before that is mended.
"""

from typing import Any

from numba import _dynfunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import register_pass
from numba.core.typed_passes import NativeLowering


class _PartLibrary(JITCodeLibrary):  # type: ignore[misc, unused-ignore]
    """The code of a part and of the parts it calls, not optimised together nor made executable."""

    def finalize(self) -> None:
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalized = True


@register_pass(mutates_CFG=True, analysis_only=False)  # type: ignore[untyped-decorator, unused-ignore]
class _PartLowering(NativeLowering):  # type: ignore[misc, unused-ignore]
    """As numba's own step, but what others find is the code alone."""

    _name = "part_lowering"

    def run_pass(self, state: Any) -> bool:
        name = state.func_id.func_qualname
        state.library = _PartLibrary(state.targetctx.codegen(), name)
        state.flags.no_compile = True
        super().run_pass(state)
        made = state["cr"]
        # What stands for the part among others; it can be looked up but not called.
        module = made.fndesc.lookup_module()
        key = _dynfunc.make_function(module, name, "", 0, made.env, (state.library,))
        state.targetctx.insert_user_function(key, made.fndesc, [state.library])
        state["cr"] = made._replace(cfunc=key)
        return True


class PartCompiler(CompilerBase):  # type: ignore[misc, unused-ignore]
    """For `numba.jit(pipeline_class=...)` of functions that only compiled functions call."""

    def define_pipelines(self) -> list[Any]:
        steps = DefaultPassBuilder.define_nopython_pipeline(self.state)
        steps.passes = [
            (_PartLowering if step is NativeLowering else step, name) for step, name in steps.passes
        ]
        steps.finalize()
        return [steps]

"""`--force`: what acts on the aircraft from outside, as a table or as code that the user names."""

import argparse
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from simulation.command.options import Options, value

if TYPE_CHECKING:
    from simulation.simulator.external_force import ExternalForce


FORCE_OPTIONS: Options = {
    "--force": value(
        "FILE.csv|FILE.c|FILE.so|FILE.py:NAME",
        "have this act on the aircraft from outside: a table, or your code, see "
        "examples/simulation/README.md",
    )
}


def load_force(options: argparse.Namespace, resources: ExitStack) -> "ExternalForce":
    """What the option names, until `resources` are closed. Raises ForceError or SilError."""
    from simulation.simulator.external_force import NO_FORCE, library_force

    text = options.force
    if text is None:
        return NO_FORCE
    from simulation.sil.target import build_library, code_file
    from simulation.simulator.force_table import read_force_table, table_force

    path, suffix = Path(text), Path(text).suffix
    if suffix == ".csv":
        return table_force(read_force_table(path))
    if suffix == ".c":
        import tempfile

        folder = tempfile.TemporaryDirectory(prefix="lapwing-force-", ignore_cleanup_errors=True)
        resources.enter_context(folder)
        return library_force(build_library(code_file(path, "--force"), Path(folder.name)))
    if suffix in (".so", ".dll", ".dylib"):
        return library_force(code_file(path, "--force"))
    return _python(text)


def _python(text: str) -> "ExternalForce":
    """A function, which is compiled, or an ExternalForce, of a Python file. Raises ForceError or
    SilError."""
    import importlib.util

    from simulation.sil.target import code_file
    from simulation.simulator.external_force import ExternalForce, ForceError, compiled_force

    file, colon, name = text.rpartition(":")
    if not (colon and file.endswith(".py") and name.isidentifier()):
        raise ForceError(f"'{text}' is no force; give FILE.csv, FILE.c, FILE.so or FILE.py:NAME.")
    path = code_file(Path(file), "--force")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None:
        raise ForceError(f"{path} is no Python file.")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:  # the border to a user's file: reported
        raise ForceError(f"{path.name} raised {type(error).__name__} ({error}).") from error
    made = getattr(module, name, None)
    if isinstance(made, ExternalForce):
        return made
    if not callable(made):
        raise ForceError(f"{path.name} has no function or ExternalForce {name}.")
    return compiled_force(made)

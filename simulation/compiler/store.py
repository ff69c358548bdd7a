"""Machine code cache on disk, so that only the first start compiles.

A file begins with a digest of what it was made from and of what it holds: half a file, or one of
other sources, is as none.
"""

import hashlib
import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from typing import Final

from simulation.compiler.code_folder import code_folders
from telemetry.base.file_lock import locked
from telemetry.base.input_files import LARGEST_CODE_BYTES, read_bytes
from telemetry.base.safe_files import whole_file

_LONGEST_S: Final = 60.0
"""A program is made in two seconds; who makes one and stands still keeps nobody for good."""
_DIGEST: Final = hashlib.sha256


def kept(name: str, key: str, make: Callable[[], bytes]) -> bytes:
    """What is kept under this name, made from what `key` says; else what `make` gives, kept from
    then on if a folder can be written. Who needs it meanwhile, in another process too, waits."""
    code = found(name, key)
    if code is not None:
        return code
    with ExitStack() as alone:
        for folder in code_folders(os.environ):
            path = folder / _file_name(name)
            with suppress(OSError):
                folder.mkdir(parents=True, exist_ok=True)
                alone.enter_context(locked(path, _LONGEST_S))
                break
        else:
            return make()
        code = found(name, key)  # somebody else may have made it
        if code is None:
            code = make()
            with suppress(OSError), whole_file(path) as written:
                written.write_bytes(_signed(key, code))
    return code


def found(name: str, key: str) -> bytes | None:
    """What is kept; None if it is of other sources, or of none."""
    for folder in code_folders(os.environ):
        with suppress(OSError):
            content = read_bytes(folder / _file_name(name), LARGEST_CODE_BYTES)
            code = content[_DIGEST().digest_size :]
            if content == _signed(key, code):
                return code
    return None


def _file_name(name: str) -> str:
    return f"{name}.machine-code"


def _signed(key: str, code: bytes) -> bytes:
    return _DIGEST(key.encode() + code).digest() + code

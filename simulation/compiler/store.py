"""Machine code cache on disk, so that only the first start compiles.

A file begins with a digest of what it was made from and of what it holds: half a file, or one of
other sources, is as none.
"""

import hashlib
import os
from contextlib import suppress
from typing import Final

from simulation.compiler.code_folder import code_folders
from telemetry.base.input_files import LARGEST_CODE_BYTES, read_bytes
from telemetry.base.safe_files import whole_file

_DIGEST: Final = hashlib.sha256


def find(name: str, key: str) -> bytes | None:
    """What was kept under this name, made from what `key` says; None if there is nothing."""
    for folder in code_folders(os.environ):
        with suppress(OSError):
            content = read_bytes(folder / _file_name(name), LARGEST_CODE_BYTES)
            code = content[_DIGEST().digest_size :]
            if content == _signed(key, code):
                return code
    return None


def keep(name: str, key: str, code: bytes) -> None:
    """Write it where it will be found, in place of what was made from other sources; nowhere, if
    no folder can be written."""
    for folder in code_folders(os.environ):
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
            with whole_file(folder / _file_name(name)) as written:
                written.write_bytes(_signed(key, code))
            return


def _file_name(name: str) -> str:
    return f"{name}.machine-code"


def _signed(key: str, code: bytes) -> bytes:
    return _DIGEST(key.encode() + code).digest() + code

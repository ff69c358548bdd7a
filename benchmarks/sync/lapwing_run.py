"""Runs of `lapwing`: any command, and what `lapwing sync` finds, which is kept."""

import hashlib
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_ROOT = Path(__file__).parents[2]
_FINDS = (
    "telemetry/review/flights/synchronisation",
    "telemetry/review/cameras",
    "telemetry/recording/video_files",
    "telemetry/recording/logs",
)


class FilmingFailedError(Exception):
    """A command has failed that must not."""


def lapwing(*words: object) -> subprocess.CompletedProcess[str]:
    """The command as it stands in this tree."""
    command = [sys.executable, "-m", "lapwing", *map(str, words)]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=False)


def found_in(videos: Sequence[Path], log: Path, kept: Path, again: bool) -> dict[str, Any]:
    """What `lapwing sync --json` says, and `cpu_s`, the processor time that it took; from the file
    `kept` if the code that finds it is still the same and it is not to be done `again`."""
    if kept.exists() and not again:
        content: dict[str, Any] = json.loads(kept.read_text(encoding="utf-8"))
        if content.get("code") == _code():
            return content
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = lapwing("sync", *videos, log, "--json")
    if not run.stdout:
        raise FilmingFailedError(f"{videos[0].name} was not looked at: {run.stderr}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    content = {**json.loads(run.stdout), "cpu_s": round(cpu_s, 2), "code": _code()}
    kept.write_text(json.dumps(content), encoding="utf-8")
    return content


def _code() -> str:
    """A digest of what finds synchronisations."""
    files = sorted(path for folder in _FINDS for path in (_ROOT / folder).rglob("*.py"))
    digest = hashlib.sha256(b"".join(path.read_bytes() for path in files))
    return digest.hexdigest()[:16]

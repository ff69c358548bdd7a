"""The short check that CI makes of the speed: four figures against those recorded here.

`python -m benchmarks.gate` measures processor time, so that what else runs counts little, and puts
it on the scale of `benchmarks/calibration.py`. A figure fails beyond 1.5 times the recorded one, if
it does in each of three attempts. `--record` takes today's figures for the recorded ones.
"""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from benchmarks.bench_logs import decode_us_per_frame
from benchmarks.calibration import calibrate
from benchmarks.hover import steps_per_s

RECORDED = Path(__file__).with_name("recorded.json")
MOST_TIMES = 1.5
_ATTEMPTS = 3
_STEPS = 100_000
_PROBE_TIMEOUT_S = 120


def main(words: Sequence[str]) -> int:
    """1 if something became slower than the gate allows."""
    if words == ["--record"]:
        RECORDED.write_text(json.dumps(measure(), indent=2) + "\n", encoding="utf-8")
        return 0
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    best: dict[str, float] = {}
    for _ in range(_ATTEMPTS):
        measured = measure()
        best = {name: min(value, best.get(name, value)) for name, value in measured.items()}
        if not too_slow(best, recorded):
            break
    for name, value in best.items():
        print(f"speed: {name:32}{value:8.2f}, recorded {recorded[name]:8.2f}")
    failed = too_slow(best, recorded)
    if failed:
        print(f"speed: more than {MOST_TIMES} times as slow as recorded: {', '.join(failed)}")
    return 1 if failed else 0


def measure() -> dict[str, float]:
    """Calibrated processor times: decoding, a step, and a tick and a seek of *Fly*."""
    before = calibrate(time.process_time).slowness
    raw = {
        "decode, us per frame": decode_us_per_frame(time.process_time),
        "step, us": 1e6 / steps_per_s(_STEPS // 10, _STEPS, clock=time.process_time),
        **_fly(),
    }
    slowness = (before + calibrate(time.process_time).slowness) / 2
    return {name: round(value / slowness, 3) for name, value in raw.items()}


def too_slow(measured: dict[str, float], recorded: dict[str, float]) -> list[str]:
    """The figures beyond `MOST_TIMES` their recorded value."""
    return [name for name, value in measured.items() if value > MOST_TIMES * recorded[name]]


def _fly() -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.gui_probe", "gate"]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, text=True, check=True, timeout=_PROBE_TIMEOUT_S
    )
    probed = json.loads(done.stdout.splitlines()[-1])
    return {"tick of Fly, ms": probed["tick_ms"], "seek in Fly, ms": probed["seek_ms"]}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

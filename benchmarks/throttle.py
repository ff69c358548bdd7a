"""Gives a process a share of its processor by stopping it in between, as a busy machine would.

`python -m benchmarks.throttle PID SHARE` goes on until it is ended, and lets the process run then.
"""

import os
import signal
import sys
import time

PERIOD_S = 0.03


def throttle(pid: int, share: float) -> None:
    """Let `pid` run for `share` of each `PERIOD_S`. Raises ProcessLookupError once it is gone."""
    try:
        while True:
            os.kill(pid, signal.SIGCONT)
            time.sleep(share * PERIOD_S)
            os.kill(pid, signal.SIGSTOP)
            time.sleep((1.0 - share) * PERIOD_S)
    finally:
        os.kill(pid, signal.SIGCONT)


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, lambda _number, _frame: sys.exit())
    throttle(int(sys.argv[1]), float(sys.argv[2]))

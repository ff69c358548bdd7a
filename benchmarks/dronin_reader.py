"""dRonin's own reader beside ours: measured where a checkout of it is.

LAPWING_DRONIN names a folder with dRonin's `python` and `shared/uavobjectdefinition`. It is no part
of ours.
"""

import os
import subprocess
import sys
from pathlib import Path

_VARIABLE = "LAPWING_DRONIN"
_TIMEOUT_S = 600.0
_MOST_BYTES = 10_000_000

# It is handed the frames without the records around them: in records it stops after half a block
# that is larger than a kilobyte. Objects that it has no definition of cost it less than others.
_READ = """
import logging, pathlib, struct, sys, time
checkout, log, most = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
sys.path.insert(0, str(checkout / "python"))
logging.disable(logging.CRITICAL)
from dronin.uavo_collection import UAVOCollection
from dronin.uavtalk import process_stream
data = open(log, "rb").read(most)
at = data.find(b"##\\n") + 3 if data.startswith(b"dRonin") else 0
frames = []
while at + 12 <= len(data):
    _, size = struct.unpack_from("<IQ", data, at)
    frames.append(data[at + 12 : at + 12 + size])
    at += 12 + size
stream = b"".join(frames)
definitions = UAVOCollection()
definitions.from_uavo_xml_path(str(checkout / "shared" / "uavobjectdefinition"))
reader = process_stream(definitions, gcs_timestamps=False)
objects, position = iter(reader), 0
began = time.process_time()
while True:
    if reader.want_more_data():
        block = stream[position : position + 524288]
        position += len(block)
        reader.new_data(block) if block else reader.set_eof()
    try:
        next(objects)
    except StopIteration:
        break
print(len(frames) / (time.process_time() - began))
"""


def frames_per_s(log: Path) -> float | None:
    """How many frames of a log it reads in a second of processor time; None without it."""
    checkout = os.environ.get(_VARIABLE, "")
    if not checkout:
        return None
    command = [sys.executable, "-c", _READ, checkout, str(log), str(_MOST_BYTES)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=_TIMEOUT_S)
    return float(done.stdout)

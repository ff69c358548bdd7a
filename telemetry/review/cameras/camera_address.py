"""Camera address: a device, an address in the network, or a pipe or file in its place."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from telemetry.recording.video_files.frame_source import VideoError

EXAMPLES = "/dev/video0, rtsp://192.168.1.10/live or http://192.168.1.10:8080/video"

_V4L = "v4l2:"
_DEVICES = Path("/dev")
_NETWORK = {
    "rtsp": {"rtsp_transport": "tcp"},
    "rtsps": {"rtsp_transport": "tcp"},
    "http": {"protocol_whitelist": "http,https,tcp,tls,crypto"},
    "https": {"protocol_whitelist": "http,https,tcp,tls,crypto"},
    "udp": {"protocol_whitelist": "udp,rtp"},
    "tcp": {"protocol_whitelist": "tcp"},
}
_QUICK = {
    "flags": "low_delay",
    "analyzeduration": "1000000",  # a second, where FFmpeg would look at five
    "fpsprobesize": "2",
}
_AT_ONCE = {**_QUICK, "fflags": "nobuffer"}


@dataclass(frozen=True, slots=True)
class CameraAddress:
    """An address as the user wrote it, and how FFmpeg opens it: `place`, `format` ("" is found
    out) and `options`. `is_file` says that it is on a disk, and tells its own speed."""

    text: str
    place: str
    format: str = ""
    options: dict[str, str] = field(default_factory=dict)
    is_file: bool = False


def parse_camera_address(text: str) -> CameraAddress:
    """Raises VideoError for what is no address of a camera; whether one is there is not asked."""
    text = text.strip()
    device = text.removeprefix(_V4L)
    if re.fullmatch(r"/dev/video\d{1,3}", device):
        return CameraAddress(text, device, "v4l2", dict(_AT_ONCE))
    scheme, mark, rest = text.partition("://")
    if mark and rest and scheme.lower() in _NETWORK:
        return CameraAddress(text, text, "", {**_AT_ONCE, **_NETWORK[scheme.lower()]})
    if not mark and not text.startswith(_V4L) and text and "\0" not in text:
        path = Path(text).expanduser()
        if path.exists() and not path.is_dir():
            return CameraAddress(text, str(path), "", dict(_QUICK), path.is_file())
    raise VideoError(f"'{text[:200]}' is not the address of a camera. Write it like {EXAMPLES}.")


def camera_devices() -> tuple[str, ...]:
    """The cameras of this computer that can be opened, as addresses."""
    found = _DEVICES.glob("video*") if _DEVICES.is_dir() else ()
    numbers = sorted(int(path.name[5:]) for path in found if path.name[5:].isdecimal())
    return tuple(f"/dev/video{number}" for number in numbers)

"""H.264 reference pictures: those others lean on; ITU-T H.264, 7.3.1, 7.4.1 and Table 7-1."""

_SLICES = (1, 2, 5)


def length_bytes(codec: str, extradata: bytes | None) -> int:
    """How many bytes tell the length of each unit of a packet, by the configuration in MP4 and MKV
    (ISO/IEC 14496-15, 5.2.4.1); 0 where units are told apart otherwise."""
    is_configured = codec == "h264" and extradata is not None and extradata[:1] == b"\1"
    return (extradata[4] & 3) + 1 if is_configured and extradata and len(extradata) > 4 else 0


def is_reference(packet: bytes | memoryview, unit_length_bytes: int) -> bool:
    """Whether others may lean on the picture in a packet; True where that cannot be told."""
    at = unit_length_bytes
    while at < len(packet) and unit_length_bytes:
        if packet[at] & 31 in _SLICES:
            return bool(packet[at] & 0x60)
        at += int.from_bytes(packet[at - unit_length_bytes : at], "big") + unit_length_bytes
    return True

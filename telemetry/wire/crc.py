"""The checksum at the end of every frame: CRC-8, polynomial 0x07, start 0, not reflected."""

POLYNOMIAL = 0x07


def _table_entry(value: int) -> int:
    for _ in range(8):
        value = (value << 1) ^ POLYNOMIAL if value & 0x80 else value << 1
    return value & 0xFF


CRC_TABLE = bytes(_table_entry(value) for value in range(256))
_STEPS = tuple(CRC_TABLE)  # the interpreter looks up in a tuple faster than in bytes


def crc8(data: bytes | bytearray | memoryview, crc: int = 0) -> int:
    """Continue `crc` over `data`."""
    steps = _STEPS
    for byte in data:
        crc = steps[crc ^ byte]
    return crc

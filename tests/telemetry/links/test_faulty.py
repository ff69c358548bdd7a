from telemetry.links.faulty import Faults, FaultyLink
from telemetry.links.memory import pair


def through(faults: Faults, chunks: list[bytes]) -> list[bytes]:
    near, far = pair()
    link = FaultyLink(near, faults)
    received = []
    for chunk in chunks:
        far.write(chunk)
        received.append(link.read(0.0))
    return received


def test_every_20th_byte_is_flipped_across_chunks() -> None:
    data = b"".join(through(Faults(flip_every=20), [bytes(7)] * 20))
    assert [index for index, byte in enumerate(data) if byte] == [19, 39, 59, 79, 99, 119, 139]


def test_loss_and_doubling_are_repeatable() -> None:
    faults = Faults(loss=0.3, doubling=0.3, seed=4)
    chunks = [bytes([number]) for number in range(100)]
    once = through(faults, chunks)
    assert once == through(faults, chunks)
    assert b"" in once
    assert any(len(chunk) == 2 for chunk in once)


def test_without_faults_nothing_happens() -> None:
    assert through(Faults(), [b"abc", b"def"]) == [b"abc", b"def"]

"""Programs in lockstep: what they say first, how they fail, and that none is left behind."""

import os
import signal
from pathlib import Path

import pytest

from simulation.hitl.lockstep.program import LockstepError, LockstepProgram, ProgramFailed
from tests.simulation.hitl.lockstep.programs import fake, needs_posix, python_program

pytestmark = needs_posix

_ECHO = """
hello(tick_us=2000, sensor_ticks=3)
while True:
    tick, data = wait()
    send(3, tick, data[::-1])
"""


def is_running(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    return True


def test_ticks_are_counted_from_0_and_bytes_come_back(tmp_path: Path) -> None:
    program = LockstepProgram(fake(tmp_path, _ECHO))
    try:
        assert (program.hello.tick_us, program.hello.sensor_ticks) == (2000, 3)
        assert program.hello.sensor_us == 6000
        assert [program.advance(bytes([n, 7])) for n in range(3)] == [b"\7\0", b"\7\1", b"\7\2"]
        assert (program.tick, program.now_us) == (3, 6000)
        longest = bytes(range(256)) * 256
        assert program.advance(longest) == longest[::-1]
    finally:
        program.close()


def test_the_program_ends_with_the_flight(tmp_path: Path) -> None:
    program = LockstepProgram(fake(tmp_path, "hello()\nthreading.Event().wait()\n"))
    assert is_running(program.process_id)
    program.close()
    assert not is_running(program.process_id)
    program.close()
    with pytest.raises(ProgramFailed, match="was ended"):
        program.advance(b"")


def test_it_lives_in_an_empty_folder_of_its_own(tmp_path: Path) -> None:
    text = "hello()\ntick, _ = wait()\nsend(3, tick, f'{os.getcwd()} {os.listdir()}'.encode())\n"
    folders = set()
    for _ in range(2):
        program = LockstepProgram(fake(tmp_path, text))
        folder, _, files = program.advance(b"").decode().partition(" ")
        program.close()
        folders.add(folder)
        assert files == "[]"
        assert not Path(folder).exists()
    assert len(folders) == 2


def test_what_is_started_again_finds_what_it_has_saved(tmp_path: Path) -> None:
    text = """
hello()
tick, _ = wait()
send(3, tick, " ".join(os.listdir()).encode())
open("saved", "w").close()
tick, _ = wait()
send(3, tick, b"")
wait()
"""
    program = LockstepProgram(fake(tmp_path, text))
    try:
        first = program.process_id
        assert program.advance(b"") == b""
        program.advance(b"")
        program.restart()
        assert not is_running(first)
        assert program.tick == 0
        assert program.advance(b"") == b"saved"
    finally:
        program.close()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("hello(version=2)", "built for version 2 of lapwing_lockstep.h, and this Lapwing has"),
        ("hello(tick_us=1500)", "its tick of 1500 us is none of 1000 to 20000 us"),
        ("hello(tick_us=0)", "its tick of 0 us"),
        ("hello(tick_us=21000)", "its tick of 21000 us"),
        ("hello(sensor_ticks=0)", "its sensor task at every 0 ticks"),
        ("hello(sensor_ticks=101)", "its sensor task at every 101 ticks"),
        ("hello(reserved=1)", "the last word of its hello is not 0"),
        ("send(3, 0, b'')", "it does not begin with HELLO"),
        ("send(1, 0, b'abc')", "it does not begin with HELLO"),
        ("end.sendall(b'\\xff' * 16)", "sends 4294967295 bytes at once"),
        ("end.sendall(b'abc'); end.close()", "hangs up in the middle|closed its socket"),
        (
            "sys.exit('No gyro')",
            "ended by itself with exit code 1 before .*its last words: No gyro",
        ),
        ("os.kill(os.getpid(), 11)", r"crashed \(SIGSEGV\) before it said hello"),
        ("threading.Event().wait()", r"says no hello within 0\.3 s"),
    ],
)
def test_what_is_no_program_for_lockstep_is_told_in_a_sentence(
    text: str, reason: str, tmp_path: Path
) -> None:
    path = fake(tmp_path, f"{text}\nthreading.Event().wait()\n")
    patience_s = 0.3 if "no hello" in reason else 60.0
    with pytest.raises(LockstepError, match=reason) as caught:
        LockstepProgram(path, hello_patience_s=patience_s)
    assert str(caught.value).startswith("controller ")
    assert str(caught.value).endswith("simulation/hitl/README.md says what it has to do.")
    assert str(caught.value).count("\n") == 0


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("sys.exit(3)", "ended by itself with exit code 3 in tick 5, 0.005 s after its start"),
        ("os.kill(os.getpid(), 9)", r"crashed \(SIGKILL\) in tick 5"),
        ("sys.exit('Stack overflow')", "exit code 1 in tick 5, .*its last words: Stack overflow"),
        ("threading.Event().wait()", r"did not answer within 0\.3 s in tick 5"),
        ("send(3, 4, b'')", "answers tick 4 instead of DONE with its number in tick 5"),
        ("send(2, 5, b'')", "sends a message of kind 2 instead of DONE"),
        ("end.sendall(struct.pack('<IIQ', 3, 65537, 5))", "sends 65537 bytes at once"),
        ("end.sendall(struct.pack('<IIQ', 3, 9, 5)); end.close()", "hangs up|closed its socket"),
        ("end.close(); threading.Event().wait()", "closed its socket in tick 5"),
        ("end.sendall(struct.pack('<IIQ', 3, 9, 5) + b'abc')", "does not finish what it sends"),
    ],
)
def test_a_program_that_fails_in_flight_is_told_in_a_sentence(
    text: str, reason: str, tmp_path: Path
) -> None:
    script = f"""
hello()
while True:
    tick, data = wait()
    if tick == 5:
        {text}
        threading.Event().wait()
    send(3, tick, b"")
"""
    patience_s = 0.3 if "within" in reason or "finish" in reason else 60.0
    program = LockstepProgram(fake(tmp_path, script), patience_s)
    for _ in range(5):
        program.advance(b"")
    with pytest.raises(ProgramFailed, match=reason) as caught:
        program.advance(b"")
    assert str(caught.value).startswith("The firmware controller ")
    assert str(caught.value).endswith("Correct it and fly again.")
    assert not is_running(program.process_id)


def test_one_that_says_much_is_heard_to_its_last_lines(tmp_path: Path) -> None:
    text = """
hello()
for n in range(20000):
    print("line", n, "." * 500, file=sys.stderr)
print("the end", file=sys.stderr, flush=True)
wait()
os._exit(4)
"""
    program = LockstepProgram(fake(tmp_path, text))
    with pytest.raises(ProgramFailed, match=r"exit code 4 .*line 19999 .* / the end;") as caught:
        program.advance(b"")
    assert len(str(caught.value)) < 2000


def test_ctrl_c_is_not_for_the_program(tmp_path: Path) -> None:
    text = "hello()\ntick, _ = wait()\nsend(3, tick, str(os.getsid(0) == os.getpid()).encode())\n"
    program = LockstepProgram(fake(tmp_path, text))
    try:
        assert program.advance(b"") == b"True"
        assert os.getpgid(program.process_id) != os.getpgid(0)
    finally:
        os.killpg(program.process_id, signal.SIGTERM)
        program.close()


def test_a_file_that_cannot_be_run_is_told(tmp_path: Path) -> None:
    with pytest.raises(LockstepError, match=r"There is no program .*check its path"):
        LockstepProgram(tmp_path / "nothing")
    text = tmp_path / "text"
    text.write_text("hello", encoding="utf-8")
    with pytest.raises(LockstepError, match="is no program that may be run"):
        LockstepProgram(text)
    stranger = python_program(tmp_path, "")
    stranger.write_bytes(b"\x7fELF of another machine")
    with pytest.raises(LockstepError, match=r"cannot be started: .*built for this computer"):
        LockstepProgram(stranger)

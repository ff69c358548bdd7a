"""Sub-commands of `lapwing sim`, and the older words without one."""

import argparse
import json

import pytest

from simulation.command.older_spelling import with_command
from tests.simulation.command.test_sim_command import call


@pytest.mark.parametrize(
    ("older", "words"),
    [
        ("", "fly"),
        ("--seed 3 --json", "fly --seed 3 --json"),
        ("--json --scenario a --set b=1", "fly a --json --set b=1"),
        ("--scenario=a --duration 3", "fly a --duration 3"),
        ("--scen a --dur 3", "fly a --duration 3"),
        ("--fast --duration 3", "stand 3 --fast"),
        ("--duration -5", "stand -5"),
        ("--serve tcp:a:1 --duration 3 --erased", "serve tcp:a:1 --duration 3 --erased"),
        ("--hitl tcp:a:1 --hitl-rate 50 --scenario a", "hitl tcp:a:1 --scenario a --hitl-rate 50"),
        ("--hitl tcp:a:1 --serve tcp:b:2", "hitl tcp:a:1 --serve tcp:b:2"),
        ("--plot a.png --sheet ar100b", "sheet ar100b --plot a.png"),
        ("--list --json --seed 3", "scenarios --json"),
        ("--list-worlds --list", "scenarios"),
        ("--list-worlds", "worlds"),
    ],
)
def test_older_words_choose_a_sub_command(older: str, words: str) -> None:
    made = with_command(older.split(), argparse.ArgumentParser(add_help=False))
    assert [word for word in made if word] == words.split()


def test_both_spellings_are_the_same_flight(capsys: pytest.CaptureFixture[str]) -> None:
    assert call("--duration", "1", "--seed", "5", "--json") == 0
    assert call("stand", "1", "--seed", "5", "--json") == 0
    assert call("stand", "1", "--seed", "6", "--json") == 0
    reports = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    hashes = [report["log_hash"] for report in reports]
    assert hashes[0] == hashes[1] != hashes[2]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("stand 1 --set a=1", "stand` takes no --set: nobody flies the aircraft; leave it out, or"),
        ("stand 1 --plot a.png", "use `lapwing sim fly` or `lapwing sim sheet`."),
        ("serve tcp:127.0.0.1:0 --fast", "serve` takes no --fast: it flies in real time"),
        ("serve tcp:127.0.0.1:0 --record-rate=9", "takes no --record-rate: it flies in real time"),
        ("fly --erased", "takes no --erased; leave it out, or use `lapwing sim serve`."),
        ("fly --scenario power", "`lapwing sim fly` takes no --scenario; give its value alone."),
        ("hitl tcp:127.0.0.1:1 --world office", "a real board flies it"),
        ("sheet ar100b --record a.opl", "it chooses its flights itself"),
        ("worlds --list", "use `lapwing sim scenarios`."),
        ("fly --no-such", "unrecognized arguments: --no-such; try `lapwing sim fly -h`."),
    ],
)
def test_an_option_of_another_sub_command_is_refused_in_a_sentence(
    words: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert call(*words.split()) == 1
    captured = capsys.readouterr()
    assert said in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)


def test_help_shows_the_sub_commands_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        call("--help")
    assert ended.value.code == 0
    out = capsys.readouterr().out
    assert "fly a scenario, and judge it" in out
    assert "connect" not in out
    with pytest.raises(SystemExit):
        call("--serve", "tcp:a:1", "--help")
    assert "where stations connect" in capsys.readouterr().out

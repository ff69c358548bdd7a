"""Functions that studies of the tests call, by the name of this module."""

import math
import os
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

MODULE: Final = "tests.simulation.studies.functions"


def ishigami(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """Ishigami and Homma (1990), with a = 7 and b = 0.1."""
    x1, x2, x3 = (parameters[name] for name in ("x1", "x2", "x3"))
    return {"y": math.sin(x1) + 7.0 * math.sin(x2) ** 2 + 0.1 * x3**4 * math.sin(x1)}


def noisy(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """`x`, and as much again by the seed; `idle` does nothing."""
    return {"y": parameters["x"] + seed % 1_000_003 / 1_000_003}


def noted(parameters: Mapping[str, Any], seed: int) -> dict[str, float]:
    """Note the call in a file of its own, in the folder `notes`."""
    name = f"{parameters['x']:.12f}"
    notes = Path(parameters["notes"])
    (notes / f"{name} {len(list(notes.glob(f'{name} *')))}").touch()
    return {"y": parameters["x"] + seed % 7}


def deadly(parameters: Mapping[str, Any], seed: int) -> dict[str, float]:
    """Ends its process where x is above 0.9, and once where it is above 0.8."""
    x = parameters["x"]
    died = Path(parameters["notes"]) / f"died {x:.12f}"
    if x > 0.9 or (x > 0.8 and not died.exists()):
        died.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return noted(parameters, seed)


def odd(parameters: Mapping[str, float], seed: int) -> object:
    """Whatever a user's function may do: by tenths of x."""
    x = parameters["x"]
    answers: dict[int, object] = {
        1: {"y": math.nan},
        2: {"z": 1.0},
        3: {"y": "many"},
        4: "nothing",
        5: {"y": 1.0, "x": 2.0},
        6: {"y": 1.0, "passed": 0},
    }
    if int(10 * x) == 7:
        raise RuntimeError("no lift")
    return answers.get(int(10 * x), {"y": x})


def hopeless(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """Never passes."""
    raise ValueError("It never works.")


def rarely_more(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """Sometimes one metric more."""
    more = {"rare": 1.0} if parameters["x"] > 0.97 else {}
    return {"y": parameters["x"], **more}


def changing(parameters: Mapping[str, Any], seed: int) -> dict[str, float]:
    """Changes what it was given."""
    parameters["v"][0] += 1.0
    return {"y": parameters["v"][0]}


def raising(parameters: Mapping[str, str], seed: int) -> dict[str, object]:
    """Whatever a user's function may raise, or return."""

    class UnsayableError(Exception):
        def __str__(self) -> str:
            raise RuntimeError

    match parameters["what"]:
        case "exit":
            sys.exit(3)
        case "unsayable":
            raise UnsayableError
        case "surrogate":
            raise OSError("no file \udc80")
        case _:
            return {"y\udc80": 10**400}


def chance(parameters: Mapping[str, float], seed: int) -> dict[str, float]:
    """Nothing but the seed."""
    return {"y": seed % 1_000_003 / 1_000_003}

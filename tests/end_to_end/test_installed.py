"""The wheel, installed into an environment of its own that nothing can be written to.

No network: it is built with the setuptools that is here, and its environment borrows the
dependencies of this one.
"""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from PySide6.QtGui import QImage

from lapwing_packages import PACKAGES
from tests.telemetry.recording.logs.books import attitudes, saved

ROOT = Path(__file__).resolve().parents[2]
FILES = ("pyproject.toml", "README.md", "LICENSE", "lapwing.py", "lapwing_packages.py")
MANUAL = "share/doc/lapwing"
FOREIGN = "raise RuntimeError('a package that is not of Lapwing')"
START_A_CHILD = """
import lapwing
lapwing.isolate()
from threading import Event
from telemetry.base.simulation_command import SimCommand
command = SimCommand("lapwing-test")
command.start(["--list"])
pause = Event()
while command.is_running:
    pause.wait(0.02)
print(command.report() or command.reason())
command.close()
"""

pytestmark = pytest.mark.slow


@dataclass(frozen=True)
class Installed:
    """Where it is installed, and a folder to work in."""

    python: Path
    packages: Path
    folder: Path

    def run(
        self, *command: str | Path, environ: dict[str, str] | None = None
    ) -> "subprocess.CompletedProcess[str]":
        """Run a command of the environment, its own ones by name, where no cache can be kept."""
        nowhere = str(self.folder / "no folder" / "below a file")
        variables = {
            **os.environ,
            "HOME": nowhere,
            "XDG_CACHE_HOME": nowhere,
            "LOCALAPPDATA": nowhere,
            "LAPWING_HOME": str(self.folder / "home"),
            "QT_QPA_PLATFORM": "offscreen",
            **(environ or {}),
        }
        variables.pop("LAPWING_CODE_FOLDER", None)
        first, *others = command
        return subprocess.run(
            [self.python.parent / first, *others],
            cwd=self.folder,
            env=variables,
            capture_output=True,
            text=True,
            timeout=600,
            check=False,
        )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    for name in (*PACKAGES, "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy(ROOT / name, folder)
    command = ("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet", ".")
    subprocess.run([sys.executable, "-m", "pip", *command], cwd=folder, check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder / "venv", symlinks=os.name != "nt")
    scheme = {"base": str(folder / "venv"), "platbase": str(folder / "venv")}
    paths = sysconfig.get_paths("venv", scheme)
    python, packages = Path(paths["scripts"], "python"), Path(paths["purelib"])
    command = ("install", "--no-deps", "--no-index", "--no-compile", "--quiet", str(wheel))
    subprocess.run([sys.executable, "-m", "pip", "--python", python, *command], check=True)
    here = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (packages / "dependencies.pth").write_text("\n".join(here), encoding="utf-8")
    _make_read_only(packages)
    (folder / "no folder").touch()
    (folder / "home").mkdir()
    (folder / "home" / "cache").touch()
    return Installed(python, packages, folder)


def _make_read_only(packages: Path) -> None:
    """Have no cache written beside any source, not even by root."""
    for source in {path.parent for path in packages.rglob("*.py")}:
        (source / "__pycache__").touch()


def test_the_wheel_holds_all_that_the_packages_hold(wheel: Path) -> None:
    expected = {
        path.relative_to(ROOT).as_posix()
        for name in PACKAGES
        for path in (ROOT / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    held = set(zipfile.ZipFile(wheel).namelist())
    assert expected - held == set()
    assert {f"{name}/py.typed" for name in PACKAGES} <= held
    assert {name.split("/")[0] for name in held if "-" not in name} == {
        *PACKAGES,
        "lapwing.py",
        "lapwing_packages.py",
    }


def test_the_manual_is_found_where_it_was_installed(installed: Installed) -> None:
    """All of it, outside the packages: a folder `docs` among them may be anybody's."""
    code = "from app.help.manual import load_manual as m; print(m().folder, len(m().pages))"
    done = installed.run("python", "-c", code)
    folder, count = done.stdout.split()
    assert Path(folder).as_posix().endswith(MANUAL), done.stderr
    ours = {path.relative_to(ROOT / "docs") for path in (ROOT / "docs").rglob("*.*")}
    assert {path.relative_to(folder) for path in Path(folder).rglob("*.*")} == ours
    assert int(count) == sum(path.suffix == ".md" for path in ours)


@pytest.fixture(scope="module")
def told(installed: Installed) -> str:
    """What `doctor` says of it while another distribution shares a package's name."""
    other = installed.packages / "other-1.0.dist-info"
    other.mkdir()
    (other / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (other / "top_level.txt").write_text("app\n")
    try:
        return installed.run("lapwing", "doctor", "--json").stdout
    finally:
        shutil.rmtree(other)


def test_doctor_says_that_compiled_code_is_kept_nowhere(told: str) -> None:
    findings = {finding["name"]: finding for finding in json.loads(told)["findings"]}
    assert findings["Compiled code"]["state"] == "warning"
    assert "nowhere" in findings["Compiled code"]["found"]
    assert "LAPWING_CODE_FOLDER" in findings["Compiled code"]["remedy"]
    assert findings["Folder cache"]["state"] == "warning"


def test_a_package_that_another_distribution_shares_is_found(told: str) -> None:
    assert "'app' is also a package of other" in told


def test_a_large_log_opens_without_a_cache(installed: Installed) -> None:
    count = 40_000
    log = saved(installed.folder, *attitudes(count))
    done = installed.run("lapwing", "log", "info", str(log), "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == count
    picture = installed.folder / "window.png"
    nowhere = {"LAPWING_HOME": str(installed.folder / "no folder" / "below a file")}
    window = ("open", str(log), "--screenshot", str(picture))
    done = installed.run("lapwing", *window, environ=nowhere)
    assert (done.returncode, done.stderr) == (0, "")
    assert QImage(str(picture)).width() == 1366


def test_foreign_packages_on_the_way_are_not_imported(installed: Installed) -> None:
    """Neither those of PYTHONPATH, nor those of the current folder."""
    elsewhere = installed.folder / "elsewhere"
    for folder in (elsewhere, installed.folder):
        for name in (*PACKAGES, "numpy"):
            (folder / name).mkdir(parents=True)
            (folder / name / "__init__.py").write_text(FOREIGN, encoding="utf-8")
    environ = {"PYTHONPATH": str(elsewhere)}
    for command in (("lapwing",), ("python", "-m", "lapwing")):
        done = installed.run(*command, "sim", "--list", environ=environ)
        assert done.returncode == 0, done.stderr
        assert "velocity-steps" in done.stdout
    done = installed.run("python", "-c", START_A_CHILD, environ=environ)
    assert "velocity-steps" in done.stdout, done.stderr
    done = installed.run("python", "-c", "import app", environ=environ)
    assert "a package that is not of Lapwing" in done.stderr, "they would have been imported"


def test_a_foreign_package_in_the_place_of_one_of_ours_is_named(installed: Installed) -> None:
    foreign = installed.folder / "foreign"
    (foreign / "widgets").mkdir(parents=True)
    (foreign / "widgets" / "__init__.py").write_text(FOREIGN, encoding="utf-8")
    code = f"import sys, lapwing; sys.path.insert(0, {str(foreign)!r}); sys.exit(lapwing.main())"
    done = installed.run("python", "-c", code)
    assert done.returncode == 2
    assert done.stderr.startswith(f"lapwing: {foreign / 'widgets'} stands in the place of")
    assert "pipx" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.long
def test_the_example_plugin_works_as_a_package_and_in_a_folder(installed: Installed) -> None:
    """And its own tests pass, without any of ours."""
    source = installed.folder / "plugin"
    shutil.copytree(ROOT / "examples" / "plugin", source)
    command = ("install", "--no-deps", "--no-index", "--no-build-isolation", "--quiet", source)
    pip = [sys.executable, "-m", "pip", "--python", installed.python, *command]
    subprocess.run(pip, check=True)
    listed = installed.run("lapwing", "doctor").stdout
    assert "lapwing-height: height" in listed
    tested = installed.run("python", "-P", "-m", "pytest", "-q", "--rootdir", source, source)
    assert "4 passed" in tested.stdout, tested.stdout + tested.stderr
    of_the_package = list(installed.packages.glob("lapwing_height*"))
    assert len(of_the_package) == 2, "what it holds, and what is known of it"
    for held in of_the_package:
        shutil.rmtree(held)
    folder = installed.folder / "home" / "config" / "plugins"
    shutil.copytree(source / "lapwing_height", folder / "lapwing_height")
    assert f"{folder}: height" in installed.run("lapwing", "doctor").stdout

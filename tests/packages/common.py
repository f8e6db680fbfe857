"""Shared by the parts: paths, checks, and programs run in an isolated environment."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
CPZ = Path(os.environ["CPZ"])
COLLECTION = ROOT / "examples" / "collection"
MISTAKES = ROOT / "examples" / "mistakes"
VERSION = re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]

# The commands of coreutils that a script may use, the shell, and `env` for `#!` lines.
COREUTILS = (
    "basename cat chmod cp cut date dirname env head ls mkdir mktemp mv pwd readlink rm sh sort tail touch tr uname wc"
)

# The limit of every wait in seconds: after this time something hangs. Compiling takes long.
HUNG = 600
HUNG_COMPILER = 6 * HUNG

passed = 0
failed = []


def check(name, holds, detail=""):
    """Counts and prints a check; `detail` is printed if the check fails."""
    global passed
    if holds:
        passed += 1
        print(f"  ok      {name}", flush=True)
    else:
        failed.append(name)
        print(f"  FAILED  {name}", flush=True)
        for line in str(detail).splitlines()[:40]:
            print(f"          {line[:1000]}", flush=True)


def check_equal(name, found, expected):
    """Checks that two values are equal."""
    check(name, found == expected, f"found    {found!r}\nexpected {expected!r}")


def check_exit_code(name, result, code):
    """Checks an exit code, which is negative after a signal."""
    check(name, result.returncode == code, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")


def run(*command, env=None, cwd=None, text=None):
    """Runs a command with `text` as its input. `env` replaces the environment; without it, the command may compile."""
    words = [str(part) for part in command]
    try:
        return subprocess.run(
            words,
            env=env,
            cwd=cwd,
            input=text,
            stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=HUNG_COMPILER if env is None else HUNG,
        )
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"hung: {' '.join(words)}") from None


def must_run(*command, **options):
    """Runs a command, raises an error if it fails, and returns its output."""
    result = run(*command, **options)
    if result.returncode != 0:
        output = f"{result.stdout}{result.stderr}"
        raise RuntimeError(f"{' '.join(str(part) for part in command)}: exit code {result.returncode}\n{output}")
    return result.stdout


def find_program(name):
    """The path of a program; an error if it is not installed."""
    path = shutil.which(name)
    if path is None:
        raise RuntimeError(f"{name} is not installed")
    return path


def isolated_env(place, *programs, **more):
    """Environment variables for an empty home and a PATH with only coreutils and `programs`, below the folder `place`."""
    tools = place / "tools"
    home = place / "home"
    scratch = place / "tmp"
    for folder in [tools, home, scratch]:
        folder.mkdir(parents=True, exist_ok=True)
    for name in [*COREUTILS.split(), *programs]:
        link = tools / name
        if not link.exists():
            link.symlink_to(find_program(name))
    return {"PATH": str(tools), "HOME": str(home), "TMPDIR": str(scratch), "LANG": "C.UTF-8", **more}


def make_python_environment(place):
    """Makes an empty Python environment and returns the folder of its programs."""
    must_run(sys.executable, "-m", "venv", place)
    return place / "bin"

"""What the parts share: where things are, how a check is counted, how a program is run in an empty environment."""

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

# GNU's, as far as a script may want them, with the shell and what `#!` needs.
COREUTILS = (
    "basename cat chmod cp cut date dirname env head ls mkdir mktemp mv pwd readlink rm sh sort tail touch tr uname wc"
)

passed = 0
failed = []


def check(what, holds, detail=""):
    """Counts a check, and tells of it; `detail` is what is shown where it does not hold."""
    global passed
    if holds:
        passed += 1
        print(f"  ok      {what}", flush=True)
    else:
        failed.append(what)
        print(f"  FAILED  {what}", flush=True)
        for line in str(detail).splitlines()[:40]:
            print(f"          {line[:1000]}", flush=True)


def same(what, found, expected):
    """A check that two values are the same."""
    check(what, found == expected, f"found    {found!r}\nexpected {expected!r}")


def ended(what, result, code):
    """A check of an exit code, which is negative for a signal."""
    check(what, result.returncode == code, f"exit code {result.returncode}\n{result.stdout}{result.stderr}")


def run(*command, env=None, cwd=None, text=None):
    """Runs a command to its end, with `text` as its input, in an environment that is `env` and nothing else."""
    return subprocess.run(
        [str(part) for part in command],
        env=env,
        cwd=cwd,
        input=text,
        stdin=subprocess.DEVNULL if text is None else None,
        capture_output=True,
        encoding="utf-8",
        errors="replace",
        timeout=1800 if env is None else 120,
    )


def must(*command, **options):
    """Runs a command that the part cannot do without."""
    result = run(*command, **options)
    if result.returncode != 0:
        told = f"{result.stdout}{result.stderr}"
        raise RuntimeError(f"{' '.join(str(part) for part in command)}: exit code {result.returncode}\n{told}")
    return result.stdout


def needed(name):
    """The path of a program that has to be there."""
    path = shutil.which(name)
    if path is None:
        raise RuntimeError(f"{name} is missing")
    return path


def empty(place, *programs, **more):
    """An environment with an empty home and a PATH of coreutils and `programs` alone, below the folder `place`."""
    tools = place / "tools"
    home = place / "home"
    scratch = place / "tmp"
    for folder in [tools, home, scratch]:
        folder.mkdir(parents=True, exist_ok=True)
    for name in [*COREUTILS.split(), *programs]:
        link = tools / name
        if not link.exists():
            link.symlink_to(needed(name))
    return {"PATH": str(tools), "HOME": str(home), "TMPDIR": str(scratch), "LANG": "C.UTF-8", **more}


def python_environment(place):
    """Makes an empty Python environment, and returns the folder of its programs."""
    must(sys.executable, "-m", "venv", place)
    return place / "bin"

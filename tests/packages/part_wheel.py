"""The wheel: its sources always, the wheel itself where there is one."""

import email
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

from common import (
    COLLECTION,
    LICENCES,
    MISTAKES,
    ROOT,
    VERSION,
    check,
    empty,
    ended,
    must,
    python_environment,
    run,
    same,
)

PYTHON = ROOT / "packages" / "python"


def build():
    """Compiles the wheel as a release does, and returns its path; it stays below target."""
    python = Path(os.environ["MATURIN_PYTHON"])
    flags = ["--zig", "--compatibility", "manylinux2014"] if sys.platform == "linux" else []
    out = ROOT / "target" / "packages-wheel"
    shutil.rmtree(out, ignore_errors=True)
    command = [python, "-m", "maturin", "build", "--profile", "dist", "--locked", *flags, "--out", out]
    # The environment is the caller's because it configures cargo. maturin calls zig with the `python3` of the PATH.
    env = {**os.environ, "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(command, cwd=PYTHON, env=env, check=True)
    [wheel] = out.iterdir()
    return wheel


def inside(wheel):
    """What the wheel is called and holds."""
    name = re.fullmatch(rf"cpz-{re.escape(VERSION)}-py3-none-(\S+)\.whl", wheel.name)
    check("its name is for any Python 3 and one platform", name and name[1] != "any", wheel.name)
    info = f"cpz-{VERSION}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        for path in [
            f"cpz-{VERSION}.data/scripts/cpz",
            "cpz/__main__.py",
            *[f"{info}/licenses/{file}" for file in LICENCES],
        ]:
            check(f"it has {path}", path in names, "\n".join(names))
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
    same("its name and version", (metadata["Name"], metadata["Version"]), ("cpz", VERSION))
    same("its licence", metadata["License-Expression"], "MIT OR Apache-2.0")
    same("its Python", metadata["Requires-Python"], ">=3.8")
    check("its description", "checker" in (metadata["Summary"] or ""), metadata["Summary"])


def part(place, options):
    """Checks the sources, and then the wheel that is given or made."""
    for name in LICENCES:
        same(f"{name} is the one at the root", (PYTHON / name).read_bytes(), (ROOT / name).read_bytes())
    project = (PYTHON / "pyproject.toml").read_text()
    check("no version beside Cargo.toml's", not re.search(r"^version", project, re.MULTILINE), project)

    if options.compile:
        wheel = build()
    elif options.wheel:
        wheel = options.wheel.resolve()
    else:
        print("  no wheel: --compile makes one, --wheel FILE tries one")
        return
    inside(wheel)
    # All that `venv` and `python -m` need is Python's own.
    env = empty(place)
    programs = python_environment(place / "venv")
    must(programs / "pip", "install", "--isolated", "--no-index", "--no-cache-dir", wheel, env=env)
    shutil.copytree(COLLECTION, place / "collection")
    shutil.copytree(MISTAKES, place / "mistakes")
    for what, command in [("cpz", [programs / "cpz"]), ("python -m cpz", [programs / "python", "-m", "cpz"])]:
        same(f"{what} --version", must(*command, "--version", env=env, cwd=place), f"cpz {VERSION}\n")
        ended(f"{what} check: nothing found", run(*command, "check", "collection", env=env, cwd=place), 0)
        ended(f"{what} check: mistakes", run(*command, "check", "mistakes", env=env, cwd=place), 1)
        ended(f"{what} check: no such file", run(*command, "check", "nowhere", env=env, cwd=place), 2)
    must(programs / "pip", "uninstall", "--isolated", "--yes", "cpz", env=env)
    check("nothing of it stays", not (programs / "cpz").exists())
    target = place / "target"
    must(programs / "pip", "install", "--isolated", "--no-index", "--no-cache-dir", "--target", target, wheel, env=env)
    result = run(programs / "python", "-m", "cpz", "--version", env={**env, "PYTHONPATH": str(target)})
    same("python -m cpz after pip install --target", result.stdout, f"cpz {VERSION}\n")

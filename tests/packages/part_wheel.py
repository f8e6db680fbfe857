"""Tests the sources of the wheel, and a wheel if there is one."""

import email
import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import part_sbom
from common import (
    COLLECTION,
    LICENCES,
    MISTAKES,
    ROOT,
    VERSION,
    check,
    isolated_env,
    check_exit_code,
    must_run,
    make_python_environment,
    run,
    check_equal,
)

PYTHON = ROOT / "packages" / "python"
TESTS = Path(__file__).resolve().parent


def build(profile, root=ROOT, env=None):
    """Compiles the wheel of a checkout below its target, with the profile `dist` as a release does, and returns its path."""
    flags = ["--zig", "--compatibility", "manylinux2014"] if (sys.platform, profile) == ("linux", "dist") else []
    out = root / "target" / "packages-wheel"
    shutil.rmtree(out, ignore_errors=True)
    command = [os.environ["MATURIN_PYTHON"], root / "packages" / "wheel"]
    # Without another environment it is the caller's, because it configures cargo.
    subprocess.run([*command, "--out", out, "--profile", profile, "--locked", *flags], check=True, env=env)
    [wheel] = out.iterdir()
    return wheel


def inside(wheel):
    """Checks the name, the files and the metadata of the wheel."""
    name = re.fullmatch(rf"cpz_lang-{re.escape(VERSION)}-cp39-abi3-(\S+)\.whl", wheel.name)
    check("the name of the wheel: Python 3.9 and newer, one platform", name and name[1] != "any", wheel.name)
    info = f"cpz_lang-{VERSION}.dist-info"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        for path in [
            f"cpz_lang-{VERSION}.data/scripts/cpz",
            "cpz/__init__.pyi",
            "cpz/py.typed",
            *[f"cpz/{file.name}" for file in (PYTHON / "cpz").glob("*.py")],
            *[f"{info}/licenses/{file}" for file in LICENCES],
        ]:
            check(f"the wheel has {path}", path in names, "\n".join(names))
        others = [name for name in names if not name.startswith(("cpz/", f"cpz_lang-{VERSION}."))]
        check_equal("the wheel has nothing else", others, [])
        libraries = archive.read(f"{info}/sboms/sbom.cdx.json").decode()
        metadata = email.message_from_bytes(archive.read(f"{info}/METADATA"))
    part_sbom.check_package("the wheel", libraries, ["program", "python"])
    check_equal("metadata: name and version", (metadata["Name"], metadata["Version"]), ("cpz-lang", VERSION))
    check_equal("metadata: licence", metadata["License-Expression"], "MIT OR Apache-2.0")
    check_equal("metadata: version of Python", metadata["Requires-Python"], ">=3.9")
    check("metadata: description", "checker" in (metadata["Summary"] or ""), metadata["Summary"])


def module(place, programs, env):
    """Runs the programs of the manual and the tests of the module in the environment."""
    page = (ROOT / "docs" / "python.md").read_text()
    examples = re.findall(r"```python\n([^`]+)```[^`]*```text\n([^`]+)```", page)
    check("the manual has programs with what they print", len(examples) == page.count("```text\n") > 1)
    for program, expected in examples:
        result = run(programs / "python", "-c", program, env=env, cwd=place)
        check_equal("the program of the manual prints what stands there", result.stdout + result.stderr, expected)
    result = run(programs / "python", TESTS / "module_test.py", COLLECTION, MISTAKES, env={**env, "CPZ": str(programs / "cpz")})
    check_exit_code("the module: tests/packages/module_test.py", result, 0)


def notebooks(place, target, env):
    """Runs the tests of notebooks, tables and colours with the wheel in a folder, beside the packages of the tests."""
    env = {**env, "CPZ": str(target / "bin" / "cpz"), "PYTHONPATH": str(target)}
    result = run(sys.executable, TESTS / "notebook_test.py", COLLECTION, MISTAKES, env=env, cwd=place)
    check_exit_code("notebooks: tests/packages/notebook_test.py", result, 0)


def part(place, options):
    """Checks the sources, then installs the wheel and runs the program."""
    for name in LICENCES:
        check_equal(f"{name} equals the one at the root", (PYTHON / name).read_bytes(), (ROOT / name).read_bytes())
    project = (PYTHON / "pyproject.toml").read_text()
    check("pyproject.toml has no version of its own", not re.search(r"^version", project, re.MULTILINE), project)
    crate = (PYTHON / "Cargo.toml").read_text()
    check_equal("the module has the version of Cargo.toml", re.search(r'^version = "(.+)"$', crate, re.MULTILINE)[1], VERSION)
    for name in ["description", "keywords"]:
        line = re.compile(rf"^{name} = .+$", re.MULTILINE)
        check_equal(f"{name} is that of Cargo.toml", line.search(crate)[0], line.search((ROOT / "Cargo.toml").read_text())[0])

    if options.compile:
        wheel = build(options.compile)
    elif options.wheel:
        wheel = options.wheel.resolve()
    else:
        print("  skipped: the wheel; --compile builds one, --wheel FILE tests one")
        return
    inside(wheel)
    env = isolated_env(place)
    programs = make_python_environment(place / "venv")
    must_run(programs / "pip", "install", "--isolated", "--no-index", "--no-cache-dir", wheel, env=env)
    shutil.copytree(COLLECTION, place / "collection")
    shutil.copytree(MISTAKES, place / "mistakes")
    for what, command in [("cpz", [programs / "cpz"]), ("python -m cpz", [programs / "python", "-m", "cpz"])]:
        check_equal(f"{what} --version", must_run(*command, "--version", env=env, cwd=place), f"cpz {VERSION}\n")
        check_exit_code(f"{what} check: nothing found", run(*command, "check", "collection", env=env, cwd=place), 0)
        check_exit_code(f"{what} check: mistakes", run(*command, "check", "mistakes", env=env, cwd=place), 1)
        check_exit_code(f"{what} check: no such file", run(*command, "check", "nowhere", env=env, cwd=place), 2)
    module(place, programs, env)
    must_run(programs / "pip", "uninstall", "--isolated", "--yes", "cpz-lang", env=env)
    check("uninstalling removes the program", not (programs / "cpz").exists())
    target = place / "target"
    must_run(programs / "pip", "install", "--isolated", "--no-index", "--no-cache-dir", "--target", target, wheel, env=env)
    result = run(programs / "python", "-m", "cpz", "--version", env={**env, "PYTHONPATH": str(target)})
    check_equal("python -m cpz after pip install --target", result.stdout, f"cpz {VERSION}\n")
    notebooks(place, target, env)

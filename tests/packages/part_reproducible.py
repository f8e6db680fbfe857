"""Builds all packages twice, as a release does, and compares them byte for byte.

The second time they are built from a copy of the sources in another folder, by a user with another name, another home and other
access rights, in another time zone and another language. The compiler and the tools are the same.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import part_wheel
from common import ROOT, check, must_run

# What differs between the two builds, besides the folder, the home and the time.
OTHER = {"USER": "somebody", "LOGNAME": "somebody", "TZ": "Pacific/Auckland", "LC_ALL": "C", "LANG": "de_DE.UTF-8", "HOSTNAME": "elsewhere"}
OTHER_UMASK = 0o077


def copy_sources(to):
    """Copies what git knows, and what it does not ignore."""
    listed = must_run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", cwd=ROOT)
    for name in listed.split("\0"):
        source = ROOT / name
        if name and source.is_file():
            (to / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, to / name)
            # As git sets them: the umask decides on the rest.
            mode = 0o777 if source.stat().st_mode & 0o100 else 0o666
            (to / name).chmod(mode & ~OTHER_UMASK)


def other_env(home):
    """The environment of the other user, who has what was downloaded already."""
    cargo = Path(os.environ.get("CARGO_HOME", Path.home() / ".cargo"))
    (home / ".cargo" / "registry").mkdir(parents=True)
    for name in ["cache", "index"]:
        (home / ".cargo" / "registry" / name).symlink_to(cargo / "registry" / name)
    kept = {
        "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", Path.home() / ".rustup"),
        "CPZ_CACHE": os.environ["CPZ_CACHE"],
        "npm_config_cache": must_run("npm", "config", "get", "cache").strip(),
    }
    env = {**os.environ, **OTHER, "HOME": str(home), "CARGO_HOME": str(home / ".cargo"), **{name: str(path) for name, path in kept.items()}}
    # Those of the tests name the checkout.
    return {name: value for name, value in env.items() if name not in ("CPZ", "CPZ_NPM_MODULE", "CARGO_TARGET_DIR", "OLDPWD", "PWD")}


def build(root, env, out):
    """Builds all packages of a checkout for this platform. Returns the paths of the files by what they are."""
    out.mkdir()
    folder = root / "editors" / "vscode"

    def run(*command, cwd=root, **more):
        subprocess.run([str(part) for part in command], cwd=cwd, env={**env, **more}, check=True, stdout=sys.stderr)

    wheel = part_wheel.build("dist", root, env)
    program = out / "cpz"
    with zipfile.ZipFile(wheel) as archive:
        [name] = [name for name in archive.namelist() if name.endswith(".data/scripts/cpz")]
        program.write_bytes(archive.read(name))
    program.chmod(0o755)
    run("editors/web/build-core")
    module = root / "editors" / "web" / "dist" / "cpz-complete.wasm"

    platform = must_run("node", "-p", "process.platform + '-' + process.arch").strip()
    run("packages/share", out / "prefix", CPZ=str(program))
    run(sys.executable, "packages/archive.py", "--binary", program, "--share", out / "prefix", "--platform", platform, "--out", out / "archive")
    run("node", "packages/npm/build.mjs", "--module", module, "--binary", program, "--platform", platform, "--out", out / "npm")
    run("npm", "pack", "./cpz-lang", f"./{platform}", cwd=out / "npm")
    run("npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", cwd=folder)
    run("npm", "run", "package", "--", "--target", platform, "--server", program, cwd=folder)
    run("npm", "run", "package", "--", "--target", "web", "--core", module, cwd=folder)

    [archive] = (out / "archive").iterdir()
    main, own = sorted((out / "npm").glob("*.tgz"), key=lambda path: platform in path.name)
    return {
        "the program": program,
        "the wheel": wheel,
        "the module": module.with_name("cpz.wasm"),
        "the complete module": module,
        "the archive": archive,
        "the main npm package": main,
        "the npm package of the platform": own,
        "the extension": folder / f"cpz-{platform}.vsix",
        "the extension for browsers": folder / "cpz-web.vsix",
    }


def difference(one, other):
    """What differs between two files: the entries of a zip, or where they begin to differ."""
    if zipfile.is_zipfile(one) and zipfile.is_zipfile(other):
        with zipfile.ZipFile(one) as first, zipfile.ZipFile(other) as second:
            entries = [{info.filename: (info.CRC, info.date_time, oct(info.external_attr)) for info in archive.infolist()} for archive in (first, second)]
        names = sorted({*entries[0], *entries[1]})
        return "\n".join(f"{name}: {entries[0].get(name)} {entries[1].get(name)}" for name in names if entries[0].get(name) != entries[1].get(name))
    first, second = one.read_bytes(), other.read_bytes()
    at = next((n for n, (a, b) in enumerate(zip(first, second)) if a != b), min(len(first), len(second)))
    return f"{len(first)} and {len(second)} bytes, from byte {at}: {first[at - 40 : at + 80]!r} {second[at - 40 : at + 80]!r}"


def part(place, options):
    """Builds twice and compares."""
    if os.environ.get("CI_FULL") != "1" and "reproducible" not in options.part:
        print("  skipped: building twice; CI_FULL=1 or the name of this part does it")
        return
    first = build(ROOT, dict(os.environ), place / "first")
    folder = place / "another folder" / "cpz-elsewhere"
    before = os.umask(OTHER_UMASK)
    try:
        copy_sources(folder)
        second = build(folder, other_env(place / "somebody"), place / "second")
    finally:
        os.umask(before)
    for what, path in first.items():
        same = path.read_bytes() == second[what].read_bytes()
        check(f"{what} is the same from another folder", same, same or difference(path, second[what]))
        print(f"          {path.name}: {path.stat().st_size} bytes, SHA-256 {hashlib.sha256(path.read_bytes()).hexdigest()}")
    # The paths of a build would differ, and tell who has built it.
    traces = [f"{folder}/".encode() for folder in (Path.home(), ROOT)]
    for what in ["the program", "the module", "the complete module"]:
        data = first[what].read_bytes()
        check(f"{what} has no path of this machine", not any(trace in data for trace in traces))

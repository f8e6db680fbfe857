"""The archives of a release, unpacked and run."""

import shutil
import sys
import tarfile
import zipfile

from common import COLLECTION, CPZ, LICENCES, MISTAKES, ROOT, VERSION, check, empty, ended, must, run, same

ARCHIVE = ROOT / "packages" / "archive.py"


def part(place, options):
    """One for this platform, and one for Windows with the same binary under its name."""
    env = empty(place)
    prefix = place / "prefix"
    must(ROOT / "packages" / "share", prefix)
    share = sorted(f"share/{path.relative_to(prefix / 'share')}" for path in prefix.rglob("*") if path.is_file())

    def made(platform, out):
        command = [sys.executable, ARCHIVE, "--binary", CPZ, "--share", prefix, "--platform", platform]
        told = must(*command, "--out", place / out, env=env)
        [path] = (place / out).iterdir()
        same(f"{platform}: tells what it made", told, f"{path}\n")
        return path

    path = made("linux-x64", "first")
    same("its name", path.name, f"cpz-{VERSION}-linux-x64.tar.gz")
    top = f"cpz-{VERSION}-linux-x64"
    with tarfile.open(path) as archive:
        same(
            "its files",
            sorted(archive.getnames()),
            sorted(f"{top}/{name}" for name in ["bin/cpz", "CHANGELOG.md", "README.md", *LICENCES, *share]),
        )
        archive.extractall(place / "unpacked")
    unpacked = place / "unpacked" / top
    shutil.copytree(COLLECTION, unpacked / "collection")
    shutil.copytree(MISTAKES, unpacked / "mistakes")
    same("cpz --version", must(unpacked / "bin" / "cpz", "--version", env=env), f"cpz {VERSION}\n")
    ended("cpz check: nothing found", run("bin/cpz", "check", "collection", env=env, cwd=unpacked), 0)
    ended("cpz check: mistakes", run("bin/cpz", "check", "mistakes", env=env, cwd=unpacked), 1)
    check("made again it is the same", made("linux-x64", "second").read_bytes() == path.read_bytes())
    same("nor does it tell when it was made", path.read_bytes()[4:8], bytes(4))

    path = made("win32-x64", "windows")
    same("its name for Windows", path.name, f"cpz-{VERSION}-win32-x64.zip")
    with zipfile.ZipFile(path) as archive:
        check("no file in it is damaged", archive.testzip() is None)
        program = archive.read(f"cpz-{VERSION}-win32-x64/bin/cpz.exe")
        same("as many files", len(archive.namelist()), 5 + len(share))
    check("its program is whole", program == CPZ.read_bytes())

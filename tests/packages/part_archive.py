"""Unpacks the archives of a release and runs the program."""

import shutil
import sys
import tarfile
import zipfile

import part_sbom
from common import COLLECTION, CPZ, LICENCES, MISTAKES, ROOT, VERSION, check, isolated_env, check_exit_code, must_run, run, check_equal

ARCHIVE = ROOT / "packages" / "archive.py"


def part(place, options):
    """Tests an archive for Linux, and one for Windows with the same binary."""
    env = isolated_env(place)
    prefix = place / "prefix"
    must_run(ROOT / "packages" / "share", prefix)
    share = sorted(f"share/{path.relative_to(prefix / 'share')}" for path in prefix.rglob("*") if path.is_file())

    def build(platform, out):
        command = [sys.executable, ARCHIVE, "--binary", CPZ, "--share", prefix, "--platform", platform]
        # The environment is the caller's because cargo says what is linked.
        output = must_run(*command, "--out", place / out)
        [path] = (place / out).iterdir()
        check_equal(f"{platform}: prints the path of the archive", output, f"{path}\n")
        return path

    path = build("linux-x64", "first")
    check_equal("name of the archive", path.name, f"cpz-{VERSION}-linux-x64.tar.gz")
    top = f"cpz-{VERSION}-linux-x64"
    with tarfile.open(path) as archive:
        check_equal(
            "files of the archive",
            sorted(archive.getnames()),
            sorted(f"{top}/{name}" for name in ["bin/cpz", "CHANGELOG.md", "README.md", "sbom.cdx.json", *LICENCES, *share]),
        )
        libraries = archive.extractfile(f"{top}/sbom.cdx.json").read().decode()
        archive.extractall(place / "unpacked")
    unpacked = place / "unpacked" / top
    shutil.copytree(COLLECTION, unpacked / "collection")
    shutil.copytree(MISTAKES, unpacked / "mistakes")
    check_equal("cpz --version", must_run(unpacked / "bin" / "cpz", "--version", env=env), f"cpz {VERSION}\n")
    check_exit_code("cpz check: nothing found", run("bin/cpz", "check", "collection", env=env, cwd=unpacked), 0)
    check_exit_code("cpz check: mistakes", run("bin/cpz", "check", "mistakes", env=env, cwd=unpacked), 1)
    part_sbom.check_package("the archive", libraries, ["program"], "linux-x64")
    check("a second build is identical", build("linux-x64", "second").read_bytes() == path.read_bytes())
    check_equal("the gzip header has no time", path.read_bytes()[4:8], bytes(4))

    path = build("win32-x64", "windows")
    check_equal("name of the archive for Windows", path.name, f"cpz-{VERSION}-win32-x64.zip")
    with zipfile.ZipFile(path) as archive:
        check("no file of the zip is damaged", archive.testzip() is None)
        program = archive.read(f"cpz-{VERSION}-win32-x64/bin/cpz.exe")
        libraries = archive.read(f"cpz-{VERSION}-win32-x64/sbom.cdx.json").decode()
        check_equal("number of files in the zip", len(archive.namelist()), 6 + len(share))
    part_sbom.check_package("the archive for Windows", libraries, ["program"], "win32-x64")
    check("the program in the zip is complete", program == CPZ.read_bytes())

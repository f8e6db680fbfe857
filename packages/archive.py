#!/usr/bin/env python3
"""Makes an archive of the program, its manual pages and completions, which can be unpacked anywhere:

    packages/archive.py --binary PATH --share PREFIX --platform linux-x64 --out DIR

PREFIX is the folder that `packages/share` wrote into. The script makes DIR/cpz-VERSION-PLATFORM.tar.gz, or a .zip for
Windows, and prints its path. cargo says for the list of libraries what is linked. The same files make the same archive, byte
by byte.
"""

import argparse
import gzip
import io
import re
import tarfile
import zipfile
from pathlib import Path

import sbom

ROOT = Path(__file__).resolve().parent.parent
# The earliest time that a zip can have, and the same in seconds.
TIME = (1980, 1, 1, 0, 0, 0)
SECONDS = 315532800


def version():
    """The version in Cargo.toml."""
    return re.search(r'^version = "(.+)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE)[1]


def contents(binary, prefix, platform):
    """The files as (path in the archive, bytes, executable), in the order of their paths."""
    share = prefix / "share"
    program = "bin/cpz.exe" if platform.startswith("win32-") else "bin/cpz"
    files = [(program, binary.read_bytes(), True)]
    for path in share.rglob("*"):
        if path.is_file():
            files.append((f"share/{path.relative_to(share).as_posix()}", path.read_bytes(), False))
    if len(files) == 1:
        raise SystemExit(f"{share}: no files; `packages/share {prefix}` makes them")
    for name in ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"]:
        files.append((name, (ROOT / name).read_bytes(), False))
    files.append((sbom.NAME, sbom.sbom(["program"], sbom.TARGETS[platform]).encode(), False))
    return sorted(files)


def write_tar(path, top, files):
    """Writes a .tar.gz."""
    with path.open("wb") as out, gzip.GzipFile("", "wb", 9, out, mtime=0) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for name, data, executable in files:
                entry = tarfile.TarInfo(f"{top}/{name}")
                entry.size = len(data)
                entry.mtime = SECONDS
                entry.mode = 0o755 if executable else 0o644
                archive.addfile(entry, io.BytesIO(data))


def write_zip(path, top, files):
    """Writes a .zip."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data, executable in files:
            entry = zipfile.ZipInfo(f"{top}/{name}", TIME)
            entry.create_system = 3
            entry.external_attr = (0o100755 if executable else 0o100644) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(entry, data)


def main():
    """Reads the arguments and makes the archive."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--binary", type=Path, required=True)
    parser.add_argument("--share", type=Path, required=True)
    parser.add_argument("--platform", required=True, choices=sbom.TARGETS)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    windows = options.platform.startswith("win32-")
    top = f"cpz-{version()}-{options.platform}"
    options.out.mkdir(parents=True, exist_ok=True)
    path = options.out / (top + (".zip" if windows else ".tar.gz"))
    (write_zip if windows else write_tar)(path, top, contents(options.binary, options.share, options.platform))
    print(path)


if __name__ == "__main__":
    main()

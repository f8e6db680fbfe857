"""Builds the packages of a platform from the program that was run, and compares the program inside byte for byte.

$CPZ runs the program with Wine or QEMU; the program is beside it. $CPZ_PLATFORM is the name of the platform.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CPZ = Path(os.environ["CPZ"])
PLATFORM = os.environ["CPZ_PLATFORM"]
WINDOWS = PLATFORM.startswith("win32-")
NAME = "cpz.exe" if WINDOWS else "cpz"
PROGRAM = CPZ.parent / NAME
EXTENSION = ROOT / "editors" / "vscode"
# The limit of every wait in seconds: after this time something hangs.
HUNG = 600


def run(*command, cwd=ROOT):
    """Runs a command and returns its output."""
    done = subprocess.run(
        [str(part) for part in command], cwd=cwd, stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", timeout=HUNG
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def is_for_platform(program):
    """Whether the bytes are a program for the system and the processor, as its header says."""
    if WINDOWS:
        start = int.from_bytes(program[0x3C:0x40], "little")
        return program[:2] == b"MZ" and program[start : start + 6] == b"PE\0\0\x64\x86"
    return program[:5] == b"\x7fELF\x02" and program[18:20] == b"\xb7\0"


def run_again(program, place):
    """Runs an unpacked program as the other tests did."""
    folder = place / "again"
    folder.mkdir()
    (folder / NAME).write_bytes(program)
    (folder / NAME).chmod(0o755)
    if WINDOWS:
        shutil.copy(CPZ.parent / "bcryptprimitives.dll", folder)
    script = folder / "run"
    script.write_text(CPZ.read_text().replace(str(CPZ.parent), str(folder)))
    script.chmod(0o755)
    assert "nothing found" in run(script, "check", ROOT / "examples" / "collection", cwd=folder)


def test_the_program_is_for_the_platform():
    assert is_for_platform(PROGRAM.read_bytes())


def test_the_archive_has_the_program(tmp_path):
    run("packages/share", tmp_path / "prefix")
    options = ["--binary", PROGRAM, "--share", tmp_path / "prefix", "--platform", PLATFORM, "--out", tmp_path]
    path = Path(run(sys.executable, "packages/archive.py", *options).strip())
    if WINDOWS:
        with zipfile.ZipFile(path) as archive:
            files = {name.split("/", 1)[1]: archive.read(name) for name in archive.namelist()}
    else:
        with tarfile.open(path) as archive:
            files = {entry.name.split("/", 1)[1]: archive.extractfile(entry).read() for entry in archive if entry.isfile()}
    assert files[f"bin/{NAME}"] == PROGRAM.read_bytes()
    # Manual pages and completions are the same text on every platform.
    assert files["share/man/man1/cpz.1"].startswith(b".")
    assert b"\r" not in files["share/bash-completion/completions/cpz"]
    assert NAME == "cpz" or b"cpz.exe" not in files["share/fish/vendor_completions.d/cpz.fish"]
    run_again(files[f"bin/{NAME}"], tmp_path)


def test_the_npm_package_has_the_program(tmp_path):
    run("node", "packages/npm/build.mjs", "--binary", PROGRAM, "--platform", PLATFORM, "--out", tmp_path / "npm")
    run("npm", "pack", tmp_path / "npm" / PLATFORM, "--pack-destination", tmp_path)
    [path] = tmp_path.glob("*.tgz")
    with tarfile.open(path) as archive:
        entry = archive.getmember(f"package/bin/{NAME}")
        assert archive.extractfile(entry).read() == PROGRAM.read_bytes()
        assert entry.mode & 0o111 == 0o111


@pytest.fixture
def server_folder():
    """Keeps the server of another platform that the extension is developed with."""
    server, kept = EXTENSION / "server", EXTENSION / "server.kept"
    if server.exists():
        server.rename(kept)
    yield
    shutil.rmtree(server, ignore_errors=True)
    if kept.exists():
        kept.rename(server)


@pytest.mark.timeout(3 * HUNG)
def test_the_extension_has_the_program(tmp_path, server_folder):
    if not (EXTENSION / "node_modules").exists():
        run("npm", "ci", "--prefer-offline", "--ignore-scripts", "--no-audit", "--no-fund", cwd=EXTENSION)
    run("npm", "run", "package", "--", "--target", PLATFORM, "--server", PROGRAM, cwd=EXTENSION)
    built = EXTENSION / f"cpz-{PLATFORM}.vsix"
    with zipfile.ZipFile(built) as archive:
        program = archive.read(f"extension/server/{NAME}")
        assert program == PROGRAM.read_bytes()
        libraries = archive.read("extension/sbom.cdx.json").decode()
        assert '"name": "vscode-languageclient"' in libraries and '"name": "tower-lsp-server"' in libraries
        assert f'TargetPlatform="{PLATFORM}"' in archive.read("extension.vsixmanifest").decode()
        mode = archive.getinfo(f"extension/server/{NAME}").external_attr >> 16
    assert WINDOWS or mode & 0o111, oct(mode)
    built.unlink()
    run_again(program, tmp_path)


@pytest.mark.skipif("CPZ_WHEEL" not in os.environ, reason="$CPZ_WHEEL is not set")
def test_the_wheel_has_the_program_and_the_module(tmp_path):
    tag = "win_amd64" if WINDOWS else "aarch64"
    path = Path(os.environ["CPZ_WHEEL"])
    assert path.stem.endswith(tag) and "-cp39-abi3-" in path.name
    with zipfile.ZipFile(path) as archive:
        [program] = [name for name in archive.namelist() if name.endswith(f".data/scripts/{NAME}")]
        assert archive.read(program) == PROGRAM.read_bytes()
        [module] = [name for name in archive.namelist() if name.startswith("cpz/_cpz")]
        assert module.endswith(".pyd" if WINDOWS else ".abi3.so")
        assert WINDOWS or is_for_platform(archive.read(module))

"""Packs the crate, and builds the program of the manual with what is in the package."""

import re
import shutil
import tarfile

from common import LICENCES, ROOT, VERSION, check, check_equal, must_run, run

# Folders that the crate does not need.
LEFT_OUT = ("docs/images/", "editors/", "packages/", "fuzz/", ".ci/", ".github/")

MANIFEST = """[package]
name = "program"
version = "0.0.0"
edition = "2024"

[dependencies]
cpz-lang = { path = "PATH", default-features = false }

[workspace]
"""


def pack(place):
    """Unpacks the file that `cargo publish` would send, and returns its folder."""
    # Not the target folder of the caller: cargo would compile for the package what it has for the checkout.
    target = place / "target"
    must_run("cargo", "package", "--locked", "--no-verify", "--allow-dirty", "--quiet", "--target-dir", target, cwd=ROOT)
    with tarfile.open(target / "package" / f"cpz-lang-{VERSION}.crate") as archive:
        archive.extractall(place, filter="data")
    return place / f"cpz-lang-{VERSION}"


def part(place, options):
    """Checks the files of the package, then runs the program."""
    crate = pack(place)
    files = [str(path.relative_to(crate)) for path in crate.rglob("*") if path.is_file()]
    for name in [*LICENCES, "README.md", "src/lib.rs", "src/main.rs"]:
        check(f"the crate has {name}", name in files, "\n".join(files))
    check_equal("the crate has nothing of other packages", [file for file in files if file.startswith(LEFT_OUT)], [])

    page = (ROOT / "docs" / "rust.md").read_text()
    source, expected = re.search(r"```rust\n(.+?)```.+?```text\n(.*?)```", page, re.DOTALL).groups()
    program = place / "program"
    (program / "src").mkdir(parents=True)
    (program / "Cargo.toml").write_text(MANIFEST.replace("PATH", str(crate)))
    (program / "src" / "main.rs").write_text(source)
    # The versions that the other tests have, so that nothing new is downloaded.
    shutil.copy(ROOT / "Cargo.lock", program)
    target = ROOT / "target" / "packages-crate"
    result = run("cargo", "run", "--quiet", "--target-dir", target, cwd=program)
    check_equal("the program of the manual prints what stands there", result.stdout + result.stderr, expected)

"""Packs the crates, compares the packages with what was compiled, and runs the program of the manual with the library."""

import os
import re
import tarfile

from common import LICENCES, ROOT, VERSION, check, check_equal, check_exit_code, must_run, run

# Folders that the crate of the program does not need.
LEFT_OUT = ("docs/images/", "editors/", "packages/", "fuzz/", "benches/", ".ci/", ".github/")
# The crates that are published, lowest first, with their folders.
CRATES = {f"cpz-{name}": f"src/{name}" for name in "allocator text rules check exchange ide api server".split()} | {"cpz-lang": "."}
TARGET = ROOT / "target"


def pack(place):
    """Unpacks the files that `cargo publish --workspace` would send. Returns the folder of each crate by its name."""
    packages = [word for name in CRATES for word in ("--package", name)]
    # With everything compiled from the packages, or with the packages alone: see `compiled_sources`.
    full = os.environ.get("CI_FULL") == "1"
    command = ["cargo", "package", "--locked", "--allow-dirty", "--quiet", *packages]
    # Not the target folder of the caller: cargo would compile for the packages what it has for the checkout.
    target = place / "target"
    must_run(*command, *([] if full else ["--no-verify"]), "--target-dir", target, cwd=ROOT)
    for name in CRATES:
        with tarfile.open(target / "package" / f"{name}-{VERSION}.crate") as archive:
            archive.extractall(place, filter="data")
    return {name: place / f"{name}-{VERSION}" for name in CRATES}


def compiled_sources():
    """The files below the checkout that the program was compiled from, as the compiler has noted them."""
    notes = (TARGET / "debug" / "cpz.d").read_text()
    paths = re.split(r"(?<!\\) ", notes.splitlines()[0].split(": ", 1)[1])
    paths = [path.replace("\\ ", " ") for path in paths]
    return sorted(os.path.relpath(path, ROOT) for path in paths)


def owner(path):
    """The crate that a file of the checkout belongs to, and its path there."""
    for name, folder in CRATES.items():
        if folder != "." and path.startswith(f"{folder}/"):
            return name, path.removeprefix(f"{folder}/")
    return "cpz-lang", path


def part(place, options):
    """Checks the files of the packages, then runs the program."""
    crates = pack(place)
    files = {name: [str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()] for name, folder in crates.items()}
    for name in [*LICENCES, "README.md", "src/lib.rs", "src/main.rs"]:
        check(f"the crate has {name}", name in files["cpz-lang"], "\n".join(files["cpz-lang"]))
    strangers = [file for file in files["cpz-lang"] if file.startswith(LEFT_OUT)]
    check_equal("the crate has nothing of other packages", strangers, [])

    # What is packed is what was compiled: nothing is missing, and nothing differs.
    must_run("cargo", "build", "--locked", "--quiet", cwd=ROOT)
    sources = compiled_sources()
    check("the compiler has noted its sources", "src/main.rs" in sources and "src/text/lib.rs" in sources, sources)
    differing = []
    for path in sources:
        name, inside = owner(path)
        packed = crates[name] / inside
        if not packed.is_file() or packed.read_bytes() != (ROOT / path).read_bytes():
            differing.append(path)
    check_equal("the packages have the sources of the program", differing, [])

    page = (ROOT / "docs" / "rust.md").read_text()
    source, expected = re.search(r"```rust\n(.+?)```.+?```text\n(.*?)```", page, re.DOTALL).groups()
    program = place / "program.rs"
    program.write_text(source)
    library = TARGET / "debug" / "libcpz.rlib"
    extern = ["--extern", f"cpz={library}", "-L", f"dependency={TARGET / 'debug' / 'deps'}"]
    must_run("rustc", "--edition", "2024", program, *extern, "-o", place / "program", cwd=place)
    result = run(place / "program", cwd=place)
    check_exit_code("the program of the manual", result, 0)
    check_equal("the program of the manual prints what stands there", result.stdout + result.stderr, expected)

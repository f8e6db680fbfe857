"""The version of Cargo.toml is the version of everything."""

import json
import re

from common import CPZ, ROOT, VERSION, must_run, check_equal


def part(place, options):
    """Compares the program and the extension; the other parts check the versions of their packages."""
    check_equal("the program has the version of Cargo.toml", must_run(CPZ, "--version"), f"cpz {VERSION}\n")
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    check_equal("the extension has the version of Cargo.toml", package["version"], VERSION)
    rust = re.search(r'^rust-version = "(.+)"$', (ROOT / "Cargo.toml").read_text(), re.MULTILINE)[1]
    named = re.findall(r"Rust (\d+\.\d+)|Rust-(\d+\.\d+)", (ROOT / "README.md").read_text())
    check_equal("the README names the Rust version of Cargo.toml", {one or other for one, other in named}, {rust})

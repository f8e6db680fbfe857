"""The version of Cargo.toml is the version of everything."""

import json

from common import CPZ, ROOT, VERSION, must_run, check_equal


def part(place, options):
    """Compares the program and the extension; the other parts check the versions of their packages."""
    check_equal("the program has the version of Cargo.toml", must_run(CPZ, "--version"), f"cpz {VERSION}\n")
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    check_equal("the extension has the version of Cargo.toml", package["version"], VERSION)

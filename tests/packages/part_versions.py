"""One version: that of Cargo.toml."""

import json

from common import CPZ, ROOT, VERSION, must, same


def part(place, options):
    """What is kept by hand; the packages' own versions are checked with each package."""
    same("the program's version is Cargo.toml's", must(CPZ, "--version"), f"cpz {VERSION}\n")
    package = json.loads((ROOT / "editors" / "vscode" / "package.json").read_text())
    same("the extension's version is Cargo.toml's", package["version"], VERSION)

"""Runs the parts, each in a temporary folder; see tests/packages/run."""

import argparse
import sys
import tempfile
import time
import traceback
from pathlib import Path

import common
import part_action
import part_anki
import part_archive
import part_builds
import part_crate
import part_git
import part_hooks
import part_javascript
import part_npm
import part_pages
import part_release
import part_reproducible
import part_sbom
import part_share
import part_versions
import part_wheel

PARTS = {
    "versions": part_versions.part,
    "builds": part_builds.part,
    "npm": part_npm.part,
    "javascript": part_javascript.part,
    "crate": part_crate.part,
    "wheel": part_wheel.part,
    "share": part_share.part,
    "anki": part_anki.part,
    "archive": part_archive.part,
    "action": part_action.part,
    "hooks": part_hooks.part,
    "git": part_git.part,
    "pages": part_pages.part,
    "sbom": part_sbom.part,
    "release": part_release.part,
    "reproducible": part_reproducible.part,
}


def main():
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="tests/packages/run")
    parser.add_argument("--wheel", type=Path)
    parser.add_argument("--compile", action="store_const", const="dist")
    parser.add_argument("--compile-dev", action="store_const", const="dev", dest="compile")
    parser.add_argument("part", nargs="*")
    options = parser.parse_args()
    for name in options.part:
        if name not in PARTS:
            parser.error(f"there is no part {name}; the parts are {' '.join(PARTS)}")
    for name in options.part or PARTS:
        print(f"== {name}", flush=True)
        start = time.monotonic()  # only printed
        with tempfile.TemporaryDirectory(prefix="cpz-packages.") as place:
            # An error in one part does not stop the others.
            try:
                PARTS[name](Path(place).resolve(), options)
            except Exception as error:
                common.check(f"{name} runs to its end", False, error)
                traceback.print_exc()
        print(f"  {time.monotonic() - start:.1f} s", flush=True)
    count = common.passed + len(common.failed)
    print(f"{count} package checks, {len(common.failed)} failed")
    return 1 if common.failed else 0


if __name__ == "__main__":
    sys.exit(main())

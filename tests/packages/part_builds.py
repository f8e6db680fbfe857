"""Compares what cargo compiles for the program, for the tests and for the Python module: it compiles each crate once."""

import json
import os
import subprocess

from common import ROOT, check, check_equal

ENVIRONMENT = {**os.environ, "RUSTC_BOOTSTRAP": "1"}


def units(*arguments):
    """The features that each library is compiled with, by its package and what else decides whether it is compiled again."""
    command = ["cargo", *arguments, "--locked", "--unit-graph", "-Zunstable-options"]
    # Only unstable cargo prints its units; it compiles nothing then.
    output = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, check=True, capture_output=True, text=True).stdout
    found = {}
    for unit in json.loads(output)["units"]:
        kind = unit["target"]["kind"][0]
        if unit["mode"] == "build" and kind in ("lib", "rlib", "proc-macro"):
            # Build scripts and macros are compiled without information for debuggers.
            profile = unit["profile"]
            key = (unit["pkg_id"], kind, profile["opt_level"], str(profile["debuginfo"]))
            found.setdefault(key, set()).add(tuple(unit["features"]))
    return found


def part(place, options):
    """Compares them."""
    program = units("build")
    ours = [key for key in program if "cpz-text" in key[0]]
    check("the program is compiled from its crates", ours, list(program))
    for what, arguments in {
        "the tests": ["test", "--tests", "--no-run"],
        "the Python module": ["build", "--package", "cpz-python"],
    }.items():
        others = units(*arguments)
        again = [(key[0], sorted(features)) for key, all in program.items() for features in all if key in others and features not in others[key]]
        check_equal(f"{what} are compiled with what the program is compiled with", again, [])

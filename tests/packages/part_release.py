"""Checks the release workflow as far as possible without GitHub."""

import re

import yaml

from common import ROOT, check, check_equal
from part_npm import PLATFORMS


def part(place, options):
    """Checks platforms, actions, paths and expressions of the workflow."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    matrix = jobs["build"]["strategy"]["matrix"]["include"]
    check_equal("the workflow has the platforms of npm", [one["platform"] for one in matrix], list(PLATFORMS))
    steps = [step for job in jobs.values() for step in job["steps"]]
    for name in sorted({step["uses"] for step in steps if "uses" in step}):
        check(f"{name} is pinned", re.fullmatch(r"actions/[a-z-]+@v\d+", name))
    scripts = "\n".join(step["run"] for step in steps if "run" in step)
    for path in sorted(set(re.findall(r"\b(?:packages|tests|editors|examples)/[\w./-]+", scripts))):
        check(f"{path} exists", (ROOT / path).exists())
    # An expression in a script would run code that the name of a tag contains.
    check_equal("no script contains an expression with values from outside", re.findall(r"\$\{\{\s*(?:github|inputs)\.[^}]*\}\}", scripts), [])
    for path in sorted((ROOT / "packages").rglob("*")):
        if path.is_file() and path.read_bytes()[:2] == b"#!":
            check(f"{path.relative_to(ROOT)} is executable", path.stat().st_mode & 0o111)

"""The workflow of a release: it cannot be run here, but it can be read."""

import re

import yaml

from common import ROOT, check, same
from part_npm import PLATFORMS


def part(place, options):
    """What it names is there."""
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "release.yml").read_text())["jobs"]
    matrix = jobs["build"]["strategy"]["matrix"]["include"]
    same("its platforms are those of npm", [one["platform"] for one in matrix], list(PLATFORMS))
    steps = [step for job in jobs.values() for step in job["steps"]]
    for name in sorted({step["uses"] for step in steps if "uses" in step}):
        check(f"{name} is pinned", re.fullmatch(r"actions/[a-z-]+@v\d+", name))
    scripts = "\n".join(step["run"] for step in steps if "run" in step)
    for path in sorted(set(re.findall(r"\b(?:packages|tests|editors|examples)/[\w./-]+", scripts))):
        check(f"{path} is there", (ROOT / path).exists())
    # The tag comes from outside, and goes through the environment.
    same("nothing from outside is in a script", re.findall(r"\$\{\{\s*(?:github|inputs)\.[^}]*\}\}", scripts), [])
    for path in sorted((ROOT / "packages").rglob("*")):
        if path.is_file() and path.read_bytes()[:2] == b"#!":
            check(f"{path.relative_to(ROOT)} can be run", path.stat().st_mode & 0o111)

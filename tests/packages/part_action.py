"""The action: action.yml is read and its steps are run as GitHub runs them, without GitHub."""

import json
import re
import shutil

import yaml

from common import COLLECTION, CPZ, MISTAKES, ROOT, check, empty, run, same

TEXT = (ROOT / "action.yml").read_text()
ACTION = yaml.safe_load(TEXT)
SCRIPT = (ROOT / "packages" / "action.sh").read_text()


def evaluate(expression, known):
    """The value of an expression of a workflow, as far as action.yml has them."""
    if "&&" in expression:
        return all(evaluate(side, known) for side in expression.split("&&"))
    name, sign, text = re.fullmatch(r"\s*([\w.-]+)(?:\s*(==|!=)\s*'([^']*)')?\s*", expression).groups()
    value = known.get(name, "")
    return value if sign is None else (value == text) == (sign == "==")


def filled(text, known):
    """A text with the values of its expressions."""
    return re.sub(r"\$\{\{(.+?)\}\}", lambda found: evaluate(found[1], known), text)


class Job:
    """A runner with an environment, and what became of a run of the action in it."""

    def __init__(self, place, env):
        self.env = env
        self.temp = place / "runner temp"
        self.temp.mkdir()
        self.folder = place / "workspace"
        self.folder.mkdir()
        self.kept = False

    def act(self, **inputs):
        """Runs the steps until one fails; leaves `code`, `told`, `errors` and `used`."""
        known = {f"inputs.{name}": each.get("default", "") for name, each in ACTION["inputs"].items()}
        known |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        self.used, self.told, self.errors, self.code = [], "", "", 0
        for step in ACTION["runs"]["steps"]:
            if "if" in step and not evaluate(step["if"], known):
                continue
            if "uses" in step:
                self.used.append((step["uses"], {key: filled(value, known) for key, value in step["with"].items()}))
                if self.kept and "id" in step:
                    known[f"steps.{step['id']}.outputs.cache-hit"] = "true"
                continue
            output = self.temp / "output"
            output.write_text("")
            script = self.temp / "step.sh"
            script.write_text(filled(step["run"], known))
            env = {
                **self.env,
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_OUTPUT": str(output),
                "RUNNER_TEMP": str(self.temp),
                "RUNNER_OS": "Linux",
                "RUNNER_ARCH": "X64",
                **{name: filled(value, known) for name, value in step.get("env", {}).items()},
            }
            result = run("bash", "--noprofile", "--norc", "-eo", "pipefail", script, env=env, cwd=self.folder)
            self.told += result.stdout
            self.errors += result.stderr
            self.code = result.returncode
            for line in output.read_text().splitlines():
                name, value = line.split("=", 1)
                known[f"steps.{step['id']}.outputs.{name}"] = value
            if self.code:
                break

    def annotations(self):
        """(severity, file, line, code) of each line that GitHub takes for one."""
        pattern = r"^::(error|warning|notice) file=([^,]+),line=(\d+),.*title=([\w-]+)::"
        found = re.findall(pattern, self.told, re.MULTILINE)
        return [(kind, file, int(line), code) for kind, file, line, code in found]


def results(path):
    """The same of a SARIF file."""
    found = []
    for one in json.loads(path.read_text())["runs"][0]["results"]:
        physical = one["locations"][0]["physicalLocation"]
        line = physical["region"]["startLine"]
        found.append((one["level"], physical["artifactLocation"]["uri"], line, one["ruleId"]))
    return found


def inputs():
    """What action.yml hands over is what the script reads, and all of it."""
    steps = ACTION["runs"]["steps"]
    env = {name: value for step in steps for name, value in step.get("env", {}).items()}
    expected = {f"INPUT_{name.replace('-', '_').upper()}": f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}
    same("each input goes through the environment, by its name", env, expected)
    same("the script reads these and no others", set(re.findall(r"INPUT_\w+", SCRIPT)), set(env))
    check("no expression is in a script", not any("${{" in step.get("run", "") for step in steps))
    for name in sorted({step["uses"] for step in steps if "uses" in step}):
        check(f"{name} is pinned", re.fullmatch(r"actions/[a-z/-]+@v\d+", name))
    same(
        "the inputs and what they are if not given",
        {name: one["default"] for name, one in ACTION["inputs"].items()},
        {"paths": ".", "fail-on": "error", "baseline": "", "sarif": "", "args": ""},
    )


def installed(place):
    """With a cpz on the PATH."""
    env = empty(place, "bash")
    (place / "tools" / "cpz").symlink_to(CPZ)
    job = Job(place, env)
    shutil.copytree(MISTAKES, job.folder / "mistakes")
    shutil.copytree(COLLECTION, job.folder / "collection")
    report = json.loads(run(CPZ, "check", "--format", "json", cwd=job.folder, env=env).stdout)
    expected = [
        (one["severity"], file["path"], one["range"]["start"]["line"] + 1, one["code"])
        for file in report["files"]
        for one in file["diagnostics"]
    ]
    errors = [one for one in expected if one[0] == "error"]
    check("the example has errors and warnings", 0 < len(errors) < len(expected), expected)

    job.act()
    same("mistakes: exit code", job.code, 1)
    same("mistakes: the annotations", job.annotations(), expected)
    same("no other action is used", job.used, [])

    job.act(sarif="out/new folder/found.sarif")
    same("with SARIF: exit code", job.code, 1)
    same("with SARIF: the annotations", job.annotations(), expected)
    same("with SARIF: the results", results(job.folder / "out" / "new folder" / "found.sarif"), expected)

    job.act(paths="collection", sarif="found.sarif")
    same("nothing wrong: exit code", job.code, 0)
    same("nothing wrong: annotations and results", (job.annotations(), results(job.folder / "found.sarif")), ([], []))

    job.act(paths="mistakes/duplicates.cpz")
    same("warnings alone: exit code", job.code, 0)
    check("warnings alone: annotations", {one[0] for one in job.annotations()} == {"warning"}, job.told)
    job.act(paths="mistakes/duplicates.cpz", fail_on="warning")
    same("fail-on warning: exit code", job.code, 1)
    job.act(paths="mistakes/duplicates.cpz", fail_on="")
    same("fail-on left empty: exit code", job.code, 0)
    job.act(fail_on="nonsense")
    same("fail-on nonsense: exit code", job.code, 2)

    job.act(paths="  mistakes/answers.cpz\n\tmistakes/syntax.cpz\n")
    files = sorted({one[1] for one in job.annotations()})
    same("two paths: their files", files, ["mistakes/answers.cpz", "mistakes/syntax.cpz"])
    for paths in [" \n", "./", "./mistakes ./collection"]:
        job.act(paths=paths)
        same(f"paths {paths!r}: as git has them", job.annotations(), expected)
    job.act(paths="nowhere mistakes collection", sarif="partial.sarif")
    same("a path that is not there: exit code", job.code, 2)
    same("a path that is not there: the annotations", job.annotations(), expected)
    same("a path that is not there: the results", results(job.folder / "partial.sarif"), expected)

    (job.folder / "cpz.toml").write_text('[severity]\nduplicate-puzzle = "error"\n')
    job.act(paths="mistakes/duplicates.cpz")
    same("cpz.toml counts: exit code", job.code, 1)
    job.act(paths="mistakes/duplicates.cpz", args="--no-config  --hints")
    same("args: exit code", job.code, 0)
    (job.folder / "cpz.toml").unlink()

    quoted = ["' ; touch pwned ; '", '" ; touch pwned ; "']
    for text in ["$(touch pwned)", "`touch pwned`", "; touch pwned #", *quoted, "mistakes/*"]:
        for name in ["paths", "fail-on", "args"]:
            job.act(**{name.replace("-", "_"): text})
            same(f"{name}: {text} is no path or option", job.code, 2)
        job.act(baseline=text)
        job.act(sarif=text)
        check(f"sarif: {text} is the name of a file", (job.folder / text).is_file())
    check("nothing of these was run", not list(place.rglob("pwned")))


def baseline(place):
    """Which options the program gets; it is a stand-in here, which knows them all."""
    env = empty(place, "bash")
    program = place / "tools" / "cpz"
    program.write_text('#!/bin/sh\n[ "$1" = explain ] || printf "%s\\n" "$*"\n')
    program.chmod(0o755)
    job = Job(place, env)
    options = "check --format github --fail-on error"
    job.act(baseline="known.json", args="--hints")
    same("with a baseline", job.told.splitlines()[-1], f"{options} --baseline known.json --hints --")
    job.act()
    same("without a baseline", job.told.splitlines()[-1], f"{options} --")


def not_installed(place):
    """Without a cpz on the PATH; a stand-in for cargo writes down how it was called, and installs the program."""
    env = empty(place, "bash", "git", "find", "xargs")
    cargo = place / "tools" / "cargo"
    log = place / "cargo.log"
    cargo.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" >{log}\nfor root; do :; done\nmkdir -p "$root/bin"\ncp {CPZ} "$root/bin/cpz"\n'
    )
    cargo.chmod(0o755)
    # Another program of this name.
    other = place / "tools" / "cpz"
    other.write_text("#!/bin/sh\ntouch copied\nexit 2\n")
    other.chmod(0o755)
    job = Job(place, env)
    shutil.copytree(MISTAKES, job.folder / "mistakes")
    root = str(job.temp / "cpz-action")

    job.act()
    same("another cpz: exit code", job.code, 1)
    check("another cpz: the annotations are of this one", len(job.annotations()) > 0, job.told + job.errors)
    other.unlink()
    shutil.rmtree(root)
    log.unlink()

    job.act()
    same("none: exit code", job.code, 1)
    check("none: annotations", len(job.annotations()) > 0, job.told + job.errors)
    arguments = log.read_text().splitlines()
    same("none: it is built", arguments, ["install", "--locked", "--force", "--path", str(ROOT), "--root", root])
    kept = ["actions/cache/restore@v4", "actions/cache/save@v4"]
    same("none: it is looked for and kept", [name for name, _ in job.used], kept)
    (_, restored), (_, saved) = job.used
    same("none: it is saved as it is restored", saved, restored)
    same("none: the folder is the one that it is built in", restored["path"], root)
    key = restored["key"]
    check("none: its key is of the system and the sources", re.fullmatch(r"cpz-Linux-X64-\S*-[0-9a-f]{40}", key), key)

    log.unlink()
    job.kept = True
    job.act()
    same("kept: exit code", job.code, 1)
    check("kept: it is not built again", not log.exists())
    same("kept: nor saved", [name for name, _ in job.used], kept[:1])

    (job.temp / "cpz-action" / "bin" / "cpz").write_text("not a program\n")
    job.act(paths="mistakes/duplicates.cpz")
    same("kept, but it does not run: exit code", job.code, 0)
    check("kept, but it does not run: it is built again", log.exists())

    cargo.write_text("#!/bin/sh\nexit 101\n")
    shutil.rmtree(root)
    job.act()
    same("it cannot be built: exit code", job.code, 101)


def part(place, options):
    """The four ways."""
    inputs()
    for name, way in [("installed", installed), ("baseline", baseline), ("not-installed", not_installed)]:
        (place / name).mkdir()
        way(place / name)

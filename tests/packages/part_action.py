"""Runs the steps of action.yml as GitHub does, without GitHub."""

import json
import re
import shutil

import yaml

from common import COLLECTION, CPZ, MISTAKES, ROOT, check, isolated_env, must_run, run, check_equal

TEXT = (ROOT / "action.yml").read_text()
ACTION = yaml.safe_load(TEXT)
SCRIPT = (ROOT / "packages" / "action.sh").read_text()


def evaluate(expression, known):
    """The value of a workflow expression, of the kinds that action.yml has."""
    if "&&" in expression:
        return all(evaluate(side, known) for side in expression.split("&&"))
    name, sign, text = re.fullmatch(r"\s*([\w.-]+)(?:\s*(==|!=)\s*'([^']*)')?\s*", expression).groups()
    value = known.get(name, "")
    return value if sign is None else (value == text) == (sign == "==")


def expand(text, known):
    """The text with its expressions replaced by their values."""
    return re.sub(r"\$\{\{(.+?)\}\}", lambda found: evaluate(found[1], known), text)


class Job:
    """A runner: an environment and a workspace, and the results of the last run of the action."""

    def __init__(self, place, env):
        self.env = env
        self.temp = place / "runner temp"
        self.temp.mkdir()
        self.folder = place / "workspace"
        self.folder.mkdir()
        self.cache_hit = False

    def run(self, **inputs):
        """Runs the steps until one fails; sets `code`, `output`, `errors` and `used` (the other actions)."""
        known = {f"inputs.{name}": each.get("default", "") for name, each in ACTION["inputs"].items()}
        known |= {f"inputs.{name.replace('_', '-')}": value for name, value in inputs.items()}
        self.used, self.output, self.errors, self.code = [], "", "", 0
        for step in ACTION["runs"]["steps"]:
            if "if" in step and not evaluate(step["if"], known):
                continue
            if "uses" in step:
                self.used.append((step["uses"], {key: expand(value, known) for key, value in step["with"].items()}))
                if self.cache_hit and "id" in step:
                    known[f"steps.{step['id']}.outputs.cache-hit"] = "true"
                continue
            outputs = self.temp / "output"
            outputs.write_text("")
            script = self.temp / "step.sh"
            script.write_text(expand(step["run"], known))
            env = {
                **self.env,
                "GITHUB_ACTION_PATH": str(ROOT),
                "GITHUB_OUTPUT": str(outputs),
                "RUNNER_TEMP": str(self.temp),
                "RUNNER_OS": "Linux",
                "RUNNER_ARCH": "X64",
                **{name: expand(value, known) for name, value in step.get("env", {}).items()},
            }
            result = run("bash", "--noprofile", "--norc", "-eo", "pipefail", script, env=env, cwd=self.folder)
            self.output += result.stdout
            self.errors += result.stderr
            self.code = result.returncode
            for line in outputs.read_text().splitlines():
                name, value = line.split("=", 1)
                known[f"steps.{step['id']}.outputs.{name}"] = value
            if self.code:
                break

    def annotations(self):
        """(severity, file, line, code) of each line that GitHub reads as an annotation."""
        pattern = r"^::(error|warning|notice) file=([^,]+),line=(\d+),.*title=([\w-]+)::"
        found = re.findall(pattern, self.output, re.MULTILINE)
        return [(kind, file, int(line), code) for kind, file, line, code in found]


def sarif_results(path):
    """(severity, file, line, code) of each result in a SARIF file."""
    found = []
    for one in json.loads(path.read_text())["runs"][0]["results"]:
        physical = one["locations"][0]["physicalLocation"]
        line = physical["region"]["startLine"]
        found.append((one["level"], physical["artifactLocation"]["uri"], line, one["ruleId"]))
    return found


def check_inputs():
    """Checks that action.yml passes exactly the variables that the script reads."""
    steps = ACTION["runs"]["steps"]
    env = {name: value for step in steps for name, value in step.get("env", {}).items()}
    expected = {f"INPUT_{name.replace('-', '_').upper()}": f"${{{{ inputs.{name} }}}}" for name in ACTION["inputs"]}
    check_equal("each input is an environment variable of the same name", env, expected)
    check_equal("the script reads these variables and no others", set(re.findall(r"INPUT_\w+", SCRIPT)), set(env))
    check("no script contains an expression", not any("${{" in step.get("run", "") for step in steps))
    for name in sorted({step["uses"] for step in steps if "uses" in step}):
        check(f"{name} is pinned", re.fullmatch(r"actions/[a-z/-]+@[0-9a-f]{40}", name))
    check_equal(
        "the inputs and their defaults",
        {name: one["default"] for name, one in ACTION["inputs"].items()},
        {"paths": ".", "fail-on": "error", "baseline": "", "sarif": "", "args": ""},
    )


def test_installed(place):
    """Tests the action with a cpz on the PATH."""
    env = isolated_env(place, "bash")
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
    check("the examples have errors and warnings", 0 < len(errors) < len(expected), expected)

    job.run()
    check_equal("mistakes: exit code", job.code, 1)
    check_equal("mistakes: annotations", job.annotations(), expected)
    check_equal("mistakes: no other action runs", job.used, [])

    job.run(sarif="out/new folder/found.sarif")
    check_equal("with SARIF: exit code", job.code, 1)
    check_equal("with SARIF: annotations", job.annotations(), expected)
    check_equal("with SARIF: results", sarif_results(job.folder / "out" / "new folder" / "found.sarif"), expected)

    job.run(paths="collection", sarif="found.sarif")
    check_equal("no findings: exit code", job.code, 0)
    check_equal("no findings: annotations and results", (job.annotations(), sarif_results(job.folder / "found.sarif")), ([], []))

    job.run(paths="mistakes/duplicates.cpz")
    check_equal("only warnings: exit code", job.code, 0)
    check("only warnings: annotations", {one[0] for one in job.annotations()} == {"warning"}, job.output)
    job.run(paths="mistakes/duplicates.cpz", fail_on="warning")
    check_equal("fail-on warning: exit code", job.code, 1)
    job.run(paths="mistakes/duplicates.cpz", fail_on="")
    check_equal("fail-on empty: exit code", job.code, 0)
    job.run(fail_on="nonsense")
    check_equal("fail-on nonsense: exit code", job.code, 2)

    job.run(paths="  mistakes/answers.cpz\n\tmistakes/syntax.cpz\n")
    files = sorted({one[1] for one in job.annotations()})
    check_equal("two paths: their files", files, ["mistakes/answers.cpz", "mistakes/syntax.cpz"])
    for paths in [" \n", "./", "./mistakes ./collection"]:
        job.run(paths=paths)
        check_equal(f"paths {paths!r}: annotations have paths as in git", job.annotations(), expected)
    job.run(paths="nowhere mistakes collection", sarif="partial.sarif")
    check_equal("missing path: exit code", job.code, 2)
    check_equal("missing path: annotations", job.annotations(), expected)
    check_equal("missing path: results", sarif_results(job.folder / "partial.sarif"), expected)

    (job.folder / "cpz.toml").write_text('[severity]\nduplicate-puzzle = "error"\n')
    job.run(paths="mistakes/duplicates.cpz")
    check_equal("cpz.toml sets severities: exit code", job.code, 1)
    job.run(paths="mistakes/duplicates.cpz", args="--no-config  --hints")
    check_equal("args: exit code", job.code, 0)
    (job.folder / "cpz.toml").unlink()

    quoted = ["' ; touch pwned ; '", '" ; touch pwned ; "']
    for text in ["$(touch pwned)", "`touch pwned`", "; touch pwned #", *quoted, "mistakes/*"]:
        for name in ["paths", "fail-on", "args"]:
            job.run(**{name.replace("-", "_"): text})
            check_equal(f"{name}: {text} is not a path or option", job.code, 2)
        job.run(baseline=text)
        job.run(sarif=text)
        check(f"sarif: {text} is used as a file name", (job.folder / text).is_file())
    check("no input was run as a command", not list(place.rglob("pwned")))


def test_options(place):
    """Checks the options for a stand-in of the program, which accepts all of them."""
    env = isolated_env(place, "bash")
    program = place / "tools" / "cpz"
    program.write_text('#!/bin/sh\n[ "$1" = explain ] || printf "%s\\n" "$*"\n')
    program.chmod(0o755)
    job = Job(place, env)
    options = "check --format github --fail-on error"
    job.run(baseline="known.json", args="--hints")
    check_equal("with a baseline", job.output.splitlines()[-1], f"{options} --baseline known.json --hints --")
    job.run()
    check_equal("without a baseline", job.output.splitlines()[-1], f"{options} --")


def test_not_installed(place):
    """Tests the action without a cpz on the PATH; a stand-in for cargo logs its arguments and copies the program."""
    env = isolated_env(place, "bash", "git", "find", "xargs")
    cargo = place / "tools" / "cargo"
    log = place / "cargo.log"
    cargo.write_text(
        f'#!/bin/sh\nprintf "%s\\n" "$@" >{log}\nfor root; do :; done\nmkdir -p "$root/bin"\ncp {CPZ} "$root/bin/cpz"\n'
    )
    cargo.chmod(0o755)
    # Another program with the same name.
    other = place / "tools" / "cpz"
    other.write_text("#!/bin/sh\ntouch copied\nexit 2\n")
    other.chmod(0o755)
    job = Job(place, env)
    shutil.copytree(MISTAKES, job.folder / "mistakes")
    root = str(job.temp / "cpz-action")

    job.run()
    check_equal("another cpz: exit code", job.code, 1)
    check("another cpz: this one makes the annotations", len(job.annotations()) > 0, job.output + job.errors)
    other.unlink()
    shutil.rmtree(root)
    log.unlink()

    job.run()
    check_equal("none: exit code", job.code, 1)
    check("none: annotations", len(job.annotations()) > 0, job.output + job.errors)
    arguments = log.read_text().splitlines()
    check_equal("none: cargo builds it", arguments, ["install", "--locked", "--force", "--path", str(ROOT), "--root", root])
    cache = ["actions/cache/restore", "actions/cache/save"]
    check_equal("none: the cache is read and written", [name.split("@")[0] for name, _ in job.used], cache)
    (_, restored), (_, saved) = job.used
    check_equal("none: the cache is written with the same key and path", saved, restored)
    check_equal("none: the cache has the folder of the build", restored["path"], root)
    key = restored["key"]
    check("none: the key has the system and a hash of the sources", re.fullmatch(r"cpz-Linux-X64-\S*-[0-9a-f]{40}", key), key)

    log.unlink()
    job.cache_hit = True
    job.run()
    check_equal("cached: exit code", job.code, 1)
    check("cached: cargo does not run", not log.exists())
    check_equal("cached: the cache is not written", [name.split("@")[0] for name, _ in job.used], cache[:1])

    (job.temp / "cpz-action" / "bin" / "cpz").write_text("not a program\n")
    job.run(paths="mistakes/duplicates.cpz")
    check_equal("cached but broken: exit code", job.code, 0)
    check("cached but broken: cargo builds it again", log.exists())

    cargo.write_text("#!/bin/sh\nexit 101\n")
    shutil.rmtree(root)
    job.run()
    check_equal("the build fails: exit code", job.code, 101)


def test_summary(place):
    """Tests what the action writes into the summary of a pull request, in a checkout as actions/checkout makes it."""
    env = isolated_env(place, "bash", "git", "sed", "mkdir", "rm", "dirname")
    env |= {"GIT_CONFIG_GLOBAL": "/dev/null", "HOME": str(place)}
    (place / "tools" / "cpz").symlink_to(CPZ)
    origin = place / "origin"
    origin.mkdir()

    def git(*words, cwd=origin):
        named = ["-c", "user.name=Tester", "-c", "user.email=tester@example.org"]
        return must_run("git", *named, *words, cwd=cwd, env=env).strip()

    def commit(**texts):
        for name, text in texts.items():
            (origin / "puzzles" / f"{name}.cpz").write_text(text)
        git("add", "--all")
        git("commit", "--quiet", "--allow-empty", "--message=Puzzles")

    first, other = ('solitaire "%s" { board %s solve }\n' % named for named in [("First", "R.N.B"), ("Other", "RN..")])
    git("init", "--quiet", "--initial-branch=main")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    (origin / "puzzles").mkdir()
    (origin / "notes.txt").write_text("Notes\n")
    commit(a=first)
    git("checkout", "--quiet", "-b", "change")
    commit(a=first.replace("R.N", "RN."), b=other)
    git("checkout", "--quiet", "main")
    # What others have done since is no change of the pull request.
    commit(c=other.replace("RN", "QN").replace("Other", "Third"))
    git("merge", "--quiet", "--no-edit", "change")
    base = git("rev-parse", "HEAD^1")

    job = Job(place, env)
    job.folder.rmdir()
    git("clone", "--quiet", "--depth=1", f"file://{origin}", str(job.folder), cwd=place)
    summary = place / "summary"

    def summarized(paths, **more):
        summary.write_text("")
        job.env = env | {"GITHUB_STEP_SUMMARY": str(summary)} | more
        job.run(paths=paths)
        return summary.read_text()

    check_equal("no pull request: no summary", summarized("."), "")
    pull = {"GITHUB_BASE_REF": "main"}
    for paths, count in [(".", 1), ("puzzles", 1), ("puzzles/a.cpz\npuzzles/b.cpz", 2)]:
        text = summarized(paths, **pull)
        check_equal(f"{paths!r}: exit code", job.code, 0)
        check_equal(f"{paths!r}: headings", text.count(f" since {base[:9]}\n"), count)
        check(f"{paths!r}: the man that has moved", "- the knight has moved from c1 to b1" in text and "[.|N]" in text, text)
        check(f"{paths!r}: the new puzzle", "### Added: solitaire “Other”" in text and "Third" not in text, text)
    check_equal("what is committed stays as it is", git("status", "--porcelain", cwd=job.folder), "")
    check_equal("nothing has changed: no summary", summarized("puzzles/c.cpz", **pull), "")

    (job.folder / "puzzles" / "a.cpz").write_text(first.replace("R.N.B", "N...B"))
    text = summarized(".", **pull)
    check_equal("with a finding: exit code", job.code, 1)
    check("with a finding: summary", "- new: error\\[unsolvable\\]" in text, text)
    shutil.rmtree(job.folder / ".git")
    (job.folder / "puzzles" / "a.cpz").write_text(first)
    check_equal("without git: no summary", summarized(".", **pull), "")
    check_equal("without git: exit code", job.code, 0)
    check("without git: the log says so", "What has changed is not in the summary" in job.output, job.output)


def part(place, options):
    """Tests the inputs, and the action with and without an installed program."""
    check_inputs()
    for name, test in [("installed", test_installed), ("options", test_options), ("not-installed", test_not_installed), ("summary", test_summary)]:
        (place / name).mkdir()
        test(place / name)

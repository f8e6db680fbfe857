"""The hooks, by pre-commit itself, in a repository that is made for it."""

import sys

import yaml

from common import CPZ, ROOT, check, empty, ended, must, run, same

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
PRE_COMMIT = [sys.executable, "-m", "pre_commit"]


def puzzle(name, more="", indent="  ", answer=""):
    """A rook that steps up or, with the answer, is said to move as a bishop; `more` is another piece."""
    to = '["W","R",7,2]' if answer else '["W","R",8,2]'
    board = f'[["B","K",3,8], ["W","K",5,1], ["W","R",8,1]{more}]'
    return f'chess "{name}" {{\n  board {board}\n{indent}move {to}{answer}\n}}\n'


def part(place, options):
    """Commits are refused and accepted."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text())}
    same("the hooks", list(hooks), ["cpz", "cpz-fmt", "cpz-system", "cpz-fmt-system"])
    for name in ["cpz", "cpz-fmt"]:
        own = {"id", "language", "description"}
        same(
            f"{name} is as {name}-system, but compiled",
            {key: value for key, value in hooks[name].items() if key not in own},
            {key: value for key, value in hooks[f"{name}-system"].items() if key not in own},
        )
        same(f"{name}: languages", (hooks[name]["language"], hooks[f"{name}-system"]["language"]), ("rust", "system"))

    env = empty(place, "git", "bash", "sed", "grep", PRE_COMMIT_HOME=str(place / "cache"), GIT_CONFIG_NOSYSTEM="1")
    (place / "tools" / "cpz").symlink_to(CPZ)
    ended("pre-commit takes the manifest", run(*PRE_COMMIT, "validate-manifest", MANIFEST, env=env), 0)

    def repository(name, files):
        folder = place / name
        folder.mkdir()
        must("git", "init", "--quiet", "--initial-branch=main", cwd=folder, env=env)
        must("git", "config", "user.name", "Tester", cwd=folder, env=env)
        must("git", "config", "user.email", "tester@example.org", cwd=folder, env=env)
        for path, text in files.items():
            (folder / path).write_text(text)
        must("git", "add", "--all", cwd=folder, env=env)
        must("git", "commit", "--quiet", "--message=First", cwd=folder, env=env)
        return folder

    source = repository("hooks", {MANIFEST.name: MANIFEST.read_text()})
    revision = must("git", "rev-parse", "HEAD", cwd=source, env=env).strip()
    used = {"repo": str(source), "rev": revision, "hooks": [{"id": "cpz-system"}, {"id": "cpz-fmt-system"}]}
    config = {"repos": [used]}
    work = repository("work", {".pre-commit-config.yaml": yaml.safe_dump(config), "README.md": "Puzzles.\n"})
    must(*PRE_COMMIT, "install", cwd=work, env=env)

    def commit(path, text):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_text(text)
        must("git", "add", path, cwd=work, env=env)
        return run("git", "commit", "--message=Puzzles", cwd=work, env=env)

    def told(result):
        return result.stdout + result.stderr

    def subjects():
        return len(must("git", "log", "--format=%s", cwd=work, env=env).split())

    count = subjects()
    ended("a good puzzle is accepted", commit("good.cpz", puzzle("Steps up")), 0)
    same("and is committed", subjects(), count + 1)

    wrong = puzzle("As a bishop", ', ["B","R",1,8]', answer=" => True")
    result = commit("folder with space/wrong.cpz", wrong)
    ended("a mistake is refused", result, 1)
    check("and told of", "wrong.cpz" in told(result) and "[wrong-answer]" in told(result), told(result))
    same("and is not committed", subjects(), count + 1)
    mended = wrong.replace("True", "illegal")
    ended("mended it is accepted", commit("folder with space/wrong.cpz", mended), 0)

    result = commit("unformatted.cpz", puzzle("Loose", ', ["W","P",1,2]', indent="      "))
    ended("what is not formatted is refused", result, 1)
    check("and told of", "files were modified by this hook" in told(result), told(result))
    text = (work / "unformatted.cpz").read_text()
    check("and formatted", "\n  move" in text, text)
    ended("formatted it is accepted", commit("unformatted.cpz", text), 0)

    ended("cpz.toml is accepted", commit("cpz.toml", '[severity]\nduplicate-puzzle = "error"\n'), 0)
    result = commit("again.cpz", puzzle("Again"))
    ended("a puzzle that another file has is refused", result, 1)
    check("and told of", "[duplicate-puzzle]" in told(result), told(result))
    check("with the other file", "good.cpz" in told(result), told(result))
    must("git", "reset", "--quiet", "--hard", cwd=work, env=env)

    ended("a mistake in cpz.toml is refused", commit("cpz.toml", 'rules = "none such"\n'), 1)
    must("git", "reset", "--quiet", "--hard", cwd=work, env=env)

    result = commit("README.md", "More puzzles.\n")
    ended("other files are accepted", result, 0)
    check("without a run", told(result).count("no files to check") == 2, told(result))

    result = run(*PRE_COMMIT, "try-repo", source, "cpz-system", "--all-files", cwd=work, env=env)
    ended("pre-commit try-repo", result, 0)
    check("runs the check", "cpz check" in told(result) and "Passed" in told(result), told(result))

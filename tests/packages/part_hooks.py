"""Runs the hooks with pre-commit in a temporary repository."""

import sys

import yaml

from common import CPZ, ROOT, check, isolated_env, check_exit_code, must_run, run, check_equal

MANIFEST = ROOT / ".pre-commit-hooks.yaml"
PRE_COMMIT = [sys.executable, "-m", "pre_commit"]


def puzzle(name, more="", indent="  ", answer=""):
    """A puzzle: a rook moves up or, with an answer, diagonally; `more` is another piece."""
    to = '["W","R",7,2]' if answer else '["W","R",8,2]'
    board = f'[["B","K",3,8], ["W","K",5,1], ["W","R",8,1]{more}]'
    return f'chess "{name}" {{\n  board {board}\n{indent}move {to}{answer}\n}}\n'


def part(place, options):
    """Makes commits that the hooks accept and reject."""
    hooks = {hook["id"]: hook for hook in yaml.safe_load(MANIFEST.read_text())}
    check_equal("the hooks", list(hooks), ["cpz", "cpz-fmt", "cpz-system", "cpz-fmt-system"])
    for name in ["cpz", "cpz-fmt"]:
        own = {"id", "language", "description"}
        check_equal(
            f"{name} and {name}-system differ only in id, language and description",
            {key: value for key, value in hooks[name].items() if key not in own},
            {key: value for key, value in hooks[f"{name}-system"].items() if key not in own},
        )
        check_equal(f"{name}: languages", (hooks[name]["language"], hooks[f"{name}-system"]["language"]), ("rust", "system"))

    env = isolated_env(place, "git", "bash", "sed", "grep", PRE_COMMIT_HOME=str(place / "cache"), GIT_CONFIG_NOSYSTEM="1")
    (place / "tools" / "cpz").symlink_to(CPZ)
    check_exit_code("pre-commit validates the manifest", run(*PRE_COMMIT, "validate-manifest", MANIFEST, env=env), 0)

    def repository(name, files):
        folder = place / name
        folder.mkdir()
        must_run("git", "init", "--quiet", "--initial-branch=main", cwd=folder, env=env)
        must_run("git", "config", "user.name", "Tester", cwd=folder, env=env)
        must_run("git", "config", "user.email", "tester@example.org", cwd=folder, env=env)
        for path, text in files.items():
            (folder / path).write_text(text)
        must_run("git", "add", "--all", cwd=folder, env=env)
        must_run("git", "commit", "--quiet", "--message=First", cwd=folder, env=env)
        return folder

    source = repository("hooks", {MANIFEST.name: MANIFEST.read_text()})
    revision = must_run("git", "rev-parse", "HEAD", cwd=source, env=env).strip()
    used = {"repo": str(source), "rev": revision, "hooks": [{"id": "cpz-system"}, {"id": "cpz-fmt-system"}]}
    config = {"repos": [used]}
    work = repository("work", {".pre-commit-config.yaml": yaml.safe_dump(config), "README.md": "Puzzles.\n"})
    must_run(*PRE_COMMIT, "install", cwd=work, env=env)

    def commit(path, text):
        (work / path).parent.mkdir(parents=True, exist_ok=True)
        (work / path).write_text(text)
        must_run("git", "add", path, cwd=work, env=env)
        return run("git", "commit", "--message=Puzzles", cwd=work, env=env)

    def output(result):
        return result.stdout + result.stderr

    def commits():
        return len(must_run("git", "log", "--format=%s", cwd=work, env=env).split())

    count = commits()
    check_exit_code("a good puzzle is accepted", commit("good.cpz", puzzle("Steps up")), 0)
    check_equal("the puzzle is committed", commits(), count + 1)

    wrong = puzzle("As a bishop", ', ["B","R",1,8]', answer=" => True")
    result = commit("folder with space/wrong.cpz", wrong)
    check_exit_code("a mistake is rejected", result, 1)
    check("the finding is printed", "wrong.cpz" in output(result) and "[wrong-answer]" in output(result), output(result))
    check_equal("the mistake is not committed", commits(), count + 1)
    corrected = wrong.replace("True", "illegal")
    check_exit_code("the corrected puzzle is accepted", commit("folder with space/wrong.cpz", corrected), 0)

    result = commit("unformatted.cpz", puzzle("Loose", ', ["W","P",1,2]', indent="      "))
    check_exit_code("an unformatted puzzle is rejected", result, 1)
    check("the reason is printed", "files were modified by this hook" in output(result), output(result))
    text = (work / "unformatted.cpz").read_text()
    check("the hook formats the puzzle", "\n  move" in text, text)
    check_exit_code("the formatted puzzle is accepted", commit("unformatted.cpz", text), 0)

    check_exit_code("a valid cpz.toml is accepted", commit("cpz.toml", '[severity]\nduplicate-puzzle = "error"\n'), 0)
    result = commit("again.cpz", puzzle("Again"))
    check_exit_code("a duplicate of a puzzle in another file is rejected", result, 1)
    check("the finding is printed", "[duplicate-puzzle]" in output(result), output(result))
    check("the finding names the other file", "good.cpz" in output(result), output(result))
    must_run("git", "reset", "--quiet", "--hard", cwd=work, env=env)

    check_exit_code("a mistake in cpz.toml is rejected", commit("cpz.toml", 'rules = "none such"\n'), 1)
    must_run("git", "reset", "--quiet", "--hard", cwd=work, env=env)

    result = commit("README.md", "More puzzles.\n")
    check_exit_code("a commit without puzzles is accepted", result, 0)
    check("a commit without puzzles runs no hook", output(result).count("no files to check") == 2, output(result))

    result = run(*PRE_COMMIT, "try-repo", source, "cpz-system", "--all-files", cwd=work, env=env)
    check_exit_code("pre-commit try-repo", result, 0)
    check("pre-commit try-repo runs the check", "cpz check" in output(result) and "Passed" in output(result), output(result))

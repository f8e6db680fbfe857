"""Runs the recipes for git of the manual: diffs of formatted puzzles or of boards, and the merge driver."""

import random
import re

from common import CPZ, ROOT, check, check_equal, check_exit_code, isolated_env, must_run, run

DRIVER = ROOT / "packages" / "git" / "cpz-merge"
MARKER = re.compile(r"^(<{7}|\|{7}|={7}|>{7})", re.MULTILINE)
FEN = 'chess "Corner" {\n  board 7k/8/5KQ1/8/8/8/8/8\n  mate in 1 => Qg7\n}\n'


def puzzle(name, query="solve", indent="  "):
    return f'solitaire "{name}" {{\n{indent}board RN..\n{indent}{query}\n}}\n'


def recipes():
    """The commands of the page, and its line of .gitattributes."""
    page = (ROOT / "docs" / "ci.md").read_text()
    section = page.split("\n## git\n")[1].split("\n## ")[0]
    commands = "\n".join(re.findall(r"```sh\n(.+?)```", section, re.DOTALL))
    [attributes] = re.findall(r"```text\n(\*\.cpz .+?)```", section, re.DOTALL)
    return commands.replace("/path/to/cpz", str(ROOT)), attributes


class Repository:
    """A repository that is set up as the page says."""

    def __init__(self, folder, env):
        self.folder, self.env = folder, env
        folder.mkdir()
        self.git("init", "--quiet", "--initial-branch=main")
        self.git("config", "user.name", "Tester")
        self.git("config", "user.email", "tester@example.org")
        commands, attributes = recipes()
        for line in commands.splitlines():
            if line.startswith("git config"):
                must_run("sh", "-c", line, cwd=folder, env=env)
        (folder / ".gitattributes").write_text(attributes)
        self.commit(puzzle("First"))

    def git(self, *words):
        return must_run("git", *words, cwd=self.folder, env=self.env)

    @property
    def text(self):
        return (self.folder / "puzzles.cpz").read_text()

    def commit(self, text):
        (self.folder / "puzzles.cpz").write_text(text)
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message=Puzzles")

    def merge(self, base, ours, theirs):
        """Merges two changes of one text; returns the result of `git merge`."""
        run("git", "merge", "--abort", cwd=self.folder, env=self.env)
        self.git("checkout", "--quiet", "main")
        self.commit(base)
        for branch, text in [("theirs", theirs), ("ours", ours)]:
            self.git("checkout", "--quiet", "-B", branch, "main")
            self.commit(text)
        return run("git", "merge", "--quiet", "--message=Merge", "theirs", cwd=self.folder, env=self.env)


def diffs(repository):
    """Diffs with the attributes of the page."""
    folder, env = repository.folder, repository.env
    repository.commit(FEN + puzzle("Second"))
    (folder / "puzzles.cpz").write_text(FEN + puzzle("Second", indent="     "))
    check_equal("diff: white space is no difference", repository.git("diff"), "")
    (folder / "puzzles.cpz").write_text(FEN.replace("5KQ1", "4K1Q1") + puzzle("Second", "count"))
    shown = repository.git("diff", "-U0")
    check("diff: shows the text that has changed", "+  count\n" in shown and "4K1Q1" in shown, shown)
    check("diff: names the puzzle", '@@ solitaire "Second"' in shown, shown)
    drawn = repository.git("boards", "-U0")
    check("boards: draws the row that has changed", "+ 6 . . . . K . Q .\n" in drawn, drawn)
    (folder / "puzzles.cpz").write_bytes(b"\xff\xfe{ solitaire\n")
    for command in ["diff", "boards"]:
        shown = run("git", command, cwd=folder, env=env)
        check_exit_code(f"{command}: a text that cannot be read is shown as it is", shown, 0)
        check(f"{command}: all of it", "solitaire\n" in shown.stdout, shown.stdout)
    patch = repository.git("diff", "--no-textconv", "--binary")
    must_run("git", "checkout", "--quiet", "puzzles.cpz", cwd=folder, env=env)
    check_exit_code("a patch is of the file", run("git", "apply", "--check", "-", cwd=folder, env=env, text=patch), 0)


def merges(repository):
    """Merges with the driver of the page."""
    first, mine, yours = puzzle("First"), puzzle("Mine"), puzzle("Yours", "count")
    result = repository.merge(first, first + mine, first + yours)
    check_exit_code("merge: both sides may add puzzles at the end", result, 0)
    check_equal("merge: both are kept whole", repository.text, first + mine + yours)
    result = repository.merge(first, puzzle("First", indent="      "), puzzle("First", "count"))
    check_exit_code("merge: one side may format while the other edits", result, 0)
    check_equal("merge: the edit is kept", repository.text, puzzle("First", "count"))

    result = repository.merge(first, first.replace("RN..", "RQ.."), first.replace("RN..", "RB.."))
    check_exit_code("merge: two changes of one board are a conflict", result, 1)
    text = repository.text
    check("merge: both boards stand there", all(f"board {row}\n" in text for row in ["RQ..", "RB..", "RN.."]), text)
    check_equal("merge: with the markers of git", MARKER.findall(text), ["<" * 7, "|" * 7, "=" * 7, ">" * 7])
    check_equal("merge: git knows of the conflict", repository.git("ls-files", "--unmerged").count("puzzles.cpz"), 3)
    found = run("cpz", "check", "puzzles.cpz", cwd=repository.folder, env=repository.env)
    check("check: says what to do about a conflict", found.returncode == 1 and "keep one" in found.stdout, found.stdout)
    formatted = run("cpz", "fmt", "puzzles.cpz", cwd=repository.folder, env=repository.env)
    check_equal("fmt: keeps the markers", MARKER.findall(repository.text), MARKER.findall(text))
    check("fmt: ends by itself", formatted.returncode in (0, 1), formatted.stderr)

    added = [first.replace("solve\n", f'solve\n  author "{name}"\n') for name in ["Mine", "Yours"]]
    check_exit_code("merge: two properties at one place are a conflict", repository.merge(first, *added), 1)
    check("merge: both properties stand there", all(f'author "{n}"' in repository.text for n in ["Mine", "Yours"]), "")
    for what, default in [("above", 'author "Mine"\n\n' + mine), ("behind", mine + 'author "Mine"\n')]:
        result = repository.merge(first, first + default, first + yours)
        check_exit_code(f"merge: a property {what} added puzzles, which those of the other side would get, is a conflict", result, 1)
    smile = first.replace("solve\n", "solve\n  move a1a2 => legal (smile :})\n")
    added = [smile.replace(":})\n", f":}})\n  count => {n} (see {{{n}}})\n") for n in [1, 2]]
    check_exit_code("merge: a brace in a remark closes no puzzle", repository.merge(smile, *added), 1)
    check_exit_code("merge: a file that is no text is a conflict", repository.merge(first, first + "\0one", first + "\0two"), 1)


def changed(chance, puzzles, side):
    """Some random changes of a list of puzzles; each line that is written is of this side alone."""
    puzzles = list(puzzles)
    for number in range(chance.randrange(1, 4)):
        at = chance.randrange(len(puzzles))
        name = f"{side} {number}"
        match chance.randrange(5):
            case 0:
                puzzles.append(puzzle(name))
            case 1:
                puzzles.insert(at, f"// {name}\n" + puzzle(name, "count"))
            case 2:
                puzzles[at] = puzzles[at].replace("\n}", f'\n  note "{name}"\n}}')
            case 3:
                puzzles[at] = puzzles[at].replace("board", "   board")
            case 4 if len(puzzles) > 1:
                del puzzles[at]
    return puzzles


def lines(text):
    return {line.strip() for line in text.splitlines()} - {""}


def nothing_is_lost(place, env):
    """Random changes on both sides: what a side has written is in the result, and so is what both have kept."""
    chance = random.Random(2026)
    lost, broken, counts = [], [], [0, 0]
    for _ in range(40):
        base = [puzzle(f"Base {n}", f'solve\n  note "base {n}"') for n in range(chance.randrange(1, 5))]
        texts = [base, changed(chance, base, "ours"), changed(chance, base, "theirs")]
        texts = ["\n".join(each) for each in texts]
        files = [place / name for name in ["base.cpz", "ours.cpz", "theirs.cpz"]]
        for file, text in zip(files, texts):
            file.write_text(text)
        result = run(DRIVER, *files, "7", env=env, cwd=place)
        merged = files[1].read_text()
        has_conflict = MARKER.search(merged) is not None
        counts[has_conflict] += 1
        old, ours, theirs = map(lines, texts)
        expected = (ours - old) | (theirs - old) | (old & ours & theirs)
        if not expected <= lines(merged) or result.returncode != has_conflict:
            lost.append(f"{expected - lines(merged)} {result.returncode}\n{merged}")
        if not has_conflict and merged:
            files[0].write_text(merged)
            if "[syntax]" in run("cpz", "check", files[0], env=env, cwd=place).stdout:
                broken.append(merged)
    check("merge: 40 random merges lose no line, and each conflict is reported", not lost, "\n".join(lost))
    check("merge: what merges without a conflict has no new syntax errors", not broken, "\n".join(broken))
    check("merge: some of them are in conflict, and some are not", min(counts) > 4, counts)


def part(place, options):
    """Sets git up as the manual says, and makes diffs and merges."""
    env = isolated_env(place, "git", "awk", "sed", GIT_CONFIG_NOSYSTEM="1")
    (place / "tools" / "cpz").symlink_to(CPZ)
    repository = Repository(place / "work", env)
    diffs(repository)
    merges(repository)
    nothing_is_lost(place, env)

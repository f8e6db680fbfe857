"""Changes the program in many small ways, and looks whether a test fails each time.

    main.py [--only PATH] [--limit SECONDS] [--workers N] [--tests REGEX [--quick]] [--programs REGEX] [--build | --built | --chosen]
            [--part REGEX] [--package NAME] [--opt-level N] [--self-test]

`--only` takes the start of a path, `--limit` the seconds of processor time that the tests of one change may take. `--tests` tries the
changes without a failing test again, with the tests whose names match; `--programs` leaves out the programs of tests whose names do
not; `--quick` does not ask what these tests call, but runs all of them for each change, which is sooner done for tests of less than a tenth
of a second. `--build` compiles, and tries nothing; `--built` compiles nothing and takes the tests that are known; `--chosen` only writes the list.

`--part` compiles and tries only the changes without a reason whose file and function, with a blank between them, have a match; `--package`
compiles only one package, into a copy of its own, and runs the tests of its library; `--opt-level 0` is for code that is copied often.
"""

import argparse
import json
import math
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
from collections import Counter, defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

import binaries
from source import Copied, Mutant, Source, read_mutants, with_switches

HERE = Path(__file__).resolve().parent
LIST = HERE / "list.tsv"
SEED = "cpz"

AREAS = {
    "writes": (
        None,
        (
            "src/cli/atomic_write.rs src/cli/file_lock.rs src/cli/file_attributes.rs src/cli/write_guard.rs src/cli/new_file.rs "
            "src/cli/rewrite.rs src/ide/text_edit.rs"
        ).split(),
    ),
    "repair": (None, ["src/check/repair"]),
    "fixes": (450, ["src/ide/code_actions"]),
    "exchange": (400, ["src/exchange"]),
    "games": (None, ["src/rules/games"]),
    "board": (237, ["src/rules/board"]),
}
"""How many changes of which files are chosen; without a number, all of them."""

FIELDS = ["area", "file", "function", "change", "nth", "result", "reason", "digest"]
"""The columns of the list. With the digest, a copy of the project knows what was found elsewhere."""
UNTRIED = "not tried"
OPEN = "open"
"""No test has failed so far, and not all that call the function have run."""
UNVIABLE = "does not compile"


class Work:
    """One project, its copy, and what is known of its changes."""

    opt_level = 1
    """With more than that, compiling takes longer than the tests."""
    package = ""
    """The only package that is compiled."""

    def __init__(self, root: Path, work: Path, areas: dict, listed: list[dict], listed_in: Path, test_options: list[str]):
        self.root, self.tree, self.work = root, work / "tree", work
        self.target = Path(os.environ.get("CARGO_TARGET_DIR", work / "target")).resolve()
        self.test_options = test_options
        files = {entry["file"] for entry in listed}
        self.sources = {file: Source((root / file).read_text()) for file in files}
        self.mutants = choose(read_mutants(listed, self.sources), areas)
        self.binaries: dict[str, binaries.Binary] = {}
        self.copied: dict[str, Copied] = {}
        self.lock = threading.Lock()
        self.all_tests = True
        work.mkdir(parents=True, exist_ok=True)
        known = [row for row in read_rows(listed_in) if row["result"] != OPEN] + read_lines(work / "results.jsonl")
        self.results = {line["digest"]: line for line in known}
        self.part = self.mutants
        self.traces = {(line["binary"], line["test"]): line for line in read_lines(work / "traces.jsonl")}

    def result(self, mutant: Mutant) -> dict | None:
        return self.results.get(mutant.digest)

    def take_part(self, pattern: str, listed_in: Path) -> None:
        """Compiles only the changes without a reason whose place matches."""
        explained = {row["digest"] for row in read_rows(listed_in) if row["reason"]}
        self.part = [m for m in self.mutants if m.digest not in explained and re.search(pattern, f"{m.file} {m.function}")]

    def note(self, mutant: Mutant, result: str, **more) -> None:
        """Keeps a result, on disk too, so that the next call goes on from here."""
        line = {"digest": mutant.digest, "result": result, **more}
        with self.lock:
            self.results[mutant.digest] = line
            append(self.work / "results.jsonl", line)

    # ---- The copy ----------------------------------------------------------------------------------

    def copy(self) -> None:
        """Copies the files of the project, with a switch in each function that has changes."""
        crate = self.tree / "cpz_mutant"
        manifest = '[package]\nname = "cpz_mutant"\nversion = "0.0.0"\nedition = "2024"\n[lib]\npath = "lib.rs"\n'
        wanted = {crate / "Cargo.toml": manifest, crate / "lib.rs": (HERE / "switch.rs").read_text()}
        by_file = defaultdict(list)
        before = dict(map(tuple, read_lines(self.work / "numbers.jsonl")))
        for mutant in self.mutants:
            mutant.number = 0
        for mutant in self.part:
            # What the last copy had stays in, so that cargo does not compile its file again.
            left_out = (UNVIABLE, UNTRIED) if mutant.key in before else (UNVIABLE, UNTRIED, "killed")
            known = self.result(mutant)
            if not mutant.place.obstacle and not (known and known["result"] in left_out):
                by_file[mutant.file].append(mutant)
        number = 0
        for file, mutants in sorted(by_file.items()):
            for mutant in mutants:
                number = mutant.number = number + 1
            self.copied[file] = with_switches(self.sources[file], mutants)
            # Where functions are put into one another, each with all its changes, compiling has no end.
            wanted[self.tree / file] = without_inlining(self.copied[file].text)
        for file in git_files(self.root):
            if (path := self.tree / file) in wanted or (self.root / file).is_symlink() or not (self.root / file).is_file():
                continue
            content = (self.root / file).read_bytes()
            if self.package and path.suffix == ".rs":
                content = without_inlining(content.decode()).encode()
            if path.name == "Cargo.toml" and (path.parent == self.tree or self.tree / "src" in path.parents):
                crate_path = os.path.relpath(crate, path.parent)
                line = f'[dependencies]\ncpz_mutant = {{ path = "{crate_path}" }}'
                optimised = f"opt-level = {self.opt_level}"
                content = content.decode().replace("[dependencies]", line, 1).replace("opt-level = 2", optimised).encode()
            wanted[path] = content
        for path, content in wanted.items():
            write_if_new(path, content if isinstance(content, bytes) else content.encode())
            if (original := self.root / path.relative_to(self.tree)).exists():
                shutil.copymode(original, path)
        for path in self.tree.rglob("*"):
            outside = {".git", "node_modules", "target"} & set(path.relative_to(self.tree).parts)
            if path.is_file() and path not in wanted and path.name != "Cargo.lock" and not outside:
                path.unlink()
        # Ignore files of the folders above are not those of the copy.
        subprocess.run(["git", "init", "--quiet", self.tree], check=True)

    def cargo(self, *arguments: str) -> tuple[bool, list[str]]:
        command = ["cargo", *arguments, "--offline", "--message-format", "json"]
        env = {**os.environ, "CARGO_INCREMENTAL": "1", "CARGO_PROFILE_DEV_DEBUG": "false", "CARGO_TARGET_DIR": str(self.target)}
        done = subprocess.run(command, cwd=self.tree, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        return done.returncode == 0, [line for line in done.stdout.splitlines() if line.startswith("{")]

    def restore(self) -> None:
        """The copy that was compiled last."""
        numbers = dict(map(tuple, read_lines(self.work / "numbers.jsonl")))
        for mutant in self.mutants:
            mutant.number = numbers.get(mutant.key, 0)
        self.binaries = {line["name"]: binaries.Binary(**line) for line in read_lines(self.work / "binaries.jsonl")}

    def build(self) -> None:
        """Compiles the copy; leaves out the changes that do not compile, until the rest does."""
        while True:
            self.copy()
            print(f"compiling {sum(len(c.mutants) for c in self.copied.values())} changes", flush=True)
            good, lines = self.cargo("check", "--keep-going", *(["--package", self.package] if self.package else []))
            if good:
                good, lines = self.cargo("test", "--no-run", *self.test_options)
            if good:
                break
            self.drop(lines)
        self.binaries = {binary.name: binary for binary in binaries.built(lines, self.tree)}
        lines = [json.dumps(asdict(binary)) + "\n" for binary in self.binaries.values()]
        (self.work / "binaries.jsonl").write_text("".join(lines))
        lines = [json.dumps([mutant.key, mutant.number]) + "\n" for mutant in self.mutants if mutant.number]
        (self.work / "numbers.jsonl").write_text("".join(lines))

    def drop(self, lines: list[str]) -> None:
        dropped = {}
        errors = []
        for line in map(json.loads, lines):
            if line["reason"] != "compiler-message" or line["message"]["level"] != "error":
                continue
            errors.append(line["message"]["rendered"])
            for span in line["message"]["spans"]:
                while span and span["is_primary"] and span["file_name"] not in self.copied:
                    span = {**span["expansion"]["span"], "is_primary": True} if span["expansion"] else None
                if span and span["is_primary"]:
                    found = self.copied[span["file_name"]].of_line(span["line_start"])
                    for mutant in found:
                        dropped[mutant.number] = mutant, UNVIABLE if len(found) == 1 else UNTRIED
        if not dropped:
            sys.exit("the copy does not compile:\n" + "\n".join(errors))
        for mutant, result in dropped.values():
            self.note(mutant, result, **({"why": "the function cannot have a switch"} if result == UNTRIED else {}))
        print(f"{len(dropped)} changes do not compile", flush=True)

    # ---- The tests ---------------------------------------------------------------------------------

    def trace(self, pattern: str | None, programs: str, workers: int, longest: float, known_only: bool = False) -> None:
        """Runs each test once that is new, or that matches, to see which functions it calls; with `known_only` none. Leaves out those
        that take more than `longest` seconds."""
        chosen = [binary for binary in self.binaries.values() if re.search(programs, binary.name)]
        tests = [(binary, test) for binary in chosen for test in binaries.names(binary)]
        present = {(binary.name, test) for binary, test in tests}

        def one(binary: binaries.Binary, test: str) -> None:
            line = binaries.trace(binary, test, longest)
            with self.lock:
                self.traces[binary.name, test] = line
                append(self.work / "traces.jsonl", line)
            if line["failure"]:
                print(f"left out, since it fails without a change: {test}", flush=True)

        def is_new(binary: binaries.Binary, test: str) -> bool:
            known = self.traces.get((binary.name, test))
            return not known or known["failure"] == "hangs" and known["cpu"] < longest

        new = [] if known_only else [(b, t) for b, t in tests if (re.search(pattern, t) if pattern else is_new(b, t))]
        run_all(one, new, workers)
        self.all_tests = not (pattern or programs or known_only or longest < binaries.MAX_TEST)
        passing = [t for key, t in self.traces.items() if key in present and not t["failure"]]
        self.tests = [t for t in passing if not pattern or re.search(pattern, t["test"])]
        self.callers = defaultdict(list)
        for number, test in enumerate(self.tests):
            for function in test["calls"]:
                self.callers[function].append(number)
        self.tried, self.killed = Counter(), Counter()

    def take_all(self, pattern: str, programs: str, longest: float) -> None:
        """Takes the tests that match for all functions, whatever they call; leaves out those that take more than `longest` seconds."""
        chosen = [binary for binary in self.binaries.values() if re.search(programs, binary.name)]
        self.tests = []
        for binary in chosen:
            for test in (test for test in binaries.names(binary) if re.search(pattern, test)):
                ended = binaries.run(binary, [test], math.ceil(longest))
                if ended.failure:
                    print(f"left out, since it fails without a change: {test}", flush=True)
                else:
                    self.tests.append({"test": test, "binary": binary.name, "cpu": ended.cpu, "calls": []})
        everything = list(range(len(self.tests)))
        self.callers = defaultdict(lambda: everything)
        self.all_tests = False
        self.tried, self.killed = Counter(), Counter()

    def likely_first(self, mutant: Mutant) -> list[int]:
        """The tests that call the function of a change, in the order in which one of them probably fails soonest: a test that calls few
        functions, or that has found changes of the same file, in little time."""

        def seconds_per_failure(number: int) -> float:
            test = self.tests[number]
            before = 2 / (1 + len(test["calls"]) / 10)
            key = number, mutant.file
            return (test["cpu"] + 0.01) * (self.tried[key] + 2) / (self.killed[key] + before)

        return sorted(self.callers[mutant.place.name], key=seconds_per_failure)

    def attempt(self, mutant: Mutant, limit: float) -> tuple[str, dict]:
        """Runs the tests that call the function, in batches that grow, until one fails or they have taken `limit` seconds."""
        left = self.likely_first(mutant)
        if not left:
            return ("missed" if self.all_tests else OPEN), {"why": "no test calls the function"}
        seconds, size, count = 0.0, 0.3, 0
        while left and seconds < limit:
            batch = []
            while left and (not batch or sum(self.tests[n]["cpu"] for n in batch) < size):
                batch.append(left.pop(0))
            groups = defaultdict(list)
            for number in batch:
                groups[self.tests[number]["binary"]].append(number)
            for name, numbers in groups.items():
                expected = sum(self.tests[n]["cpu"] for n in numbers)
                tests = [self.tests[n]["test"] for n in numbers]
                ended = binaries.run(self.binaries[name], tests, int(10 + 5 * expected), CPZ_MUTANT=str(mutant.number))
                seconds += ended.cpu
                count += len(numbers)
                with self.lock:
                    for number in numbers:
                        failed = self.tests[number]["test"] == ended.failure
                        if failed or not ended.failure:
                            self.tried[number, mutant.file] += 1
                            self.killed[number, mutant.file] += failed
                if ended.failure:
                    return "killed", {"by": ended.failure, "seconds": round(seconds, 1)}
            size *= 3
        result = "missed" if self.all_tests and not left else OPEN
        return result, {"seconds": round(seconds, 1), "tests": count, "left": len(left)}

    def try_all(self, only: str, limit: float, workers: int, again: bool) -> None:
        """Tries the changes that have no result or an open one, and with `again` all that no test has found."""
        known = ("missed", OPEN) if again else (OPEN,)
        waiting = [m for m in self.part if m.file.startswith(only) and m.number]
        waiting = [m for m in waiting if not self.result(m) or self.result(m)["result"] in known]

        def one(mutant: Mutant) -> None:
            result, more = self.attempt(mutant, limit)
            if result != OPEN or not self.result(mutant):
                self.note(mutant, result, **more)
            if result != "killed":
                print(result, mutant.key.replace("\t", " "), more, flush=True)

        run_all(one, [(mutant,) for mutant in waiting], workers)

    # ---- The list ----------------------------------------------------------------------------------

    def row(self, mutant: Mutant, reasons: dict[str, str]) -> dict:
        known = self.result(mutant) or {}
        result = UNTRIED if mutant.place.obstacle else known.get("result", OPEN)
        why = mutant.place.obstacle or (known.get("why") or known.get("reason", "") if result == UNTRIED else "")
        reason = reasons.get(mutant.key, "") if result in ("missed", OPEN) else why
        place = {"area": mutant.area, "file": mutant.file, "function": mutant.function}
        return {**place, "change": mutant.change, "nth": mutant.nth, "result": result, "reason": reason, "digest": mutant.digest}

    def write_list(self, path: Path) -> list[dict]:
        before = read_rows(path)
        reasons = {"\t".join([row["file"], row["function"], row["change"], row["nth"]]): row["reason"] for row in before}
        # What another run has found meanwhile.
        for row in before:
            if row["result"] != OPEN and self.results.get(row["digest"], {"result": OPEN})["result"] == OPEN:
                self.results[row["digest"]] = row
        rows = [self.row(mutant, reasons) for mutant in sorted(self.mutants, key=lambda m: (m.file, m.key))]
        lines = [FIELDS, *(row.values() for row in rows)]
        path.write_text("".join("\t".join(map(str, line)) + "\n" for line in lines))
        return rows


def choose(mutants: list[Mutant], areas: dict) -> list[Mutant]:
    """The changes that are tried, always the same for the same seed: area after area, each in a random order."""
    chosen = []
    for area, (count, paths) in areas.items():
        # A file belongs to the first area that names it.
        own = [m for m in mutants if not m.area and any(m.file == path or m.file.startswith(path + "/") for path in paths)]
        for mutant in own:
            mutant.area = area
        chosen += sorted(own, key=lambda m: m.rank(SEED))[:count]
    return chosen


def summary(rows: list[dict]) -> str:
    """The table of docs/proof.md."""
    lines = ["| area | chosen | compiled | a test fails | no test can, with the reason | none does | open |", "|---" + "|--:" * 6 + "|"]
    for area in [*dict.fromkeys(row["area"] for row in rows), None]:
        own = [row for row in rows if area in (row["area"], None)]
        counts = Counter(row["result"] for row in own)
        explained = Counter(row["result"] for row in own if row["reason"])
        missed, left = (counts[result] - explained[result] for result in ("missed", OPEN))
        compiled = len(own) - counts[UNTRIED] - counts[UNVIABLE]
        cells = (area or "all", len(own), compiled, counts["killed"], explained["missed"] + explained[OPEN], missed, left)
        lines.append("| " + " | ".join(map(str, cells)) + " |")
    return "\n".join(lines)


def run_all(function, arguments: list[tuple], workers: int) -> None:
    with ThreadPoolExecutor(workers) as pool:
        for done in [pool.submit(function, *values) for values in arguments]:
            done.result()


def without_inlining(text: str) -> str:
    return re.sub(r"#\[inline(\(always\))?\]", "#[inline(never)]", text)


def git_files(root: Path) -> list[str]:
    command = ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    return [name for name in subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout.split("\0") if name]


def write_if_new(path: Path, content: bytes) -> None:
    """A file that stays as it is keeps its time, so that cargo does not compile it again."""
    if not path.exists() or path.read_bytes() != content:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def read_lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def read_rows(path: Path) -> list[dict]:
    """The lines of the list."""
    if not path.exists():
        return []
    head, *lines = path.read_text().splitlines()
    return [dict(zip(head.split("\t"), line.split("\t"))) for line in lines]


def append(path: Path, line: dict) -> None:
    with path.open("a") as file:
        file.write(json.dumps(line) + "\n")


# ---- Its own test ----------------------------------------------------------------------------------

TOY = """/// Whether a number has two digits.
pub fn has_two_digits(n: u32) -> bool {
    n > 9 && n < 100
}
#[test]
fn ten_has_two_digits_and_nine_has_not() {
    assert!(has_two_digits(10) && !has_two_digits(9));
}
"""

TOY_CHANGES = [("replace > with <", "<", 3, 7, 8), ("replace < with <=", "<=", 3, 16, 17), ("replace > with text", '"text"', 3, 7, 8)]


def self_test() -> None:
    """Three changes of a small crate: a test finds one, none finds the next, and the last does not compile."""
    span = {"start": {"line": 1, "column": 1}, "end": {"line": 4, "column": 2}}
    function = {"function_name": "has_two_digits", "span": span}
    listed = [
        {
            "file": "src/lib.rs",
            "function": function,
            "name": f"src/lib.rs:{line}:{start}: {change} in has_two_digits",
            "replacement": replacement,
            "span": {"start": {"line": line, "column": start}, "end": {"line": line, "column": end}},
        }
        for change, replacement, line, start, end in TOY_CHANGES
    ]
    os.environ.pop("CARGO_TARGET_DIR", None)
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "toy"
        manifest = '[package]\nname = "toy"\nversion = "0.0.0"\nedition = "2024"\n[dependencies]\n'
        write_if_new(root / "Cargo.toml", manifest.encode())
        write_if_new(root / "src" / "lib.rs", TOY.encode())
        subprocess.run(["git", "init", "--quiet", root], check=True)
        work = Work(root, Path(folder) / "work", {"toy": (None, ["src"])}, listed, Path(folder) / "list.tsv", ["--lib"])
        work.build()
        work.trace(None, "", 1, binaries.MAX_TEST)
        work.try_all("", 60, 1, False)
        rows = work.write_list(Path(folder) / "list.tsv")
        work.take_all("", "", 60)
        tried = [mutant for mutant in work.mutants if work.result(mutant)["result"] != UNVIABLE]
        quick = [work.attempt(mutant, 60)[0] for mutant in tried]
    if sorted(quick) != ["killed", OPEN]:
        sys.exit(f"without asking what tests call: {quick}")
    found = [(row["change"], row["result"]) for row in rows]
    expected = [(TOY_CHANGES[1][0], "missed"), (TOY_CHANGES[0][0], "killed"), (TOY_CHANGES[2][0], UNVIABLE)]
    if found != expected:
        sys.exit(f"found {found}\nexpected {expected}")
    print("self-test: ok")


def main() -> None:
    parser = argparse.ArgumentParser(description="Changes the program, and looks whether a test fails.")
    parser.add_argument("--only", default="")
    parser.add_argument("--limit", type=float, default=60)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--tests")
    parser.add_argument("--programs", default="")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--build", action="store_true")
    parser.add_argument("--built", action="store_true")
    parser.add_argument("--chosen", action="store_true")
    parser.add_argument("--part")
    parser.add_argument("--package", default="")
    parser.add_argument("--opt-level", type=int, default=Work.opt_level)
    parser.add_argument("--self-test", action="store_true")
    options = parser.parse_args()
    if options.self_test:
        return self_test()
    root = HERE.parent.parent
    command = ["cargo", "mutants", "--list", "--json"]
    for package in ("cpz-lang", "cpz-rules", "cpz-check", "cpz-exchange", "cpz-ide"):
        command += ["--package", package]
    listed = json.loads(subprocess.run(command, cwd=root, stdout=subprocess.PIPE, check=True, text=True).stdout)
    chosen = ["--package", options.package, "--lib"] if options.package else ["--lib", "--bins", "--tests"]
    name = f"{options.package}-{options.opt_level}" if options.package else ""
    work = Work(root, root / "target" / "mutants" / name, AREAS, listed, LIST, chosen)
    work.package, work.opt_level = options.package, options.opt_level
    if options.part:
        work.take_part(options.part, LIST)
    try:
        if options.built:
            work.restore()
        elif not options.chosen:
            work.build()
        if not options.build and not options.chosen:
            longest = min(binaries.MAX_TEST, options.limit)
            if options.quick:
                work.take_all(options.tests or "", options.programs, longest)
            else:
                work.trace(options.tests, options.programs, options.workers, longest, options.built and not options.tests)
            work.try_all(options.only, options.limit, options.workers, bool(options.tests))
    finally:
        print(summary(work.write_list(LIST)))


if __name__ == "__main__":
    main()

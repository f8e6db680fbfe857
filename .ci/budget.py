#!/usr/bin/env python3
"""Compares the CPU seconds of each step with `.ci/budget`, and fails where a step takes more.

    .ci/budget.py FILE…           each line of a FILE is the CPU seconds of a step and its name
    .ci/budget.py --write FILE…   writes the budget: what was measured and a half more
    .ci/budget.py --measure FILE  adds a line with the speed of the machine, which FILE… may have any number of

CPU seconds depend on the processor, on its memory and on what else it runs: the budget has what `rustc` took for a small
reference crate on the machine that it was measured on, and a slower machine gets more in proportion. Most steps compile.
What else runs there changes within minutes, so that the run measures it several times, and the slowest counts.
"""

import math
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

BUDGET = Path(__file__).with_name("budget")
# The name of the reference in the budget.
REFERENCE = "(reference, hundredths)"
GENEROSITY = 1.5
# Steps that take less than this depend on chance too much.
SMALLEST = 20


def crate():
    """The source of the reference crate: a hundred functions, of which each makes the compiler copy generic code."""
    return "\n".join(
        f"""
        pub fn sorted_{number}(words: &[String]) -> std::collections::BTreeMap<String, Vec<u{8 << number % 4}>> {{
            let mut found = std::collections::BTreeMap::new();
            for (at, word) in words.iter().enumerate() {{
                let key: String = word.chars().rev().filter(|letter| letter.is_alphanumeric()).collect();
                found.entry(key).or_insert_with(Vec::new).push((at * {number + 3}) as _);
            }}
            found
        }}"""
        for number in range(100)
    ).encode()


def reference():
    """The CPU time of compiling the reference crate, in hundredths of a second: the median of three runs."""
    source = crate()

    def used():
        of = resource.getrusage(resource.RUSAGE_CHILDREN)
        return of.ru_utime + of.ru_stime

    def once(folder):
        before = used()
        command = ["rustc", "--edition=2024", "--crate-type=rlib", "--crate-name=reference", "-Copt-level=2"]
        subprocess.run([*command, "-Ccodegen-units=1", f"--out-dir={folder}", "-"], input=source, check=True)
        return used() - before

    with tempfile.TemporaryDirectory() as folder:
        return sorted(once(folder) for _ in range(3))[1] * 100


def lines(path):
    """The numbers of a file by their names, the largest of each name."""
    found = {}
    for line in Path(path).read_text().splitlines():
        if line.strip() and not line.startswith("#"):
            number, name = line.split(maxsplit=1)
            found[name] = max(float(number), found.get(name, 0))
    return found


def main():
    arguments = sys.argv[1:]
    if arguments[:1] == ["--measure"]:
        with Path(arguments[1]).open("a") as file:
            print(f"{reference():.0f} {REFERENCE}", file=file)
        return 0
    write = arguments[:1] == ["--write"]
    measured = {}
    for path in arguments[write:]:
        if Path(path).exists():
            measured.update(lines(path))
    speed = max(reference(), measured.pop(REFERENCE, 0))
    if write:
        with BUDGET.open("w") as file:
            print("# CPU seconds that a step may take, on an empty target folder with downloads cached: half more than measured.", file=file)
            print("# `.ci/budget.py --write target/ci/cpu.txt target/tests/cpu.txt` writes it. A change that needs more says why.", file=file)
            print(f"{speed:.0f} {REFERENCE}", file=file)
            for name, seconds in measured.items():
                print(f"{max(SMALLEST, math.ceil(seconds * GENEROSITY))} {name}", file=file)
        return 0
    budget = lines(BUDGET)
    slower = max(1.0, speed / budget.pop(REFERENCE))
    failed = 0
    for name, seconds in measured.items():
        allowed = budget.get(name)
        if allowed is None:
            print(f"budget: {name} is not in .ci/budget: {seconds:.0f} s")
            failed = 1
        elif seconds > allowed * slower:
            print(f"budget: {name} took {seconds:.0f} s of CPU, and may take {allowed * slower:.0f} s")
            failed = 1
    print(f"budget: {len(measured)} steps compared; this machine gets {slower:.2f} times what .ci/budget says")
    return failed


sys.exit(main())

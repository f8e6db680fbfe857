"""Installs the npm package in an empty project and runs the programs of the manual and the tests of its functions."""

import json
import os
import re
import shutil

from common import CPZ, ROOT, check_equal, check_exit_code, isolated_env, must_run, run
from part_npm import LIBRARY, contents, pack

TESTS = ROOT / "tests" / "packages" / "javascript"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


def manual(project, env):
    """Runs the programs of the page that have an output, with `import` and with `require`."""
    page = (ROOT / "docs" / "javascript.md").read_text()
    programs = re.findall(r"```js\n((?:(?!```).)+?)```\s+(?:It prints:\s+)?```text\n(.+?)```", page, re.DOTALL)
    check_equal("programs of the manual with an output", len(programs), 2)
    for number, (program, expected) in enumerate(programs, 1):
        file = project / f"manual-{number}.mjs"
        file.write_text(program)
        result = run("node", file, env=env, cwd=project)
        check_equal(f"program {number} of the manual prints what stands there", result.stdout + result.stderr, expected)
    first, expected = programs[0]
    required = first.replace("import { check, solve } from 'cpz-lang';", "const { check, solve } = require('cpz-lang');")
    required = f"(async () => {{ {required} }})();"
    result = run("node", "--input-type=commonjs", "-e", required, env=env, cwd=project)
    check_equal("the same program with `require`", result.stdout + result.stderr, expected)


def part(place, options):
    """Packs and installs the main package alone: the functions need no program."""
    env = isolated_env(place, "node", "npm")
    tarball = pack(place / "built", env)
    files, package = contents(tarball)
    check_equal("files of the library", sorted(name for name in files if name.startswith("lib/")), LIBRARY)
    print(f"  the module: {files['lib/cpz.wasm'].size} bytes; the package: {tarball.stat().st_size} bytes")
    project = place / "project"
    project.mkdir()
    must_run("npm", "install", "--ignore-scripts", "--offline", "--omit=optional", tarball, cwd=project, env=env)
    for conditions in package["exports"].values():
        for path in re.findall(r"\./[\w./-]+", json.dumps(conditions)):
            check_equal(f"{path} is installed", (project / "node_modules" / "cpz-lang" / path).is_file(), True)
    manual(project, env)

    (project / "package.mjs").write_text("export * from 'cpz-lang';\n")
    # The browser is a script that runs other programs.
    env = {**env, "PATH": os.environ["PATH"], "CPZ": str(CPZ), "CPZ_PROJECT": str(project), "CHROMIUM": CHROMIUM}
    tests = ["functions", "types", "highlighting"]
    if shutil.which(CHROMIUM):
        tests.append("browser")
    else:
        print("  skipped: the browser; chromium is missing")
    for name in tests:
        file = TESTS / f"{name}.test.mjs"
        result = run("node", "--test", "--test-reporter=spec", file, env=env, cwd=project)
        print("\n".join(f"  {line}" for line in result.stdout.splitlines() if line.startswith(("✔", "✖"))))
        check_exit_code(f"tests/packages/javascript/{name}.test.mjs", result, 0)

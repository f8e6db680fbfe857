"""Packs the npm packages and installs them without a registry."""

import functools
import json
import os
import shutil
import signal
import subprocess
import tarfile
import threading
from pathlib import Path

import part_sbom
from common import COLLECTION, CPZ, LICENCES, MISTAKES, ROOT, VERSION, check, isolated_env, check_exit_code, must_run, run, check_equal

BUILD = ROOT / "packages" / "npm" / "build.mjs"
LIBRARY = sorted(
    f"lib/{name}"
    for name in [
        *"browser.js core.js cpz.wasm functions.js index.d.cts index.d.ts node.cjs node.js schemas.js".split(),
        *"highlight/codemirror.d.ts highlight/codemirror.js highlight/cpz.tmLanguage.json highlight/highlightjs.d.ts".split(),
        *"highlight/highlightjs.js highlight/textmate.d.ts highlight/textmate.js highlight/tokenizer.js".split(),
    ]
)
PLATFORMS = {
    "linux-x64": ("linux", "x64"),
    "linux-arm64": ("linux", "arm64"),
    "darwin-x64": ("darwin", "x64"),
    "darwin-arm64": ("darwin", "arm64"),
    "win32-x64": ("win32", "x64"),
}
INITIALIZE = json.dumps(
    {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
).encode()


@functools.cache
def module():
    """The module of the main package; it is built unless there is one."""
    given = os.environ.get("CPZ_NPM_MODULE")
    built = Path(given).resolve() if given else ROOT / "editors" / "web" / "dist" / "cpz-complete.wasm"
    if not built.exists():
        print(must_run(ROOT / "editors" / "web" / "build-core").strip(), flush=True)
    return built


def pack(built, env, platform=None):
    """Builds the main package, and the one for a platform, and packs them. Returns the file of the main package."""
    binary = ["--binary", CPZ, "--platform", platform] if platform else []
    # The environment is the caller's because cargo says what is linked.
    must_run("node", BUILD, "--module", module(), *binary, "--out", built)
    must_run("npm", "pack", "./cpz-lang", *([f"./{platform}"] if platform else []), cwd=built, env=env)
    return built / f"cpz-lang-{VERSION}.tgz"


def contents(tarball):
    """The files of a package by path, and its package.json."""
    with tarfile.open(tarball) as archive:
        files = {entry.name.removeprefix("package/"): entry for entry in archive if entry.isfile()}
        return files, json.load(archive.extractfile("package/package.json"))


def libraries(tarball):
    """The list of libraries of a package."""
    with tarfile.open(tarball) as archive:
        return archive.extractfile("package/sbom.cdx.json").read().decode()


def every_platform(place, env):
    """Checks the package for each platform, with a stand-in for the binary."""
    stand_in = place / "stand-in"
    stand_in.write_text("a program\n")
    out = place / "every"
    check_equal("the lists of libraries have the same platforms", list(part_sbom.sbom.TARGETS), list(PLATFORMS))
    must_run("node", BUILD, "--module", stand_in, "--out", out)
    for name, (system, processor) in PLATFORMS.items():
        must_run("node", BUILD, "--binary", stand_in, "--platform", name, "--out", out)
        package = json.loads((out / name / "package.json").read_text())
        check_equal(f"{name}: name and version", (package["name"], package["version"]), (f"@cpz-lang/{name}", VERSION))
        check_equal(f"{name}: system and processor", (package["os"], package["cpu"]), ([system], [processor]))
        check_equal(f"{name}: C library", package.get("libc"), ["glibc"] if system == "linux" else None)
        program = "cpz.exe" if system == "win32" else "cpz"
        check_equal(f"{name}: program", [path.name for path in (out / name / "bin").iterdir()], [program])
    main = json.loads((out / "cpz-lang" / "package.json").read_text())
    expected = {f"@cpz-lang/{name}": VERSION for name in PLATFORMS}
    check_equal("the main package depends optionally on each, in the same version", main["optionalDependencies"], expected)
    check_equal("the main package has the version of Cargo.toml", main["version"], VERSION)
    check("no package has scripts or required dependencies", not {"scripts", "dependencies"} & {*main, *package}, main)
    check_exit_code(
        "an unknown platform is an error",
        run("node", BUILD, "--binary", stand_in, "--platform", "beos-x64", "--out", out, env=env),
        2,
    )


def check_signal(folder, env, number):
    """Sends a signal to the shim alone while the server runs."""
    name = signal.Signals(number).name
    server = subprocess.Popen(
        ["node", "node_modules/cpz-lang/bin/cpz.cjs", "lsp"],
        cwd=folder,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    # If the shim does not pass the signal on, this ends the test.
    late = threading.Timer(10, os.killpg, [server.pid, signal.SIGKILL])
    late.start()
    try:
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(INITIALIZE), INITIALIZE))
        server.stdin.flush()
        check(f"{name}: the server answers through the shim", server.stdout.readline().startswith(b"Content-"))
        server.send_signal(number)
        # The input is still open, so only the signal can end the program and its output.
        server.stdout.read()
        check(f"{name} ends the program", late.is_alive())
        check_equal(f"{name} ends the shim as it ended the program", server.wait(), -number)
    finally:
        late.cancel()
        server.kill()
        server.communicate()


def without_program(place, main, env, here):
    """Checks the messages of the shim without the package of the platform."""
    folder = place / "alone"
    folder.mkdir()
    must_run("npm", "install", "--ignore-scripts", "--offline", "--omit=optional", main, cwd=folder, env=env)
    shim = "node_modules/cpz-lang/bin/cpz.cjs"

    def check_message(name, expected, before=""):
        result = run("node", "-e", f"{before}; require('./{shim}')", cwd=folder, env=env)
        check_exit_code(f"{name}: exit code", result, 2)
        check_equal(f"{name}: message", result.stderr, f"cpz: {expected}\n")

    result = run("node_modules/.bin/cpz", "--version", cwd=folder, env=env)
    check_exit_code("without optional dependencies: exit code of the command", result, 2)
    check_message(
        "without optional dependencies",
        f"@cpz-lang/{here} is missing; install cpz-lang again, with optional dependencies and on this platform",
    )
    names = ", ".join(f"@cpz-lang/{name}" for name in PLATFORMS)
    check_message(
        "on an unknown platform",
        f"there is no package for sunos-x64, only {names}",
        "Object.defineProperty(process, 'platform', { value: 'sunos' });"
        "Object.defineProperty(process, 'arch', { value: 'x64' })",
    )
    check_message(
        "with another C library",
        "@cpz-lang/linux-x64 needs glibc, and this system has another C library",
        "Object.defineProperty(process, 'platform', { value: 'linux' });"
        "Object.defineProperty(process, 'arch', { value: 'x64' });"
        "process.report.getReport = () => ({ header: {} })",
    )


def part(place, options):
    """Builds, packs and installs the packages, and runs the program."""
    env = isolated_env(place, "node", "npm", "npx")
    every_platform(place, env)

    here = must_run("node", "-p", "process.platform + '-' + process.arch", env=env).strip()
    built = place / "built"
    main = pack(built, env, here)
    platform = built / f"cpz-lang-{here}-{VERSION}.tgz"
    files, _ = contents(main)
    check_equal("files of the main package", sorted(files), sorted([*LICENCES, *LIBRARY, "README.md", "bin/cpz.cjs", "package.json", "sbom.cdx.json"]))
    files, _ = contents(platform)
    check_equal("files of the package for the platform", sorted(files), sorted([*LICENCES, "README.md", "bin/cpz", "package.json", "sbom.cdx.json"]))
    part_sbom.check_package("the main package", libraries(main), ["module"])
    part_sbom.check_package("the package for the platform", libraries(platform), ["program"], here)
    check("its program is executable", files["bin/cpz"].mode & 0o111 == 0o111, oct(files["bin/cpz"].mode))
    check_equal("its program is complete", files["bin/cpz"].size, CPZ.stat().st_size)

    folder = place / "project"
    folder.mkdir()
    shutil.copytree(COLLECTION, folder / "collection")
    shutil.copytree(MISTAKES, folder / "mistakes")
    must_run("npm", "install", "--ignore-scripts", "--offline", main, platform, cwd=folder, env=env)
    check_equal("npx cpz --version", must_run("npx", "--offline", "cpz", "--version", cwd=folder, env=env), f"cpz {VERSION}\n")
    cpz = "node_modules/.bin/cpz"
    check_equal("npx cpz-lang --version", must_run("npx", "--offline", "cpz-lang", "--version", cwd=folder, env=env), f"cpz {VERSION}\n")
    check_exit_code("npx cpz check: nothing found", run("npx", "--offline", "cpz", "check", "collection", cwd=folder, env=env), 0)
    check_exit_code("npx cpz check: mistakes", run("npx", "--offline", "cpz", "check", "mistakes", cwd=folder, env=env), 1)
    check_exit_code("cpz check: no such file", run(cpz, "check", "nowhere", cwd=folder, env=env), 2)
    for command in [["check", "--format", "json", "mistakes"], ["solve", "collection"], ["help"], ["nonsense"]]:
        through = run(cpz, *command, cwd=folder, env=env)
        itself = run(CPZ, *command, cwd=folder, env=env)
        check_equal(
            f"cpz {command[0]}: same result with and without the shim",
            (through.returncode, through.stdout, through.stderr),
            (itself.returncode, itself.stdout, itself.stderr),
        )
    text = (MISTAKES / "answers.cpz").read_text()
    result = run(cpz, "check", "-", cwd=folder, env=env, text=text)
    check_exit_code("cpz check -: exit code", result, 1)
    check(
        "cpz check -: reads the input", "illegal-move" in result.stdout + result.stderr, result.stdout + result.stderr
    )
    check_equal("cpz fmt -: from input to output", run(cpz, "fmt", "-", cwd=folder, env=env, text=text).stdout, text)
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        check_signal(folder, env, number)
    without_program(place, main, env, here)

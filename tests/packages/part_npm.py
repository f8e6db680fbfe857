"""The npm packages, packed and installed without a registry."""

import json
import os
import shutil
import signal
import subprocess
import tarfile
import threading

from common import COLLECTION, CPZ, LICENCES, MISTAKES, ROOT, VERSION, check, empty, ended, must, run, same

BUILD = ROOT / "packages" / "npm" / "build.mjs"
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


def contents(tarball):
    """The files of a package by their paths, and its package.json."""
    with tarfile.open(tarball) as archive:
        files = {entry.name.removeprefix("package/"): entry for entry in archive if entry.isfile()}
        return files, json.load(archive.extractfile("package/package.json"))


def every_platform(place, env):
    """What the script makes for each platform, whatever the binary is."""
    stand_in = place / "stand-in"
    stand_in.write_text("a program\n")
    out = place / "every"
    for name, (system, processor) in PLATFORMS.items():
        must("node", BUILD, "--binary", stand_in, "--platform", name, "--out", out, env=env)
        package = json.loads((out / name / "package.json").read_text())
        same(f"{name}: name and version", (package["name"], package["version"]), (f"@cpz/{name}", VERSION))
        same(f"{name}: system and processor", (package["os"], package["cpu"]), ([system], [processor]))
        same(f"{name}: C library", package.get("libc"), ["glibc"] if system == "linux" else None)
        program = "cpz.exe" if system == "win32" else "cpz"
        same(f"{name}: program", [path.name for path in (out / name / "bin").iterdir()], [program])
    main = json.loads((out / "cpz" / "package.json").read_text())
    expected = {f"@cpz/{name}": VERSION for name in PLATFORMS}
    same("the main package may have each of them, in its own version", main["optionalDependencies"], expected)
    same("the main package has Cargo.toml's version", main["version"], VERSION)
    check("no package has scripts or needs others", not {"scripts", "dependencies"} & {*main, *package}, main)
    ended(
        "an unknown platform is refused",
        run("node", BUILD, "--binary", stand_in, "--platform", "beos-x64", "--out", out, env=env),
        2,
    )


def passes_signal(folder, env, number):
    """Sends a signal to the shim while the server runs, and only to it."""
    name = signal.Signals(number).name
    server = subprocess.Popen(
        ["node", "node_modules/cpz/bin/cpz.js", "lsp"],
        cwd=folder,
        env=env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    # What is not passed would let this wait for ever.
    late = threading.Timer(10, os.killpg, [server.pid, signal.SIGKILL])
    late.start()
    try:
        server.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(INITIALIZE), INITIALIZE))
        server.stdin.flush()
        # Its answer: the server is there.
        check(f"{name}: the server answers through the shim", server.stdout.readline().startswith(b"Content-"))
        server.send_signal(number)
        # The input is still open, so only the signal ends the program, and only then its output ends.
        server.stdout.read()
        check(f"{name} ends the program", late.is_alive())
        same(f"{name} ends the shim as it ended the program", server.wait(), -number)
    finally:
        late.cancel()
        server.kill()
        server.communicate()


def without_program(place, main, env, here):
    """What the shim says where the program is not."""
    folder = place / "alone"
    folder.mkdir()
    must("npm", "install", "--ignore-scripts", "--offline", "--omit=optional", main, cwd=folder, env=env)
    shim = "node_modules/cpz/bin/cpz.js"

    def says(what, expected, before=""):
        result = run("node", "-e", f"{before}; require('./{shim}')", cwd=folder, env=env)
        ended(f"{what}: exit code", result, 2)
        same(f"{what}: says so in one sentence", result.stderr, f"cpz: {expected}\n")

    result = run("node_modules/.bin/cpz", "--version", cwd=folder, env=env)
    ended("without optional dependencies: exit code of the command", result, 2)
    says(
        "without optional dependencies",
        f"@cpz/{here} is missing; install cpz again, with optional dependencies and on this platform",
    )
    names = ", ".join(f"@cpz/{name}" for name in PLATFORMS)
    says(
        "on an unknown platform",
        f"there is no package for sunos-x64, only {names}",
        "Object.defineProperty(process, 'platform', { value: 'sunos' });"
        "Object.defineProperty(process, 'arch', { value: 'x64' })",
    )
    says(
        "with another C library",
        "@cpz/linux-x64 needs glibc, and this system has another C library",
        "Object.defineProperty(process, 'platform', { value: 'linux' });"
        "Object.defineProperty(process, 'arch', { value: 'x64' });"
        "process.report.getReport = () => ({ header: {} })",
    )


def part(place, options):
    """Builds, packs, installs, runs."""
    env = empty(place, "node", "npm", "npx")
    every_platform(place, env)

    here = must("node", "-p", "process.platform + '-' + process.arch", env=env).strip()
    made = place / "made"
    must("node", BUILD, "--binary", CPZ, "--platform", here, "--out", made, env=env)
    must("npm", "pack", "./cpz", f"./{here}", cwd=made, env=env)
    main = made / f"cpz-{VERSION}.tgz"
    platform = made / f"cpz-{here}-{VERSION}.tgz"
    files, _ = contents(main)
    same("the main package's files", sorted(files), sorted([*LICENCES, "README.md", "bin/cpz.js", "package.json"]))
    files, _ = contents(platform)
    same("the platform's package's files", sorted(files), sorted([*LICENCES, "README.md", "bin/cpz", "package.json"]))
    check("its program can be run", files["bin/cpz"].mode & 0o111 == 0o111, oct(files["bin/cpz"].mode))
    same("its program is whole", files["bin/cpz"].size, CPZ.stat().st_size)

    folder = place / "project"
    folder.mkdir()
    shutil.copytree(COLLECTION, folder / "collection")
    shutil.copytree(MISTAKES, folder / "mistakes")
    must("npm", "install", "--ignore-scripts", "--offline", main, platform, cwd=folder, env=env)
    same("npx cpz --version", must("npx", "--offline", "cpz", "--version", cwd=folder, env=env), f"cpz {VERSION}\n")
    cpz = "node_modules/.bin/cpz"
    ended("npx cpz check: nothing found", run("npx", "--offline", "cpz", "check", "collection", cwd=folder, env=env), 0)
    ended("npx cpz check: mistakes", run("npx", "--offline", "cpz", "check", "mistakes", cwd=folder, env=env), 1)
    ended("cpz check: no such file", run(cpz, "check", "nowhere", cwd=folder, env=env), 2)
    for command in [["check", "--format", "json", "mistakes"], ["solve", "collection"], ["help"], ["nonsense"]]:
        through = run(cpz, *command, cwd=folder, env=env)
        itself = run(CPZ, *command, cwd=folder, env=env)
        same(
            f"cpz {command[0]} is as without the shim",
            (through.returncode, through.stdout, through.stderr),
            (itself.returncode, itself.stdout, itself.stderr),
        )
    text = (MISTAKES / "answers.cpz").read_text()
    result = run(cpz, "check", "-", cwd=folder, env=env, text=text)
    ended("cpz check -: exit code", result, 1)
    check(
        "cpz check -: reads the input", "illegal-move" in result.stdout + result.stderr, result.stdout + result.stderr
    )
    same("cpz fmt -: from input to output", run(cpz, "fmt", "-", cwd=folder, env=env, text=text).stdout, text)
    for number in [signal.SIGTERM, signal.SIGINT, signal.SIGHUP]:
        passes_signal(folder, env, number)
    without_program(place, main, env, here)

"""Workspaces with many files, deep folders, odd names, and puzzles that are slow to search."""

import json
import os
import subprocess
import time
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from client import GIB, PROBE, limited, memory_of
from hostile import BAD, MARKERS, MEMORY, Scene, wait_for_scan
from table import Bench, Skipped, end, eventually, expect, fault

BOUNDLESS = 2**63 - 1
FULL = "QRBNQRBN" * 8
ENDLESS = f"solitaire {{ size 8x8 board {FULL} count }}\n"


def check_with_peak(bench: Bench, folder: Path, seconds: float, *options: str) -> tuple[int, int, bytes]:
    """Runs `cpz check`; returns the exit code, the peak memory in bytes, and the output."""
    script = "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); " + (
        "sys.stderr.write(f'\\npeak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}'); sys.exit(code)"
    )
    command = limited(["python3", "-c", script, bench.cpz, "check", *options, str(folder)])
    process = bench.start(command)
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        end(process)
        expect(False, f"check was still running after {seconds:g} s")
    return process.returncode, int(err.rsplit(b"peak ", 1)[1]) * 1024, out


def scan_large(bench: Bench, scene: Scene, seconds: float, markers=MARKERS, **more) -> str:
    """The server and `cpz check` on a folder that is too large to trace with strace."""
    start = time.monotonic()
    server = bench.server(**more)
    server.keep_messages = False
    server.initialize(scene.folder)
    slowest = wait_for_scan(server, scene.folder, seconds, markers)
    took, highest = time.monotonic() - start, server.memory("VmHWM")
    server.shut_down()
    expect(highest < MEMORY, f"the server used {highest >> 20} MiB")
    code, peak, out = check_with_peak(bench, scene.folder, seconds)
    expect(code in (1, 2), f"check: exit code {code}")
    expect(peak < MEMORY, f"check used {peak >> 20} MiB")
    missing = [name for name in markers if name.encode() not in out]
    expect(not missing, f"check: no findings of {', '.join(missing)}")
    return (
        f"server: {took:.1f} s, peak {highest >> 20} MiB, slowest hover {slowest * 1000:.0f} ms; "
        f"check: peak {peak >> 20} MiB"
    )


def write_files(folder: Path, count: int, text) -> None:
    """Writes many files, 1,000 in each subfolder."""
    for start in range(0, count, 1000):
        below = folder / f"{start // 1000:03}"
        below.mkdir()
        for number in range(start, min(count, start + 1000)):
            with open(below / f"{number}.cpz", "w") as file:
                file.write(text(number))


@fault("200,000-files", "A folder of 200,000 small files is scanned within 60 s, and hovers are answered meanwhile", 500)
def many_files(bench: Bench) -> str:
    if bench.quick:
        raise Skipped("it takes half a minute")
    scene = Scene(bench)
    write_files(scene.folder, 200_000, lambda n: f'chess "{n}" {{ board [["W","K",1,1]] move Ka2 => legal }}\n// {n}\n')
    return scan_large(bench, scene, 60)


@fault("20,000-faulty-files", "The findings of 20,000 files, each with a mistake and the same puzzle, are reported within 60 s", 240)
def many_faulty_files(bench: Bench) -> str:
    scene = Scene(bench)
    write_files(scene.folder, 20_000, lambda n: BAD)
    return scan_large(bench, scene, 60)


@fault("deep-folders", "Folders nested 10,000 levels deep, beyond the longest path, end the scan of that branch only", 120)
def deep_folders(bench: Bench) -> str:
    scene = Scene(bench)
    here = os.open(scene.folder, os.O_RDONLY)
    for _ in range(10_000):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        file = os.open("x.cpz", os.O_WRONLY | os.O_CREAT, dir_fd=below)
        os.write(file, BAD.encode())
        os.close(file)
        os.close(here)
        here = below
    os.close(here)
    return scan_large(bench, scene, 60)


@fault("many-patterns", "30,000 ignore patterns, in `.ignore` and in `cpz.toml`, take at most 60 s and 1.5 GiB", 150)
def many_patterns(bench: Bench) -> str:
    scene = Scene(bench)
    lines = [f"**/a{n}*b?[c-x]*{{d,e}}*{n}.cpz" for n in range(30_000)]
    scene.write("sub/.ignore", "\n".join(lines))
    scene.write("more/cpz.toml", f"exclude = {json.dumps(lines)}\n")
    scene.write("sub/a.cpz", BAD)
    scene.write("more/a.cpz", BAD)
    return scan_large(bench, scene, 60, (*MARKERS, "sub/a.cpz", "more/a.cpz"))


@fault("wicked-patterns", "Invalid patterns, and patterns that are slow to match, take at most 60 s and 1.5 GiB", 150)
def wicked_patterns(bench: Bench) -> str:
    scene = Scene(bench)
    patterns = ["*a" * 2000 + "*b", "**/" * 2000 + "x", "{a,b}" * 200, "{" * 500 + "a" + "}" * 500, "[" * 2000, "[!-~]" * 3000]
    scene.write("sub/.ignore", "\n".join(patterns))
    scene.write("sub/" + "a" * 200 + ".cpz", BAD)
    scene.write("more/cpz.toml", f"exclude = {json.dumps(patterns[:3])}\n")
    scene.write("more/" + "a" * 200 + ".cpz", BAD)
    scene.write("wrong/cpz.toml", f"exclude = {json.dumps(patterns[3:])}\n")
    scene.write("wrong/a.cpz", BAD)
    return scan_large(bench, scene, 60)


@fault("large-text", "With a file of 50 MB of puzzles in the folder, the findings of the other files come within 60 s", 300)
def large_text(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / "large.cpz", "w") as file:
        for _ in range(500):
            file.write("solitaire { board ...N.....R....B. solve }\n" * 2400)
    return scan_large(bench, scene, 60)


# ---- Searches ---------------------------------------------------------------------------------


@fault("boundless-budget", "An unlimited `budget` in `cpz.toml` delays no hover, no finding and no shutdown", 120)
def boundless_budget(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("cpz.toml", f"budget = {BOUNDLESS}\n")
    for number in range(20):
        scene.write(f"slow{number}.cpz", ENDLESS.replace("QR", "RQ", number) * 10)
    server = bench.server()
    server.initialize(scene.folder)
    slowest = wait_for_scan(server, scene.folder, 20)
    server.open("untitled:slow.cpz", ENDLESS)
    until = time.monotonic() + 30
    while time.monotonic() < until:
        slowest = max(slowest, server.probe(5))
        time.sleep(0.05)
    highest = server.memory("VmHWM")
    start = time.monotonic()
    server.shut_down()
    ended = time.monotonic() - start
    expect(slowest < 1, f"a hover took {slowest:.2f} s")
    expect(highest < MEMORY, f"the server used {highest >> 20} MiB in 30 s")
    expect(ended < 2, f"the shutdown took {ended:.1f} s")
    return f"30 s of search: slowest hover {slowest * 1000:.0f} ms, peak {highest >> 20} MiB, shutdown in {ended * 1000:.0f} ms"


@fault("boundless-budget-check", "`cpz check` with such a `cpz.toml` finishes, or runs in limited memory until it is interrupted", 120)
def boundless_budget_check(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("cpz.toml", f"budget = {BOUNDLESS}\n")
    scene.write("slow.cpz", ENDLESS)
    process = bench.start([bench.cpz, "check", str(scene.folder)])
    ended = eventually(lambda: process.poll() is not None or memory_of(process.pid) > 4 * GIB, 30)
    size = memory_of(process.pid)
    expect(size < MEMORY, f"it used {size >> 20} MiB")
    if ended:
        return f"finished with exit code {process.returncode}"
    process.terminate()
    expect(eventually(lambda: process.poll() is not None, 2), "SIGTERM did not end it within 2 s")
    code, peak, out = check_with_peak(bench, scene.folder, 30, "--budget", "100000")
    expect(b"undecided" in out, "--budget 100000 does not override cpz.toml")
    return f"still searching in {size >> 20} MiB when interrupted; finishes with --budget"


# ---- Names ------------------------------------------------------------------------------------

NOT_UTF8 = b"c\xff\xfe.cpz"

NAMES = [
    b"a\n::error file=x::pwned.cpz",
    b"b\x1b[31mred\x1b]0;title\x07.cpz",
    b"d%2e%2e%2fx.cpz",
    b"e\"'`$(touch pwned)`.cpz",
    b"f](command:x)<img src=x>.cpz",
    b"-g.cpz",
    b"h#x?y.cpz",
    "i\u202egnp.cpz".encode(),
    b"j k\t.cpz",
    b"k\r.cpz",
    b"l\\n.cpz",
    b"n:1:2.cpz",
    b"o%0A::warning::x.cpz",
    b"p,title=x.cpz",
]


def scene_with_odd_names(bench: Bench) -> Scene:
    scene = Scene(bench)
    for name in (*NAMES, NOT_UTF8):
        with open(os.fsencode(scene.folder) + b"/" + name, "wb") as file:
            file.write(BAD.encode())
    return scene


@fault("odd-names", "Files with line ends, escapes or markup in their names are reported under these names; a name that is not UTF-8 is skipped")
def odd_names(bench: Bench) -> str:
    scene = scene_with_odd_names(bench)
    wanted = {os.fsencode(scene.folder) + b"/" + name for name in (*NAMES, *map(str.encode, MARKERS))}
    server = bench.server()
    server.initialize(scene.folder)
    wait_for_scan(server, scene.folder, 20)
    server.published.pop(PROBE, None)
    uris = {uri for uri, params in server.published.items() if params["diagnostics"]}
    server.shut_down()
    odd = [uri for uri in uris if uri != quote_from_bytes(uri.encode(), safe="/:%~!$&'()*+,;=@-._")]
    expect(not odd, f"not a valid URI: {odd[0] if odd else ''!r}")
    got = {unquote_to_bytes(uri.removeprefix("file://")) for uri in uris}
    expect(got == wanted, f"server: missing {sorted(wanted - got)}, instead {sorted(got - wanted)}")
    return f"{len(wanted)} files, {len(uris)} reported under their own names"


def reported(bench: Bench, scene: Scene, form: str, *options: str) -> bytes:
    done = bench.cli("check", "--format", form, *options, ".", cwd=scene.folder)
    expect(done.returncode == 2, f"{form}: exit code {done.returncode}")
    expect(b"its name is not UTF-8" in done.stderr, f"{form}: the file with a name that is not UTF-8 is not reported")
    return done.stdout


@fault("odd-names-in-reports", "A file name in a report never starts a new line, a GitHub workflow command or a terminal escape sequence")
def odd_names_in_reports(bench: Bench) -> str:
    scene = scene_with_odd_names(bench)
    wrong = []
    for form, options in (("human", ()), ("human", ("--color", "always")), ("github", ())):
        out = reported(bench, scene, form, *options)
        label = f"{form} {' '.join(options)}".strip()
        for what, bad in (("ESC ]", b"\x1b]0;title"), ("ESC [31m of a name", b"b\x1b[31mred"), ("BEL", b"\x07"), ("a direction override", "\u202e".encode())):
            if bad in out:
                wrong.append(f"{label}: {what}")
        lines = out.replace(b"\r", b"\n").split(b"\n")
        if any(line.startswith(b"::error file=x") or line == b".cpz" for line in lines):
            wrong.append(f"{label}: a name starts a new line")
    expect(not wrong, "; ".join(wrong))
    return "control characters in names are escaped"


@fault("odd-names-in-json", "JSON and SARIF give each of these files a distinct path, and the file whose name is not UTF-8 is reported as skipped")
def odd_names_in_json(bench: Bench) -> str:
    scene = scene_with_odd_names(bench)
    paths = [file["path"] for file in json.loads(reported(bench, scene, "json"))["files"]]
    expect(len(set(paths)) == len(NAMES) + len(MARKERS), f"{len(set(paths))} paths for {len(NAMES) + 2} files")
    results = json.loads(reported(bench, scene, "sarif"))["runs"][0]["results"]
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    wanted = {b"./" + name for name in NAMES} | {b"./" + name.encode() for name in MARKERS}
    got = {b"./" + unquote_to_bytes(uri).removeprefix(b"./") for uri in uris}
    expect(got == wanted, f"SARIF: missing {sorted(wanted - got)}, instead {sorted(got - wanted)}")
    return f"{len(paths)} paths in JSON, {len(uris)} in SARIF"

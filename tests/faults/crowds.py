"""Folders that are too many, too deep, oddly named or hard to search."""

import json
import os
import subprocess
import time
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from client import GIB, PROBE, limited, size_of
from hostile import BAD, MARKERS, MEMORY, Scene, surveyed
from table import Bench, Skipped, end, eventually, expect, fault

BOUNDLESS = 2**63 - 1
FULL = "QRBNQRBN" * 8
ENDLESS = f"solitaire {{ size 8x8 board {FULL} count }}\n"


def peak_of(bench: Bench, folder: Path, seconds: float, *options: str) -> tuple[int, int, bytes]:
    """`cpz check`, with the most memory that it took."""
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


def watched(bench: Bench, scene: Scene, seconds: float, markers=MARKERS, **more) -> str:
    """The server and `cpz check` on a folder that is too large for strace."""
    start = time.monotonic()
    server = bench.server(**more)
    server.keep_told = False
    server.begin(scene.folder)
    slowest = surveyed(server, scene.folder, seconds, markers)
    took, highest = time.monotonic() - start, server.size("VmHWM")
    server.finish()
    expect(highest < MEMORY, f"the server took {highest >> 20} MiB")
    code, peak, out = peak_of(bench, scene.folder, seconds)
    expect(code in (1, 2), f"check: exit code {code}")
    expect(peak < MEMORY, f"check took {peak >> 20} MiB")
    missing = [name for name in markers if name.encode() not in out]
    expect(not missing, f"check: nothing of {', '.join(missing)}")
    return (
        f"server {took:.1f} s, {highest >> 20} MiB, hover within {slowest * 1000:.0f} ms; "
        f"check {peak >> 20} MiB"
    )


def crowd(folder: Path, count: int, text) -> None:
    """Many files, 1,000 a folder."""
    for start in range(0, count, 1000):
        below = folder / f"{start // 1000:03}"
        below.mkdir()
        for number in range(start, min(count, start + 1000)):
            with open(below / f"{number}.cpz", "w") as file:
                file.write(text(number))


@fault("200,000-files", "A folder of 200,000 small files is surveyed within 60 s, and hovers are answered meanwhile", 500)
def many_files(bench: Bench) -> str:
    if bench.quick:
        raise Skipped("it takes half a minute")
    scene = Scene(bench)
    crowd(scene.folder, 200_000, lambda n: f'chess "{n}" {{ board [["W","K",1,1]] move Ka2 => legal }}\n// {n}\n')
    return watched(bench, scene, 60)


@fault("20,000-faulty-files", "20,000 files, each with a finding and the same puzzle, are told of within 60 s", 240)
def many_faulty_files(bench: Bench) -> str:
    scene = Scene(bench)
    crowd(scene.folder, 20_000, lambda n: BAD)
    return watched(bench, scene, 60)


@fault("deep-folders", "Folders 10,000 deep, beyond the longest path, end the walk and nothing else", 120)
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
    return watched(bench, scene, 60)


@fault("many-patterns", "30,000 patterns to ignore, in `.ignore` and in `cpz.toml`, take neither long nor much", 150)
def many_patterns(bench: Bench) -> str:
    scene = Scene(bench)
    lines = [f"**/a{n}*b?[c-x]*{{d,e}}*{n}.cpz" for n in range(30_000)]
    scene.write("sub/.ignore", "\n".join(lines))
    scene.write("more/cpz.toml", f"exclude = {json.dumps(lines)}\n")
    scene.write("sub/a.cpz", BAD)
    scene.write("more/a.cpz", BAD)
    return watched(bench, scene, 60, (*MARKERS, "sub/a.cpz", "more/a.cpz"))


@fault("wicked-patterns", "Patterns that are hard to match, or wrong, take neither long nor much", 150)
def wicked_patterns(bench: Bench) -> str:
    scene = Scene(bench)
    wicked = ["*a" * 2000 + "*b", "**/" * 2000 + "x", "{a,b}" * 200, "{" * 500 + "a" + "}" * 500, "[" * 2000, "[!-~]" * 3000]
    scene.write("sub/.ignore", "\n".join(wicked))
    scene.write("sub/" + "a" * 200 + ".cpz", BAD)
    scene.write("more/cpz.toml", f"exclude = {json.dumps(wicked[:3])}\n")
    scene.write("more/" + "a" * 200 + ".cpz", BAD)
    scene.write("wrong/cpz.toml", f"exclude = {json.dumps(wicked[3:])}\n")
    scene.write("wrong/a.cpz", BAD)
    return watched(bench, scene, 60)


@fault("large-text", "A text of 50 MB of puzzles is told of without its neighbours having to wait for a minute", 300)
def large_text(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / "large.cpz", "w") as file:
        for _ in range(500):
            file.write("solitaire { board ...N.....R....B. solve }\n" * 2400)
    return watched(bench, scene, 60)


# ---- Searches ---------------------------------------------------------------------------------


@fault("boundless-budget", "A budget without an end from `cpz.toml` holds up no hover, no finding and no end", 120)
def boundless_budget(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("cpz.toml", f"budget = {BOUNDLESS}\n")
    for number in range(20):
        scene.write(f"slow{number}.cpz", ENDLESS.replace("QR", "RQ", number) * 10)
    server = bench.server()
    server.begin(scene.folder)
    slowest = surveyed(server, scene.folder, 20)
    server.open("untitled:slow.cpz", ENDLESS)
    until = time.monotonic() + 30
    while time.monotonic() < until:
        slowest = max(slowest, server.probe(5))
        time.sleep(0.05)
    highest = server.size("VmHWM")
    start = time.monotonic()
    server.finish()
    ended = time.monotonic() - start
    expect(slowest < 1, f"a hover took {slowest:.2f} s")
    expect(highest < MEMORY, f"the server took {highest >> 20} MiB in 30 s")
    expect(ended < 2, f"the end took {ended:.1f} s")
    return f"30 s of searching: hover within {slowest * 1000:.0f} ms, {highest >> 20} MiB, ended in {ended * 1000:.0f} ms"


@fault("boundless-budget-check", "`cpz check` with such a `cpz.toml` ends, or goes on in bounded memory until it is interrupted", 120)
def boundless_budget_check(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("cpz.toml", f"budget = {BOUNDLESS}\n")
    scene.write("slow.cpz", ENDLESS)
    process = bench.start([bench.cpz, "check", str(scene.folder)])
    ended = eventually(lambda: process.poll() is not None or size_of(process.pid) > 4 * GIB, 30)
    size = size_of(process.pid)
    expect(size < MEMORY, f"it took {size >> 20} MiB")
    if ended:
        return f"it ended by itself with exit code {process.returncode}"
    process.terminate()
    expect(eventually(lambda: process.poll() is not None, 2), "SIGTERM did not end it within 2 s")
    code, peak, out = peak_of(bench, scene.folder, 30, "--budget", "100000")
    expect(b"undecided" in out, "--budget 100000 does not come before cpz.toml")
    return f"it searches on in {size >> 20} MiB until it is interrupted; with --budget it ends by itself"


# ---- Names ------------------------------------------------------------------------------------

NO_TEXT = b"c\xff\xfe.cpz"

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


def named(bench: Bench) -> Scene:
    scene = Scene(bench)
    for name in (*NAMES, NO_TEXT):
        with open(os.fsencode(scene.folder) + b"/" + name, "wb") as file:
            file.write(BAD.encode())
    return scene


@fault("odd-names", "Files with line ends, escapes or markup in their names are found under these names, and none whose name is no text")
def odd_names(bench: Bench) -> str:
    scene = named(bench)
    wanted = {os.fsencode(scene.folder) + b"/" + name for name in (*NAMES, *map(str.encode, MARKERS))}
    server = bench.server()
    server.begin(scene.folder)
    surveyed(server, scene.folder, 20)
    server.published.pop(PROBE, None)
    uris = {uri for uri, told in server.published.items() if told["diagnostics"]}
    server.finish()
    odd = [uri for uri in uris if uri != quote_from_bytes(uri.encode(), safe="/:%~!$&'()*+,;=@-._")]
    expect(not odd, f"no URI: {odd[0] if odd else ''!r}")
    got = {unquote_to_bytes(uri.removeprefix("file://")) for uri in uris}
    expect(got == wanted, f"server: missing {sorted(wanted - got)}, instead {sorted(got - wanted)}")
    return f"{len(wanted)} files, {len(uris)} of them told of by their own names"


def reported(bench: Bench, scene: Scene, form: str, *options: str) -> bytes:
    done = bench.cli("check", "--format", form, *options, ".", cwd=scene.folder)
    expect(done.returncode == 2, f"{form}: exit code {done.returncode}")
    expect(b"its name is not UTF-8" in done.stderr, f"{form}: no word of the name that is no text")
    return done.stdout


@fault("odd-names-in-reports", "No name of a file makes a line, a command of GitHub or a sequence of a terminal of its own")
def odd_names_in_reports(bench: Bench) -> str:
    scene = named(bench)
    wrong = []
    for form, options in (("human", ()), ("human", ("--color", "always")), ("github", ())):
        out = reported(bench, scene, form, *options)
        mine = f"{form} {' '.join(options)}".strip()
        for what, bad in (("ESC ]", b"\x1b]0;title"), ("ESC [31m of a name", b"b\x1b[31mred"), ("BEL", b"\x07"), ("an override of direction", "\u202e".encode())):
            if bad in out:
                wrong.append(f"{mine}: {what}")
        lines = out.replace(b"\r", b"\n").split(b"\n")
        if any(line.startswith(b"::error file=x") or line == b".cpz" for line in lines):
            wrong.append(f"{mine}: a line of its own")
    expect(not wrong, "; ".join(wrong))
    return "names are shown with their control characters written out"


@fault("odd-names-in-json", "JSON and SARIF name each of these files, no two alike; that one is left out whose name is no text is said")
def odd_names_in_json(bench: Bench) -> str:
    scene = named(bench)
    paths = [file["path"] for file in json.loads(reported(bench, scene, "json"))["files"]]
    expect(len(set(paths)) == len(NAMES) + len(MARKERS), f"{len(set(paths))} paths for {len(NAMES) + 2} files")
    results = json.loads(reported(bench, scene, "sarif"))["runs"][0]["results"]
    uris = {r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in results}
    wanted = {b"./" + name for name in NAMES} | {b"./" + name.encode() for name in MARKERS}
    got = {b"./" + unquote_to_bytes(uri).removeprefix(b"./") for uri in uris}
    expect(got == wanted, f"SARIF: missing {sorted(wanted - got)}, instead {sorted(got - wanted)}")
    return f"{len(paths)} paths in JSON, {len(uris)} in SARIF"

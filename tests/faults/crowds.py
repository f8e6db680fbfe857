"""Workspaces with many files, deep folders, odd names, and puzzles that are slow to search."""

import json
import os
import signal
import time
from pathlib import Path
from urllib.parse import quote_from_bytes, unquote_to_bytes

from client import GIB, PAUSE, PROBE, limited, memory_of, processor_time
from hostile import BAD, MARKERS, MEMORY, Scene, wait_for_scan
from searches import BOUNDLESS, slow_text
from table import Bench, Skipped, expect, fault, wait_for_end, wait_until

HIGHEST = 100_000_000
"""The highest budget that `cpz.toml` can ask for."""


def run_with_peak(bench: Bench, *arguments: str) -> tuple[int, int, bytes, bytes]:
    """Runs cpz; returns the exit code, the peak memory in bytes, the output and the messages."""
    script = "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); " + (
        "sys.stderr.write(f'\\npeak {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}'); sys.exit(code)"
    )
    command = limited(["python3", "-c", script, bench.cpz, *arguments])
    code, out, err = wait_for_end(bench.start(command), f"cpz {arguments[0]}")
    said, peak = err.rsplit(b"peak ", 1)
    return code, int(peak) * 1024, out, said


def check_with_peak(bench: Bench, folder: Path, *options: str) -> tuple[int, int, bytes]:
    """Runs `cpz check`; returns the exit code, the peak memory in bytes, and the output."""
    return run_with_peak(bench, "check", *options, str(folder))[:3]


def scan_large(bench: Bench, scene: Scene, markers=MARKERS, hovers: int = 0) -> str:
    """The server and `cpz check` on a folder that is too large to trace with strace.

    `hovers`: how many must be answered before the findings of all markers. If they waited for the scan, that would be
    one or two, at its start and at its end."""
    server = bench.server()
    server.keep_messages = False
    server.initialize(scene.folder)
    answered = wait_for_scan(server, scene.folder, markers)
    highest = server.memory("VmHWM")
    server.shut_down()
    expect(answered >= hovers, f"only {answered} hovers were answered during the scan")
    expect(highest < MEMORY, f"the server used {highest >> 20} MiB")
    code, peak, out = check_with_peak(bench, scene.folder)
    expect(code in (1, 2), f"check: exit code {code}")
    expect(peak < MEMORY, f"check used {peak >> 20} MiB")
    missing = [name for name in markers if name.encode() not in out]
    expect(not missing, f"check: no findings of {', '.join(missing)}")
    return (
        f"server: {answered} hovers answered meanwhile, peak {highest >> 20} MiB; "
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


@fault("200,000-files", "A folder of 200,000 small files is scanned, and hovers are answered meanwhile")
def many_files(bench: Bench) -> str:
    if bench.quick:
        raise Skipped("it takes half a minute")
    scene = Scene(bench)
    write_files(scene.folder, 200_000, lambda n: f'chess "{n}" {{ board [["W","K",1,1]] move Ka2 => legal }}\n// {n}\n')
    return scan_large(bench, scene, hovers=5)


@fault("20,000-faulty-files", "The findings of 20,000 files, each with a mistake and the same puzzle, are reported, and hovers are answered meanwhile")
def many_faulty_files(bench: Bench) -> str:
    scene = Scene(bench)
    write_files(scene.folder, 3_000 if bench.quick else 20_000, lambda n: BAD)
    return scan_large(bench, scene, hovers=5)


@fault("deep-folders", "Folders nested 10,000 levels deep, beyond the longest path, end the scan of that branch only")
def deep_folders(bench: Bench) -> str:
    scene = Scene(bench)
    here = os.open(scene.folder, os.O_RDONLY)
    # Beyond the longest path, 4,096 bytes.
    for _ in range(2_500 if bench.quick else 10_000):
        os.mkdir("d", dir_fd=here)
        below = os.open("d", os.O_RDONLY, dir_fd=here)
        file = os.open("x.cpz", os.O_WRONLY | os.O_CREAT, dir_fd=below)
        os.write(file, BAD.encode())
        os.close(file)
        os.close(here)
        here = below
    os.close(here)
    return scan_large(bench, scene)


@fault("many-patterns", "30,000 ignore patterns, in `.ignore` and in `cpz.toml`, end the scan, and take at most 1.5 GiB")
def many_patterns(bench: Bench) -> str:
    scene = Scene(bench)
    lines = [f"**/a{n}*b?[c-x]*{{d,e}}*{n}.cpz" for n in range(3_000 if bench.quick else 30_000)]
    scene.write("sub/.ignore", "\n".join(lines))
    scene.write("more/cpz.toml", f"exclude = {json.dumps(lines)}\n")
    scene.write("sub/a.cpz", BAD)
    scene.write("more/a.cpz", BAD)
    return scan_large(bench, scene, (*MARKERS, "sub/a.cpz", "more/a.cpz"))


@fault("wicked-patterns", "Invalid patterns, and patterns that are slow to match, end the scan, and take at most 1.5 GiB")
def wicked_patterns(bench: Bench) -> str:
    scene = Scene(bench)
    patterns = ["*a" * 2000 + "*b", "**/" * 2000 + "x", "{a,b}" * 200, "{" * 500 + "a" + "}" * 500, "[" * 2000, "[!-~]" * 3000]
    scene.write("sub/.ignore", "\n".join(patterns))
    scene.write("sub/" + "a" * 200 + ".cpz", BAD)
    scene.write("more/cpz.toml", f"exclude = {json.dumps(patterns[:3])}\n")
    scene.write("more/" + "a" * 200 + ".cpz", BAD)
    scene.write("wrong/cpz.toml", f"exclude = {json.dumps(patterns[3:])}\n")
    scene.write("wrong/a.cpz", BAD)
    return scan_large(bench, scene)


@fault("large-text", "With a file of 50 MB of puzzles in the folder, the findings of the other files come, and hovers are answered meanwhile")
def large_text(bench: Bench) -> str:
    scene = Scene(bench)
    with open(scene.folder / "large.cpz", "w") as file:
        for _ in range(20 if bench.quick else 500):
            file.write("solitaire { board ...N.....R....B. solve }\n" * 2400)
    return scan_large(bench, scene, hovers=5)


# ---- Searches ---------------------------------------------------------------------------------


def enough(bench: Bench) -> int:
    """How many seconds of the processor a search gets before its memory is measured."""
    return 5 if bench.quick else 30


@fault("boundless-budget", "With the highest `budget` in `cpz.toml`, and an unlimited one in the settings, no hover, no finding and no shutdown waits for the searches")
def boundless_budget(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("cpz.toml", f"budget = {HIGHEST}\n")
    for number in range(20):
        scene.write(f"slow{number}.cpz", slow_text(10, seed=number))
    server = bench.server()
    server.initialize(scene.folder, options=BOUNDLESS)
    wait_for_scan(server, scene.folder)
    server.open("untitled:slow.cpz", slow_text())
    hovers, start = 0, processor_time(server.pid)
    # Hovers use little of it: it would take longer than the limit of a wait without a search.
    while (used := processor_time(server.pid) - start) < enough(bench) or hovers < 100:
        expect(not server.is_idle(), "the searches have ended")
        server.probe()
        hovers += 1
        time.sleep(PAUSE)  # leaves the processor to the searches
    highest = server.memory("VmHWM")
    server.shut_down()
    expect(highest < MEMORY, f"the server used {highest >> 20} MiB")
    return f"{hovers} hovers answered during {used:.0f} s of search, peak {highest >> 20} MiB"


@fault("boundless-budget-check", "An unlimited `budget` in `cpz.toml` is refused; with `--budget`, `cpz check` runs in limited memory until it is interrupted")
def boundless_budget_check(bench: Bench) -> str:
    scene = Scene(bench)
    scene.write("cpz.toml", f"budget = {BOUNDLESS['budget']}\n")
    scene.write("slow.cpz", slow_text())
    code, _, out = check_with_peak(bench, scene.folder, "--budget", "1000")
    expect(code == 1 and b"nodes at most" in out, f"exit code {code}, the budget in cpz.toml is not refused")
    expect(b"undecided" in out, "--budget 1000 does not apply")
    process = bench.start([bench.cpz, "check", "--budget", str(BOUNDLESS["budget"]), str(scene.folder)])
    highest = 0

    def is_enough() -> bool:
        nonlocal highest
        expect(process.poll() is None, "it has ended, so it was no long search")
        highest = max(highest, memory_of(process.pid, "VmHWM"))
        return highest >= MEMORY or processor_time(process.pid) >= enough(bench)

    wait_until(is_enough, "the search uses no processor time")
    expect(highest < MEMORY, f"it used {highest >> 20} MiB")
    process.terminate()
    code, _, _ = wait_for_end(process, "cpz check after SIGTERM")
    expect(code in (-signal.SIGTERM, 128 + signal.SIGTERM), f"exit code {code} after SIGTERM")
    return f"still searching in {highest >> 20} MiB when interrupted"


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
    wait_for_scan(server, scene.folder)
    server.until_idle()
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


# ---- Files of other programs -----------------------------------------------------------------


def packed(text: bytes, times: int) -> bytes:
    """A text, and a letter many times, packed by zstd: 32 KiB for each GiB.

    A frame has blocks, whose header has the length, the kind (0 raw, 1 one byte repeated), and whether it is the last."""
    most = 128 << 10

    def header(length: int, kind: int, last: bool) -> bytes:
        return (length << 3 | kind << 1 | last).to_bytes(3, "little")

    blocks = [header(len(text), 0, False) + text]
    blocks += [header(most, 1, False) + b"a"] * (times // most)
    return b"\x28\xb5\x2f\xfd\x00\x58" + b"".join(blocks) + header(0, 0, True)


@fault("packed-import", "A packed file of 64 KiB that unpacks to 2 GiB without a line end takes at most 96 MiB to import, and the puzzle before that is imported")
def packed_import(bench: Bench) -> str:
    size = 128 << 20 if bench.quick else 2 * GIB
    head = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n"
    row = "00sHx,q3k1nr/1pp1nQpp/3p4/1P2p3/4P3/B1PP1b2/B5PP/5K2 b k - 0 17,e8d7 a2e6 d7d8 f7f8,1760,80,83,72,mate mateIn2 short,https://lichess.org/yyznGmXs/black#34,\n"
    path = bench.folder / "bomb.csv.zst"
    path.write_bytes(packed((head + row).encode(), size))
    code, peak, out, said = run_with_peak(bench, "import", "--from", "lichess", str(path))
    expect(code == 1, f"exit code {code}: {said[-300:]!r}")
    expect(out.count(b"chess ") == 1, f"{out.count(b'chess ')} puzzles")
    expect(b"longer than 16 MiB" in said, f"no message about the length: {said[-300:]!r}")
    expect(peak < 96 << 20, f"{peak >> 20} MiB for {size >> 20} MiB")
    return f"{path.stat().st_size >> 10} KiB, {size >> 20} MiB unpacked: peak {peak >> 20} MiB"

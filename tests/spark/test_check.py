"""examples/spark/check.py finds what one machine finds, also when processes are killed."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import corpus
import pyarrow as pa
import pyarrow.parquet
import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "examples" / "spark" / "check.py"
CPZ = Path(os.environ["CPZ"])
MASTER = "local-cluster[2,1,1024]"
DUPLICATE = "duplicate-puzzle"
# Findings that need the whole file, which has one puzzle a line here.
COUNT = 3000
LOOPBACK = "127.0.0.1"
FULL = os.environ.get("CI_FULL") == "1"
# A program that is not optimized takes ten minutes for a million.
MANY = int(os.environ.get("CPZ_PUZZLES", "100_000"))
# The limit of every wait in seconds: after this time something hangs. Many puzzles take long.
HUNG = 600
HUNG_WITH_MANY = 6 * HUNG

# The program as the workers start it. The first one waits to be killed together with its worker, the second one ends
# before it has read all lines; the others do their work.
DISTURBED = """#!/bin/sh
if mkdir '{place}/first' 2>/dev/null; then
  echo $$ >'{place}/pid.new' && mv '{place}/pid.new' '{place}/pid'
  exec tail -f /dev/null
fi
if mkdir '{place}/second' 2>/dev/null; then
  head -n 5 | '{cpz}' "$@"
  exit 1
fi
exec '{cpz}' "$@"
"""


def start(out: Path, *arguments, memory="1g") -> subprocess.Popen:
    """Starts the script on a cluster of two workers on this machine."""
    options = {
        "spark.driver.bindAddress": LOOPBACK,
        "spark.driver.host": LOOPBACK,
        "spark.ui.enabled": "false",
    }
    settings = " ".join(f"--conf {name}={value}" for name, value in options.items())
    env = {
        **os.environ,
        "PYSPARK_SUBMIT_ARGS": f"--master {MASTER} --driver-memory {memory} {settings} pyspark-shell",
        "PYSPARK_PYTHON": sys.executable,
        "SPARK_LOCAL_IP": LOOPBACK,
        # Less compilation: starting takes most of the time of a small corpus.
        **({} if FULL else {"JAVA_TOOL_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"}),
        # The folders of the workers go here.
        "SPARK_HOME": str(Path(pyspark_folder())),
        "SPARK_WORKER_DIR": str(out.parent / "work"),
    }
    command = [sys.executable, str(SCRIPT), "--out", str(out), *map(str, arguments)]
    log = (out.parent / "log").open("w")
    return subprocess.Popen(command, env=env, cwd=out.parent, stdout=log, stderr=subprocess.STDOUT)


def pyspark_folder():
    import pyspark

    return Path(pyspark.__file__).parent


def finished(process: subprocess.Popen, out: Path, code: int, limit=HUNG) -> dict:
    """The report of a run that ends with this exit code."""
    try:
        found = process.wait(timeout=limit)
    except subprocess.TimeoutExpired:
        pytest.fail("hung: Spark does not end: " + (out.parent / "log").read_text()[-8000:])
    finally:
        process.kill()
    assert found == code, (out.parent / "log").read_text()[-8000:]
    return json.loads((out / "report.json").read_text())


def table(folder: Path) -> list[dict]:
    return pa.parquet.read_table(folder).to_pylist()


def lines_of_one_machine(path: Path) -> list[str]:
    with path.open("rb") as text:
        return subprocess.run([CPZ, "lines"], stdin=text, capture_output=True, check=True).stdout.decode().splitlines()


def check_of_one_machine(folder: Path) -> dict:
    command = [CPZ, "check", "--no-config", "--format", "json", folder]
    return json.loads(subprocess.run(command, capture_output=True).stdout)


def same_as_lines(answers: list[dict], files: list[Path]):
    """Compares the answers byte by byte."""
    by_file = {str(path): {} for path in files}
    for row in answers:
        assert by_file[row["file"]].setdefault(row["line"], row["answer"]) is row["answer"], "a line was answered twice"
    for path in files:
        expected = lines_of_one_machine(path)
        found = by_file[str(path)]
        assert [found.get(number + 1) for number in range(len(expected))] == expected, path
        assert len(found) == len(expected)


def same_as_check(report: dict, duplicates: list[dict], lines: Path, collections: Path):
    """Compares the counts, and which puzzles are the same as others."""
    checked = check_of_one_machine(collections)
    summary = checked["summary"]
    for name in ["puzzles", "errors", "warnings"]:
        assert report[name] == summary[name], name
    expected = {
        (Path(file["path"]).stem, finding["range"]["start"]["line"] + 1)
        for file in checked["files"]
        for finding in file["diagnostics"]
        if finding["code"] == DUPLICATE
    }
    assert len(expected) > report["puzzles"] // 100
    assert {(Path(row["file"]).stem, row["line"]) for row in duplicates} == expected
    for row in duplicates:
        assert Path(row["file"]).parent == lines
        assert (row["first_file"], row["first_line"]) <= (row["file"], row["line"])
    assert report["codes"][DUPLICATE] == report["duplicates"]["puzzles"] == len(expected)


def parent_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("PPid:")))


def kill_worker_of(pid: int):
    """Kills the Java process that runs the task of a program, and then the program, which nothing else would end."""
    worker = pid
    while b"CoarseGrainedExecutorBackend" not in Path(f"/proc/{worker}/cmdline").read_bytes():
        worker = parent_of(worker)
        assert worker > 1
    os.kill(worker, signal.SIGKILL)
    os.kill(pid, signal.SIGKILL)


def test_a_killed_worker_and_a_program_that_ends_early_change_nothing(tmp_path):
    corpus.write(tmp_path, COUNT, per_file=1000)
    program = tmp_path / "program"
    program.write_text(DISTURBED.format(place=tmp_path, cpz=CPZ))
    program.chmod(0o755)
    out = tmp_path / "result"
    # Blocks of which each file has several.
    process = start(out, "--cpz", program, "--block", "40k", tmp_path / "lines")
    try:
        begin = time.monotonic()
        while not (tmp_path / "pid").exists():
            assert process.poll() is None, (tmp_path / "log").read_text()[-8000:]
            assert time.monotonic() - begin < HUNG, "hung: Spark does not start the program"
            time.sleep(0.05)  # a file reports no event
        kill_worker_of(int((tmp_path / "pid").read_text()))
        report = finished(process, out, 1)
    finally:
        process.kill()
    assert (tmp_path / "second").is_dir()
    same_as_lines(table(out / "answers"), sorted((tmp_path / "lines").iterdir()))
    same_as_check(report, table(out / "duplicates"), tmp_path / "lines", tmp_path / "collections")


def test_every_kind_of_input_is_answered(tmp_path):
    inputs = tmp_path / "in"
    inputs.mkdir()
    (inputs / "bad lines.txt").write_bytes(
        b"hello\n\xff\xfe\n\nsolitaire { board N..R solve }\r\n" + b"x" * (5 << 20) + b"\nsolitaire { board R..N solve }"
    )
    # A default of the file, a comment, an allowed duplicate and a puzzle on several lines.
    (inputs / "some.cpz").write_text(
        "rules solo\n\n// Lines.\nsolitaire {\n  board N..R // Here.\n  solve\n}\n"
        "solitaire { board RN.. solve allow duplicate-puzzle }\nsolitaire { board NR.. solve }\n"
    )
    (inputs / "empty.cpz").write_text("")
    (inputs / "utf16.cpz").write_bytes("solitaire".encode("utf-16"))
    puzzles = ["solitaire {\n  board N..R // Here.\n  solve\n}\n", None, '{"game":"solitaire",\n"board":{"rows":["N.R"]}}']
    pa.parquet.write_table(pa.table({"text": puzzles}), inputs / "table.parquet")
    out = tmp_path / "result"
    report = finished(start(out, "--cpz", CPZ, "--ship", "--column", "text", inputs), out, 2)
    answers = {(Path(row["file"]).name, row["line"]): row for row in table(out / "answers")}

    assert lines_of_one_machine(inputs / "bad lines.txt") == [
        answers["bad lines.txt", line + 1]["answer"] for line in range(6)
    ]
    assert [answers["some.cpz", line]["game"] for line in [4, 8, 9]] == ["solitaire"] * 3
    assert json.loads(answers["some.cpz", 4]["answer"])["rules"] == "solo"
    assert answers["utf16.cpz", 1]["unread"]
    assert answers["table.parquet", 1]["unread"] is None
    assert answers["table.parquet", 2]["unread"] == "this line is empty"
    assert answers["table.parquet", 3]["game"] == "solitaire"
    assert len(answers) == 6 + 3 + 1 + 3

    duplicates = {(Path(row["file"]).name, row["line"]): row for row in table(out / "duplicates")}
    # Under the rules `solo` a puzzle is another one.
    assert set(duplicates) == {
        ("bad lines.txt", 4),
        ("bad lines.txt", 6),
        ("some.cpz", 8),
        ("some.cpz", 9),
        ("table.parquet", 1),
    }
    assert [duplicates["some.cpz", line]["allowed"] for line in [8, 9]] == [True, False]
    assert report["lines"] == len(answers)
    assert report["unread"] == 6
    assert report["duplicates"] == {"puzzles": 5, "groups": 2}
    assert report["codes"][DUPLICATE] == 4


@pytest.mark.skipif(not FULL, reason="takes minutes; CI_FULL=1 runs it")
def test_many_puzzles_are_answered_as_on_one_machine(tmp_path):
    corpus.write(tmp_path, MANY)
    begin = time.monotonic()  # only printed
    check_of_one_machine(tmp_path / "collections")
    checked = time.monotonic()
    files = sorted((tmp_path / "lines").iterdir())
    for path in files:
        lines_of_one_machine(path)
    answered = time.monotonic()
    out = tmp_path / "result"
    report = finished(start(out, "--cpz", CPZ, tmp_path / "lines", memory="2g"), out, 1, HUNG_WITH_MANY)
    ended = time.monotonic()
    print(
        f"\n{MANY:,} puzzles: cpz check {checked - begin:.1f} s, cpz lines {answered - checked:.1f} s, "
        f"Spark {ended - answered:.1f} s"
    )
    same_as_lines(table(out / "answers"), files)
    same_as_check(report, table(out / "duplicates"), tmp_path / "lines", tmp_path / "collections")

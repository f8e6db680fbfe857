#!/usr/bin/env python3
"""Checks a corpus of puzzles with Apache Spark.

    spark-submit check.py --out RESULT INPUT…

An INPUT is a file or a folder, on any storage that Spark reads: texts with one puzzle a line (`.jsonl`, `.txt`),
collections (`.cpz`), and Parquet with a column of puzzles. Each worker pipes its lines through `cpz lines`. RESULT must
not exist; the folder gets

    answers      Parquet: a row for each line, with its file, its line in it, and the answer as JSON
    duplicates   Parquet: a row for each puzzle that is the same as another of the corpus
    report.json  counts

The exit code is 0 if no error is found in the puzzles, 1 if there are errors, 2 if a line is not read.
"""

import argparse
import json
import os
import queue
import subprocess
import sys
import threading
from urllib.parse import unquote

import pyarrow as pa
from pyspark import SparkFiles
from pyspark.sql import SparkSession, Window
from pyspark.sql import functions as F

TEXTS = (".jsonl", ".txt")
FINDING = "STRUCT<code: STRING, severity: STRING>"
# What the columns and the report need of an answer.
ANSWER = f"""error STRING, canonical STRING, game STRING, id STRING, name STRING, allow ARRAY<STRING>,
             findings ARRAY<{FINDING}>, queries ARRAY<STRUCT<verdict: STRING, findings: ARRAY<{FINDING}>>>"""
ANSWERED = "file STRING, line LONG, answer STRING"
ARROW_ANSWERED = pa.schema([("file", pa.string()), ("line", pa.int64()), ("answer", pa.string())])
DUPLICATE = "duplicate-puzzle"
# How many batches of lines are read ahead of their answers.
AHEAD = 2


def shown_path(uri):
    """A path as a person writes it: that of a local file without `file:`."""
    return "/" + unquote(uri[len("file:") :]).lstrip("/") if uri.startswith("file:") else unquote(uri)


def one_line(puzzle):
    """A puzzle as the bytes of one line. A carriage return ends a comment of `.cpz` as a line feed does."""
    return (puzzle or b"").rstrip(b"\r\n").replace(b"\r\n", b"\r").replace(b"\n", b"\r") + b"\n"


def numbered(answer, line):
    """The answer of `cpz lines` with the number of the line in its file."""
    return b'{"line":%d%s' % (line, answer[answer.index(b",") :])


class Program:
    """How the workers run cpz."""

    def __init__(self, path, ships, budget):
        self.path, self.ships, self.budget = path, ships, budget

    def command(self, *words, budget=None):
        path = SparkFiles.get(os.path.basename(self.path)) if self.ships else self.path
        budget = budget or self.budget
        return [path, *words, *(["--budget", str(budget)] if budget else [])]

    def start(self, *words):
        # A task has one core; the others of the machine have tasks of their own.
        env = {**os.environ, "RAYON_NUM_THREADS": "1"}
        return subprocess.Popen(self.command(*words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)

    def run(self, *words, text, budget=None):
        return subprocess.run(self.command(*words, budget=budget), input=text, capture_output=True)


def answers_of(program, batches):
    """Pipes batches of items through `cpz lines`: yields each batch with its answers. An item begins with a puzzle."""
    with program.start("lines") as process:
        waiting, errors = queue.Queue(AHEAD), []

        def feed():
            try:
                for batch in batches:
                    waiting.put(batch)
                    process.stdin.writelines(one_line(item[0]) for item in batch)
                    process.stdin.flush()
                process.stdin.close()
            except Exception as error:  # Raised again by the thread that reads.
                errors.append(error)
                process.kill()
            waiting.put(None)

        thread = threading.Thread(target=feed, daemon=True)
        thread.start()
        try:
            while (batch := waiting.get()) is not None:
                answers = [process.stdout.readline() for _ in batch]
                if not all(answer.endswith(b"\n") for answer in answers):
                    raise RuntimeError(f"cpz lines ended early: {process.wait()}")
                yield batch, [answer.rstrip(b"\n") for answer in answers]
            thread.join()
            if errors:
                raise errors[0]
        finally:
            process.kill()


def record_batch(rows):
    """(file, line, answer) as Arrow data."""
    columns = zip(*rows) if rows else ([], [], [])
    return pa.RecordBatch.from_arrays(
        [pa.array(column, field.type) for column, field in zip(columns, ARROW_ANSWERED)], schema=ARROW_ANSWERED
    )


def answer_lines(program, first_lines):
    """Answers rows of (uri, block, puzzle). `first_lines` has the number of lines of a file before a block."""

    def items(batches):
        place, line = None, 0
        for batch in batches:
            uris, blocks, puzzles = (column.to_pylist() for column in batch.columns)
            batch_items = []
            for uri, block, puzzle in zip(uris, blocks, puzzles):
                # The rows of a block follow each other in the order of the file.
                if place != (uri, block):
                    place, line = (uri, block), first_lines.value[uri, block]
                line += 1
                batch_items.append((puzzle, uri, line))
            yield batch_items

    def answer(batches):
        for batch, answers in answers_of(program, items(batches)):
            paths = {uri: shown_path(uri) for _, uri, _ in batch}
            rows = zip(batch, answers)
            yield record_batch(
                [(paths[uri], line, numbered(answer, line).decode()) for (_, uri, line), answer in rows]
            )

    return answer


def answer_collections(program):
    """Answers rows of (uri, content): each is a collection. What they have in common, such as defaults, counts."""

    def puzzles(path, content):
        """The puzzles of a collection as (line, JSON), with verified answers."""
        exported = program.run("export", "--to", "jsonl", "-", text=content)
        if exported.returncode > 1:
            why = exported.stderr.decode(errors="replace").strip()
            unread = json.dumps({"line": 1, "error": why}, separators=(",", ":"), ensure_ascii=False)
            return [], [(path, 1, unread)]
        return exported.stdout.splitlines(), []

    def answer(batches):
        for batch in batches:
            for uri, content in zip(*(column.to_pylist() for column in batch.columns)):
                path = shown_path(uri)
                documents, rows = puzzles(path, content)
                # The canonical forms need no search.
                forms = program.run("lines", text=b"\n".join(documents), budget=1).stdout.splitlines()
                for document, form in zip(documents, forms, strict=True):
                    line = json.loads(document)["place"]["range"]["start"]["line"] + 1
                    form = json.dumps(json.loads(form).get("canonical"))
                    rows.append((path, line, f'{{"line":{line},"canonical":{form},{document.decode()[1:]}'))
                yield record_batch(rows)

    return answer


def read_lines(spark, paths, column):
    """(uri, block, puzzle) of texts or of Parquet."""
    if column is None:
        lines, column = spark.read.text(paths, lineSep="\n"), "value"
    else:
        lines = spark.read.parquet(*paths)
        if column not in lines.columns:
            sys.exit(f"check.py: the Parquet files have no column {column}; `--column` names the column of puzzles")
    # Bytes, because a line need not be UTF-8.
    puzzle = F.col(column).cast("binary").alias("puzzle")
    return lines.select(
        F.col("_metadata.file_path").alias("uri"), F.col("_metadata.file_block_start").alias("block"), puzzle
    )


def number_lines(spark, lines):
    """The number of lines of a file before each of its blocks, sent to all workers."""
    counts = lines.groupBy("uri", "block").count()
    before = F.coalesce(
        F.sum("count").over(Window.partitionBy("uri").orderBy("block").rowsBetween(Window.unboundedPreceding, -1)),
        F.lit(0),
    )
    rows = counts.select("uri", "block", before.alias("before")).collect()
    return spark.sparkContext.broadcast({(row.uri, row.block): row.before for row in rows})


def answered(spark, inputs, program, column):
    """(file, line, answer) of all inputs."""
    listed = spark.read.format("binaryFile").option("recursiveFileLookup", True).load(inputs)
    uris = sorted(row.path for row in listed.select("path").collect())
    by_kind = {
        "text": [uri for uri in uris if uri.endswith(TEXTS)],
        "parquet": [uri for uri in uris if uri.endswith(".parquet")],
        "collection": [uri for uri in uris if uri.endswith(".cpz")],
    }
    parts = []
    for kind in ["text", "parquet"]:
        if by_kind[kind]:
            lines = read_lines(spark, by_kind[kind], column if kind == "parquet" else None)
            parts.append(lines.mapInArrow(answer_lines(program, number_lines(spark, lines)), ANSWERED))
    if by_kind["collection"]:
        contents = spark.read.format("binaryFile").load(by_kind["collection"]).select("path", "content")
        parts.append(contents.mapInArrow(answer_collections(program), ANSWERED))
    if not parts:
        sys.exit("check.py: the inputs have no .jsonl, .txt, .cpz or .parquet files")
    all_parts = parts[0]
    for part in parts[1:]:
        all_parts = all_parts.unionAll(part)
    return all_parts


def columns_of(answers):
    """The answers with columns for what is asked of them most."""
    read = answers.withColumn("read", F.from_json("answer", ANSWER))
    findings = F.concat(F.col("read.findings"), F.flatten("read.queries.findings"))
    # What is the same is found in the whole corpus below.
    own = F.filter(F.coalesce(findings, F.array()), lambda finding: finding.code != DUPLICATE)
    read = read.withColumn("own", own)

    def number(severity):
        return F.size(F.filter("own", lambda finding: finding.severity == severity))

    return read.select(
        "file",
        "line",
        F.col("read.error").alias("unread"),
        *[F.col(f"read.{name}").alias(name) for name in ["canonical", "game", "id", "name", "allow"]],
        F.col("read.queries.verdict").alias("verdicts"),
        number("error").alias("errors"),
        number("warning").alias("warnings"),
        F.col("own.code").alias("codes"),
        "answer",
    )


def duplicates_of(answers):
    """The puzzles that are the same as others, each with the first of them."""
    same = Window.partitionBy("canonical").orderBy("file", "line")
    groups = answers.filter("canonical IS NOT NULL").select("canonical", "file", "line", "allow")
    repeated = groups.groupBy("canonical").count().filter("count > 1").select("canonical")
    groups = groups.join(repeated, "canonical")
    return groups.select(
        "canonical",
        "file",
        "line",
        F.first("file").over(same).alias("first_file"),
        F.first("line").over(same).alias("first_line"),
        F.coalesce(F.array_contains("allow", DUPLICATE), F.lit(False)).alias("allowed"),
    )


def report_of(answers, duplicates):
    """The counts, as `cpz check` counts."""
    total = answers.agg(
        F.count("*").alias("lines"),
        F.count("unread").alias("unread"),
        F.coalesce(F.sum("errors"), F.lit(0)).alias("errors"),
        F.coalesce(F.sum("warnings"), F.lit(0)).alias("warnings"),
    ).first()
    same = duplicates.agg(
        F.count("*").alias("puzzles"),
        F.countDistinct("canonical").alias("groups"),
        F.coalesce(F.sum(F.when(~F.col("allowed"), 1).otherwise(0)), F.lit(0)).alias("reported"),
    ).first()
    codes = answers.select(F.explode("codes").alias("code")).groupBy("code").count().collect()
    codes = {row["code"]: row["count"] for row in codes}
    if same.reported:
        codes[DUPLICATE] = same.reported
    games = answers.filter("game IS NOT NULL").groupBy("game").count().collect()
    return {
        "version": 1,
        "lines": total.lines,
        "unread": total.unread,
        "puzzles": total.lines - total.unread,
        "games": dict(sorted((row["game"], row["count"]) for row in games)),
        "errors": total.errors,
        "warnings": total.warnings + same.reported,
        "codes": dict(sorted(codes.items())),
        "duplicates": {"puzzles": same.puzzles, "groups": same.groups},
    }


def in_words(report):
    """The report as a few sentences."""
    same = report["duplicates"]
    return (
        f"{report['lines']:,} lines: {report['puzzles']:,} puzzles, {report['unread']:,} lines not read.\n"
        f"{report['errors']:,} errors and {report['warnings']:,} warnings.\n"
        f"{same['puzzles']:,} puzzles are the same as others; with one of each, "
        f"{same['puzzles'] - same['groups']:,} fewer puzzles are left."
    )


def write_report(spark, out, report):
    """Writes the report beside the tables, on any storage that Spark writes."""
    path = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(f"{out}/report.json")
    stream = path.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).create(path, False)
    stream.write(bytearray(json.dumps(report, indent=2).encode() + b"\n"))
    stream.close()


def arguments():
    parser = argparse.ArgumentParser(prog="check.py", description=__doc__.splitlines()[0])
    parser.add_argument("inputs", nargs="+", metavar="INPUT")
    parser.add_argument("--out", required=True, metavar="RESULT", help="the folder for the result, which must not exist")
    parser.add_argument("--cpz", default="cpz", metavar="PATH", help="the program on each worker")
    parser.add_argument("--ship", action="store_true", help="copy the program from here to the workers")
    parser.add_argument("--budget", type=int, metavar="NODES", help="node budget per search")
    parser.add_argument("--column", default="puzzle", help="the column of puzzles in Parquet files")
    parser.add_argument("--block", default="16m", metavar="BYTES", help="the text that one task answers")
    return parser.parse_args()


def main():
    """Checks, writes and returns the exit code."""
    options = arguments()
    spark = SparkSession.builder.appName("cpz").getOrCreate()
    # Answering takes longer than reading, so a task gets less than Spark gives it.
    spark.conf.set("spark.sql.files.maxPartitionBytes", options.block)
    if options.ship:
        spark.sparkContext.addFile(os.path.abspath(options.cpz))
    program = Program(options.cpz, options.ship, options.budget)
    answers = columns_of(answered(spark, options.inputs, program, options.column))
    answers.write.mode("errorifexists").parquet(f"{options.out}/answers")
    answers = spark.read.parquet(f"{options.out}/answers")
    duplicates_of(answers).write.parquet(f"{options.out}/duplicates")
    report = report_of(answers, spark.read.parquet(f"{options.out}/duplicates"))
    write_report(spark, options.out, report)
    print(in_words(report))
    spark.stop()
    return 2 if report["unread"] else int(report["errors"] > 0)


if __name__ == "__main__":
    sys.exit(main())

"""Tests the package of cards that `cpz export --to anki` writes: with SQLite, with Anki, and a card in a browser.

Anki is under the AGPL: it runs here as a program, in an environment of its own, and is no part of what cpz ships."""

import html
import json
import os
import re
import sqlite3
import subprocess
import zipfile
from pathlib import Path

from common import COLLECTION, CPZ, check, check_equal, must_run, run

NOTES = 300
PROBE = Path(__file__).resolve().parent / "anki_probe.py"
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")

# What Anki, a browser, LaTeX or the templates of cards would take for something else than text.
ODD = [
    "<script>document.title='ran'</script>",
    "<img src=x onerror=document.title='ran'> <svg/onload=document.title='ran'>",
    "[sound:a.mp3] [latex]\\input{x}[/latex] [$]x[/$] [anki:tts lang=en_US]x[/anki:tts] [[type:Title]]",
    "\\(x^2\\) \\[y\\] {{Solution}} {{c1::cloze}} {{hint:Solution}}",
    "&amp; &lt;b&gt; 'a' ü 象 😀 \\",
]
# Longer than a page of SQLite, than one overflow page, and than what they keep on the leaf.
LENGTHS = [4_040, 4_052, 4_061, 8_140, 8_200, 100_000]


def puzzle(nth, title):
    """A puzzle with a position of its own."""
    king, rook = divmod(nth, 8)
    ranks = ["8"] * 8
    file, rank = king % 8, 1 + king // 8
    ranks[0] = f"{rook or ''}R{7 - rook or ''}"
    ranks[rank] = f"{file or ''}K{7 - file or ''}"
    ranks[7] = "7k"
    texts = [title] if nth < len(ODD) else [title, "x" * LENGTHS[nth - len(ODD)]] if nth < len(ODD) + len(LENGTHS) else []
    notes = "".join(f' note "{text}"' for text in texts)
    return f'// {title}\nchess "{title}" {{ author "{title}" hint "{title}"{notes} tags [rook, "two words"] board {"/".join(ranks)} w - - 0 1 mate => none }}\n\n'


def collection(prefix=""):
    """300 puzzles, of which the first have odd or long texts, one that is the same as the last, and one without a question."""
    titles = [ODD[nth] if nth < len(ODD) else f"{prefix}Number {nth}" for nth in range(NOTES)]
    puzzles = [puzzle(nth, title) for nth, title in enumerate(titles)]
    return "".join(puzzles) + puzzles[-1] + "chess { board 8/8/8/4k3/8/8/8/4K2R }\n"


def export(place, name, text, time):
    source = place / f"{name}.cpz"
    source.write_text(text, encoding="utf-8")
    package = place / f"{name}-{len(text)}.apkg"
    result = run(CPZ, "export", "--to", "anki", source, "-o", package, env={"SOURCE_DATE_EPOCH": str(time)})
    return package, result


def database(place, package):
    """What SQLite says of the file, and its notes."""
    with zipfile.ZipFile(package) as archive:
        check_equal("the archive is whole", archive.testzip(), None)
        (place / "collection.db").write_bytes(archive.read("collection.anki2"))
        media = json.loads(archive.read("media"))
        check("each picture is in the archive", set(media) < set(archive.namelist()), media)
        pictures = [archive.read(number) for number in media]
    check("each picture is an SVG", all(svg.startswith(b"<svg ") for svg in pictures))
    check_equal("each picture is there once", len(set(pictures)), len(pictures))
    with sqlite3.connect(place / "collection.db") as connection:
        check_equal("the database is sound", connection.execute("PRAGMA integrity_check").fetchall(), [("ok",)])
        rows = connection.execute("SELECT id, guid, tags, flds FROM notes ORDER BY id").fetchall()
        cards = connection.execute("SELECT nid, due FROM cards ORDER BY due").fetchall()
    check_equal("a card for each note", [card[0] for card in cards], [row[0] for row in rows])
    return [[guid, fields.split("\x1f"), tags.split()] for _, guid, tags, fields in rows]


def shown(fields):
    """The text of a field as a browser shows it."""
    return html.unescape(re.sub("<br>", "\n", re.sub("</?(?:div|span)>", "", fields)))


def draw(place, probe, name, card):
    """Draws a side of a card in a browser; returns the title of the page, which a script would change."""
    page = Path(probe["media"]) / f"{name}.html"
    page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><title>tame</title><body class="card">{card}', encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={place / 'browser'}", "--window-size=480,800"]
    pictures = Path(os.environ.get("CPZ_PICTURES", place))
    subprocess.run([CHROMIUM, *options, f"--screenshot={pictures / name}.png", page.as_uri()], check=True, capture_output=True)
    done = subprocess.run([CHROMIUM, *options, "--dump-dom", page.as_uri()], check=True, capture_output=True, encoding="utf-8")
    return done.stdout


def part(place, options):
    first, result = export(place, "bank", collection(), 1_800_000_000)
    check("what is left out is told", "1 puzzle left out: a card needs a question" in result.stderr and result.returncode == 1, result)
    notes = database(place, first)
    check_equal("number of notes", len(notes), NOTES + 1)
    check_equal("each note is known by another id", len({note[0] for note in notes}), NOTES + 1)

    # Trees of SQLite of three levels.
    many, _ = export(place, "many", puzzle(0, "Many") * 5_000, 1_800_000_000)
    check_equal("number of many notes", len({note[0] for note in database(place, many)}), 5_000)

    second, _ = export(place, "bank", collection("Another "), 1_800_000_001)
    examples, result = export(place, "examples", "".join(path.read_text() for path in sorted(COLLECTION.rglob("*.cpz"))), 1_800_000_000)
    check("all examples are cards", examples.exists(), result)
    python = os.environ["CPZ_ANKI_PYTHON"]
    probe = json.loads(must_run(python, PROBE, place, first, first, second, examples))
    first_log, again, newer, _ = probe["logs"]
    check_equal("Anki takes each note", first_log, {"new": NOTES + 1, "updated": 0, "duplicate": 0, "other": 0})
    check_equal("importing again adds none", again["new"], 0)
    check_equal("a newer package updates the notes", [newer["new"], newer["updated"]], [0, NOTES + 1])
    check_equal("no note is double", probe["counts"][:3], [NOTES + 1] * 3)
    check_equal("Anki finds the database sound", probe["problems"], [])
    check("the decks are named after the files", {"bank", "examples"} <= set(probe["decks"]), probe["decks"])
    check_equal("all pictures are there", probe["missing"], [])
    known = {note["guid"]: note for note in probe["notes"]}
    read = [[guid, known[guid]["fields"], sorted(known[guid]["tags"])] for guid, _, _ in notes]
    check_equal("Anki reads the fields of the database", read, [[guid, fields, sorted(tags)] for guid, fields, tags in notes])

    for (_, fields, tags), text in zip(notes, ODD):
        title, _, question, hint, solution, about = map(shown, fields)
        check_equal("texts of puzzles are no markup", [title, hint, question, solution], [text, text, "White to move.Checkmate, check, stalemate or none of them?", "none"])
        check("the back has the comment, the note and the author", about.count(text) == 3, about)
        check("no sign of Anki is left", not re.search(r"\[|\{|\\[(\[]", "".join(fields)), fields)
    check_equal("tags are words", notes[0][2], ["rook", "two_words"])
    longest = notes[len(ODD) + len(LENGTHS) - 1][1][5]
    check("long texts are whole", "x" * LENGTHS[-1] in longest, len(longest))

    if not Path(CHROMIUM).exists():
        print("  skipped: cards in a browser; chromium is missing")
        return
    for name, card in probe["cards"].items():
        page = draw(place, probe, name, card)
        check(f"no script runs on the card {name}", "<title>tame</title>" in page and "onerror" not in re.sub("<div[^>]*>[^<]*", "", page), page)

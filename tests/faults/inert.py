"""Words of a puzzle in what cpz exports, prints and draws, read by the programs that people open it with: a browser,
LaTeX, Typst, a reader of Markdown and one of CSV. For them the words are text, and never markup, a command or a script."""

import base64
import csv
import html
import io
import json
import os
import re
import shutil
import subprocess
from pathlib import Path

from client import HUNG
from markup import INVISIBLE, check_svg
from table import Bench, Skipped, expect, fault, needs, watch

MARK = "evilword"
"""A word that is in every hostile text, and must be read as text."""

SCRIPTS = [
    "<script>ran=1</script><b>evilword</b>",
    "<img src=x onerror=ran=1> <svg onload=ran=1> evilword",
    "</title></style></svg></details></textarea></pre>--><script>ran=1</script> evilword",
    "' onmouseover=ran=1 autofocus onfocus=ran=1 x='evilword",
    "<a href=javascript:ran=1>evilword</a> <javascript:ran=1> <iframe srcdoc=<script>parent.ran=1</script>>",
    "]]> <!--<![CDATA[ evilword &lt;i&gt; &#60;script&#62; &#x3c;i&#x3e; &amp;lt;i&gt;",
    "[evilword](javascript:ran=1) ![evilword](x) [x]: javascript:ran=1 `c` **b** _i_ ~~s~~ <u>",
    "# evilword",
    "- evilword",
    "1. evilword",
    "> evilword",
    "    evilword",
    "``` evilword",
    "| a | evilword | --- |",
    "--- evilword",
    "[evilword]: javascript:ran=1",
    "evilword\\",
    "{{evilword}} ${evilword} {% raw %} <%= ran=1 %> #[cfg] {{#include /etc/passwd}} {{#playground x}}",
]

COMMANDS = [
    r"\input{secret} \input secret evilword",
    r"^^5cinput{secret} \csname input\endcsname{secret} evilword",
    r"\immediate\write18{touch pwned} \openout0=pwned evilword",
    r"$x$ % # & _ ^ ~ { } \\ \end{document} evilword",
    r"\begin{verbatim} \catcode`\@=11 \def\x{ \fi \else evilword",
    '#import \'secret\' #read(\'secret.txt\') #include \'secret\' evilword',
    "#{panic()} #let x = 1 $ x $ @ref <label> *b* _i_ `c` evilword",
    "= evilword",
    "+ evilword / term: https //comment /* comment",
    "] ) } evilword ; #[ ( {",
    "``` evilword ---",
    "-- --- ~ evilword \\u{41} \\",
]

FORMULAS = [
    "=cmd|' /C calc'!A0 evilword",
    "+1+1 evilword",
    "-2+3 evilword",
    "@SUM(1,1) evilword",
    "\u0009=1+1 evilword",
    "=HYPERLINK('http://evil.example/') evilword",
    "evilword, with a comma; and 'quotes'",
]

TERMINAL = "\x1b[31mevilword\x1b]0;title\x07 \u202eevilword\u2066 \x9b31m"


def collection(texts: list[str], tame: bool = False) -> str:
    """A collection in which each text is in every place that takes one. With `tame`, words without signs take their places."""
    parts = []
    for number, text in enumerate(texts):
        if tame:
            # As long, so that it takes as much of a page.
            text = re.sub(r"[^\w\s]", "x", text.replace("\\", "x")).replace("_", "x").strip()
            text = "x" + re.sub(r"^\d", "x", text)[1:] if not text.startswith(MARK) else text
        expect('"' not in text, f"{text} ends the quotes")
        parts.append(
            f"// {text}\n//\n// {text}\n// {text}\n"
            f'chess "{text} n{number}" {{\n  id p{number}\n  author "{text}"\n  source "{text}"\n  note "{text}"\n  note "{text}"\n'
            f'  hint "{text}"\n  tags ["{text}"]\n  x-award "{text}"\n  x-year "{text}"\n'
            f"  board   6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\n  mate in 1 => Ra8# ({text.translate(NO_BRACKETS)})\n}}\n"
            f'chess "{text} m{number}" {{ board 7k/8/5K2/8/8/8/8/R7 h#2 author "{text}" source "{text}" }}\n'
        )
    return "\n".join(parts)


NO_BRACKETS = str.maketrans("()\\", "   ")
"""A remark ends with a bracket."""


def made(bench: Bench, text: str, *arguments: str) -> str:
    """What a command prints for a collection; fails if it does not run."""
    folder = bench.folder_named("collection")
    (folder / "evil.cpz").write_text(text, encoding="utf-8", newline="")
    done = bench.cli(*arguments, "evil.cpz", cwd=folder)
    expect(done.returncode in (0, 1) and done.stdout, f"{arguments}: exit code {done.returncode}: {done.stderr[-300:]!r}")
    return done.stdout.decode()


# ---- In a browser -----------------------------------------------------------------------------

WALK = """
<script>
addEventListener('load', () => {
  const found = {};
  for (const frame of document.querySelectorAll('iframe')) {
    const page = frame.contentWindow, elements = [];
    for (const element of page.document.querySelectorAll('*')) {
      const outer = element.getAttribute('href') ?? element.getAttribute('src') ?? '';
      elements.push([element.localName, [...element.attributes].map((a) => a.name).sort().join(' '), /^(#|data:|$)/.test(outer) ? '' : outer].join('|'));
    }
    found[frame.name] = { ran: page.ran === 1, elements, text: page.document.documentElement.textContent };
  }
  found.ran = window.ran === 1;
  document.body.innerHTML = '<pre id="result"></pre>';
  document.getElementById('result').textContent = btoa(unescape(encodeURIComponent(JSON.stringify(found))));
});
</script>
"""
"""The script of the page that shows all documents: what each of them has become in the browser, once they and their pictures
are loaded."""


def in_browser(bench: Bench, documents: dict[str, str]) -> dict:
    """What a browser makes of each document: its elements with the names of their attributes, its text, and whether a script
    of a puzzle has run."""
    browser = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        raise Skipped("there is no Chromium")
    frames = "".join(f'<iframe name="{name}" srcdoc="{html.escape(text)}"></iframe>' for name, text in documents.items())
    page = bench.folder / "page.html"
    page.write_text(f'<!DOCTYPE html><meta charset="utf-8"><body>{frames}{WALK}', encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--user-data-dir={bench.folder}/profile", "--host-resolver-rules=MAP * ~NOTFOUND"]
    for _ in range(3):  # a browser that starts on a busy machine now and then ends before it has read the page
        watch()
        done = subprocess.run([browser, *options, "--dump-dom", page.as_uri()], capture_output=True, timeout=HUNG, check=False)
        if result := re.search(rb'<pre id="result">([^<]*)</pre>', done.stdout):
            return json.loads(base64.b64decode(result[1]))
    expect(False, f"the browser has not read the page: {done.stdout[-200:]!r} {done.stderr[-300:]!r}")


def check_browser(bench: Bench, pairs: dict[str, tuple[str, str]], rounds: int) -> str:
    """Fails unless each hostile document has the elements of the tame one, and no script ran. The control proves that both
    would be seen."""
    documents = {f"{name}-{which}": text for name, pair in pairs.items() for which, text in zip(("evil", "tame"), pair)}
    documents["control"] = f"<p>{SCRIPTS[0]}</p>"
    found = in_browser(bench, documents)
    expect(found["control"]["ran"] and any(e.startswith("b|") for e in found["control"]["elements"]), f"the control was not seen: {found['control']}")
    wrong = []
    for name in pairs:
        evil, tame = found[f"{name}-evil"], found[f"{name}-tame"]
        if evil["ran"] or found["ran"]:
            wrong.append(f"{name}: a script of a puzzle ran")
        if evil["elements"] != tame["elements"]:
            new = [e for e in evil["elements"] if e not in tame["elements"]]
            first = next((n for n, (a, b) in enumerate(zip(evil["elements"], tame["elements"])) if a != b), -1)
            wrong.append(f"{name}: {len(evil['elements'])} elements, {len(tame['elements'])} of tame words; new: {new[:4]}; element {first}: {evil['elements'][max(0, first - 2):first + 3]} for {tame['elements'][max(0, first - 2):first + 3]}")
        if evil["text"].count(MARK) < rounds:
            wrong.append(f"{name}: the words are not shown: {evil['text'].count(MARK)} times")
    expect(not wrong, "; ".join(wrong))
    return f"{sum(len(found[f'{name}-evil']['elements']) for name in pairs)} elements, those of tame words, no script ran"


@fault("inert-in-a-browser", "HTML sheets, drawings, and pages of Markdown and mdBook, in a browser: no script of a puzzle runs, and no element is made of its words")
def inert_in_browser(bench: Bench) -> str:
    needs("cmark-gfm")
    texts = SCRIPTS + COMMANDS[:4] + FORMULAS[:1]
    evil, tame = collection(texts), collection(texts, tame=True)
    pairs = {"sheet": tuple(made(bench, text, "print", "--title", title, "--difficulty", "none") for text, title in ((evil, SCRIPTS[2]), (tame, "tame")))}
    pairs["magazine"] = tuple(made(bench, text, "print", "--form", "magazine") for text in (evil, tame))
    pairs["markdown"] = tuple(rendered(made(bench, text, "export", "--to", "markdown")) for text in (evil, tame))
    pairs["mdbook"] = tuple(rendered(chapter(bench, text)) for text in (evil, tame))
    result = check_browser(bench, pairs, len(texts))
    drawn = 0
    for number in range(len(texts)):
        svg = made(bench, evil, "draw", "--only", f"p{number}")
        expect(MARK not in svg, f"a drawing has the words of puzzle {number}")
        drawn += bool(check_svg(svg))
    return f"{result}; {drawn} drawings have none of the words"


def rendered(markdown: str) -> str:
    """A page of Markdown, with its HTML as mdBook and most programs take it."""
    options = ["--unsafe", "-e", "table", "-e", "strikethrough", "-e", "tasklist"]
    done = subprocess.run(["cmark-gfm", *options], input=markdown.encode(), capture_output=True, check=True)
    return "<!DOCTYPE html>" + done.stdout.decode()


def chapter(bench: Bench, text: str) -> str:
    """A chapter of mdBook with a collection in a fence; without the source of the fence."""
    content = f"~~~~~~cpz,solution,hide\n{text}\n~~~~~~\n"
    item = {"Chapter": {"name": "c", "content": content, "number": None, "sub_items": [], "path": "a.md", "source_path": "a.md", "parent_names": []}}
    context = {"root": str(bench.folder), "config": {"book": {"title": "t"}}, "renderer": "html", "mdbook_version": "0.5.0"}
    done = subprocess.run([bench.cpz, "mdbook"], input=json.dumps([context, {"items": [item]}]).encode(), capture_output=True, check=False)
    expect(done.returncode in (0, 1) and done.stdout, f"mdbook: exit code {done.returncode}: {done.stderr[-300:]!r}")
    return json.loads(done.stdout)["items"][0]["Chapter"]["content"]


# ---- On paper ---------------------------------------------------------------------------------


def folder_with_secrets(bench: Bench, name: str, source: str, suffix: str) -> Path:
    folder = bench.make(name)
    for secret in ("secret", "secret.tex", "secret.txt", "secret.typ"):
        (folder / secret).write_text("xyzzyplugh\n")
    (folder / f"sheet.{suffix}").write_text(source, encoding="utf-8")
    return folder


def read_pdf(path: Path) -> str:
    try:
        import pypdf
    except ImportError:
        raise Skipped("the Python package pypdf is missing") from None
    return "".join(page.extract_text() for page in pypdf.PdfReader(path).pages)


def check_paper(folder: Path, before: set[str], texts: list[str], may_make: set[str]):
    new = set(os.listdir(folder)) - before - may_make
    expect(not new, f"files were made: {new}")
    shown = read_pdf(folder / "sheet.pdf")
    expect("xyzzyplugh" not in shown, "the sheet has the text of another file")
    expect(shown.replace("-\n", "").replace("\n", "").count(MARK) >= 3 * len(texts), f"the words are printed {shown.count(MARK)} times")


@fault("inert-in-latex", "LaTeX sheets: no word of a puzzle is a command. pdflatex reads and writes the files of a sheet with tame words, and prints the words")
def inert_in_latex(bench: Bench) -> str:
    needs("pdflatex")
    if not shutil.which("kpsewhich") or subprocess.run(["kpsewhich", "diagram.sty", "t2aenc.def"], capture_output=True, check=False).returncode:
        raise Skipped("the LaTeX package diagram is missing")
    texts = COMMANDS + SCRIPTS[:8] + FORMULAS[:3]
    read: list[set[str]] = []
    for name, tame in (("evil", False), ("tame", True)):
        source = made(bench, collection(texts, tame), "print", "--to", "latex", "--title", "tame" if tame else COMMANDS[0])
        folder = folder_with_secrets(bench, name, source, "tex")
        before = set(os.listdir(folder))
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "-recorder", "sheet.tex"]
        watch()
        done = subprocess.run(command, cwd=folder, capture_output=True, timeout=HUNG, check=False)
        expect(done.returncode == 0, f"{name}: pdflatex fails: {re.findall(rb'(?m)^!.*', done.stdout)[:3]} {done.stdout[-200:]!r}")
        # The fonts depend on the signs that are printed.
        lines = (folder / "sheet.fls").read_text().splitlines()[1:]
        read.append({line for line in lines if not re.search(r"\.(pfb|tfm|vf|map|enc|fd|\d*pk|def|fls)$", line)})
        check_paper(folder, before, texts, {"sheet.pdf", "sheet.log", "sheet.aux", "sheet.fls", "sheet.out", "sheet.sol"})
    expect(read[0] == read[1], f"other files than with tame words: {sorted(read[0] ^ read[1])[:5]}")
    return f"{len(texts)} texts, {len(read[0])} files read and written, as with tame words"


@fault("inert-in-typst", "Typst sheets: no word of a puzzle is code. Typst reads no other file, and prints the words")
def inert_in_typst(bench: Bench) -> str:
    try:
        import typst
    except ImportError:
        raise Skipped("the Python package typst is missing") from None
    texts = COMMANDS + SCRIPTS[:8] + FORMULAS[:3]
    source = made(bench, collection(texts), "print", "--to", "typst", "--title", COMMANDS[5])
    folder = folder_with_secrets(bench, "typst", source, "typ")
    before = set(os.listdir(folder))
    watch()
    typst.compile(folder / "sheet.typ", output=folder / "sheet.pdf", root=folder)
    check_paper(folder, before, texts, {"sheet.pdf"})
    return f"{len(texts)} texts printed"


# ---- In tables and terminals ------------------------------------------------------------------


# What a spreadsheet takes for the first character of a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def unmarked(cell: str) -> str:
    """The text of a cell, as the manual says."""
    return cell[1:] if cell.startswith("'") and cell.lstrip("'").startswith(FORMULA) else cell


@fault("csv-cells", "CSV read by Python: no cell is a formula for a spreadsheet, and without the apostrophe that says so, as the manual describes it, each cell is the text of the puzzle")
def csv_cells(bench: Bench) -> str:
    quoted = ["'" + text for text in FORMULAS] + ["'quoted'", "''", "'=", "''=1"]
    texts = FORMULAS + quoted + ["＝cmd", "＠x"] + SCRIPTS[:8] + COMMANDS[:4]
    output = made(bench, collection(texts), "export", "--to", "csv")
    rows = list(csv.DictReader(io.StringIO(output, newline=""), strict=True))
    expect(len(rows) == 2 * len(texts), f"{len(rows)} rows of {2 * len(texts)} puzzles")
    expect(not any(None in row or None in row.values() for row in rows), "a row has too few or too many cells")
    formulas = [cell for row in rows for cell in row.values() if cell.startswith(FORMULA)]
    expect(not formulas, f"formulas: {formulas}")
    marked = 0
    for row, text in zip(rows[::2], texts):
        for column in ("author", "source"):
            cell = unmarked(row[column])
            expect(cell.split() == text.split(), f"{column}: {row[column]!r} for {text!r}")
        marked += sum(unmarked(cell) != cell for cell in row.values())
    expect(marked, "no cell has the sign of a formula")
    return f"{len(rows)} rows, no formula; {marked} cells with an apostrophe"


@fault("inert-in-a-terminal", "What `cpz export`, `print`, `import`, `stats`, `rate` and `hint` write on a terminal has no escape sequence of a puzzle, and reports have no direction override")
def inert_in_terminal(bench: Bench) -> str:
    needs("script")
    text = collection([TERMINAL])
    commands = [("export", "--to", to) for to in ("json", "jsonl", "csv", "fen", "epd", "pgn", "popeye", "olv", "markdown")]
    commands += [("print",), ("print", "--to", "latex"), ("print", "--to", "typst"), ("check",), ("solve",), ("rate",), ("hint",), ("stats",), ("fmt", "--diff"), ("sort", "--by", "name", "--diff"), ("convert", "--to", "list", "--diff"), ("check", "--format", "json"), ("check", "--format", "sarif")]
    folder = bench.folder_named("terminal")
    (folder / "evil.cpz").write_text(text, encoding="utf-8", newline="")
    wrong = []
    for command in commands:
        # A terminal, for which some commands write other signs than for a file.
        line = " ".join(["exec", f"'{bench.cpz}'", *command, "evil.cpz"])
        shown = bench.folder / "shown"
        process = subprocess.run(["script", "-qec", line, str(shown)], stdin=subprocess.DEVNULL, capture_output=True, cwd=folder, env={**bench.environment(), "TERM": "xterm"}, timeout=HUNG, check=False)
        out = process.stdout.decode(errors="replace").replace("\r", "")
        # The colours of cpz itself, and its line of progress.
        out = re.sub(r"\x1b\[(?!31mevil)[0-9;]*[mK]|\x1b\[[0-9]*[AG]|\x1b\[\?25[hl]", "", out)
        expect(MARK in out or command[0] in ("stats", "rate", "hint", "convert", "sort", "fmt", "check", "solve"), f"{command}: the words are not shown: {out[:200]!r}")
        # What is printed for people has no character that changes the direction of others; a text of theirs may have them.
        # JSON escapes what controls a terminal, except for signs that only some of them obey.
        signs = INVISIBLE if len(command) == 1 and command != ("print",) else re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f]")
        signs = re.compile("[\0-\x08\x0b-\x1f\x7f]") if {"json", "jsonl", "sarif"} & set(command) else signs
        bad = sorted({f"U+{ord(found):04X}" for found in signs.findall(out)})
        if bad:
            wrong.append(f"{' '.join(command)}: {', '.join(bad)}")
    expect(not wrong, "; ".join(wrong))
    return f"{len(commands)} commands in a terminal, all signs visible"


@fault("filters-keep-text", "`fmt`, `convert`, `sort` and `solve --write` on standard input lose no character of the text, not even one that is seen by no one")
def filters_keep_text(bench: Bench) -> str:
    text = f'// {TERMINAL} \x1b[1mbold\x1b[0m \x00\x08\ufeff\u200b\n   solitaire "{TERMINAL}" {{ board   ...N.....R....B.\n solve }}\n'.replace("\x00", "")
    wrong = []
    for command in (("fmt", "-"), ("convert", "--to", "list", "-"), ("sort", "--by", "name", "-"), ("solve", "--write", "-"), ("fmt", "--color", "never", "-")):
        done = subprocess.run([bench.cpz, *command], input=text.encode(), capture_output=True, env=bench.environment(), check=False)
        expect(done.returncode == 0, f"{command}: exit code {done.returncode}: {done.stderr[-200:]!r}")
        signs = INVISIBLE.findall(text)
        if INVISIBLE.findall(done.stdout.decode()) != signs:
            wrong.append(f"{' '.join(command)}: {len(INVISIBLE.findall(done.stdout.decode()))} of {len(signs)} characters are left")
    expect(not wrong, "; ".join(wrong))
    return "each text kept"

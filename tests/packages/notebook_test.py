"""Tests what the module shows in notebooks, gives to pandas and colours with Pygments.

$CPZ names the program to compare with, and the arguments are folders with collections.
"""

import base64
import csv
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import warnings
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import nbformat
import pandas
from nbclient import NotebookClient
from pygments.lexers import get_lexer_by_name, get_lexer_for_filename
from pygments.token import Comment, Keyword, Name, Number, Operator, String

import cpz
from cpz.magic import Cell, cpz_cell, in_words, split_lines
from cpz.notebook import BOARD, STEP

BUDGET = 1000
ROOT = Path(__file__).resolve().parent.parent.parent
GRAMMAR = ROOT / "grammar"
FILES = [path for folder in sys.argv[1:] for path in sorted(Path(folder).glob("*.cpz"))]
LOOK = {"board": True, "solution": False, "hide": False, "hints": False, "budget": BUDGET}
SCRIPT = "<script>alert(1)</script>"
# The limit of every wait in seconds: after this time something hangs.
HUNG = 600


def text_of(path):
    return path.read_bytes().decode()


def printed(*words, text):
    """What the program prints of a text."""
    return subprocess.run([os.environ["CPZ"], *words], input=text.encode(), capture_output=True).stdout.decode()


def test_importing_loads_neither_ipython_nor_pygments():
    program = "import cpz, sys; print([name for name in ['IPython', 'pygments', 'pandas'] if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert result.stdout == "[]\n", result.stdout


def without_places(puzzle):
    """A puzzle of an export without what depends on the other puzzles of its file."""
    for query in puzzle["queries"]:
        del query["range"], query["findings"], query["verdict"]
    return {name: value for name, value in puzzle.items() if name not in ["place", "findings", "allow"]}


def exported(text):
    return json.loads(cpz.export_text(text, "json", budget=BUDGET)["text"])["puzzles"]


def test_a_puzzle_alone_is_what_it_is_in_its_file():
    count = 0
    for path in FILES:
        expected = exported(text_of(path))
        found = cpz.puzzles(path)
        assert len(found) == len(expected), path
        for puzzle, of_file in zip(found, expected):
            head = (puzzle.id, puzzle.name, puzzle.game, puzzle.line - 1)
            names = [of_file[name] for name in ["id", "name", "game"]]
            assert head == (*names, of_file["place"]["range"]["start"]["line"]), path
            (alone,) = exported(puzzle.text)
            assert without_places(alone) == without_places(of_file), (path, puzzle.text)
            count += 1
    assert count > 100


def test_properties_above_are_replaced_or_add_up():
    text = 'author A\nauthor B\nallow cook\nchess "1" {}\nauthor C\nx-a 1\nallow dual\n\n// Said.\nchess "2" {}\n'
    first, second = cpz.puzzles(text)
    assert first.text == 'author A\nauthor B\nallow cook\n\nchess "1" {}\n'
    assert second.text == 'allow cook\nauthor C\nx-a 1\nallow dual\n\n// Said.\nchess "2" {}\n'


class Page(HTMLParser):
    """The tags of a page; only those that Jupyter keeps in notebooks that somebody else has run."""

    TAGS = {"b", "br", "details", "div", "img", "p", "pre", "summary"}
    ATTRIBUTES = {"alt", "class", "src", "style"}

    def __init__(self, page):
        super().__init__()
        self.images = []
        self.text = ""
        self.open = []
        self.feed(page)
        self.close()
        assert self.open == [], page

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        assert tag in self.TAGS and self.ATTRIBUTES.issuperset(attributes), (tag, attributes)
        if tag == "img":
            kind, data = attributes["src"].split(",")
            assert kind == "data:image/svg+xml;base64" and attributes["alt"]
            self.images.append(base64.b64decode(data).decode())
        if tag not in ["img", "br"]:
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def test_pages_have_pictures_and_no_scripts():
    drawn = 0
    for path in FILES:
        for puzzle in cpz.puzzles(path, budget=BUDGET):
            page = Page(puzzle.html())
            for svg in page.images:
                assert ElementTree.fromstring(svg).tag.endswith("svg")
            drawn += len(page.images)
            assert Page(puzzle.html(board=False)).images == []
            board = puzzle._repr_svg_()
            assert (board is None) == ("There is no board" in page.text), puzzle.text
    assert drawn > 300, drawn


def test_pages_show_the_steps_that_the_program_draws():
    puzzle = cpz.Puzzle('chess "Sacrifice" { board kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1 mate in 2 }')
    page = Page(puzzle.html())
    steps = [cpz.draw(puzzle.text, step=step, size=STEP) for step in [1, 2, 3]]
    assert page.images == [cpz.draw(puzzle.text, size=BOARD), *steps]
    for text in ["Sacrifice", "White to move: mate in 2", "Solution", "1.Ra6!", "1...bxa6 2.b7#"]:
        assert text in page.text, text
    assert puzzle.html().index("mate in 2") < puzzle.html().index("<details>") < puzzle.html().index("1.Ra6!")
    assert "<details>" not in puzzle.html(hide=False)
    assert Page(puzzle.html(solution=False)).images == page.images[:1]
    assert puzzle.questions == ["White to move: mate in 2"] and puzzle.answers == ["1.Ra6!"]
    assert str(puzzle).splitlines()[1] == " 8 k b K . . . . ." and "1.Ra6" not in str(puzzle)


def test_texts_of_a_file_are_no_html():
    text = f'author "{SCRIPT}"\nchess "{SCRIPT}" {{ board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 => "{SCRIPT}" }}'
    cell = Cell(f'{text}\nchess "<b>^" {{ board 8 mate }} <i>^', **{**LOOK, "solution": True})
    page = Page(cell._repr_html_())
    assert page.text.count(SCRIPT) >= 4, page.text
    assert "<i>^" in page.text and "There is no board" in page.text
    assert "\u202e" not in cpz.Puzzle('chess "a\u202eb" {}').html()


def test_puzzle_takes_one_puzzle():
    for text in ["", "chess {} chess {}"]:
        with_error(ValueError, "cpz.puzzles", cpz.Puzzle, text)
    with_error(ValueError, "between 1 and", cpz.Puzzle, "chess {}", budget=0)
    with_error(ValueError, "pathlib.Path", cpz.puzzles, "mates.cpz")
    with_error(TypeError, "", cpz.Puzzle, 7)


def with_error(kind, words, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except kind as error:
        assert words in str(error), error
        return
    raise AssertionError(f"{function}{arguments} raises nothing")


def test_findings_stand_as_in_the_terminal():
    compared, simple = 0, 0
    for path in FILES:
        text = text_of(path)
        blocks = printed("check", "--no-config", "--max", "0", "--budget", str(BUDGET), "-", text=text)
        blocks = [block.split("\n") for block in blocks.split("\n\n") if re.match(r"(error|warning)\[", block)]
        findings = cpz.check(text, budget=BUDGET)["files"][0]["diagnostics"]
        assert len(blocks) == len(findings), path
        for block, finding in zip(blocks, findings):
            block = [line.replace("--> <stdin>:", "--> cell:") for line in block if not re.match(r" +(= | *\|$)", line)]
            found = [line for line in in_words(finding, split_lines(text)) if not re.match(r" +\|$", line)]
            assert found[0] == block[0], path
            compared += 1
            # The terminal has other places in its picture, too.
            if len(block) == 4 and re.fullmatch(r" +\| +\^+", block[3]):
                width = len(found[1]) - len(found[1].lstrip())
                found = [found[0], found[1].lstrip(), *(line[width:] for line in found[2:])]
                width = len(block[1]) - len(block[1].lstrip())
                block = [block[0], block[1].lstrip(), *(line[width:] for line in block[2:])]
                assert found == block, path
                simple += 1
    assert compared > 80 and simple > 40, (compared, simple)


def carets_of(text):
    """The lines that show where `solv` stands."""
    (finding,) = cpz.check(text)["files"][0]["diagnostics"]
    assert finding["code"] == "unknown-keyword", finding
    return in_words(finding, split_lines(text))


def test_carets_count_columns():
    # The name, and how many columns more than characters it is shown in.
    for name, more in [("", 0), ("\t", 3), ("é", 0), ("棋", 1), ("😀", 1), ("e\u0301", -1), ("\u202e", 0)]:
        text = f'solitaire "{name}" {{ board RN.. solv }}'
        _, place, _, line, carets = carets_of(text)
        assert place == f" --> cell:1:{text.index('solv') + 1}"
        assert carets == "  | " + " " * (text.index("solv") + more) + "^^^^", (name, carets)
        assert line.startswith('1 | solitaire "') and "\u202e" not in line
    # Of a long line the part around the place is shown.
    line, carets = carets_of(f'solitaire "{"a" * 900}" {{ board RN.. solv }} // {"b" * 900}')[-2:]
    assert len(line) < 200 and line[carets.index("^") :].startswith("solv")


NOTEBOOK = [
    "%load_ext cpz",
    "import cpz; cpz.Puzzle('chess { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }')",
    "%%cpz\nsolitaire \"Row\" { board RN.. solve }\nchess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }",
    "[finding['code'] for finding in _.findings], [puzzle.title for puzzle in _.puzzles]",
    "%%cpz --hide --solution\nsolitaire \"Row\" { board RN.. solve }",
    "%%cpz --no-board\nsolitaire \"Row\" { board RN.. solve }",
]


def test_a_notebook_runs():
    wrong = ["%%cpz --budget 0\nchess {}", "%%cpz --bord\nchess {}"]
    cells = [nbformat.v4.new_code_cell(source) for source in [*NOTEBOOK, *wrong]]
    notebook = nbformat.v4.new_notebook(cells=cells)
    NotebookClient(notebook, timeout=HUNG, kernel_name="python3", allow_errors=True).execute()
    assert cells[0].outputs == []
    data = [cell.outputs[0]["data"] for cell in cells[1:-2]]
    puzzle, checked, value, hidden, plain = data
    assert puzzle["text/plain"] == "<cpz.Puzzle 'chess (line 1)': chess, line 1>"
    assert puzzle["image/svg+xml"].startswith("<svg") and "<details>" in puzzle["text/html"]
    lines = checked["text/plain"].splitlines()
    assert lines[:5] == ["Row", " 2 R N", " 1 . .", "   a b", "Capture until one piece is left ⇒ a2xb2"], lines
    message = "this move is illegal: the rook on h1 does not reach g7"
    assert lines[-7:-5] == [f"error[illegal-move]: {message}", " --> cell:3:41"], lines
    assert lines[-1] == "checked 2 puzzles, 2 queries: 1 error"
    place = "3 | chess { board 8/8/8/4k3/8/8/8/4K2R move Rg7 }\n  |                                         ^^^"
    assert place in checked["text/plain"] and place in Page(checked["text/html"]).text
    assert len(Page(checked["text/html"]).images) == 2
    assert value["text/plain"] == "(['illegal-move'], ['Row', 'chess (line 3)'])"
    assert hidden["text/html"].index("<details>") < hidden["text/html"].index("a2xb2")
    assert "a2xb2" not in hidden["text/plain"] and len(Page(hidden["text/html"]).images) == 2
    assert Page(plain["text/html"]).images == [] and "a2xb2" in plain["text/html"]
    for cell, words in zip(cells[-2:], ["is not between 1", "unrecognized arguments: --bord"]):
        (output,) = cell.outputs
        assert output["text"].startswith("UsageError: ") and words in output["text"], output


def test_the_magic_lists_its_options():
    for option in re.findall(r"--[a-z-]+", cpz_cell.__doc__):
        words = [option, "1000"] if option == "--budget" else [option]
        assert cpz_cell(" ".join(words), "chess {}").puzzles[0].line == 2


def test_tables_have_the_columns_of_csv():
    compared = 0
    for path in FILES:
        rows = cpz.table(path, budget=BUDGET)
        text = cpz.export_text(text_of(path), "csv", budget=BUDGET, path=str(path))["text"]
        expected = list(csv.DictReader(io.StringIO(text, newline="")))
        assert len(rows) == len(expected), path
        for row, cells in zip(rows, expected):
            assert {type(value) for value in row.values()} <= {str, int, float, bool, type(None)}
            assert list(row) == list(rows[0])
            for name in set(row) & set(cells):
                value = row[name]
                # CSV leaves out what JSON says of an answer that is not complete, and of a property that is not written.
                text = "" if value is None or value is False and not cells[name] else str(value)
                text = text.lower() if isinstance(value, bool) else text
                # In CSV an apostrophe marks what a spreadsheet would take for a formula.
                text = f"'{text}" if text.lstrip("'").startswith(tuple("=+-@\t\r\n＝＋－＠")) else text
                assert text == cells[name], (path, name, value, cells[name])
                compared += 1
    assert compared > 5000, compared


def test_pandas_reads_a_table():
    rows = cpz.table(sys.argv[1], budget=BUDGET)
    frame = pandas.DataFrame(rows)
    assert len(frame) == len(rows) > 100
    assert frame["line"].dtype == "int64" and frame["unique"].dtype == "bool" and frame["estimate"].dtype == "float64"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        counts = frame.groupby("game")["verdict"].value_counts()
    assert counts["chess"].sum() == sum(row["game"] == "chess" and row["verdict"] is not None for row in rows)
    # A puzzle is a path and a number.
    puzzles = [puzzle for path in Path(sys.argv[1]).glob("*.cpz") for puzzle in cpz.puzzles(path)]
    assert frame.groupby(["path", "puzzle"]).ngroups == len(puzzles)
    with tempfile.TemporaryDirectory() as place:
        place = Path(place)
        (place / "below" / ".hidden").mkdir(parents=True)
        for name in ["b.cpz", "below/a.cpz", "below/.hidden/c.cpz", "d.txt"]:
            (place / name).write_text('x-rating 900\nx-year "about 1900"\nchess { x-share 0.5 board 8/8/8/4k3/8/8/8/4K2R }')
        (place / "e.txt").write_text("chess {}")
        rows = cpz.table(place)
        assert [row["path"] for row in rows] == [str(place / "b.cpz"), str(place / "below" / "a.cpz")]
        assert [rows[0][name] for name in ["x-rating", "x-year", "x-share"]] == [900, "about 1900", 0.5]
        assert rows[0]["verb"] is None
        assert cpz.table(str(place / "**/*.cpz")) == rows == cpz.table([place / "b.cpz", place, str(place / "*")[:-1]])
        mixed = cpz.table([place / "e.txt", place / "b.cpz"])
        assert [row["x-rating"] for row in mixed] == [None, 900] and list(mixed[0]) == list(mixed[1])
        assert cpz.table([]) == []
        with_error(FileNotFoundError, "nowhere", cpz.table, place / "nowhere")
        (place / "f.cpz").write_bytes(b"\xff")
        with_error(ValueError, "f.cpz: the file is not UTF-8", cpz.table, place)


# The scopes of the TextMate grammar that fit each token; the tokens are as exact as those of the server, see
# grammar/tests/compare.mjs.
SCOPES = [
    (Keyword, r"keyword\.control"),
    (Name.Attribute, r"variable\.other\.property"),
    (Name.Function, r"entity\.name\.function"),
    (Name.Class, r"entity\.name\.type"),
    (Operator, r"keyword\.operator"),
    (String, r"(string|variable\.parameter)\."),
    (Number, r"(constant\.numeric|variable\.parameter|string\.quoted)"),
    (Name.Constant, r"(variable\.other\.enummember|constant\.numeric|string\.quoted)"),
    (Comment, r"(comment|string\.quoted|constant\.numeric|variable\.other\.enummember)"),
    (Name.Variable, r"(variable\.other\.(?!property)|string\.quoted)"),
    (Name.Entity, r"(variable\.parameter|constant\.numeric)"),
]


def test_pygments_finds_the_lexer():
    lexer = get_lexer_by_name("cpz")
    assert type(lexer).__name__ == "CpzLexer" and type(get_lexer_for_filename("mates.cpz")) is type(lexer)


def test_tokens_are_the_text():
    lexer = get_lexer_by_name("cpz")
    count = 0
    for path in [*FILES, *sorted(GRAMMAR.glob("samples/*/*.cpz"))]:
        for text in [text_of(path), text_of(path)[: len(text_of(path)) // 2], f"\U0001f600\ud800{text_of(path)}"]:
            end = 0
            for start, _, part in lexer.get_tokens_unprocessed(text):
                assert start == end and part, path
                end += len(part)
                count += 1
            assert end == len(text)
    assert count > 50_000, count


def test_all_keywords_have_their_tokens():
    rules = json.loads((GRAMMAR / "cpz.tmLanguage.json").read_text())["repository"]
    kinds = {
        Keyword: ["puzzle-head", "board"],
        Name.Attribute: ["property", "text-property", "unique"],
        Name.Function: ["query", "problem", "twin", "other-side"],
    }
    lexer = get_lexer_by_name("cpz")
    count = 0
    for kind, names in kinds.items():
        for name in names:
            for word in re.search(r"\(\?:([^)]+)\)", rules[name]["begin"])[1].split("|"):
                text = f"{word} {{" if name == "puzzle-head" else f"chess {{ {word} in 2"
                tokens = [(token, part) for token, part in lexer.get_tokens(text)]
                assert (kind, word) in tokens, (word, tokens)
                count += 1
    assert count > 45, count


def scopes_of(snapshot):
    """The lines of a snapshot of vscode-tmgrammar-snap, each with the scopes of its characters."""
    lines = []
    for line in snapshot.split("\n"):
        if line.startswith(">"):
            lines.append((line[1:], {}))
        elif line.startswith("#"):
            carets = re.match(r"#( *)(\^+) ", line)
            for column in range(len(carets[1]), len(carets[1]) + len(carets[2])):
                lines[-1][1][column] = line[carets.end() :].split()[1:]
    return lines


def test_tokens_agree_with_the_scopes_of_textmate():
    lexer = get_lexer_by_name("cpz")
    known = {}
    for name, lines in re.findall(r"\['(\S+)', \[([\d, ]+)\]\]", (GRAMMAR / "tests" / "compare.mjs").read_text()):
        known[name] = {int(line) for line in lines.split(",")}
    compared = 0
    for path in sorted(GRAMMAR.glob("samples/broken/*.cpz")):
        lines = scopes_of(text_of(path.with_suffix(".cpz.snap")))
        text = text_of(path)
        line, column = 0, 0
        for _, token, part in lexer.get_tokens_unprocessed(text):
            patterns = [pattern for kind, pattern in SCOPES if token in kind]
            for c in part:
                if c == "\n":
                    line, column = line + 1, 0
                    continue
                units = len(c.encode("utf-16-le")) // 2
                scopes = lines[line][1].get(column, [])
                is_known = line + 1 in known.get(f"grammar/samples/broken/{path.name}", ())
                if patterns and not is_known:
                    place = (path.name, line + 1, part, token, scopes)
                    assert any(re.match(patterns[0], scope) for scope in scopes), place
                    compared += 1
                column += units
    assert compared > 1000, compared


def main():
    assert len(FILES) > 10
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        test()
        print("passed", name, flush=True)


if __name__ == "__main__":
    main()

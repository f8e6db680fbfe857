"""Sheets on paper: a browser prints the HTML, Typst and LaTeX compile their sources, and the pages are counted and read."""

import math
import os
import re
import shutil
import subprocess
from pathlib import Path

import pypdf
import pytest
import typst

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "collection"
TWO_MOVERS = EXAMPLES / "two-movers.cpz"
# A browser that starts on a loaded machine now and then ends before it has read the page.
ATTEMPTS = 3
# The limit for the browser in seconds: after this time it hangs.
HUNG = 600
# All numbers of diagrams and all examples of all games take minutes.
FULL = os.environ.get("CI_FULL") == "1"
PER_PAGE = [1, 2, 3, 4, 6, 8, 9, 12] if FULL else [1, 6, 12]
GAMES = [EXAMPLES] if FULL else [EXAMPLES / f"{name}.cpz" for name in ("chess-moves", "chess3d-lost-boards", "draughts", "solitaire-dialects")]
# LaTeX is large: where its packages are missing, and the script that starts these tests may not install them, its sheets
# are skipped.
HAS_LATEX = all(map(shutil.which, ("pdflatex", "kpsewhich"))) and not subprocess.run(["kpsewhich", "diagram.sty", "t2aenc.def"], capture_output=True).returncode
LATEX = pytest.param("latex", marks=pytest.mark.skipif(not HAS_LATEX, reason="texlive-games or texlive-lang-cyrillic is missing"))
FORMATS = ["html", "typst", LATEX]
# What a number of diagrams on a page is counted by: each stipulation stands once below its diagram.
ASKED = {"html": r"White to move|Black to move", "typst": r"White to move|Black to move", "latex": r"\(\d+\+\d+\)"}
SUFFIXES = {"html": "html", "typst": "typ", "latex": "tex"}
PAPERS = {"a4": (595, 842), "letter": (612, 792)}


def sheet(folder: Path, *options: str, paths=(TWO_MOVERS,), to: str = "html") -> Path:
    output = folder / f"sheet.{SUFFIXES[to]}"
    command = [os.environ["CPZ"], "print", *map(str, paths), "--to", to, "-o", str(output), *options]
    subprocess.run(command, check=True, capture_output=True)
    return output


def printed(source: Path) -> pypdf.PdfReader:
    """The PDF of a sheet."""
    output = source.with_suffix(".pdf")
    if source.suffix == ".typ":
        typst.compile(source, output=output)
        return pypdf.PdfReader(output)
    if source.suffix == ".tex":
        compiled_by_latex(source)
        return pypdf.PdfReader(output)
    for attempt in range(1, ATTEMPTS + 1):
        profile = f"--user-data-dir={source.parent}/profile{attempt}"
        browser = [os.environ["CHROMIUM"], "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", profile]
        offline = ["--host-resolver-rules=MAP * ~NOTFOUND", "--no-pdf-header-footer", f"--print-to-pdf={output}"]
        try:
            subprocess.run([*browser, *offline, source.as_uri()], check=True, capture_output=True, text=True, timeout=HUNG)
            break
        except (subprocess.CalledProcessError, subprocess.TimeoutExpired) as error:
            assert attempt < ATTEMPTS, f"{error}\n{error.stderr}"
    return pypdf.PdfReader(output)


def compiled_by_latex(source: Path) -> None:
    """Compiles a source, and fails with the errors of the log if there are any."""
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", source.name]
    made = subprocess.run(command, cwd=source.parent, capture_output=True, text=True, errors="replace", timeout=HUNG)
    log = source.with_suffix(".log").read_text(errors="replace")
    problems = re.findall(r"^(?:!|Overfull|LaTeX Warning: (?!Font)|Missing character).*", log, re.MULTILINE)
    assert made.returncode == 0 and not problems, "\n".join(problems) or made.stdout


def texts(pdf: pypdf.PdfReader) -> list[str]:
    return [page.extract_text() for page in pdf.pages]


def count_of(path: Path) -> int:
    return len(re.findall(r"^chess ", path.read_text(), re.MULTILINE))


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("per_page", PER_PAGE)
def test_diagrams_fill_pages_exactly(tmp_path, to, per_page):
    options = ("--per-page", str(per_page), "--solutions", "none", "--hints", "none")
    pages = texts(printed(sheet(tmp_path, *options, to=to)))
    count = count_of(TWO_MOVERS)
    assert len(pages) == math.ceil(count / per_page)
    for nth, page in enumerate(pages):
        expected = min(per_page, count - nth * per_page)
        assert len(re.findall(ASKED[to], page, re.MULTILINE)) == expected, page


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("paper", PAPERS)
def test_paper_has_its_size_and_pages_have_numbers(tmp_path, to, paper):
    pdf = printed(sheet(tmp_path, "--paper", paper, "--solutions", "none", "--hints", "none", to=to))
    for number, page in enumerate(pdf.pages, 1):
        size = (float(page.mediabox.width), float(page.mediabox.height))
        assert all(abs(a - b) < 2 for a, b in zip(size, PAPERS[paper])), size
        lines = page.extract_text().strip().splitlines()
        # A browser writes the margin before the page.
        assert str(number) in (lines[0].strip(), lines[-1].strip()), lines


@pytest.mark.parametrize("to", FORMATS)
def test_solutions_are_on_pages_of_their_own(tmp_path, to):
    count = count_of(TWO_MOVERS)
    pages = texts(printed(sheet(tmp_path, "--title", "My title", "--hints", "none", to=to)))
    diagrams = math.ceil(count / 6)
    assert "My title" in pages[0] and "1.Nd5#" not in "".join(pages[: diagrams + 1])
    assert "Solutions" in pages[diagrams + 1] and "1.Nd5#" in pages[diagrams + 1]


@pytest.mark.parametrize("to", FORMATS)
@pytest.mark.parametrize("language,word", [("en", "Solutions"), ("de", "Lösungen"), ("fr", "Solutions"), ("ru", "Решения"), ("es", "Soluciones")])
def test_all_games_print_in_all_languages(tmp_path, to, language, word):
    pages = texts(printed(sheet(tmp_path, "--language", language, "--per-page", "12", paths=GAMES, to=to)))
    assert any(word in page for page in pages)


def test_five_hundred_diagrams_stay_small(tmp_path):
    text = TWO_MOVERS.read_text()
    many = tmp_path / "many.cpz"
    many.write_text("\n".join([text] * math.ceil(500 / count_of(TWO_MOVERS))))
    source = sheet(tmp_path, "--solutions", "none", "--hints", "none", paths=(many,))
    assert source.stat().st_size < 1_500_000
    assert len(printed(source).pages) == math.ceil(many.read_text().count("\nchess ") / 6)


PROBLEMS = """
chess "Signs" {{ author "{text}" source "{text}" x-year 1999 x-award "{text}"
  board 7k/8/5K2/8/8/8/8/R7 h#2* 2.1.1.1 twin b: a1 to b1 => "1.Kg8 Kg6 2.Kf8 Rb8#" }}
"""
# All that LaTeX, HTML or Typst could take for a command, and letters beyond ASCII.
STRANGE = r"50% & 1_2 ~ ^^M \\input{x} \\end{diagram} }} {{ $x$ # <b> *a* ; , ]] Vukčević Хлебников łódź 字"


@pytest.mark.parametrize("to", FORMATS)
def test_a_problem_is_printed_as_in_a_magazine(tmp_path, to):
    problem = tmp_path / "problem.cpz"
    problem.write_text(PROBLEMS.format(text="B. Author"))
    pages = texts(printed(sheet(tmp_path, "--form", "magazine", paths=(problem,), to=to)))
    front, answers = " ".join(pages[0].split()), " ".join(pages[-1].split())
    for text in ("Signs", "B. Author", "1999", "h#2*", "2.1.1.1", "(2+1)", "b) wRa1"):
        assert text in front, front
    assert "Rb8#" not in front and "b)" in answers and len(pages) == 2, answers


@pytest.mark.parametrize("to", FORMATS)
def test_no_text_is_a_command(tmp_path, to):
    problem = tmp_path / "problem.cpz"
    problem.write_text(PROBLEMS.format(text=STRANGE.replace("{{", "{").replace("}}", "}")))
    pages = texts(printed(sheet(tmp_path, "--title", STRANGE, paths=(problem,), to=to)))
    shown = "".join(pages)
    for text in ("50%", "1_2", "^^M", r"\input{x}", r"\end{diagram}", "$x$", "<b>", "*a*", "Хлебников", "łódź"):
        assert text in shown.replace("ˆ", "^"), f"{text} is not in {shown}"


@pytest.mark.parametrize("to", FORMATS)
def test_boards_of_one_sheet_have_one_size_and_many_twins_grow(tmp_path, to):
    """A problem with ten twins among others does not make its board, or the others, smaller."""
    paths = (EXAMPLES / "twins.cpz",)
    source = sheet(tmp_path, "--solutions", "none", "--hints", "none", paths=paths, to=to).read_text()
    sizes = {"html": r"figure svg { height: [\d.]+mm", "typst": r"#let board-height = [\d.]+mm", "latex": r"^  \\squares\{8\}\{\d+\}"}
    assert len(set(re.findall(sizes[to], source, re.MULTILINE))) == 1
    pages = texts(printed(tmp_path / f"sheet.{SUFFIXES[to]}"))
    assert all("j)" in page for page in pages if "A Christmas card" in page), "the twins stand on the page of their diagram"

"""Sheets on paper: a browser prints the HTML, Typst compiles the source, and the pages are counted and read."""

import math
import os
import re
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
PAPERS = {"a4": (595, 842), "letter": (612, 792)}


def sheet(folder: Path, *options: str, paths=(TWO_MOVERS,), to: str = "html") -> Path:
    output = folder / ("sheet.html" if to == "html" else "sheet.typ")
    command = [os.environ["CPZ"], "print", *map(str, paths), "--to", to, "-o", str(output), *options]
    subprocess.run(command, check=True, capture_output=True)
    return output


def printed(source: Path) -> pypdf.PdfReader:
    """The PDF of a sheet."""
    output = source.with_suffix(".pdf")
    if source.suffix == ".typ":
        typst.compile(source, output=output)
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


def texts(pdf: pypdf.PdfReader) -> list[str]:
    return [page.extract_text() for page in pdf.pages]


def count_of(path: Path) -> int:
    return len(re.findall(r"^chess ", path.read_text(), re.MULTILINE))


@pytest.mark.parametrize("to", ["html", "typst"])
@pytest.mark.parametrize("per_page", PER_PAGE)
def test_diagrams_fill_pages_exactly(tmp_path, to, per_page):
    options = ("--per-page", str(per_page), "--solutions", "none", "--hints", "none")
    pages = texts(printed(sheet(tmp_path, *options, to=to)))
    count = count_of(TWO_MOVERS)
    assert len(pages) == math.ceil(count / per_page)
    for nth, page in enumerate(pages):
        expected = min(per_page, count - nth * per_page)
        assert len(re.findall(r"White to move|Black to move", page)) == expected, page


@pytest.mark.parametrize("to", ["html", "typst"])
@pytest.mark.parametrize("paper", PAPERS)
def test_paper_has_its_size_and_pages_have_numbers(tmp_path, to, paper):
    pdf = printed(sheet(tmp_path, "--paper", paper, "--solutions", "none", "--hints", "none", to=to))
    for number, page in enumerate(pdf.pages, 1):
        size = (float(page.mediabox.width), float(page.mediabox.height))
        assert all(abs(a - b) < 2 for a, b in zip(size, PAPERS[paper])), size
        lines = page.extract_text().strip().splitlines()
        # A browser writes the margin before the page.
        assert str(number) in (lines[0].strip(), lines[-1].strip()), lines


@pytest.mark.parametrize("to", ["html", "typst"])
def test_solutions_are_on_pages_of_their_own(tmp_path, to):
    count = count_of(TWO_MOVERS)
    pages = texts(printed(sheet(tmp_path, "--title", "My title", "--hints", "none", to=to)))
    diagrams = math.ceil(count / 6)
    assert "My title" in pages[0] and "1.Nd5#" not in "".join(pages[: diagrams + 1])
    assert "Solutions" in pages[diagrams + 1] and "1.Nd5#" in pages[diagrams + 1]


@pytest.mark.parametrize("to", ["html", "typst"])
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

"""Tests the Python module against the program, which $CPZ names; the arguments are folders with collections."""

import ast
import inspect
import json
import multiprocessing
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import cpz

BUDGET = 2000
MATE = 'chess "Mate" { board 7k/8/5KQ1/8/8/8/8/8 w - - 0 1 mate in 1 }'
ROW = "solitaire { board RN.. solve }"
# A search that takes longer than everything else here, and can be given less.
SLOW = "solitaire { board RRRR RRRR QQQQ QQQQ count }"
# The limit of every wait in seconds: after this time something hangs.
HUNG = 600


def printed(*words, text=""):
    """What the program prints of a text."""
    return subprocess.run([os.environ["CPZ"], *words], input=text.encode(), capture_output=True).stdout.decode()


def test_the_module_gives_what_the_program_prints():
    budget = ["--budget", str(BUDGET), "--no-config", "-"]
    paths = [path for folder in sys.argv[1:] for path in sorted(Path(folder).glob("*.cpz"))]
    assert len(paths) > 10
    for path in paths:
        text = path.read_bytes().decode()
        checked = json.loads(printed("check", "--format", "json", *budget, text=text))
        assert cpz.check(text, budget=BUDGET) == checked, path
        solved = json.loads(printed("solve", "--tree", "--format", "json", *budget, text=text))
        assert cpz.solve(text, tree=True, budget=BUDGET) == solved, path
        assert cpz.format(text) == printed("fmt", "--force", "--no-config", "-", text=text), path
        assert cpz.export_text(text, "json", budget=BUDGET)["text"] == printed("export", "--to", "json", *budget, text=text)
    long = "chess { board 8/B7/4R1P1/4KR2/8/7k/8/N5b1 w - - 0 1 mate in 4 }"
    for solve, verdict in [(False, "undecided"), (True, "unanswered")]:
        (puzzle,) = json.loads(cpz.export_text(long, "json", solve=solve)["text"])["puzzles"]
        assert puzzle["queries"][0]["verdict"] == verdict
    package = subprocess.run(
        [os.environ["CPZ"], "export", "--to", "anki", "--solve", "--no-config", "-"],
        input=MATE.encode(), capture_output=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1800000000"},
    ).stdout
    exported = cpz.export_text(MATE, "anki", solve=True, time=1_800_000_000)
    assert exported == {"bytes": package, "puzzles": 1, "notes": []} and package.startswith(b"PK"), exported
    assert cpz.convert(MATE, "text")["text"] == printed("convert", "--to", "text", "-", text=MATE)
    assert cpz.draw(MATE) == printed("draw", "-", text=MATE)
    assert cpz.draw(MATE, to="png", size=64).startswith(b"\x89PNG")
    assert cpz.generate("draughts", captures=2)["text"] == printed("generate", "draughts", "--captures", "2")
    changed = MATE.replace("mate in", "selfmate in")
    assert cpz.diff(MATE, changed)["puzzles"][0]["queries"][0]["new"]["asked"].startswith("selfmate in")
    assert "asks `selfmate in" in cpz.diff_markdown(MATE, changed, max=1)
    assert cpz.generate("solitaire", count=2, pieces=4)["text"] == printed(
        "generate", "solitaire", "--count", "2", "--pieces", "4"
    )
    assert cpz.answer_line(ROW) + "\n" == printed("lines", text=ROW)
    assert cpz.__version__ in printed("--version")


def test_functions_for_authors_give_what_the_program_prints():
    budget = ["--budget", str(BUDGET), "--no-config", "-"]
    keys, aims = ["difficulty", "pieces", "name", "id"], ["unique", "shorten", "minimal"]
    formats = ["html", "typst", "latex"]
    for turn, path in enumerate(path for folder in sys.argv[1:] for path in sorted(Path(folder).glob("*.cpz"))):
        text = path.read_bytes().decode()
        # The values of an option take turns.
        key, aim, to, grade = keys[turn % 4], aims[turn % 3], formats[turn % 3], 1 + turn % 3

        def document(*words):
            return json.loads(printed(*words, "--format", "json", *budget, text=text))

        assert cpz.rate(text, budget=BUDGET) == document("rate"), path
        assert cpz.hint(text, grade=grade, budget=BUDGET) == document("hint", "--grade", str(grade)), path
        assert cpz.stats(text, budget=BUDGET) == document("stats"), path
        assert cpz.repair(text, max=2, budget=BUDGET, **{aim: True}) == document("repair", "--max", "2", f"--{aim}"), path
        assert cpz.plot(text, budget=BUDGET) == printed("stats", "--format", "svg", *budget, text=text), path
        try:
            ordered = cpz.sort(text, key, budget=BUDGET)
        except ValueError:
            ordered = text
        assert ordered == printed("sort", "--force", "--by", key, *budget, text=text), path
        try:
            sheet = cpz.print_text(text, to=to, budget=BUDGET)["text"]
        except ValueError:
            sheet = ""
        assert sheet == printed("print", "--to", to, *budget, text=text), path
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "a.cpz"
            copy.write_bytes(text.encode())
            printed("check", "--fix", "--force", "--budget", str(BUDGET), "--no-config", str(copy))
            assert cpz.fix(text, budget=BUDGET)["text"] == copy.read_bytes().decode(), path


def test_options_are_those_of_the_program():
    text = f'{MATE}\nsolitaire "Row" {{ tags [easy] board RN.. solve }}\n'
    for options, words in [
        ({"only": ["M*"]}, ["--only", "M*"]),
        ({"tags": ["easy"]}, ["--tag", "easy"]),
        ({"games": ["chess"]}, ["--game", "chess"]),
    ]:
        for name in ["rate", "hint", "repair"]:
            expected = json.loads(printed(name, "--format", "json", *words, "-", text=text))
            assert len(expected["files"][0]["puzzles"]) == 1
            assert getattr(cpz, name)(text, **options) == expected
        assert cpz.print_text(text, **options)["text"] == printed("print", *words, "-", text=text)
    words = ["--theme", "wood", "--coordinates", "off", "--paper", "letter", "--per-page", "2", "--form", "magazine"]
    words += ["--solutions", "below", "--hints", "below", "--add-hints", "--difficulty", "estimate", "--language", "de"]
    sheet = cpz.print_text(
        text,
        theme="wood",
        coordinates=False,
        paper="letter",
        per_page=2,
        form="magazine",
        solutions="below",
        hints="below",
        add_hints=True,
        difficulty="estimate",
        language="de",
        title="Two",
    )
    assert sheet["text"] == printed("print", *words, "--title", "Two", "-", text=text)
    assert (sheet["puzzles"], sheet["left_out"]) == (2, [])
    assert cpz.print_text(f"{ROW} {ROW} solitaire {{ board ? }}")["left_out"][0]["line"] == 1


def test_words_are_explained_as_the_program_does():
    listed = "".join(f"{each['code']:<20} {each['severity']:<8} {each['title']}\n" for each in cpz.codes())
    assert listed == printed("explain", "--list")
    code, keyword = cpz.explain("cook"), cpz.explain("mate")
    assert f"cook: {code['title']} ({code['severity']})\n\n{code['text']}" == printed("explain", "cook")
    assert (keyword["severity"], keyword["title"]) == (None, None) and keyword["text"] == printed("explain", "mate")
    assert cpz.schema("repair") == json.loads(printed("schema", "repair"))


def test_the_types_name_the_arguments_of_every_function():
    stub = ast.parse(Path(cpz.__file__).with_name("__init__.pyi").read_text())
    functions = [node for node in stub.body if isinstance(node, ast.FunctionDef)]
    imported = [name for node in stub.body if isinstance(node, ast.ImportFrom) for name in node.names]
    # A name with an underscore is the stub's own. What other files define has its types there.
    elsewhere = {each.asname for each in imported if each.asname and each.asname[0] != "_"} - {"load_ipython_extension"}
    assert {node.name for node in functions} | elsewhere == set(cpz.__all__) - {"__version__"}
    for node in functions:
        kinds = inspect.Parameter
        expected = [(argument.arg, kinds.POSITIONAL_ONLY) for argument in node.args.posonlyargs]
        expected += [(argument.arg, kinds.POSITIONAL_OR_KEYWORD) for argument in node.args.args]
        expected += [(argument.arg, kinds.KEYWORD_ONLY) for argument in node.args.kwonlyargs]
        found = inspect.signature(getattr(cpz, node.name)).parameters.values()
        assert sorted((each.name, each.kind) for each in found) == sorted(expected), node.name


def test_files_are_str_or_bytes():
    fen = "7k/8/5KQ1/8/8/8/8/8 w - - 0 1\n"
    imported = cpz.import_text(fen, from_format="fen")
    assert imported == cpz.import_text(fen.encode(), from_format="fen")
    assert imported["puzzles"] == 1 and imported["format"] == "fen" and imported["notices"] == []
    assert "error" in json.loads(cpz.answer_line(b"\xff\xfe", number=7))


def raises(kind, function, *arguments, **options):
    try:
        function(*arguments, **options)
    except Exception as error:
        assert type(error) is kind or kind is ValueError and isinstance(error, ValueError), repr(error)
        return str(error)
    raise AssertionError(f"{function.__name__}{arguments}{options} raises nothing")


def test_wrong_values_and_types_raise():
    for budget in [0, -1, 10**9, 2**64, 10**30]:
        raises(ValueError, cpz.check, ROW, budget=budget)
    assert "choose one of text, list" in raises(ValueError, cpz.convert, ROW, "fan")
    raises(ValueError, cpz.check, ROW, config="rulez = 1")
    raises(ValueError, cpz.check, "\ud800")
    raises(ValueError, cpz.draw, ROW, size=-4)
    raises(ValueError, cpz.draw, ROW, size=2**40)
    raises(ValueError, cpz.draw, ROW + ROW)
    raises(ValueError, cpz.hint, ROW, grade=300)
    raises(ValueError, cpz.hint, ROW, grade=-1)
    raises(ValueError, cpz.sort, ROW, "colour")
    raises(ValueError, cpz.print_text, ROW, per_page=2**40)
    raises(ValueError, cpz.repair, ROW, unique=True, minimal=True)
    raises(ValueError, cpz.schema, "checks")
    assert "did you mean `cook`" in raises(ValueError, cpz.explain, "cok")
    raises(ValueError, cpz.generate, "chess", mate=300, positions=MATE)
    raises(ValueError, cpz.generate, "solitaire", pieces=2**32 + 4)
    for wrong in [None, 1, b"", ["x"]]:
        raises(TypeError, cpz.check, wrong)
        raises(TypeError, cpz.format, wrong)
    raises(TypeError, cpz.check, ROW, budget="1")
    raises(TypeError, cpz.check, ROW, budget=1.5)
    raises(TypeError, cpz.check, ROW, 7)
    raises(TypeError, cpz.check, ROW, no_such_option=1)
    raises(TypeError, cpz.check)
    raises(TypeError, cpz.import_text, 5)
    raises(TypeError, cpz.export_text, ROW, "json", only=[1])


def test_threads_work_at_the_same_time():
    expected = cpz.solve(MATE)
    results = []

    def work():
        results.extend(cpz.solve(MATE) == expected for _ in range(50))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 400


def solved_in_a_child(text):
    return cpz.solve(text)


def test_forked_processes_work():
    if "fork" not in multiprocessing.get_all_start_methods():
        return
    expected = cpz.solve(MATE)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(solved_in_a_child, [MATE] * 4).get(timeout=HUNG) == [expected] * 4


def test_other_threads_run_during_a_search():
    ended = threading.Event()

    def search():
        cpz.solve(SLOW, budget=20_000_000)
        ended.set()

    thread = threading.Thread(target=search)
    begin = time.monotonic()
    thread.start()
    turns = 0
    while not ended.is_set():
        assert time.monotonic() - begin < HUNG, "hung: the search does not end"
        time.sleep(0.001)  # gives the interpreter to the other thread
        turns += 1
    thread.join()
    # If the search kept the interpreter, this thread would have had a turn or two.
    assert turns > 10, f"{turns} turns"


def main():
    tests = [(name, test) for name, test in globals().items() if name.startswith("test_")]
    for name, test in tests:
        test()
        print("passed", name)


if __name__ == "__main__":
    main()

"""Puzzles whose words are Markdown, HTML, command links, and direction overrides."""

import base64
import json
import re
import xml.etree.ElementTree as ElementTree

from client import Server, document, place, position
from table import Bench, expect, fault

EVIL = (
    "<script>evil()</script> ](command:evil) [evil](command:evil) ![evil](http://evil.example/p.png) `evil` "
    "<img src=x onerror=evil()> <http://evil.example/> &lt;evil&gt; \\<b\\>evil | $(trash)"
)
ODD = "\u202eevil\u2066 \x07\x1b[31m\x7f\u200f"
URI = "untitled:evil.cpz"
CODE_SPAN_END = "x`<img/src=http://evil.example/x>`y"

TEXTS = [
    # Names, notes, descriptions and remarks.
    f'author "{EVIL}"\nsource "{EVIL}"\nnote "{EVIL}"\ntags ["{EVIL}", evil]\n// {EVIL}\n// ```\n// # evil\n//\n'
    f'//     <b>evil</b>\n// [evil]: http://evil.example\nsolitaire "{EVIL}" {{\n  note "{EVIL}"\n  tags "{EVIL}"\n'
    f"  board ...N.....R....B.\n  solve => [[[2,0], [1,1]], [[1,1], [3,3]]] ({EVIL})\n  solve => none ({EVIL})\n  solve\n}}\n"
    f'solitaire "{EVIL}" {{ board ...N.....R....B. solve }}\n',
    # Misplaced words that contain the end of a code span.
    f'chess {{ board 8/8/8/4k3/8/8/8/4K2R move {CODE_SPAN_END} move "`{EVIL}`" move ["W","R`{EVIL}",8,2] mate => {CODE_SPAN_END} }}\n'
    f'solitaire {{ rules {CODE_SPAN_END} board ...N.....R....B. solve => [[["`{EVIL}`",[1,1]]]] count => {CODE_SPAN_END} }}\n'
    f'solitaire {{ allow "`{EVIL}`" size "`{EVIL}`" board [[1,2,"`{EVIL}`"]] solve }}\n{CODE_SPAN_END} {{ }}\nallow {CODE_SPAN_END}\n'
    f'draughts {{ board "W:WKa1:B`<b>evil" capture => [["`{EVIL}`"]] turn {CODE_SPAN_END} }}\n{CODE_SPAN_END} "{EVIL}"\n',
    # Boards.
    '<b> { board <script>evil solve }\nsolitaire { board "<b>`\'&].." solve }\nchess { board [["<svg onload=evil()>","K",1,1]] mate }\n'
    "chess3d { size 2 board \"<&>'....\" mate }\ndraughts { board [['<a href=\"x\">','K',1,1]] capture }\n",
]


def opened(bench: Bench, text: str, **options) -> Server:
    server = bench.server()
    server.initialize(options=options or None)
    server.open(URI, text)
    return server


def places(text: str):
    for line, row in enumerate(text.split("\n")):
        for column in range(0, len(row) + 1, 2):
            yield line, column


def hovers(server: Server, text: str) -> set[str]:
    ids = [server.request("textDocument/hover", place(URI, *at)) for at in places(text)]
    found = [server.answer(id).get("result") for id in ids]
    return {hover["contents"]["value"] for hover in found if hover}


# ---- Markdown as an editor renders it ----------------------------------------------------------


def without_code(text: str) -> str:
    """The Markdown without code blocks, code spans and escaped characters."""
    lines, fence = [], None
    for line in text.split("\n"):
        mark = re.match(r" {0,3}(`{3,}|~{3,})", line)
        if fence:
            fence = None if mark and line.strip().startswith(fence) else fence
        elif mark:
            fence = mark[1]
        elif not (line.startswith("    ") and (not lines or not lines[-1].strip())):
            lines.append(line)
            continue
        lines.append("")
    rest = re.sub(r"\\[!-/:-@[-`{-~]", "\0", "\n".join(lines))
    return re.sub(r"(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)", "\1", rest, flags=re.DOTALL)


ACTIVE = re.compile(r"<[A-Za-z/!?][^>]*|\]\([^)]*|\]\[|^ {0,3}\[[^]]*\]:|^ {0,3}#{1,6} |!\[|^ {0,3}<", re.MULTILINE)


def active(markdown: str) -> list[str]:
    """The active markup: everything that an editor would not show as plain text. Checks the SVG images separately."""
    def picture(found: re.Match) -> str:
        check_svg(base64.b64decode(found[1]).decode())
        return ""

    rest = re.sub(r"!\[[^]\\<`]*\]\(data:image/svg\+xml;base64,([A-Za-z0-9+/=]+)[^)]*\)", picture, markdown)
    return [found[0][:80] for found in ACTIVE.finditer(without_code(rest))]


def check_scanner():
    """Tests `active` itself."""
    for bad in ("<b>", "a [x](y)", "![x](y)", "`a`<i>`b`", "# x", "[x]: y", "```\n```\n<b>", "\\\\<b>"):
        expect(active(bad), f"the scanner misses the markup in {bad!r}")
    for good in ("\\<b\\>", "`<b>`", "``<b>`<i>``", "```text\n<b>\n```", "a < b", "\n    <b>", "\\[x\\](y)"):
        expect(not active(good), f"the scanner finds markup in {good!r}")


@fault("markup-in-hovers", "Hovers show Markdown, HTML and links in names, notes, remarks and words as plain text")
def markup_in_hovers(bench: Bench) -> str:
    check_scanner()
    seen, evil = 0, 0
    for text in TEXTS:
        for options in ({}, {"images": True}):
            server = opened(bench, text, **options)
            for shown in hovers(server, text):
                seen, evil = seen + 1, evil + ("evil" in shown)
                expect(not active(shown), f"active: {active(shown)} in {shown[:300]!r}")
            server.shut_down()
    expect(evil >= 10, f"only {evil} of {seen} hovers show the hostile text")
    return f"{seen} different hovers, {evil} with the hostile text, no active markup"


@fault("markup-in-completion", "The same in completion items, and no name becomes a snippet")
def markup_in_completion(bench: Bench) -> str:
    seen = 0
    for text in TEXTS:
        server = opened(bench, text)
        ids = [server.request("textDocument/completion", place(URI, *at)) for at in places(text)]
        items = {json.dumps(item, sort_keys=True) for id in ids for item in items_of(server.answer(id))}
        for item in map(json.loads, items):
            words = item.get("documentation") or ""
            markdown = words["value"] if isinstance(words, dict) and words["kind"] == "markdown" else ""
            seen += 1
            expect(not active(markdown), f"active: {active(markdown)} in {item}")
            new = (item.get("textEdit") or {}).get("newText", "")
            expect(item.get("insertTextFormat") != 2 or "evil" not in new, f"a name became a snippet: {item}")
            expect("command" not in item or item["command"]["command"].startswith("editor.action."), f"a command: {item}")
        server.shut_down()
    expect(seen > 50, f"only {seen} items")
    return f"{seen} different items"


def items_of(answer: dict) -> list:
    result = answer.get("result") or []
    return result["items"] if isinstance(result, dict) else result


# ---- Pictures ---------------------------------------------------------------------------------

DRAWN = {"svg", "defs", "g", "path", "circle", "rect", "use", "text", "line", "polygon", "polyline", "title", "desc", "tspan", "ellipse", "marker"}


def check_svg(svg: str) -> int:
    """Fails unless an SVG has only shapes and text, no scripts and no external references; returns the number of its elements."""
    root = ElementTree.fromstring(svg)
    elements = list(root.iter())
    for element in elements:
        name = element.tag.rsplit("}", 1)[-1]
        expect(name in DRAWN, f"an element {name} in a drawing")
        for key, value in element.attrib.items():
            key = key.rsplit("}", 1)[-1]
            expect(not key.startswith("on"), f"{name} has {key}={value!r}")
            expect(key != "href" or value.startswith("#"), f"{name} has {key}={value!r}")
            expect(not re.search(r"url\((?!['\"]?#)|javascript:", value), f"{name} has {key}={value!r}")
    return len(elements)


@fault("markup-in-the-panel", "The drawings of `cpz/board` contain only shapes and text; its other strings are plain text, which a client must escape in HTML")
def markup_in_panel(bench: Bench) -> str:
    drawn = 0
    for text in (*TEXTS, *(text.replace("evil", ODD) for text in TEXTS)):
        server = opened(bench, text)
        for line in range(text.count("\n")):
            for line_of_play in (0, 1):
                for step in (0, 1, 2):
                    params = {**place(URI, line, 4), "line": line_of_play, "frame": step, "wait": True}
                    board = server.call("cpz/board", params)
                    if board and board["svg"]:
                        drawn += bool(check_svg(board["svg"]))
        server.shut_down()
    expect(drawn >= 20, f"only {drawn} boards were drawn")
    return f"{drawn} boards, all well-formed, only shapes and text"


# ---- Characters -------------------------------------------------------------------------------

INVISIBLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")


def strings(value, path: str = ""):
    """All strings of a response with their paths, except URIs and edits, which editors do not show."""
    if isinstance(value, dict):
        for key, inner in value.items():
            if key not in ("uri", "newText", "target", "data", "insertText", "arguments"):
                yield from strings(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for inner in value:
            yield from strings(inner, path)
    elif isinstance(value, str):
        yield path, value


@fault("unseen-characters", "No shown string contains control characters or direction overrides")
def unseen_characters(bench: Bench) -> str:
    through: dict[str, str] = {}
    words = 0
    for text in TEXTS:
        text = text.replace("evil", ODD)
        server = opened(bench, text)
        shown = [("hover", [{"value": hover} for hover in hovers(server, text)])]
        for name in ("documentSymbol", "foldingRange", "documentLink", "codeLens"):
            shown.append((name, server.call(f"textDocument/{name}", document(URI))))
        shown.append(("codeLens/resolve", [server.answer(server.request("codeLens/resolve", lens)).get("result") for lens in shown[-1][1]]))
        everything = {"start": position(0, 0), "end": position(999, 0)}
        shown.append(("inlayHint", server.call("textDocument/inlayHint", {**document(URI), "range": everything})))
        shown.append(("workspace/symbol", server.call("workspace/symbol", {"query": ""})))
        shown.append(("codeAction", server.call("textDocument/codeAction", {**document(URI), "range": everything, "context": {"diagnostics": []}})))
        shown.append(("cpz/board", [server.call("cpz/board", place(URI, line, 4)) for line in range(text.count("\n"))]))
        server.until(lambda: server.published.get(URI), "findings")
        shown.append(("diagnostics", server.published[URI]["diagnostics"]))
        for name, answer in shown:
            for path, word in strings(answer):
                words += 1
                if bad := INVISIBLE.search(word):
                    through.setdefault(name + path, f"U+{ord(bad[0]):04X}")
        server.shut_down()
    expect(words > 200, f"only {words} strings")
    expect(not through, "shown in " + ", ".join(f"{path} ({bad})" for path, bad in sorted(through.items())))
    return f"{words} strings checked, none contains any"


@fault("markup-in-the-terminal", "Words of a puzzle never become terminal escape sequences or GitHub workflow commands in the output of the command line")
def markup_in_terminal(bench: Bench) -> str:
    folder = bench.make("words")
    for number, text in enumerate(TEXTS):
        (folder / f"{number}.cpz").write_text(text.replace("evil", ODD + "\r::error::evil"), newline="")
    wrong = []
    for arguments in (("check",), ("check", "--color", "always"), ("check", "--format", "github"), ("solve",), ("solve", "--color", "always")):
        done = bench.cli(*arguments, folder)
        out = done.stdout + done.stderr
        expect(out, f"{arguments} printed nothing")
        for what, bad in (("BEL", b"\x07"), ("U+202E", "\u202e".encode()), ("ESC of a puzzle", b"\x07\x1b[31m"), ("carriage return", b"\r::error")):
            if bad in out:
                wrong.append(f"{' '.join(arguments)}: {what}")
    expect(not wrong, "; ".join(wrong))
    return "control characters are escaped"

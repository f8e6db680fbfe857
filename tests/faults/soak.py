"""A long session of edits: typing, deleting, pasting and undoing, with the requests of an editor in between."""

import random
from statistics import median

from client import Server, document, position, pull_capabilities
from table import Bench, expect, fault

URI = "untitled:soak.cpz"
OPTIONS = {"tabSize": 2, "insertSpaces": True}
MAX_LENGTH, MIN_LENGTH = 12_000, 3_000
"""The length of the text stays between these, in characters: some hundred lines."""

MIN_EDITS = 40_000
"""With fewer edits memory is not compared, since warm-up dominates."""

RETURN_FREED = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""By default the C library keeps freed memory in a heap for each thread, which varies by 2 MiB. With these settings it
returns freed memory, so that the measured memory is the memory in use."""

SNIPPETS = [
    'solitaire "%s" {\n  board\n    . . . .\n    . B . .\n    R P . .\n    . . . N\n  solve\n}\n',
    'solitaire "%s" { rules ranger board ...N.....R....B. count }\n',
    'chess "%s" {\n  board [["B","K",3,8], ["W","K",5,1], ["W","R",8,1]]\n  move ["W","R",8,2] => True (é😀)\n  move Rh3\n}\n',
    'chess3d "%s" {\n  board [###,n##,#rr], [#b#,###,###], [###,###,bRK]\n  mate => true\n}\n',
    'draughts "%s" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }\n',
    'chess "%s" {\n  board 8/7k/4r3/3B4/3R2r1/5p2/3b4/K7\n  h#2 => "1. Re3 Bf7 2. Rg7 Rh4#"\n  twin b: h7 to a6 => "1. Rb6 Bc6 2. Bf4 Ra4#"\n  twin c: h7 to f1\n}\n',
    'chess "%s" { board 7k/8/5K2/8/8/8/8/R7 h#2* 2.1.1.1 set-play duplex twin b: a1 to b1 }\n',
    'chess "%s" {\n  author "Paul Morphy"\n  board kbK5/pp6/1P6/8/8/8/8/R7 w\n  mate in 2 => 1. Ra6! bxa6 2. b7#\n  hint "é"\n  tags [problem]\n}\n',
    'chess "%s" { board 8/8/8/8/8/1k6/8/K1r5 s#1 selfmate in 1 twin b: c1 to d1 twin c: remove c1 }\n',
    "// %s: a line of words, é and 😀\n",
]


class Editor:
    """A simulated editor: its text, and random edits."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        self.text = "".join(self.snippet() for _ in range(40))
        self.typing: list[str] = []  # characters still to be typed, in reverse order
        self.at = 0
        self.done: list[tuple[int, str, str]] = []  # edits that can be undone

    def snippet(self) -> str:
        return self.chance.choice(SNIPPETS) % f"p{self.chance.randrange(1_000_000)}"

    def edit(self) -> tuple[int, int, str]:
        """The next edit: start, end (offsets in characters), and the new text."""
        if self.typing and len(self.text) < MAX_LENGTH:
            return self.at, self.at, self.typing.pop()
        self.typing.clear()
        if len(self.text) > MAX_LENGTH:
            start = self.line_start()
            return start, min(len(self.text), start + self.chance.randrange(500, 3000)), ""
        if len(self.text) < MIN_LENGTH:
            start = self.line_start()
            return start, start, self.snippet() * 3
        what = self.chance.random()
        if what < 0.45:
            self.at = self.line_start() if self.chance.random() < 0.7 else self.anywhere()
            self.typing = list(reversed(self.snippet()))
            return self.at, self.at, self.typing.pop()
        if what < 0.70:
            start = self.anywhere()
            return start, min(len(self.text), start + self.chance.randrange(1, 5)), ""
        if what < 0.85 and self.done:
            start, old, new = self.done.pop()
            if self.text[start : start + len(new)] == new:
                return start, start + len(new), old
        start, other = self.line_start(), self.line_start()
        return start, start, self.text[other : other + self.chance.randrange(1, 400)]

    def apply(self, start: int, end: int, new: str):
        self.done.append((start, self.text[start:end], new))
        del self.done[:-50]
        self.text = self.text[:start] + new + self.text[end:]
        self.at = start + len(new)

    def anywhere(self) -> int:
        return self.chance.randrange(len(self.text) + 1)

    def line_start(self) -> int:
        return self.text.rfind("\n", 0, self.anywhere()) + 1

    def position(self, offset: int) -> dict:
        """The LSP position of an offset, in UTF-16."""
        start = self.text.rfind("\n", 0, offset) + 1
        return position(self.text.count("\n", 0, start), len(self.text[start:offset].encode("utf-16-le")) // 2)


def random_request(editor: Editor) -> tuple[str, dict]:
    """A request that editors send while the user types."""
    here = editor.position(editor.at)
    whole = {"start": position(0, 0), "end": editor.position(len(editor.text))}
    near = {"start": position(here["line"], 0), "end": position(here["line"] + 1, 0)}
    return editor.chance.choice(
        [
            ("hover", {**document(URI), "position": here}),
            ("completion", {**document(URI), "position": here}),
            ("inlayHint", {**document(URI), "range": whole}),
            ("codeLens", document(URI)),
            ("semanticTokens/full", document(URI)),
            ("semanticTokens/range", {**document(URI), "range": near}),
            ("formatting", {**document(URI), "options": OPTIONS}),
            ("documentSymbol", document(URI)),
            ("foldingRange", document(URI)),
            ("codeAction", {**document(URI), "range": near, "context": {"diagnostics": []}}),
            ("diagnostic", document(URI)),
            ("documentHighlight", {**document(URI), "position": here}),
            ("selectionRange", {**document(URI), "positions": [here]}),
        ]
    )


def applied(editor: Editor, edits: list[dict]) -> str:
    """The text of the editor after LSP text edits."""
    starts = [0]
    for line in editor.text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)

    def offset(at: dict) -> int:
        start = starts[at["line"]]
        end = editor.text.find("\n", start)
        line = editor.text[start : end if end >= 0 else len(editor.text)].encode("utf-16-le")
        return start + len(line[: at["character"] * 2].decode("utf-16-le"))

    text = editor.text
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


def started(bench: Bench, text: str) -> Server:
    server = bench.server(env={**bench.environment(), **RETURN_FREED})
    server.keep_messages = False
    server.initialize(capabilities=pull_capabilities())
    server.open(URI, text)
    return server


def findings(server: Server) -> list:
    """All findings, after those that need a search have come."""
    server.until_idle()
    report = server.call("textDocument/diagnostic", document(URI))
    return sorted((str(f["range"]), str(f.get("code")), f["message"]) for f in report["items"])


def send_edit(server: Server, editor: Editor, version: int, waiting: set):
    """Sends one edit, and a request after every third."""
    start, end, new = editor.edit()
    change = {"range": {"start": editor.position(start), "end": editor.position(end)}, "text": new}
    editor.apply(start, end, new)
    server.change(URI, version, [change])
    if version % 3 == 0:
        method, params = random_request(editor)
        waiting.add(server.request(f"textDocument/{method}", params))


def await_responses(server: Server, waiting: set):
    """Waits for the responses, checks them and discards them."""
    for id in waiting:
        answers = server.until(lambda: server.answers.get(id), f"answer to {id}")
        code = answers[0].get("error", {}).get("code")
        # An edit may invalidate a request: ContentModified or ServerCancelled.
        expect(len(answers) == 1 and code in (None, -32801, -32802), f"responses to {id}: {answers}")
    for id in waiting:
        del server.answers[id]
    waiting.clear()


@fault("soak", "A long session of edits: memory in use, with the C library set to return freed memory: its median grows by at most 5 % after warm-up, its peak by half; text and findings equal those of a fresh server")
def soak(bench: Bench) -> str:
    editor = Editor(42)
    server = started(bench, editor.text)
    waiting: set = set()
    sizes = []
    for number in range(1, bench.edits + 1):
        send_edit(server, editor, number + 1, waiting)
        if number % 50 == 0:
            await_responses(server, waiting)
        if number % max(50, bench.edits // 200) == 0:
            # While requests wait, memory depends on how many.
            await_responses(server, waiting)
            server.until_idle()
            sizes.append(server.memory())
    await_responses(server, waiting)
    compare(bench, server, editor)
    # In a short run half of the samples are warm-up.
    part = len(sizes) // (5 if bench.edits >= 100_000 else 2)
    warm, rest = sizes[part // 2 : part], sizes[part:]
    figures = (
        f"{bench.edits} edits, {server.last_id} requests; median "
        f"{median(warm) / 2**20:.1f} MiB during warm-up, {median(rest[len(rest) // 2 :]) / 2**20:.1f} MiB at the end, "
        f"peak {max(sizes) / 2**20:.1f} MiB"
    )
    if bench.edits < MIN_EDITS:
        figures += f", not compared below {MIN_EDITS} edits"
    else:
        # A leak raises every later sample.
        expect(median(rest[len(rest) // 2 :]) <= median(warm) * 1.05, figures)
        expect(max(rest) <= max(warm) * 1.5, figures)
    server.shut_down()
    return figures


def compare(bench: Bench, server: Server, editor: Editor):
    """Fails unless text and findings equal those of a fresh server with the same text."""
    fresh = started(bench, editor.text)
    for what in ("formatting", "semanticTokens/full", "documentSymbol"):
        params = {**document(URI), "options": OPTIONS}
        actual, expected = (s.call(f"textDocument/{what}", params) for s in (server, fresh))
        for answer in (actual, expected):
            if isinstance(answer, dict):
                answer.pop("resultId", None)
        expect(actual == expected, f"{what} differs from a fresh server")
    formatted = applied(editor, server.call("textDocument/formatting", {**document(URI), "options": OPTIONS}))
    # Formatting changes only white space, so the server has the same text as the editor.
    expect("".join(formatted.split()) == "".join(editor.text.split()), "the server has another text")
    actual, expected = findings(server), findings(fresh)
    expect(actual == expected, f"{len(actual)} findings, a fresh server has {len(expected)}: {[f for f in actual if f not in expected][:2]} {[f for f in expected if f not in actual][:2]}")
    expect(expected, "there is no finding to compare")
    fresh.shut_down()

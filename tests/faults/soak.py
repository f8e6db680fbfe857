"""A long day of edits: typing, deleting, pasting and taking back, with all that an editor asks for in between."""

import random
import time

from client import Server, document, place, position, pulling
from table import Bench, expect, fault

URI = "untitled:soak.cpz"
OPTIONS = {"tabSize": 2, "insertSpaces": True}
MOST, LEAST = 12_000, 3_000
"""The text stays between these lengths: some hundred lines."""

ENOUGH = 40_000
"""Fewer edits do not say whether memory stands still."""

GIVES_BACK = {"MALLOC_ARENA_MAX": "1", "MALLOC_MMAP_THRESHOLD_": "65536", "MALLOC_TRIM_THRESHOLD_": "65536"}
"""The C library keeps what is freed, in a heap for each thread, by chance 2 MiB more or less. Told to give it back, what
a server takes is what it holds."""

SNIPPETS = [
    'solitaire "%s" {\n  board\n    . . . .\n    . B . .\n    R P . .\n    . . . N\n  solve\n}\n',
    'solitaire "%s" { rules ranger board ...N.....R....B. count }\n',
    'chess "%s" {\n  board [["B","K",3,8], ["W","K",5,1], ["W","R",8,1]]\n  move ["W","R",8,2] => True (é😀)\n  move Rh3\n}\n',
    'chess3d "%s" {\n  board [###,n##,#rr], [#b#,###,###], [###,###,bRK]\n  mate => true\n}\n',
    'draughts "%s" { board [["W","K",1,1], ["B","M",3,3], ["B","M",5,5]] capture }\n',
    "// %s: a line of words, é and 😀\n",
]


class Person:
    """Somebody who edits: the text as they see it, and the edits that they send."""

    def __init__(self, seed: int):
        self.chance = random.Random(seed)
        self.text = "".join(self.snippet() for _ in range(40))
        self.typing: list[str] = []  # what is still to be typed, the next last
        self.at = 0
        self.done: list[tuple[int, str, str]] = []  # what can be taken back

    def snippet(self) -> str:
        return self.chance.choice(SNIPPETS) % f"p{self.chance.randrange(1_000_000)}"

    def edit(self) -> tuple[int, int, str]:
        """The next edit: from where to where, and what comes there."""
        if self.typing and len(self.text) < MOST:
            return self.at, self.at, self.typing.pop()
        self.typing.clear()
        if len(self.text) > MOST:
            start = self.line_start()
            return start, min(len(self.text), start + self.chance.randrange(500, 3000)), ""
        if len(self.text) < LEAST:
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
        """A place as the protocol counts: lines, and units of UTF-16."""
        start = self.text.rfind("\n", 0, offset) + 1
        return position(self.text.count("\n", 0, start), len(self.text[start:offset].encode("utf-16-le")) // 2)


def request(person: Person) -> tuple[str, dict]:
    """Something that editors ask for while one types."""
    here = person.position(person.at)
    whole = {"start": position(0, 0), "end": person.position(len(person.text))}
    near = {"start": position(here["line"], 0), "end": position(here["line"] + 1, 0)}
    return person.chance.choice(
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


def applied(person: Person, edits: list[dict]) -> str:
    """The person's text behind edits of the protocol."""
    starts = [0]
    for line in person.text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)

    def offset(place: dict) -> int:
        start = starts[place["line"]]
        end = person.text.find("\n", start)
        line = person.text[start : end if end >= 0 else len(person.text)].encode("utf-16-le")
        return start + len(line[: place["character"] * 2].decode("utf-16-le"))

    text = person.text
    for edit in sorted(edits, key=lambda e: offset(e["range"]["start"]), reverse=True):
        start, end = offset(edit["range"]["start"]), offset(edit["range"]["end"])
        text = text[:start] + edit["newText"] + text[end:]
    return text


def begun(bench: Bench, text: str) -> Server:
    server = bench.server(env={**bench.environment(), **GIVES_BACK})
    server.keep_told = False
    server.begin(capabilities=pulling())
    server.open(URI, text)
    return server


def findings(server: Server) -> list:
    """All findings, once those that take a search are there too."""
    deadline, last = time.monotonic() + 20, None
    while time.monotonic() < deadline:
        report = server.call("textDocument/diagnostic", document(URI))
        now = sorted((str(f["range"]), str(f.get("code")), f["message"]) for f in report["items"])
        if now == last:
            return now
        last = now
        time.sleep(0.5)
    return last


def edits(server: Server, person: Person, version: int, waiting: set):
    """One edit, and a request behind every third."""
    start, end, new = person.edit()
    change = {"range": {"start": person.position(start), "end": person.position(end)}, "text": new}
    person.apply(start, end, new)
    server.change(URI, version, [change])
    if version % 3 == 0:
        method, params = request(person)
        waiting.add(server.ask(f"textDocument/{method}", params))


def answered(server: Server, waiting: set):
    """Waits for the answers, looks at them and forgets them."""
    for id in waiting:
        answers = server.until(lambda: server.answers.get(id), 30, f"answer to {id}")
        code = answers[0].get("error", {}).get("code")
        # An edit may make a request pointless: content modified, or cancelled by the server.
        expect(len(answers) == 1 and code in (None, -32801, -32802), f"answers to {id}: {answers}")
    for id in waiting:
        del server.answers[id]
    waiting.clear()


@fault("soak", "A day of edits: what the server holds, the C library told to give back what is freed, stays within 10 % once it is warm, and text and findings are those of a fresh server", 900)
def soak(bench: Bench) -> str:
    person = Person(42)
    server = begun(bench, person.text)
    waiting: set = set()
    sizes, start = [], time.monotonic()
    for number in range(1, bench.edits + 1):
        edits(server, person, number + 1, waiting)
        if number % 50 == 0:
            answered(server, waiting)
        if number % max(1, bench.edits // 200) == 0:
            sizes.append(server.size())
    answered(server, waiting)
    took = time.monotonic() - start
    compare(bench, server, person)
    # Of a short soak half is warming up, and a very short one tells nothing of memory.
    part = len(sizes) // (5 if bench.edits >= 100_000 else 2)
    warm, rest = max(sizes[:part]), max(sizes[part:])
    figures = (
        f"{bench.edits} edits, {bench.edits / took:.0f} a second, with {server.asked} requests; at most "
        f"{warm / 2**20:.1f} MiB while warming up, {rest / 2**20:.1f} MiB behind it"
    )
    if bench.edits < ENOUGH:
        figures += f", not compared below {ENOUGH} edits"
    else:
        expect(rest <= warm * 1.1, figures)
    server.finish()
    return figures


def compare(bench: Bench, server: Server, person: Person):
    """The text and the findings are those of a server that has just been given this text."""
    fresh = begun(bench, person.text)
    for what in ("formatting", "semanticTokens/full", "documentSymbol"):
        params = {**document(URI), "options": OPTIONS}
        mine, its = (s.call(f"textDocument/{what}", params) for s in (server, fresh))
        for answer in (mine, its):
            if isinstance(answer, dict):
                answer.pop("resultId", None)
        expect(mine == its, f"{what} differs from that of a fresh server")
    formatted = applied(person, server.call("textDocument/formatting", {**document(URI), "options": OPTIONS}))
    # White space apart, the formatted text is the text: so the server's text is the person's.
    expect("".join(formatted.split()) == "".join(person.text.split()), "formatting makes another text of it")
    mine, its = findings(server), findings(fresh)
    expect(mine == its, f"{len(mine)} findings, a fresh server has {len(its)}: {[f for f in mine if f not in its][:2]} {[f for f in its if f not in mine][:2]}")
    expect(its, "there is no finding to compare")
    fresh.finish()

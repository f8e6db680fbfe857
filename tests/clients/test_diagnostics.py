"""Every mistake is shown while typing, on its exact range, and by one channel."""

import random

import pytest
from lsprotocol import types as lsp

from conftest import EXAMPLES, marked

ERROR, WARNING, HINT = lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Warning, lsp.DiagnosticSeverity.Hint

KINGS = 'chess {{ board [["W","K",5,1], ["B","K",5,8], ["W","N",7,1]] {} }}'

# What is marked is what is underlined.
FINDINGS = {
    "illegal move": KINGS.format('move «illegal-move:["W","N",5,4]»'),
    "legal, it says": KINGS.format('move ["W","N",5,4] => «wrong-answer:true» (a remark)'),
    "unsolvable": "solitaire { board N... .... ...K ....\n «unsolvable:solve» }",
    "the failing step": """solitaire {
  board
    . . . Q
    . . . B
    . . . .
    R . . N
  solve => [[[0,0], [3,0]], «wrong-solution:[[3,0], [3,3]]», [[3,3], [3,2]]]
}""",
    "a letter too many": "solitaire {\n board\n  R . .\n  . «unknown-piece:C» .\n  . . B\n}",
    "another empty cell": "solitaire {\n board\n  R . .\n  . «mixed-empty:-» .\n  . . B\n}",
    "a keyword": "chess { board 8/8/8/4k3/8/8/8/4K3\n «unknown-keyword:mat»\n}",
    "a stray word, and more below": """chess "One" {
  board 7k/8/8/8/8/8/8/R6K
  mate «syntax:quickly»
  move «illegal-move:Rb2»
}
chess "Two" { board 7k/8/8/8/8/8/8/R6K mate => «wrong-answer:checkmate» }""",
    "a bracket, and more below": """solitaire "One" {
  board «syntax:[»[0,0,'R'], [0,3,'N'], [3,3,'B']
  «wrong-query:turn» white
  solve
}
solitaire "Two" { board R..N «unsolvable:solve» size 2 }""",
    "emoji before it": KINGS.format('note "♞🐴👨‍👩‍👧 é" move «illegal-move:["W","N",5,4]»'),
    "emoji above it": '// 🐴\nchess "é🐴" {\n  board 7k/8/8/8/8/8/8/R6K\n  note "🐴" mate => «wrong-answer:true» // 🐴\n}',
    "a string that hides an emoji": 'chess { board 7k/8/8/8/8/8/8/R6K note «syntax:"🐴 open»\n mate => «wrong-answer:true» }',
    "names": 'draughts "🐴" { board "W:WKa1:Bc3" capture }\ndraughts «duplicate-name:"🐴"» { board "W:WKa1:Bd4" capture }',
    "an allow too many": 'draughts { allow «unused-allow:kings» board "W:WKa1:Bc3" capture }',
    "a light square": "draughts { board [['W','K',1,1], «light-square:['B','M',3,4]»] capture }",
    "nothing": "",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("case", FINDINGS)
async def test_range(session, case, ends):
    text, marks = marked(FINDINGS[case].replace("\n", ends))
    document = session.open(text)
    await session.shows(document, [(code, document.range(*span)) for code, *span in marks])


async def test_parts(session):
    document = session.open(KINGS.format('move ["W","N",5,4]'))
    (finding,) = await session.shows(document, [("illegal-move", document.of('["W","N",5,4]'))])
    assert finding.severity == ERROR
    assert finding.source == "cpz"
    assert "g1" in finding.message


async def test_severities(session):
    text = """draughts "a" { allow kings board "W:WKa1:Bc3" capture }
draughts "a" { board "W:WKa1:Be5" capture => none }"""
    document = await session.opened(text)
    shown = {finding.code: finding for finding in await session.current(document.uri)}
    assert {code: finding.severity for code, finding in shown.items()} == {
        "unused-allow": HINT,
        "duplicate-name": WARNING,
        "wrong-answer": ERROR,
    }
    assert list(shown["unused-allow"].tags) == [lsp.DiagnosticTag.Unnecessary]


async def test_one_channel(session):
    """Never both for one document, whatever happens to it."""
    document = await session.opened(KINGS.format('move ["W","N",5,4]'))
    session.replace(document, "5,4", "6,3")
    await session.shows(document, [])
    session.save(document)
    session.close(document)
    assert not await session.until(document.uri, lambda shown: not shown)
    if session.pulls:
        assert [params for params in session.published if params.diagnostics] == []
    else:
        assert session.server.diagnostic_provider is None


async def test_pull_unchanged(session):
    """The second pull of the same text needs no second list."""
    if not session.pulls:
        pytest.skip("this client is told, or this server tells")
    document = await session.opened(KINGS.format('move ["W","N",5,4]'))

    async def pull(previous=None):
        return await session.client.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(document.id, previous_result_id=previous)
        )

    first = await pull()
    assert first.result_id
    assert (await pull(first.result_id)).kind == "unchanged"
    session.replace(document, "5,4", "5,3")
    assert (await pull(first.result_id)).kind == "full"


async def test_versions_never_go_back(session):
    if session.pulls:
        pytest.skip("nothing is pushed")
    document = session.open(KINGS.format('move ["W","N",5,4]'))
    for rank in "1234567812345678":
        at = document.text.rindex("]") - 1
        session.change(document, (at, at + 1, rank))
    await session.shows(document, session.checked(document))
    versions = [params.version for params in session.pushed(document.uri)]
    assert versions == sorted(versions)
    assert versions[-1] == document.version


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
async def test_examples(session, path):
    """The server and `cpz check` agree on whole collections."""
    await session.opened(path.read_bytes().decode())


EDITS = ["", " ", "\n", "\r\n", "[", "]", "{", "}", '"', "🐴", "é", "=>", "//", "solve", "mate", "9", "R"]


@pytest.mark.parametrize("seed", range(4))
async def test_edits_are_as_a_fresh_open(session, seed):
    """However a text came about, its findings are the same."""
    chance = random.Random(seed)
    path = chance.choice([path for path in EXAMPLES if path.parent.name == "mistakes"])
    document = session.open(path.read_bytes().decode().replace("\n", chance.choice(["\n", "\r\n"])))
    for _ in range(15):
        edits = []
        for _ in range(chance.randint(1, 3)):
            # Within one line, since a position cannot point between \r and \n.
            start, end = chance.choice(document.lines())
            if not edits:
                at = chance.randint(start, end)
                edits.append((at, min(end, at + chance.randint(0, 4)), chance.choice(EDITS)))
        session.change(document, *edits)
    fresh = session.checked(document)
    await session.shows(document, fresh)
    session.close(document)
    again = session.open(document.text)
    await session.shows(again, fresh)


async def test_close_clears(session):
    document = await session.opened(KINGS.format('move ["W","N",5,4]'))
    session.close(document)
    assert not await session.until(document.uri, lambda shown: not shown)


async def test_untitled(session):
    """A text that is no file yet is checked as any other."""
    document = session.open(KINGS.format('move ["W","N",5,4]'), uri="untitled:Untitled-1")
    await session.shows(document, [("illegal-move", document.of('["W","N",5,4]'))])


# ---- The workspace ----

TWIN = 'solitaire "{}" {{ board [[0,0,"R"], [0,3,"N"], [3,3,"B"]] solve }}\n'
BROKEN = 'draughts { board "W:WKa1:Bc3" capture => none }\n'


def has(*expected):
    return lambda shown: sorted(finding.code for finding in shown) == sorted(expected)


async def test_twins(session):
    """Duplicates in two files point at each other, as far as the client can show it."""
    related = session.can("text_document.publish_diagnostics.related_information") or session.pulls
    first, second = session.open(TWIN.format("a"), "a.cpz"), session.open("\n" + TWIN.format("b"), "b.cpz")
    for here, there, name in (first, second, "b"), (second, first, "a"):
        head = f'solitaire "{"a" if name == "b" else "b"}"'
        (finding,) = await session.shows(here, [("duplicate-puzzle", here.of(head))])
        if related:
            (place,) = finding.related_information
            assert place.location.uri == there.uri
            assert there.slice(place.location.range).startswith("solitaire")
        else:
            assert not finding.related_information
    # Without its twin a puzzle is none.
    session.replace(second, "[0,0,", "[1,0,")
    await session.shows(first, [])


async def test_save_validates_the_folder(session):
    session.write("sub folder/unopened é.cpz", BROKEN)
    document = await session.opened("")
    session.save(document)
    uri = session.uri("sub folder/unopened é.cpz")
    (finding,) = await session.until(uri, has("wrong-answer"))
    assert finding.code == "wrong-answer"


async def test_deleted_file(session):
    path = session.write("unopened.cpz", BROKEN)
    document = await session.opened("")
    session.save(document)
    uri = session.uri("unopened.cpz")
    assert await session.until(uri, has("wrong-answer"))
    path.unlink()
    session.changed_on_disk(("unopened.cpz", lsp.FileChangeType.Deleted))
    assert not await session.until(uri, lambda shown: not shown)


async def test_changed_file(session):
    session.write("unopened.cpz", BROKEN)
    document = await session.opened("")
    session.save(document)
    uri = session.uri("unopened.cpz")
    assert await session.until(uri, has("wrong-answer"))
    session.write("unopened.cpz", BROKEN.replace("=> none", ""))
    session.changed_on_disk(("unopened.cpz", lsp.FileChangeType.Changed))
    assert not await session.until(uri, lambda shown: not shown)


async def test_the_editor_owns_open_files(session):
    """What is on disk does not matter while a file is open."""
    document = await session.opened(BROKEN)
    session.write("a.cpz", "")
    session.changed_on_disk(("a.cpz", lsp.FileChangeType.Changed))
    assert has("wrong-answer")(await session.until(document.uri, lambda shown: not shown, 0.2))


async def test_configuration(session):
    """`cpz.toml` applies at once; a broken one is a finding in it, and the last good one stays."""
    document = await session.opened(BROKEN)
    session.write("cpz.toml", '[severity]\nwrong-answer = "hint"\n')
    session.changed_on_disk(("cpz.toml", lsp.FileChangeType.Created))
    shown = await session.until(document.uri, lambda shown: shown and shown[0].severity == HINT)
    assert [finding.severity for finding in shown] == [HINT]
    session.write("cpz.toml", "[severity\n")
    session.changed_on_disk(("cpz.toml", lsp.FileChangeType.Changed))
    assert await session.until(session.uri("cpz.toml"), bool)
    assert [finding.severity for finding in await session.current(document.uri)] == [HINT]


async def test_validate_on_save(session):
    """With `cpz.validate.run` at `onSave` nothing is found before the file is saved."""
    await session.eventually(lambda: session.configured)
    session.client.set_configuration("onSave", section="cpz.validate.run")
    session.client.workspace_did_change_configuration(
        lsp.DidChangeConfigurationParams({"cpz": {"validate": {"run": "onSave"}}})
    )
    # The server asks for the setting; the edit must come after the answer.
    await session.eventually(lambda: session.configured > 1)
    document = await session.opened("")
    session.change(document, (0, 0, BROKEN))
    assert not await session.until(document.uri, bool, 0.2)
    session.save(document)
    assert has("wrong-answer")(await session.until(document.uri, has("wrong-answer")))


async def test_progress_on_save(session):
    """Checking the whole folder shows how far it is, and ends."""
    for name in range(20):
        session.write(f"{name}.cpz", TWIN.format(name))
    document = await session.opened("")
    session.save(document)
    reports = session.client.progress_reports
    await session.eventually(lambda: any(isinstance(r[-1], lsp.WorkDoneProgressEnd) for r in reports.values() if r))
    (report,) = [report for report in reports.values() if report and len(report) > 1][-1:]
    assert isinstance(report[0], lsp.WorkDoneProgressBegin) and report[0].cancellable
    assert isinstance(report[-1], lsp.WorkDoneProgressEnd)


async def test_second_folder(session, tmp_path):
    """A folder that is added is checked with the others, and cleared when it is removed."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "unopened.cpz").write_text(BROKEN)
    folder = lsp.WorkspaceFolder(other.as_uri(), "other")
    uri = (other / "unopened.cpz").as_uri()

    def change(added, removed):
        session.client.workspace_did_change_workspace_folders(
            lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent(added=added, removed=removed))
        )

    document = await session.opened("")
    change([folder], [])
    session.save(document)
    assert await session.until(uri, has("wrong-answer"))
    change([], [folder])
    assert not await session.until(uri, lambda shown: not shown)

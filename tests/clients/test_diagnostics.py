"""Diagnostics: exact ranges, pull and push, edits, workspace files, and configuration."""

import random

import pytest
from lsprotocol import types as lsp

from conftest import EXAMPLES, SAMPLE, file_uri, marked

ERROR, WARNING, HINT = lsp.DiagnosticSeverity.Error, lsp.DiagnosticSeverity.Warning, lsp.DiagnosticSeverity.Hint

KINGS = 'chess {{ board [["W","K",5,1], ["B","K",5,8], ["W","N",7,1]] {} }}'

# The marks are the expected findings.
FINDINGS = {
    "illegal move": KINGS.format('move «illegal-move:["W","N",5,4]»'),
    "wrong move answer": KINGS.format('move ["W","N",5,4] => «wrong-answer:true» (a remark)'),
    "unsolvable": "solitaire { board N... .... ...K ....\n «unsolvable:solve» }",
    "failing step": """solitaire {
  board
    . . . Q
    . . . B
    . . . .
    R . . N
  solve => [[[0,0], [3,0]], «wrong-solution:[[3,0], [3,3]]», [[3,3], [3,2]]]
}""",
    "unknown piece": "solitaire {\n board\n  R . .\n  . «unknown-piece:C» .\n  . . B\n}",
    "mixed empty cells": "solitaire {\n board\n  R . .\n  . «mixed-empty:-» .\n  . . B\n}",
    "misspelt keyword": "chess { board 8/8/8/4k3/8/8/8/4K3\n «unknown-keyword:mat»\n}",
    "stray word with more findings below": """chess "One" {
  board 7k/8/8/8/8/8/8/R6K
  mate «syntax:quickly»
  move «illegal-move:Rb2»
}
chess "Two" { board 7k/8/8/8/8/8/8/R6K mate => «wrong-answer:checkmate» }""",
    "stray bracket with more findings below": """solitaire "One" {
  board «syntax:[»[0,0,'R'], [0,3,'N'], [3,3,'B']
  «not-for-this-game:turn» white
  solve
}
solitaire "Two" { board R..N «unsolvable:solve» size 2 }""",
    "emoji before the finding": KINGS.format('note "♞🐴👨‍👩‍👧 é" move «illegal-move:["W","N",5,4]»'),
    "emoji above the finding": '// 🐴\nchess "é🐴" {\n  board 7k/8/8/8/8/8/8/R6K\n  note "🐴" mate => «wrong-answer:true» // 🐴\n}',
    "unclosed string with an emoji": 'chess { board 7k/8/8/8/8/8/8/R6K note «syntax:"🐴 open»\n mate => «wrong-answer:true» }',
    "duplicate names": 'draughts "🐴" { board "W:WKa1:Bc3" capture }\ndraughts «duplicate-name:"🐴"» { board "W:WKa1:Bd4" capture }',
    "unused allow": 'draughts { allow «unused-allow:too-many-kings» board "W:WKa1:Bc3" capture }',
    "light square": "draughts { board [['W','K',1,1], «light-square:['B','M',3,4]»] capture }",
    "empty file": "",
}


@pytest.mark.parametrize("ends", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("case", FINDINGS)
async def test_findings_have_exact_ranges(session, case, ends):
    text, marks = marked(FINDINGS[case].replace("\n", ends))
    document = session.open(text)
    await session.assert_findings(document, [(code, document.range(*span)) for code, *span in marks])


async def test_finding_has_severity_source_and_message(session):
    document = session.open(KINGS.format('move ["W","N",5,4]'))
    (finding,) = await session.assert_findings(document, [("illegal-move", document.range_of('["W","N",5,4]'))])
    assert finding.severity == ERROR
    assert finding.source == "cpz"
    assert "g1" in finding.message


async def test_findings_have_severities_and_tags(session):
    text = """draughts "a" { allow too-many-kings board "W:WKa1:Bc3" capture }
draughts "a" { board "W:WKa1:Be5" capture => none }"""
    document = await session.open_checked(text)
    shown = {finding.code: finding for finding in await session.shown_findings(document.uri)}
    assert {code: finding.severity for code, finding in shown.items()} == {
        "unused-allow": HINT,
        "duplicate-name": WARNING,
        "wrong-answer": ERROR,
    }
    assert list(shown["unused-allow"].tags) == [lsp.DiagnosticTag.Unnecessary]


async def test_findings_are_either_pushed_or_pulled(session):
    """Also after edit, save and close."""
    document = await session.open_checked(KINGS.format('move ["W","N",5,4]'))
    session.replace(document, "5,4", "6,3")
    await session.assert_findings(document, [])
    session.save(document)
    session.close(document)
    assert not await session.wait_for_findings(document.uri, lambda shown: not shown)
    if session.pulls:
        assert [params for params in session.published if params.diagnostics] == []
    else:
        assert session.server.diagnostic_provider is None


async def test_second_pull_is_unchanged(session):
    if not session.pulls:
        pytest.skip("findings are pushed to this client")
    document = await session.open_checked(KINGS.format('move ["W","N",5,4]'))

    async def pull(previous=None):
        return await session.client.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(document.id, previous_result_id=previous)
        )

    first = await pull()
    assert first.result_id
    assert (await pull(first.result_id)).kind == "unchanged"
    session.replace(document, "5,4", "5,3")
    assert (await pull(first.result_id)).kind == "full"


async def test_pushed_versions_never_decrease(session):
    if session.pulls:
        pytest.skip("this client pulls")
    document = session.open(KINGS.format('move ["W","N",5,4]'))
    for rank in "1234567812345678":
        at = document.text.rindex("]") - 1
        session.change(document, (at, at + 1, rank))
    await session.assert_findings(document, session.expected_findings(document))
    versions = [params.version for params in session.pushed(document.uri)]
    assert versions == sorted(versions)
    assert versions[-1] == document.version


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
async def test_findings_of_examples_equal_check(session, path):
    await session.open_checked(path.read_bytes().decode())


EDITS = ["", " ", "\n", "\r\n", "[", "]", "{", "}", '"', "🐴", "é", "=>", "//", "solve", "mate", "9", "R"]


@pytest.mark.parametrize("seed", range(4))
async def test_findings_after_edits_equal_fresh_open(session, seed):
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
    fresh = session.expected_findings(document)
    await session.assert_findings(document, fresh)
    session.close(document)
    again = session.open(document.text)
    await session.assert_findings(again, fresh)


async def test_close_clears_findings(session):
    document = await session.open_checked(KINGS.format('move ["W","N",5,4]'))
    session.close(document)
    assert not await session.wait_for_findings(document.uri, lambda shown: not shown)


async def test_untitled_document_has_findings(session):
    document = session.open(KINGS.format('move ["W","N",5,4]'), uri="untitled:Untitled-1")
    await session.assert_findings(document, [("illegal-move", document.range_of('["W","N",5,4]'))])


# ---- The workspace ----

DUPLICATE = 'solitaire "{}" {{ board [[0,0,"R"], [0,3,"N"], [3,3,"B"]] solve }}\n'
BROKEN = 'draughts { board "W:WKa1:Bc3" capture => none }\n'


def has(*expected):
    return lambda shown: sorted(finding.code for finding in shown) == sorted(expected)


async def test_duplicates_in_two_files_refer_to_each_other(session):
    """With related information, if the client supports it."""
    related = session.supports("text_document.publish_diagnostics.related_information") or session.pulls
    first, second = session.open(DUPLICATE.format("a"), "a.cpz"), session.open("\n" + DUPLICATE.format("b"), "b.cpz")
    for here, there, name in (first, second, "b"), (second, first, "a"):
        head = f'solitaire "{"a" if name == "b" else "b"}"'
        (finding,) = await session.assert_findings(here, [("duplicate-puzzle", here.range_of(head))])
        if related:
            (place,) = finding.related_information
            assert place.location.uri == there.uri
            assert there.slice(place.location.range).startswith("solitaire")
        else:
            assert not finding.related_information
    # When one duplicate changes, the finding of the other disappears.
    session.replace(second, "[0,0,", "[1,0,")
    await session.assert_findings(first, [])


@pytest.mark.native
async def test_save_checks_unopened_files(session):
    session.write("sub folder/unopened é.cpz", BROKEN)
    document = await session.open_checked("")
    session.save(document)
    uri = session.uri("sub folder/unopened é.cpz")
    (finding,) = await session.wait_for_findings(uri, has("wrong-answer"))
    assert finding.code == "wrong-answer"


@pytest.mark.native
async def test_deleted_file_loses_findings(session):
    path = session.write("unopened.cpz", BROKEN)
    document = await session.open_checked("")
    session.save(document)
    uri = session.uri("unopened.cpz")
    assert await session.wait_for_findings(uri, has("wrong-answer"))
    path.unlink()
    session.changed_on_disk(("unopened.cpz", lsp.FileChangeType.Deleted))
    assert not await session.wait_for_findings(uri, lambda shown: not shown)


@pytest.mark.native
async def test_changed_unopened_file_is_checked_again(session):
    session.write("unopened.cpz", BROKEN)
    document = await session.open_checked("")
    session.save(document)
    uri = session.uri("unopened.cpz")
    assert await session.wait_for_findings(uri, has("wrong-answer"))
    session.write("unopened.cpz", BROKEN.replace("=> none", ""))
    session.changed_on_disk(("unopened.cpz", lsp.FileChangeType.Changed))
    assert not await session.wait_for_findings(uri, lambda shown: not shown)


@pytest.mark.native
async def test_disk_change_of_open_file_is_ignored(session):
    document = await session.open_checked(BROKEN)
    session.write("a.cpz", "")
    session.write("b.cpz", BROKEN.replace("Bc3", "Bd4"))
    session.changed_on_disk(("a.cpz", lsp.FileChangeType.Changed), ("b.cpz", lsp.FileChangeType.Created))
    # The findings of a file that changed together with it show that the change was handled.
    assert has("wrong-answer")(await session.wait_for_findings(session.uri("b.cpz"), has("wrong-answer")))
    await session.all_handled()
    assert has("wrong-answer")(await session.shown_findings(document.uri))


@pytest.mark.native
async def test_cpz_toml_applies_and_broken_one_keeps_last_valid(session):
    """A broken `cpz.toml` has a finding itself."""
    document = await session.open_checked(BROKEN)
    session.write("cpz.toml", '[severity]\nwrong-answer = "hint"\n')
    session.changed_on_disk(("cpz.toml", lsp.FileChangeType.Created))
    shown = await session.wait_for_findings(document.uri, lambda shown: shown and shown[0].severity == HINT)
    assert [finding.severity for finding in shown] == [HINT]
    session.write("cpz.toml", "[severity\n")
    session.changed_on_disk(("cpz.toml", lsp.FileChangeType.Changed))
    assert await session.wait_for_findings(session.uri("cpz.toml"), bool)
    assert [finding.severity for finding in await session.shown_findings(document.uri)] == [HINT]


async def test_validate_on_save_reports_after_save_only(session):
    """With `cpz.validate.run` set to `onSave`."""
    await session.wait_until(lambda: session.configuration_requests, "workspace/configuration")
    session.client.set_configuration("onSave", section="cpz.validate.run")
    session.client.workspace_did_change_configuration(
        lsp.DidChangeConfigurationParams({"cpz": {"validate": {"run": "onSave"}}})
    )
    # The server requests the setting; edit only after the response.
    await session.wait_until(lambda: session.configuration_requests > 1, "second workspace/configuration")
    document = await session.open_checked("")
    session.change(document, (0, 0, BROKEN))
    await session.all_handled()
    assert not await session.shown_findings(document.uri)
    session.save(document)
    assert has("wrong-answer")(await session.wait_for_findings(document.uri, has("wrong-answer")))


@pytest.mark.native
async def test_save_reports_progress_of_scan(session):
    for name in range(20):
        session.write(f"{name}.cpz", DUPLICATE.format(name))
    document = await session.open_checked("")
    session.save(document)
    reports = session.client.progress_reports
    await session.wait_until(
        lambda: any(isinstance(r[-1], lsp.WorkDoneProgressEnd) for r in reports.values() if r), "end of a progress"
    )
    (report,) = [report for report in reports.values() if report and len(report) > 1][-1:]
    assert isinstance(report[0], lsp.WorkDoneProgressBegin) and report[0].cancellable
    assert isinstance(report[-1], lsp.WorkDoneProgressEnd)


@pytest.mark.native
async def test_added_folder_is_checked_and_removed_folder_cleared(session, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "unopened.cpz").write_text(BROKEN)
    folder = lsp.WorkspaceFolder(file_uri(other), "other")
    uri = file_uri(other / "unopened.cpz")

    def change(added, removed):
        session.client.workspace_did_change_workspace_folders(
            lsp.DidChangeWorkspaceFoldersParams(lsp.WorkspaceFoldersChangeEvent(added=added, removed=removed))
        )

    document = await session.open_checked("")
    change([folder], [])
    session.save(document)
    assert await session.wait_for_findings(uri, has("wrong-answer"))
    change([], [folder])
    assert not await session.wait_for_findings(uri, lambda shown: not shown)

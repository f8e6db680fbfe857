"""Features that edit the text: code actions, formatting, rename."""

import subprocess

import pytest
from lsprotocol import types as lsp

from conftest import CPZ, EXAMPLES, HUNG, SAMPLE, check, cli, marked

# Source with a marked finding, and the replacement by its fix.
FIXES = {
    "misspelt keyword": ("chess { board 8/8/8/4k3/8/8/8/4K3\n «unknown-keyword:mat»\n}", "mate"),
    "wrong mate answer": ("chess { board 7k/8/8/8/8/8/8/R6K note '🐴' mate => «wrong-answer:checkmate» }", "none"),
    "wrong count": ("solitaire { board .....B..RP.....N count => «wrong-answer:3» }", "1"),
    "mixed empty cells": ("solitaire {\r\n board\r\n  R N .\r\n  . «mixed-empty:-» .\r\n  . . B\r\n}", "."),
}


async def actions(session, document, range, only=None, diagnostics=()) -> list[lsp.CodeAction]:
    found = await session.client.text_document_code_action_async(
        lsp.CodeActionParams(document.id, range, lsp.CodeActionContext(list(diagnostics), only=only))
    )
    return list(found or [])


async def edit(session, action: lsp.CodeAction) -> lsp.WorkspaceEdit:
    if action.edit is None:
        assert "edit" in session.supports("text_document.code_action.resolve_support.properties")
        action = await session.client.code_action_resolve_async(action)
    return action.edit


@pytest.mark.parametrize("case", FIXES)
async def test_quick_fix_removes_finding(session, case):
    source, new = FIXES[case]
    text, ((code, start, end),) = marked(source)
    document = await session.open_checked(text)
    (finding,) = await session.shown_findings(document.uri)
    fix = (await actions(session, document, finding.range, ["quickfix"], [finding]))[0]
    assert fix.kind == "quickfix"
    # An editor applies a preferred fix without a question, so only what is safe is preferred.
    assert bool(fix.is_preferred) == (case == "misspelt keyword")
    assert [one.code for one in fix.diagnostics] == [code]
    after = session.apply_edit(await edit(session, fix), document)
    assert after == text[:start] + new + text[end:]
    assert code not in [code for code, _ in check(after)]


async def test_quick_fix_without_diagnostics_in_context(session):
    """Some clients send an empty context."""
    text, ((_, start, end),) = marked(FIXES["misspelt keyword"][0])
    document = await session.open_checked(text)
    fix = (await actions(session, document, document.range(start, start), ["quickfix"]))[0]
    assert session.apply_edit(await edit(session, fix), document) == text[:start] + "mate" + text[end:]


@pytest.mark.parametrize("name", ["boards", "syntax", "answers"])
async def test_fix_all_equals_check_fix(session, tmp_path, name):
    (path,) = [path for path in EXAMPLES if path.stem == name]
    text = path.read_bytes().decode()
    document = await session.open_checked(text)
    found = await actions(session, document, document.full_range(), ["source.fixAll.cpz"])
    after = session.apply_edit(await edit(session, found[0]), document) if found else text
    assert [action.kind for action in found] in ([], ["source.fixAll.cpz"])
    assert after == fixed(text, tmp_path)


def fixed(text: str, folder) -> str:
    path = folder / "fixed.cpz"
    path.write_bytes(text.encode())
    subprocess.run([CPZ, "check", "--fix", str(path)], capture_output=True, timeout=HUNG)
    return path.read_bytes().decode()


async def test_quick_fix_of_unused_allow(session):
    document = await session.open_checked('draughts { board "W:WKa1:Bc3" capture allow too-many-kings }')
    (finding,) = await session.shown_findings(document.uri)
    fix = (await actions(session, document, finding.range, ["quickfix"], [finding]))[0]
    assert check(session.apply_edit(await edit(session, fix), document)) == []


@pytest.mark.parametrize("place", ["here", "in this file"])
@pytest.mark.parametrize("name", ["duplicates", "answers", "boards", "odd-positions"])
async def test_allow_actions_silence_a_finding_and_are_last(session, name, place):
    (path,) = [path for path in EXAMPLES if path.stem == name]
    document = await session.open_checked(path.read_bytes().decode())
    for finding in await session.shown_findings(document.uri):
        found = await actions(session, document, finding.range, diagnostics=[finding])
        found = [action for action in found if not isinstance(action, lsp.Command)]
        titles = [action.title for action in found]
        (allow,) = [action for action in found if action.title == f"Allow {finding.code} {place}"]
        assert not allow.is_preferred
        assert all(title.startswith("Allow ") for title in titles[titles.index(f"Allow {finding.code} here") :])
        before = [code for code, _ in check(document.text)]
        after = [code for code, _ in check(session.apply_edit(await edit(session, allow), document))]
        assert after.count(finding.code) < before.count(finding.code)
        assert "unused-allow" not in after and "syntax" not in after


async def test_code_actions_respect_only_and_announced_kinds(session):
    document = await session.open_checked('// 🐴\nchess { board 7k/8/8/8/8/8/8/R6K mate => check solve }')
    announced = session.server.code_action_provider.code_action_kinds
    for only in "", "quickfix", "refactor", "source", "source.fixAll", "source.organizeImports":
        for action in await actions(session, document, document.range_of("7k"), [only] if only else None):
            if isinstance(action, lsp.Command):
                continue  # pytest-lsp decodes any action with a command as a Command.
            assert not only or (action.kind + ".").startswith(only + ".")
            assert any((action.kind + ".").startswith(kind + ".") for kind in announced)


BOARDS = {
    "solitaire": "solitaire {\n  board .....B..RP.....N\n  solve\n}\n",
    "chess": 'chess {\n  board [["B","K",3,8], ["W","K",5,1], ["W","R",8,1]]\n  move Rh2\n}\n',
    "chess3d": "chess3d {\n  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]\n  mate\n}\n",
    "draughts": 'draughts {\n  board "W:WKa1:Bc3,e5"\n  capture\n}\n',
}


@pytest.mark.parametrize("to", ["text", "list", "numbers", "coordinates", "FEN"])
@pytest.mark.parametrize("game", BOARDS)
async def test_convert_action_equals_cli_and_keeps_answers(session, game, to):
    text = BOARDS[game]
    document = await session.open_checked(text)
    found = await actions(session, document, document.range_of("board"), ["refactor.rewrite"])
    offered = {action.title: action for action in found if action.title.startswith("Convert the board to ")}
    action = offered.get(f"Convert the board to {to}") or offered.get(f"Convert the board to {'PDN' if to == 'FEN' else to}")
    if action is None:
        # The board has this format already, or the game does not have it.
        assert cli("convert", "--to", to.lower(), text=text) in (text, "")
        return
    after = session.apply_edit(await edit(session, action), document)
    assert after == cli("convert", "--to", to.lower(), text=text)
    assert check(after) == []
    assert cli("solve", text=after).splitlines()[1:] == cli("solve", text=text).splitlines()[1:]


BOARD_ACTIONS = {
    "mirror": ("mirror", BOARDS["solitaire"]),
    "turn": ("turn", BOARDS["solitaire"]),
    "sort coordinates": ("sort", BOARDS["chess"]),
}


@pytest.mark.parametrize("case", BOARD_ACTIONS)
async def test_board_actions_keep_puzzle_valid(session, case):
    word, text = BOARD_ACTIONS[case]
    document = await session.open_checked(text)
    found = await actions(session, document, document.range_of("board"), ["refactor"])
    after = [
        session.apply_edit(await edit(session, action), document) for action in found if word in action.title.lower()
    ]
    assert after
    assert [codes for codes in map(check, after) if codes] == []


async def test_menu_has_what_belongs_to_the_place(session):
    document = await session.open_checked(BOARDS["solitaire"])
    places = {"solitaire": ["Switch"], "board": ["Convert", "Make", "Mirror", "Remove", "Shorten", "Turn"], "solve": ["Insert"]}
    for word, verbs in places.items():
        found = await actions(session, document, document.range_of(word))
        assert sorted({action.title.split(" ")[0] for action in found}) == verbs, word
    (first, *_) = await actions(session, document, document.range_of("solitaire"))
    assert check(session.apply_edit(await edit(session, first), document)) == []


async def test_insert_answer_action(session):
    """For editors without code lenses."""
    document = await session.open_checked(BOARDS["chess3d"])
    found = await actions(session, document, document.range_of("mate"))
    (action,) = [action for action in found if "nsert" in action.title and "all" not in action.title]
    if action.command and not action.edit:
        after = await session.execute(action.command, document)
    else:
        after = session.apply_edit(await edit(session, action), document)
    assert after == document.text.replace("mate", "mate => checkmate")


async def test_insert_all_answers_action_is_offered(session):
    document = await session.open_checked("".join(BOARDS.values()))
    found = await actions(session, document, document.range_of("mate"))
    assert [action.title for action in found if "all answers" in action.title]


# ---- Formatting ----

OPTIONS = lsp.FormattingOptions(tab_size=2, insert_spaces=True)

UGLY = """//a comment
  solitaire   "Sample 🐴"{board
  . . . .
      . B . .
R P . .
    . . . N
 solve=>[[[3,0],[1,1]],[[0,1],[1,1]],
[[1,1],[1,2]]]   // done
}


chess{board 7k/8/8/8/8/8/8/R6K    mate => none ( a  remark )}
"""

TEXTS = {
    "ugly": UGLY,
    "crlf": UGLY.replace("\n", "\r\n"),
    "cr": UGLY.replace("\n", "\r"),
    "mixed": UGLY.replace("\n", "\r\n", 4),
    "with an error": UGLY.replace("R P", "R ?").replace("mate", "mat"),
    "unclosed": UGLY.replace("[1,2]]]", "[1,2"),
    "empty": "",
    "no line end": "chess{board 7k/8/8/8/8/8/8/R6K mate}",
}


async def formatted(session, document) -> str:
    edits = await session.client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document.id, OPTIONS)
    )
    return document.apply(edits or [])


@pytest.mark.parametrize("case", TEXTS)
async def test_formatting_equals_fmt_and_is_idempotent(session, case):
    document = session.open(TEXTS[case])
    once = await formatted(session, document)
    assert once == cli("fmt", text=document.text)
    # Only white space changes, and a second run changes nothing.
    assert "".join(once.split()) == "".join(document.text.split())
    session.change(document, (0, len(document.text), once))
    assert await formatted(session, document) == once


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
async def test_formatting_formatted_text_sends_no_edits(session, path):
    document = session.open(cli("fmt", text=path.read_bytes().decode()))
    assert not await session.client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document.id, OPTIONS)
    )


async def test_range_formatting_edits_only_touched_puzzle(session):
    document = session.open(UGLY)
    edits = await session.client.text_document_range_formatting_async(
        lsp.DocumentRangeFormattingParams(document.id, document.range_of("chess{board"), OPTIONS)
    )
    after = document.apply(edits)
    first = document.find("}\n") + 2
    assert after[:first] == UGLY[:first]
    assert after != UGLY


async def test_on_type_formatting_edits_only_white_space(session):
    """After a line end in the text of a board."""
    document = session.open("solitaire {\n  board\n    R . .\n  . . N\n\n}\n")
    edits = await session.client.text_document_on_type_formatting_async(
        lsp.DocumentOnTypeFormattingParams(document.id, lsp.Position(4, 0), "\n", OPTIONS)
    )
    after = document.apply(edits or [])
    assert "".join(after.split()) == "".join(document.text.split())


# ---- Rename ----

TWICE = 'chess "Rook é" { board 7k/8/8/8/8/8/8/R6K mate }\nchess "Other" { board 7k/8/8/8/8/8/8/1R5K mate }\n'


async def test_rename_puzzle(session):
    document = await session.open_checked(TWICE)
    at = document.position_of("Rook", 2)
    prepared = await session.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document.id, at))
    assert document.slice(prepared.range) == prepared.placeholder == "Rook é"
    renamed = await session.client.text_document_rename_async(
        lsp.RenameParams(text_document=document.id, position=at, new_name="Tower 🏰")
    )
    assert session.apply_edit(renamed, document) == TWICE.replace("Rook é", "Tower 🏰")


@pytest.mark.parametrize("name", ['a"b\'c', "two\nlines"])
async def test_rename_refuses_unwritable_name(session, name):
    """No string can contain both kinds of quotes, or a line end."""
    document = await session.open_checked(TWICE)
    with pytest.raises(Exception):
        await session.client.text_document_rename_async(
            lsp.RenameParams(text_document=document.id, position=document.position_of("Rook"), new_name=name)
        )


async def test_rename_refuses_keyword(session):
    document = await session.open_checked(TWICE)
    try:
        found = await session.client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(document.id, document.position_of("board", 2))
        )
    except Exception:
        found = None
    assert found is None

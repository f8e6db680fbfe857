"""What changes the text: code actions, formatting, rename."""

import subprocess

import pytest
from lsprotocol import types as lsp

from conftest import CPZ, EXAMPLES, check, cli, marked

# The finding, its fix and the text after it.
FIXES = {
    "a keyword": ("chess { board 8/8/8/4k3/8/8/8/4K3\n «unknown-keyword:mat»\n}", "mate"),
    "a verdict": ("chess { board 7k/8/8/8/8/8/8/R6K note '🐴' mate => «wrong-answer:checkmate» }", "none"),
    "a number": ("solitaire { board .....B..RP.....N count => «wrong-answer:3» }", "1"),
    "an empty cell": ("solitaire {\r\n board\r\n  R N .\r\n  . «mixed-empty:-» .\r\n  . . B\r\n}", "."),
}


async def actions(session, document, range, only=None, diagnostics=()) -> list[lsp.CodeAction]:
    found = await session.client.text_document_code_action_async(
        lsp.CodeActionParams(document.id, range, lsp.CodeActionContext(list(diagnostics), only=only))
    )
    return list(found or [])


async def edit(session, action: lsp.CodeAction) -> lsp.WorkspaceEdit:
    if action.edit is None:
        assert "edit" in session.can("text_document.code_action.resolve_support.properties")
        action = await session.client.code_action_resolve_async(action)
    return action.edit


@pytest.mark.parametrize("case", FIXES)
async def test_fix(session, case):
    source, new = FIXES[case]
    text, ((code, start, end),) = marked(source)
    document = await session.opened(text)
    (finding,) = await session.current(document.uri)
    (fix,) = await actions(session, document, finding.range, ["quickfix"], [finding])
    assert fix.kind == "quickfix"
    assert fix.is_preferred
    assert [one.code for one in fix.diagnostics] == [code]
    after = session.changed(await edit(session, fix), document)
    assert after == text[:start] + new + text[end:]
    assert code not in [code for code, _ in check(after)]


async def test_fix_needs_no_diagnostics(session):
    """Some clients send an empty context; the fix is there all the same."""
    text, ((_, start, end),) = marked(FIXES["a keyword"][0])
    document = await session.opened(text)
    (fix,) = await actions(session, document, document.range(start, start), ["quickfix"])
    assert session.changed(await edit(session, fix), document) == text[:start] + "mate" + text[end:]


@pytest.mark.parametrize("name", ["boards", "syntax", "answers"])
async def test_fix_all(session, tmp_path, name):
    """All that is safe, as `cpz check --fix` does it."""
    (path,) = [path for path in EXAMPLES if path.stem == name]
    text = path.read_bytes().decode()
    document = await session.opened(text)
    found = await actions(session, document, document.whole(), ["source.fixAll.cpz"])
    after = session.changed(await edit(session, found[0]), document) if found else text
    assert [action.kind for action in found] in ([], ["source.fixAll.cpz"])
    assert after == fixed(text, tmp_path)


def fixed(text: str, folder) -> str:
    path = folder / "fixed.cpz"
    path.write_bytes(text.encode())
    subprocess.run([CPZ, "check", "--fix", str(path)], capture_output=True, timeout=20)
    return path.read_bytes().decode()


async def test_fix_of_an_allow(session):
    document = await session.opened('draughts { board "W:WKa1:Bc3" capture allow kings }')
    (finding,) = await session.current(document.uri)
    (fix,) = await actions(session, document, finding.range, ["quickfix"], [finding])
    assert check(session.changed(await edit(session, fix), document)) == []


async def test_kinds(session):
    """`only` is a prefix, and what is answered has one of the kinds that were announced."""
    document = await session.opened('// 🐴\nchess { board 7k/8/8/8/8/8/8/R6K mate => check solve }')
    announced = session.server.code_action_provider.code_action_kinds
    for only in "", "quickfix", "refactor", "source", "source.fixAll", "source.organizeImports":
        for action in await actions(session, document, document.of("7k"), [only] if only else None):
            if isinstance(action, lsp.Command):
                continue  # The library takes any action that has a command for one.
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
async def test_convert(session, game, to):
    """As `cpz convert` does it, and the answers stay the same."""
    text = BOARDS[game]
    document = await session.opened(text)
    found = await actions(session, document, document.of("board"), ["refactor.rewrite"])
    offered = {action.title: action for action in found if action.title.startswith("Convert the board to ")}
    action = offered.get(f"Convert the board to {to}") or offered.get(f"Convert the board to {'PDN' if to == 'FEN' else to}")
    if action is None:
        # To its own format, or to one that the game does not have.
        assert cli("convert", "--to", to.lower(), text=text) in (text, "")
        return
    after = session.changed(await edit(session, action), document)
    assert after == cli("convert", "--to", to.lower(), text=text)
    assert check(after) == []
    assert cli("solve", text=after).splitlines()[1:] == cli("solve", text=text).splitlines()[1:]


ON_BOARDS = {
    "mirror": ("mirror", BOARDS["solitaire"]),
    "turn": ("turn", BOARDS["solitaire"]),
    "switch the dialect": ("rules", BOARDS["solitaire"]),
    "sort coordinates": ("sort", BOARDS["chess"]),
}


@pytest.mark.parametrize("case", ON_BOARDS)
async def test_on_boards(session, case):
    word, text = ON_BOARDS[case]
    document = await session.opened(text)
    found = await actions(session, document, document.of("board"), ["refactor"])
    after = [
        session.changed(await edit(session, action), document) for action in found if word in action.title.lower()
    ]
    assert after
    assert [codes for codes in map(check, after) if codes] == []


async def test_insert_as_an_action(session):
    """For editors without lenses."""
    document = await session.opened(BOARDS["chess3d"])
    found = await actions(session, document, document.of("mate"))
    (action,) = [action for action in found if "nsert" in action.title and "all" not in action.title]
    if action.command and not action.edit:
        after = await session.execute(action.command, document)
    else:
        after = session.changed(await edit(session, action), document)
    assert after == document.text.replace("mate", "mate => checkmate")


async def test_insert_all_as_an_action(session):
    document = await session.opened("".join(BOARDS.values()))
    found = await actions(session, document, document.of("mate"))
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
    return document.applied(edits or [])


@pytest.mark.parametrize("case", TEXTS)
async def test_formatting(session, case):
    document = session.open(TEXTS[case])
    once = await formatted(session, document)
    assert once == cli("fmt", text=document.text)
    # White space only, and nothing more the second time.
    assert "".join(once.split()) == "".join(document.text.split())
    session.change(document, (0, len(document.text), once))
    assert await formatted(session, document) == once


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
async def test_formatting_of_examples(session, path):
    """Collections that are in order stay as they are, without a single edit."""
    document = session.open(cli("fmt", text=path.read_bytes().decode()))
    assert not await session.client.text_document_formatting_async(
        lsp.DocumentFormattingParams(document.id, OPTIONS)
    )


async def test_range_formatting(session):
    """Only the puzzle that is touched."""
    document = session.open(UGLY)
    edits = await session.client.text_document_range_formatting_async(
        lsp.DocumentRangeFormattingParams(document.id, document.of("chess{board"), OPTIONS)
    )
    after = document.applied(edits)
    first = document.find("}\n") + 2
    assert after[:first] == UGLY[:first]
    assert after != UGLY


async def test_formatting_on_type(session):
    """Behind the line end in a text board, nothing but white space changes."""
    document = session.open("solitaire {\n  board\n    R . .\n  . . N\n\n}\n")
    edits = await session.client.text_document_on_type_formatting_async(
        lsp.DocumentOnTypeFormattingParams(document.id, lsp.Position(4, 0), "\n", OPTIONS)
    )
    after = document.applied(edits or [])
    assert "".join(after.split()) == "".join(document.text.split())


# ---- Rename ----

TWICE = 'chess "Rook é" { board 7k/8/8/8/8/8/8/R6K mate }\nchess "Other" { board 7k/8/8/8/8/8/8/1R5K mate }\n'


async def test_rename(session):
    document = await session.opened(TWICE)
    at = document.at("Rook", 2)
    prepared = await session.client.text_document_prepare_rename_async(lsp.PrepareRenameParams(document.id, at))
    assert document.slice(prepared.range) == prepared.placeholder == "Rook é"
    renamed = await session.client.text_document_rename_async(
        lsp.RenameParams(text_document=document.id, position=at, new_name="Tower 🏰")
    )
    assert session.changed(renamed, document) == TWICE.replace("Rook é", "Tower 🏰")


@pytest.mark.parametrize("name", ['a"b\'c', "two\nlines"])
async def test_rename_that_would_break(session, name):
    """A name that no string can hold is refused, not written."""
    document = await session.opened(TWICE)
    with pytest.raises(Exception):
        await session.client.text_document_rename_async(
            lsp.RenameParams(text_document=document.id, position=document.at("Rook"), new_name=name)
        )


async def test_no_rename_of_a_keyword(session):
    document = await session.opened(TWICE)
    try:
        found = await session.client.text_document_prepare_rename_async(
            lsp.PrepareRenameParams(document.id, document.at("board", 2))
        )
    except Exception:
        found = None
    assert found is None

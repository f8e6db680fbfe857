"""How the text is shown and walked: tokens, outline, folds, selections, places that belong together."""

import asyncio
import random

import pytest
from lsprotocol import types as lsp

from conftest import EXAMPLES

TEXT = """// The first.
solitaire "Sample 🐴" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve => [[[3,0], [1,1]], [[0,1], [1,1]], [[1,1], [1,2]]]
  source "https://example.org/a"
}

// The second. https://example.org/b
chess "Rook" {
  board 7k/8/8/8/8/8/8/R6K // 🐴
  move Ra8+ => legal (in é words)
  mate
}
"""

# ---- Semantic tokens ----


def decoded(document, data) -> list[tuple[int, int, int, int]]:
    """Line, start, length and type of each token."""
    line = start = 0
    tokens = []
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, start = (line + down, right) if down else (line, start + right)
        tokens.append((line, start, length, kind))
    return tokens


def words(document, data) -> list[str]:
    """The texts of the tokens; each must lie within its line and after the one before it."""
    before, found = (0, 0), []
    for line, start, length, kind in decoded(document, data):
        assert (line, start) >= before
        assert length > 0
        found.append(document.slice(lsp.Range(lsp.Position(line, start), lsp.Position(line, start + length))))
        before = (line, start + length)
    return found


async def full(session, document) -> lsp.SemanticTokens:
    return await session.client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document.id))


async def test_legend(session):
    """Only types that the client can show."""
    declared = session.can("text_document.semantic_tokens.token_types")
    legend = session.server.semantic_tokens_provider.legend
    if declared:
        assert set(legend.token_types) <= set(declared)
        assert set(legend.token_modifiers) <= set(session.can("text_document.semantic_tokens.token_modifiers"))


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_tokens(session, ends):
    document = session.open(TEXT.replace("\n", ends))
    data = (await full(session, document)).data
    types = session.server.semantic_tokens_provider.legend.token_types
    found = words(document, data)
    kinds = {word: types[kind] for word, (*_, kind) in zip(found, decoded(document, data))}
    for keyword in "solitaire", "board", "solve", "chess", "move", "mate", "source":
        assert keyword in found
    assert "// The first." in found and kinds["// The first."] == "comment"
    assert "// 🐴" in found and kinds["// 🐴"] == "comment"
    assert max(kind for *_, kind in decoded(document, data)) < len(types)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
async def test_tokens_of_a_range(session, path):
    """Those of the range are those of the whole, and no token is torn."""
    document = session.open(path.read_bytes().decode())
    whole = decoded(document, (await full(session, document)).data)
    words(document, (await full(session, document)).data)
    lines = len(document.lines())
    first, last = lines // 3, 2 * lines // 3
    part = await session.client.text_document_semantic_tokens_range_async(
        lsp.SemanticTokensRangeParams(document.id, lsp.Range(lsp.Position(first, 0), lsp.Position(last, 0)))
    )
    part = decoded(document, part.data)
    assert set(part) <= set(whole)
    assert set(part) >= {token for token in whole if first <= token[0] < last}


@pytest.mark.parametrize("seed", range(3))
async def test_tokens_delta(session, seed):
    """The changes, applied to what was known, make what a full request answers."""
    chance = random.Random(seed)
    document = session.open(TEXT)
    answer = await full(session, document)
    known, result = list(answer.data), answer.result_id
    for _ in range(10):
        start, end = chance.choice(document.lines())
        at = chance.randint(start, end)
        session.change(document, (at, min(end, at + chance.randint(0, 3)), chance.choice(["", " x ", "\n", "🐴", '"'])))
        delta = await session.client.text_document_semantic_tokens_full_delta_async(
            lsp.SemanticTokensDeltaParams(document.id, result)
        )
        if isinstance(delta, lsp.SemanticTokens):
            known = list(delta.data)
        else:
            for edit in sorted(delta.edits, key=lambda edit: -edit.start):
                known[edit.start : edit.start + edit.delete_count] = edit.data or []
        result = delta.result_id
        assert known == list((await full(session, document)).data)
        words(document, known)


async def test_tokens_delta_of_the_unknown(session):
    """An old result that the server no longer has is answered in full."""
    document = session.open(TEXT)
    answer = await session.client.text_document_semantic_tokens_full_delta_async(
        lsp.SemanticTokensDeltaParams(document.id, "no such result")
    )
    assert list(answer.data) == list((await full(session, document)).data)


# ---- Outline ----


async def test_document_symbols(session):
    document = session.open(TEXT)
    symbols = await session.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document.id))
    assert [symbol.name for symbol in symbols] == ["Sample 🐴", "Rook"]
    assert symbols[0].detail == "The first."
    assert 'solitaire "Sample' in document.slice(symbols[0].range)
    assert document.slice(symbols[0].range).endswith("}")
    for symbol in symbols:
        # The protocol asks for this, and VS Code drops the outline if it does not hold.
        assert inside(symbol.selection_range, symbol.range)
        for child in symbol.children:
            assert inside(child.selection_range, child.range)
            assert inside(child.range, symbol.range)
    assert [child.name for child in symbols[1].children] == ["board", "move Ra8+", "mate"]


def inside(inner: lsp.Range, outer: lsp.Range) -> bool:
    def place(position):
        return position.line, position.character

    return place(outer.start) <= place(inner.start) and place(inner.end) <= place(outer.end)


async def test_workspace_symbols(session):
    """Of open files and of those on disk alike."""
    document = session.open(TEXT)
    session.write("other.cpz", 'draughts "Rookery" { board "W:WKa1:Bc3" capture }\n')
    session.save(document)

    async def search(query):
        found = await session.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query))
        return sorted(symbol.name for symbol in found or [])

    for _ in range(200):
        if await search("rook") == ["Rook", "Rookery"]:
            break
        await asyncio.sleep(0.01)
    assert await search("rook") == ["Rook", "Rookery"]
    assert await search("no such name") == []


async def test_folding(session):
    document = session.open(TEXT)
    folds = await session.client.text_document_folding_range_async(lsp.FoldingRangeParams(document.id))
    lines = {(fold.start_line, fold.end_line) for fold in folds}
    puzzle = document.at("solitaire").line
    # An editor that folds whole lines may keep the closing brace in sight.
    assert lines & {(puzzle, document.at("}").line), (puzzle, document.at("}").line - 1)}
    assert (document.at("board").line, document.at(". . . N").line) in lines
    if session.can("text_document.folding_range.line_folding_only"):
        assert [fold for fold in folds if fold.start_character or fold.end_character] == []


@pytest.mark.parametrize("needle", ["B . .", "[0,1]", "🐴", "Ra8+", "https://example.org/b"])
async def test_selection_grows(session, needle):
    document = session.open(TEXT)
    here = document.at(needle)
    (selection,) = await session.client.text_document_selection_range_async(
        lsp.SelectionRangeParams(document.id, [here])
    )
    assert inside(lsp.Range(here, here), selection.range)
    ranges = [selection.range]
    while selection := selection.parent:
        ranges.append(selection.range)
    for inner, outer in zip(ranges, ranges[1:]):
        assert inside(inner, outer) and inner != outer
    assert ranges[-1] == document.whole()


async def test_selection_answers_each_position(session):
    document = session.open(TEXT)
    places = [document.at("B . ."), document.at("Rook"), lsp.Position(0, 0)]
    answer = await session.client.text_document_selection_range_async(
        lsp.SelectionRangeParams(document.id, places)
    )
    assert len(answer) == len(places)
    for place, selection in zip(places, answer):
        assert inside(lsp.Range(place, place), selection.range)


# ---- Places that belong together ----


async def test_highlights(session):
    """The same square on the board and in all moves: b2 is [1,1]."""
    document = session.open(TEXT)
    expected = sorted(
        [document.span(document.of("P . ."))[0]] + [document.find("[1,1]", nth) for nth in range(3)]
    )
    for here in document.at("P . ."), document.at("[1,1]", 1):
        found = await session.client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(document.id, here)
        )
        # With or without the brackets around the square.
        starts = sorted(document.span(highlight.range)[0] for highlight in found)
        assert [min(abs(start - one) for one in expected) for start in starts] <= [1] * len(expected)
        assert len(starts) == len(expected)


async def test_references(session):
    """Every puzzle of that name."""
    document = session.open('chess "Same" { board 7k/8/8/8/8/8/8/R6K mate }\ndraughts "Same" { board "W:WKa1:Bc3" capture }\n')
    found = await session.client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), document.id, document.at("Same"))
    )
    assert [document.slice(place.range).strip('"') for place in found] == ["Same"] * 2


async def test_definition_of_a_duplicate(session):
    """From a duplicate to its first."""
    puzzle = 'solitaire "{}" {{ board [[0,0,"R"], [0,3,"N"], [3,3,"B"]] solve }}\n'
    first = session.open(puzzle.format("a"), "a.cpz")
    second = session.open("\n" + puzzle.format("b"), "b.cpz")
    await session.shows(first, [("duplicate-puzzle", first.of('solitaire "a"'))])
    await session.shows(second, [("duplicate-puzzle", second.of('solitaire "b"'))])
    found = await session.client.text_document_definition_async(
        lsp.DefinitionParams(second.id, second.at("solitaire", 2))
    )
    (place,) = found if isinstance(found, (list, tuple)) else [found]
    if isinstance(place, lsp.LocationLink):
        assert session.can("text_document.definition.link_support")
        uri, range = place.target_uri, place.target_selection_range
    else:
        uri, range = place.uri, place.range
    assert uri == first.uri
    assert first.slice(range).startswith("solitaire") or first.slice(range).strip('"') == "a"


async def test_links(session):
    document = session.open(TEXT)
    links = await session.client.text_document_document_link_async(lsp.DocumentLinkParams(document.id))
    assert [(document.slice(link.range), link.target) for link in links] == [
        ("https://example.org/a",) * 2,
        ("https://example.org/b",) * 2,
    ]

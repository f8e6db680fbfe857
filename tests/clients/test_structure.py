"""Semantic tokens, symbols, folding, selection ranges, highlights, references, definitions, links."""

import random

import pytest
from lsprotocol import types as lsp

from conftest import SAMPLE

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
    """Line, start, length and type index of each token."""
    line = start = 0
    tokens = []
    for at in range(0, len(data), 5):
        down, right, length, kind, _ = data[at : at + 5]
        line, start = (line + down, right) if down else (line, start + right)
        tokens.append((line, start, length, kind))
    return tokens


def words(document, data) -> list[str]:
    """The texts of the tokens; asserts that each is inside its line and after the one before."""
    before, found = (0, 0), []
    for line, start, length, kind in decoded(document, data):
        assert (line, start) >= before
        assert length > 0
        found.append(document.slice(lsp.Range(lsp.Position(line, start), lsp.Position(line, start + length))))
        before = (line, start + length)
    return found


async def full(session, document) -> lsp.SemanticTokens:
    return await session.client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document.id))


async def test_token_legend_has_only_declared_types(session):
    declared = session.supports("text_document.semantic_tokens.token_types")
    legend = session.server.semantic_tokens_provider.legend
    if declared:
        assert set(legend.token_types) <= set(declared)
        assert set(legend.token_modifiers) <= set(session.supports("text_document.semantic_tokens.token_modifiers"))


@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["lf", "crlf"])
async def test_tokens_of_keywords_and_comments(session, ends):
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


@pytest.mark.parametrize("path", SAMPLE, ids=lambda path: path.stem)
async def test_range_tokens_equal_full_tokens(session, path):
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
async def test_token_deltas_add_up_to_full_tokens(session, seed):
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


async def test_token_delta_of_unknown_result_is_full(session):
    document = session.open(TEXT)
    answer = await session.client.text_document_semantic_tokens_full_delta_async(
        lsp.SemanticTokensDeltaParams(document.id, "no such result")
    )
    assert list(answer.data) == list((await full(session, document)).data)


# ---- Outline ----


async def test_document_symbols_nest_and_have_details(session):
    document = session.open(TEXT)
    symbols = await session.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document.id))
    assert [symbol.name for symbol in symbols] == ["Sample 🐴", "Rook"]
    assert symbols[0].detail == "The first."
    assert 'solitaire "Sample' in document.slice(symbols[0].range)
    assert document.slice(symbols[0].range).endswith("}")
    for symbol in symbols:
        # The protocol requires this, and VS Code otherwise shows no outline.
        assert inside(symbol.selection_range, symbol.range)
        for child in symbol.children:
            assert inside(child.selection_range, child.range)
            assert inside(child.range, symbol.range)
    assert [child.name for child in symbols[1].children] == ["board", "move Ra8+", "mate"]


def inside(inner: lsp.Range, outer: lsp.Range) -> bool:
    def key(position):
        return position.line, position.character

    return key(outer.start) <= key(inner.start) and key(inner.end) <= key(outer.end)


@pytest.mark.native
async def test_workspace_symbols_include_unopened_files(session):
    document = session.open(TEXT)
    session.write("other.cpz", 'draughts "Rookery" { board "W:WKa1:Bc3" capture }\n')
    session.save(document)

    async def search(query):
        found = await session.client.workspace_symbol_async(lsp.WorkspaceSymbolParams(query))
        return sorted(symbol.name for symbol in found or [])

    async for _ in session.looks("symbols of both files"):
        if await search("rook") == ["Rook", "Rookery"]:
            break
    assert await search("rook") == ["Rook", "Rookery"]
    assert await search("no such name") == []


async def test_folding_of_puzzles_and_boards(session):
    document = session.open(TEXT)
    folds = await session.client.text_document_folding_range_async(lsp.FoldingRangeParams(document.id))
    lines = {(fold.start_line, fold.end_line) for fold in folds}
    puzzle = document.position_of("solitaire").line
    # Editors that fold whole lines may keep the closing brace visible.
    assert lines & {(puzzle, document.position_of("}").line), (puzzle, document.position_of("}").line - 1)}
    assert (document.position_of("board").line, document.position_of(". . . N").line) in lines
    if session.supports("text_document.folding_range.line_folding_only"):
        assert [fold for fold in folds if fold.start_character or fold.end_character] == []


@pytest.mark.parametrize("needle", ["B . .", "[0,1]", "🐴", "Ra8+", "https://example.org/b"])
async def test_selection_range_grows_to_whole_file(session, needle):
    document = session.open(TEXT)
    here = document.position_of(needle)
    (selection,) = await session.client.text_document_selection_range_async(
        lsp.SelectionRangeParams(document.id, [here])
    )
    assert inside(lsp.Range(here, here), selection.range)
    ranges = [selection.range]
    while selection := selection.parent:
        ranges.append(selection.range)
    for inner, outer in zip(ranges, ranges[1:]):
        assert inside(inner, outer) and inner != outer
    assert ranges[-1] == document.full_range()


async def test_selection_ranges_for_several_positions(session):
    document = session.open(TEXT)
    places = [document.position_of("B . ."), document.position_of("Rook"), lsp.Position(0, 0)]
    answer = await session.client.text_document_selection_range_async(
        lsp.SelectionRangeParams(document.id, places)
    )
    assert len(answer) == len(places)
    for place, selection in zip(places, answer):
        assert inside(lsp.Range(place, place), selection.range)


# ---- Highlights, references, definitions, links ----


async def test_highlights_square_on_board_and_in_moves(session):
    """b2 is [1,1]."""
    document = session.open(TEXT)
    expected = sorted(
        [document.span(document.range_of("P . ."))[0]] + [document.find("[1,1]", nth) for nth in range(3)]
    )
    for here in document.position_of("P . ."), document.position_of("[1,1]", 1):
        found = await session.client.text_document_document_highlight_async(
            lsp.DocumentHighlightParams(document.id, here)
        )
        # A highlight may or may not include the brackets around the square.
        starts = sorted(document.span(highlight.range)[0] for highlight in found)
        assert [min(abs(start - one) for one in expected) for start in starts] <= [1] * len(expected)
        assert len(starts) == len(expected)


async def test_references_find_all_puzzles_of_a_name(session):
    document = session.open('chess "Same" { board 7k/8/8/8/8/8/8/R6K mate }\ndraughts "Same" { board "W:WKa1:Bc3" capture }\n')
    found = await session.client.text_document_references_async(
        lsp.ReferenceParams(lsp.ReferenceContext(True), document.id, document.position_of("Same"))
    )
    assert [document.slice(place.range).strip('"') for place in found] == ["Same"] * 2


async def test_definition_of_duplicate_is_first_puzzle(session):
    puzzle = 'solitaire "{}" {{ board [[0,0,"R"], [0,3,"N"], [3,3,"B"]] solve }}\n'
    first = session.open(puzzle.format("a"), "a.cpz")
    second = session.open("\n" + puzzle.format("b"), "b.cpz")
    await session.assert_findings(first, [("duplicate-puzzle", first.range_of('solitaire "a"'))])
    await session.assert_findings(second, [("duplicate-puzzle", second.range_of('solitaire "b"'))])
    found = await session.client.text_document_definition_async(
        lsp.DefinitionParams(second.id, second.position_of("solitaire", 2))
    )
    (place,) = found if isinstance(found, (list, tuple)) else [found]
    if isinstance(place, lsp.LocationLink):
        assert session.supports("text_document.definition.link_support")
        uri, range = place.target_uri, place.target_selection_range
    else:
        uri, range = place.uri, place.range
    assert uri == first.uri
    assert first.slice(range).startswith("solitaire") or first.slice(range).strip('"') == "a"


async def test_document_links_of_sources_and_comments(session):
    document = session.open(TEXT)
    links = await session.client.text_document_document_link_async(lsp.DocumentLinkParams(document.id))
    assert [(document.slice(link.range), link.target) for link in links] == [
        ("https://example.org/a",) * 2,
        ("https://example.org/b",) * 2,
    ]

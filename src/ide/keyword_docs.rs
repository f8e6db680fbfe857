//! The documentation of keywords, for hovers and completions.

use crate::syntax::{GameId, Item, Keyword, Property, Verb};

/// The documentation of a keyword in Markdown.
pub fn keyword_docs(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Game(GameId::Solitaire) => {
            "**solitaire**: Solitaire Chess. Every move captures a piece until one piece remains. A board has from \
             1×2 to 8×8 squares, 4×4 by default; coordinates count from 0.\n\n\
             Queries: `solve` and `count`. `rules` selects the dialect.\n\n    solitaire { board ...N.....R....B. solve }"
        }
        Keyword::Game(GameId::Chess) => {
            "**chess**: is a move legal, is it mate? The board is 8×8; capital letters are white pieces; coordinates \
             count from 1.\n\nQueries: `move` and `mate`.\n\n    chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 }"
        }
        Keyword::Game(GameId::Chess3d) => {
            "**chess3d**: chess on n×n×n cubes, n from 2 to 10, without pawns. King and queen move in 26 directions, \
             a rook in 6, a bishop in 8 (along three axes at once); a knight jumps (2,1,0).\n\nQuery: `mate`.\n\n    \
             chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }"
        }
        Keyword::Game(GameId::Draughts) => {
            "**draughts**: captures by the Russian rules: flying kings, men also capture backwards, and a capture \
             continues as long as possible. White is to move unless `turn` says otherwise.\n\nQuery: `capture`.\n\n    \
             draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]] capture }"
        }
        Keyword::Item(Item::Board) => {
            "**board**: the position, as text (rows from the top, with or without quotes), as lists of letters or \
             numbers, as pieces with coordinates, or in FEN (chess) or PDN (draughts). A puzzle has one board."
        }
        Keyword::Item(Item::Property(p)) => property(p),
        Keyword::Item(Item::Query(v)) => verb(v),
    }
}

fn property(property: Property) -> &'static str {
    match property {
        Property::Size => {
            "**size** `5` or `5x6` (columns x rows): the size of a board given by coordinates or as one row."
        }
        Property::Origin => {
            "**origin** `0` or `1`: the number from which coordinates count, also in moves and answers. Solitaire \
             counts from 0, the other games from 1. It does not affect names such as `e1`."
        }
        Property::Turn => "**turn** `white` or `black`: the side to move; white by default.",
        Property::Rules => {
            "**rules**: the dialect of solitaire.\n\n- `default`: pawns capture in every diagonal direction\n- \
             `ranger`: pawns capture upwards only\n- `solo`: pawns upwards, no piece captures more than twice, a \
             king is never captured"
        }
        Property::Unique => {
            "**unique**: the puzzle has exactly one solution. A solution with another set of captures is a warning, \
             which shows it. `unique false` cancels the `unique` of the file."
        }
        Property::Author => "**author**: who made the puzzle.",
        Property::Source => "**source**: where the puzzle is from.",
        Property::Note => "**note**: any text.",
        Property::Tags => "**tags**: a word or a list of words, for finding the puzzle.",
        Property::Allow => {
            "**allow** `CODE`: silences findings of that code in this puzzle; outside of a puzzle, in the puzzles below it."
        }
    }
}

fn verb(verb: Verb) -> &'static str {
    match verb {
        Verb::Solve => {
            "**solve**: captures that leave one piece. After `=>`: a solution as `[[x,y],[x,y]]` steps or as a list of \
             boards, which cpz checks step by step, or `none`."
        }
        Verb::Count => {
            "**count**: the number of solutions, and of distinct solutions: those with the same captures in another \
             order count once. After `=>`: the first number."
        }
        Verb::Move => {
            "**move** `[\"W\",\"R\",8,2]`, `h1h2` or `Rh2`: is this move legal? After `=>`: `legal` or `illegal`."
        }
        Verb::Mate => "**mate**: `checkmate`, `check`, `stalemate` or `none` for the side to move.",
        Verb::Capture => {
            "**capture**: every complete capture, and whether each enemy piece is captured `directly`, only `after` \
             another, or not at all. After `=>`: a path, verdicts, or `none`."
        }
    }
}

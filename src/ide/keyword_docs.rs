//! What every keyword means, in a few lines.

use crate::syntax::{GameId, Item, Keyword, Property, Verb};

/// The manual's entry of a keyword, in Markdown.
pub fn keyword_docs(keyword: Keyword) -> &'static str {
    match keyword {
        Keyword::Game(GameId::Solitaire) => {
            "**solitaire**: Solitaire Chess. Every move takes a piece, and one piece remains. Boards are 4×4 \
             where nothing tells, and from 1×2 to 8×8; coordinates count from 0.\n\n\
             Ask it `solve` and `count`. `rules` chooses the dialect.\n\n    solitaire { board ...N.....R....B. solve }"
        }
        Keyword::Game(GameId::Chess) => {
            "**chess**: is a move legal, is it mate? The board is 8×8, capitals are white; coordinates count \
             from 1.\n\nAsk it `move` and `mate`.\n\n    chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 }"
        }
        Keyword::Game(GameId::Chess3d) => {
            "**chess3d**: chess on n×n×n cubes, n from 2 to 10, without pawns. King and queen go 26 ways, a rook \
             6, a bishop 8 (three axes at once), a knight (2,1,0).\n\nAsk it `mate`.\n\n    \
             chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }"
        }
        Keyword::Game(GameId::Draughts) => {
            "**draughts**: captures by the Russian rules: flying kings, men capture backwards too, and a capture \
             goes on while it can. White is to move where nothing tells.\n\nAsk it `capture`.\n\n    \
             draughts { board [[\"W\",\"K\",1,1], [\"B\",\"M\",3,3]] capture }"
        }
        Keyword::Item(Item::Board) => {
            "**board**: the position, as text (rows from the top, bare or in quotes), as lists of letters or \
             numbers, as pieces with their coordinates, or in FEN (chess) and PDN (draughts). A puzzle has one."
        }
        Keyword::Item(Item::Property(p)) => property(p),
        Keyword::Item(Item::Query(v)) => verb(v),
    }
}

fn property(property: Property) -> &'static str {
    match property {
        Property::Size => {
            "**size** `5` or `5x6` (columns x rows): the shape of coordinates and of flat boards."
        }
        Property::Origin => {
            "**origin** `0` or `1`: what coordinates, moves and answers count from. Solitaire counts from 0, \
             the other games from 1. Names such as `e1` stay what they are."
        }
        Property::Turn => "**turn** `white` or `black`: who is to move; white where nothing tells.",
        Property::Rules => {
            "**rules**: the dialect of solitaire.\n\n- `default`: pawns capture in every diagonal direction\n- \
             `ranger`: pawns capture upwards only\n- `solo`: pawns upwards, no piece captures more than twice, a \
             king is never captured"
        }
        Property::Unique => {
            "**unique**: the puzzle has one solution; a second set of captures is a warning that shows it. \
             `unique false` takes back a file's `unique`."
        }
        Property::Author => "**author**: who made the puzzle.",
        Property::Source => "**source**: where the puzzle is from.",
        Property::Note => "**note**: anything worth saying.",
        Property::Tags => "**tags**: a word or a list of words to find the puzzle by.",
        Property::Allow => "**allow** `CODE`: silences a finding in this puzzle, or in the puzzles below it.",
    }
}

fn verb(verb: Verb) -> &'static str {
    match verb {
        Verb::Solve => {
            "**solve**: captures that leave one piece. After `=>` a solution as `[[x,y],[x,y]]` steps, a list of \
             boards, or `none`; it is checked step by step."
        }
        Verb::Count => {
            "**count**: how many solutions there are, and how many distinct ones: those with the same set of \
             captures in another order count once. After `=>` the first number."
        }
        Verb::Move => {
            "**move** `[\"W\",\"R\",8,2]`, `h1h2` or `Rh2`: is this move legal? After `=>` `legal` or `illegal`."
        }
        Verb::Mate => "**mate**: `checkmate`, `check`, `stalemate` or `none` for the side to move.",
        Verb::Capture => {
            "**capture**: every complete capture, and for each enemy piece whether it is taken `directly`, only \
             `after` another, or not at all. After `=>` a path, verdicts, or `none`."
        }
    }
}

//! The documentation of keywords, for hovers and completions.

use cpz_text::syntax::{GameId, Item, Keyword, Play, ProblemKind, Property, Verb};

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
             count from 1.\n\nQueries: `move`, `mate` and `line`.\n\n    chess { board 8/8/8/4k3/8/8/8/4K2R move Rh8 }"
        }
        Keyword::Game(GameId::Chess3d) => {
            "**chess3d**: chess on n×n×n cubes, n from 2 to 10, without pawns. King and queen move in 26 directions, \
             a rook in 6, a bishop in 8 (along three axes at once); a knight jumps (2,1,0).\n\n\
             Queries: `mate` and `line`.\n\n    chess3d { board [###,n##,#rr],[#b#,###,###],[###,###,bRK] mate }"
        }
        Keyword::Game(GameId::Draughts) => {
            "**draughts**: captures by the Russian rules: flying kings, men also capture backwards, and a capture \
             continues as long as possible. White is to move unless `turn` says otherwise.\n\nQueries: `capture` and `line`.\n\n    \
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
        Property::Castling => {
            "**castling** `KQkq`: who may still castle, with the letters of FEN: capitals for White, `K` on the king's \
             side, `Q` on the queen's side; `-` for none. It takes precedence over the board's FEN."
        }
        Property::EnPassant => {
            "**en-passant** `e6`: the square behind the pawn that has just moved two steps, so that it can be captured \
             en passant; `-` for none. It takes precedence over the board's FEN."
        }
        Property::Solutions => {
            "**solutions** `2`: how many keys, or solutions of a helpmate, are intended; one where it is not written. \
             Any more are a `cook`. `2.1.1.1` says how many continuations there are at each ply."
        }
        Property::Condition => {
            "**condition** `\"Circe\"`: a fairy condition. It is kept with the problem, which is not solved."
        }
        Property::HalfDuplex => {
            "**half-duplex**: the problem is asked of the other side alone: the side that would not begin begins."
        }
        Property::ZeroPosition => {
            "**zeroposition**: the diagram itself is not asked, only its twins, which begin with `a`."
        }
        Property::Hint => {
            "**hint** `\"…\"`: a hint for the solver. It may be repeated: the first gives away the least."
        }
        Property::Difficulty => {
            "**difficulty**: how hard the puzzle is: a word, a number or a text in quotes."
        }
        Property::Id => {
            "**id**: the puzzle's identifier in exports and in JSON. No other puzzle that is checked together with this \
             one has it."
        }
        Property::Tags => "**tags** `a, b`: words for finding the puzzle.",
        Property::Allow => {
            "**allow** `CODE, CODE`: silences findings of these codes in this puzzle; outside of a puzzle, in the puzzles \
             below it."
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
        Verb::Problem(ProblemKind::MATE) => {
            "**mate in** `2`, or `#2`: which first moves force mate in at most so many moves? After `=>`: the key, a list \
             of all keys, `none`, or the solution as a text."
        }
        Verb::Problem(ProblemKind::SELFMATE) => {
            "**selfmate in** `2`, or `s#2`: which first moves force the other side to give mate in at most so many moves? \
             After `=>`: as for `mate in`."
        }
        Verb::Problem(ProblemKind::HELPMATE) => {
            "**helpmate in** `2`, or `h#2`: how do both sides together reach mate in exactly so many moves? Black begins, \
             with a half move (`h#2.5`) White. After `=>`: each solution as a text."
        }
        Verb::Problem(ProblemKind { play, .. }) => other_problem(play),
        Verb::Twin => {
            "**twin** `b: a6 to b6`: the same problem after a change of the diagram: `remove d4`, `add black bishop c3`, \
             `exchange a6 h8`, `bishop b3 for d4`, `shift a1 b1`, `rotate 90`, `mirror a1 h1`, `swap colours`, `substitute \
             bishop knight`, `turn black`, or another stipulation; several with commas between them. `from c` goes on from \
             twin c. After `=>`: as for the problem."
        }
        Verb::SetPlay => {
            "**set-play**: what would happen if the other side had to move first, as a star behind the stipulation asks for \
             it. In help play the solutions that begin with the second move, in other problems what answers each move of \
             the other side. Behind a twin it is about that. After `=>`: each solution or variation as a text, or `none`."
        }
        Verb::Duplex => {
            "**duplex**: the same problem with the sides exchanged: the other side begins. Behind a twin it \
             is asked of that. After `=>`: as for the problem."
        }
        Verb::Unsolved => "A stipulation that cpz knows and does not solve. It is kept with its solution.",
        Verb::Win => {
            "**win** `=> 1. …`: an endgame study in which White wins. cpz works nothing out; it replays the moves and reports \
             the first that fails."
        }
        Verb::Draw => {
            "**draw** `=> 1. …`: an endgame study that White draws. cpz works nothing out; it replays the moves and reports \
             the first that fails."
        }
        Verb::Line => {
            "**line** `=> 1. Qxf7+ Rxf7 2. Rd8+`: the author's line, in chess3d `=> \"1. Nb1(II)xb3(I)\"`. cpz works nothing \
             out; it replays the moves and reports the first that fails."
        }
        Verb::Capture => {
            "**capture**: every complete capture, and whether each enemy piece is captured `directly`, only `after` \
             another, or not at all. After `=>`: a path, verdicts, or `none`."
        }
    }
}

/// What a kind of play asks, for problems with any goal.
fn other_problem(play: Play) -> &'static str {
    match play {
        Play::Direct => {
            "**stalemate in** `2`, or `=2`: which first moves force stalemate in at most so many moves? Check (`+2`), a \
             capture (`x2`) and the arrival on a square (`ze5 2`) have short forms alone. After `=>`: as for `mate in`."
        }
        Play::SelfPlay => {
            "**selfstalemate in** `2`, or `s=2`: which first moves force the other side to give stalemate in at most so many \
             moves? Check (`s+2`), a capture (`sx2`) and the arrival on a square (`sze5 2`) have short forms alone. After \
             `=>`: as for `mate in`."
        }
        Play::Reflex => {
            "**reflexmate in** `2`, or `r#2`; **reflexstalemate in** `2`, or `r=2`: as a selfmate, and a side that can reach \
             the goal with its move must do so. After `=>`: as for `mate in`."
        }
        Play::SemiReflex => {
            "**semireflexmate in** `2`, or `semi-r#2`; **semireflexstalemate in** `2`, or `semi-r=2`: as a reflexmate, but \
             only the other side must reach the goal where it can. After `=>`: as for `mate in`."
        }
        Play::Help => {
            "**helpstalemate in** `2`, or `h=2`: how do both sides together reach stalemate in exactly so many moves? Check \
             (`h+2`), a capture (`hx2`) and the arrival on a square (`hze5 2`) have short forms alone. Black begins, with a \
             half move White. After `=>`: each solution as a text."
        }
        Play::HelpSelf => {
            "**helpselfmate in** `2`, or `hs#2`; **helpselfstalemate in** `2`, or `hs=2`: how do both sides together reach a \
             selfmate in one, so that the whole takes exactly so many moves? White begins, with a half move Black. After \
             `=>`: each solution as a text, without the mate that is forced."
        }
        Play::Series => {
            "**seriesmate in** `4`, or `ser-#4`; **seriesstalemate in** `4`, or `ser-=4`: which exactly so many moves in a row \
             reach the goal? Only the last may give check. After `=>`: each solution as a text."
        }
        Play::SeriesHelp => {
            "**serieshelpmate in** `4`, or `ser-h#4`; **serieshelpstalemate in** `4`, or `ser-h=4`: which exactly so many moves \
             in a row, by Black as a rule, let the other side reach the goal with one move? Check (`ser-h+4`), a capture \
             (`ser-hx4`) and the arrival on a square (`ser-hze5 4`) have short forms alone. After `=>`: each solution as a text."
        }
        Play::SeriesSelf => {
            "**seriesselfmate in** `4`, or `ser-s#4`; **seriesselfstalemate in** `4`, or `ser-s=4`: after which exactly so many \
             moves in a row does the other side reach the goal with every move that it has? After `=>`: each solution as a text."
        }
    }
}

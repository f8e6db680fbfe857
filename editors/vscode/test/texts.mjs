// Collections that several scenes and pictures show.

export const sample = `solitaire "Sample" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}

chess "Rook" {
  board 8/8/8/4k3/8/8/8/4K2R
  move Rh8
}
`;

/** Its second step is impossible. */
export const twoSteps = `solitaire "Two steps" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve => [[[2,0], [1,1]], [[1,1], [3,2]]]
}
`;

export const someGames = `// The box says that this one is easy.
solitaire "Starter" {
  board
    . . . N
    . . . .
    . R . .
    . . B .
  solve
}

chess "Back rank" {
  board 3R2k1/5ppp/8/8/8/8/8/6K1 b - - 0 1
  mate
  move Kxd8
}

chess3d "Bottom level" {
  board [###,n##,#rr],[#b#,###,###],[###,###,bRK]
  mate
}

draughts "Long way" {
  board [["W","K",1,1], ["B","M",3,3], ["B","M",6,6]]
  capture
}
`;

/** Paul Morphy, 1849: 1.Ra6!, with set play and a try. */
export const morphy = `chess "Rook and pawn" {
  board kbK5/pp6/1P6/8/8/8/8/R7
  author "Paul Morphy"
  mate in 2
}
`;

/** A mate in two with two keys. */
export const cooked = `chess "Two keys" {
  board 7k/8/5K2/8/8/8/8/R7
  mate in 2
}
`;

/** A position with its solution, and a whole game, which has no position. */
export const pgn = `[Event "Training"]
[White "White to move: mate in 2"]
[Black "?"]
[Result "*"]
[SetUp "1"]
[FEN "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"]

1. Ra6 bxa6 2. b7# *

[Event "A whole game"]
[White "A"]
[Black "B"]
[Result "*"]

1. e4 e5 *
`;

/** A helpmate with three twins, as it is typed, without its answers. A black king in each corner, and each promotion. */
export const magazine = `chess "Four corners" {
  author "Pál Benkő"
  source "Magyar Sakkélet, 1980"
  board 8/4b2P/8/2BP2n1/6K1/8/p1pP2bP/krr5
  h#2
  twin b: a1 to h1
  twin c: a1 to h8
  twin d: a1 to a8
}
`;

/** A puzzle without a solution that three changes repair, below another one. */
export const hopeless = `// Defaults are read, and other puzzles are not drawn.
solitaire "Other" {
  board RN..
  solve
}

solitaire "Hopeless" {
  board
    N . . .
    . . . .
    . . . N
    K . . .
  id h-1
  solve
}
`;

/** A puzzle with more than one solution. */
export const twoWays = `solitaire "Two ways" {
  board
    . . . .
    R . . R
    . . . .
    . . . .
  solve
}
`;

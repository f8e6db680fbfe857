// What the page shows at first.

/** The text of a first visit. */
export const WELCOME = `// Every move captures, and one
// piece remains. The answer stands
// behind "solve": click or tap it,
// and it is written down.

solitaire "First steps" {
  board
    . . . .
    . B . .
    R P . .
    . . . N
  solve
}
`;

; The captures of both Neovim and Helix; each editor ignores those of the other.

[
  (puzzle)
  (list)
] @indent.begin @indent

(board
  (row)) @indent.begin @indent

(puzzle
  "}" @indent.branch @indent.end @outdent)

(list
  "]" @indent.branch @indent.end @outdent)

[
  (comment)
  (string)
] @indent.auto

; With the captures of Neovim and of Helix; each passes over the other's.

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

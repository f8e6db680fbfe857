[
  (puzzle)
  (board)
  (answer)
  (list)
] @fold

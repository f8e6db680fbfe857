(puzzle
  game: (game) @context
  name: (name) @name) @item

(puzzle
  name: (name) @name) @definition.class

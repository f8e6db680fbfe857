(puzzle "}" @end) @indent
(list "]" @end) @indent

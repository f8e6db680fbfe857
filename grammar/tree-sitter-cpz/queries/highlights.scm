; Every token has one capture, so that editors in which the first pattern wins and editors in which the
; last one wins show the same. The classes are those of the server's semantic tokens.

(comment) @comment
(remark) @comment

(game) @keyword
"board" @keyword
(verb) @function
(key) @property
(name) @type
(arrow) @operator

["[" "]" "{" "}"] @punctuation.bracket
"," @punctuation.delimiter

; Values
(number) @number
(property value: (word) @variable.parameter)
(property value: (string) @string)
(list item: (word) @variable.parameter)
(list item: (string) @string)

; Boards
(row) @constant
(board (word) @variable.parameter)
(board (string) @string)

; Arguments and answers
(argument (word) @variable)
(answer (word) @constant.builtin)
(answer (string) @string)

; Cells, coordinates and steps in lists
(list !item (word) @variable
  (#match? @variable "^[A-Za-z][0-9]+$"))
(list !item (word) @constant.builtin
  (#any-of? @constant.builtin "directly" "after" "no"))
(list !item (word) @constant
  (#not-match? @constant "^[A-Za-z][0-9]+$")
  (#not-any-of? @constant "directly" "after" "no"))
(list !item (string) @constant
  (#match? @constant "^.[^\"']?.$"))
(list !item (string) @string
  (#not-match? @string "^.[^\"']?.$"))

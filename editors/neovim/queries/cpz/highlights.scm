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
(query argument: (argument (word) @variable))
(argument ["in" "*"] @keyword)
(query changes: (argument (word) @keyword
  (#any-of? @keyword "in" "*")))
(query changes: (argument (word) @number
  (#match? @number "^[0-9]+([.][0-9]+)*$")))
(query changes: (argument (word) @variable
  (#match? @variable "^[A-Za-z][0-9]$")))
(query changes: (argument (word) @variable.parameter
  (#not-any-of? @variable.parameter "in" "*")
  (#not-match? @variable.parameter "^[0-9]+([.][0-9]+)*$")
  (#not-match? @variable.parameter "^[A-Za-z][0-9]$")))
(query answer: (answer (word) @constant.builtin))
(query solution: (answer (word) @constant.builtin
  (#any-of? @constant.builtin "none")))
(query solution: (answer (word) @variable
  (#not-any-of? @variable "none")))
(answer (string) @string)
(list move: (word) @variable)
(list move: (string) @string)

; Cells, coordinates and steps in lists
(list !item !move (word) @variable
  (#match? @variable "^[A-Za-z][0-9]+$"))
(list !item !move (word) @constant.builtin
  (#any-of? @constant.builtin "directly" "after" "no"))
(list !item !move (word) @constant
  (#not-match? @constant "^[A-Za-z][0-9]+$")
  (#not-any-of? @constant "directly" "after" "no"))
(list !item !move (string) @constant
  (#match? @constant "^.[^\"']?.$"))
(list !item !move (string) @string
  (#not-match? @string "^.[^\"']?.$"))

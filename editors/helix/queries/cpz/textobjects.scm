(puzzle) @class.around
(query) @function.around
(argument) @parameter.inside
(comment) @comment.inside
(comment)+ @comment.around

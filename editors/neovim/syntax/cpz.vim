" Colours without a tree-sitter parser. Semantic tokens of the server override them.
if exists('b:current_syntax')
  finish
endif

" The characters of words, without `=` and `>`, since `=>` ends a word.
syntax iskeyword @,33,35-38,42-43,45-60,63-90,92,94-96,124,126,128-255

syntax keyword cpzGame solitaire chess chess3d draughts
syntax keyword cpzProperty size origin turn castling en-passant solutions rules unique author source note hint difficulty id condition half-duplex zeroposition tags allow
syntax match cpzProperty /\v<x-\a[[:alnum:]_-]*>/
syntax keyword cpzBoard board nextgroup=cpzBoardText skipwhite skipempty
syntax keyword cpzQuery solve count move mate capture line win draw
syntax keyword cpzQuery selfmate selfstalemate reflexmate reflexstalemate semireflexmate semireflexstalemate helpmate helpstalemate helpselfmate helpselfstalemate seriesmate seriesstalemate serieshelpmate serieshelpstalemate seriesselfmate seriesselfstalemate
syntax match cpzQuery /\v<stalemate>%([ \t]+in>)@=/
syntax keyword cpzQuery set-play duplex nextgroup=cpzProblemArrow skipwhite skipempty
syntax keyword cpzQuery twin nextgroup=cpzTwin skipwhite
" The line of a twin up to its arrow, whatever stands there.
syntax match cpzTwin /\v%(\=\>@!|[^=/{}]|%([[:space:][\],]\/)@2<!\/%([^/]@=|$))+/ contained contains=cpzNumber,cpzString,cpzRemark nextgroup=cpzProblemArrow skipwhite skipempty
syntax match cpzQuery /\v%(^|[[:space:][\](){},])@1<=%(\+-|%(\d+-\>)?%(exact-)?%(semi-r|reci-h|p%(ser-[srh]?|hser-[sr]?)|ser-%(semi-r|h[sr]?|[sr])?|h[sr]?|[sr])?%(%(##!?|#\=|\=\=|!\=|!#|[#\=+x%~]|z%([a-h][1-8])?|ep|ctr?|\<\>r?|00|dia)\d+%(\.\d+)?|z[a-h][1-8])\*?)%($|[[:space:][\](){},=])@=/ nextgroup=cpzPlace,cpzLength,cpzStar,cpzProblemArrow skipwhite skipempty
syntax match cpzIn /\v%(<%(|self|reflex|semireflex|help|helpself|series|serieshelp|seriesself)%(stale)?mate[ \t]+)@30<=in>/ nextgroup=cpzLength skipwhite skipempty
syntax match cpzLength /\v\d+%(\.\d+)*\*?%($|[[:space:][\](){},=])@=/ contained nextgroup=cpzLength,cpzStar,cpzProblemArrow skipwhite skipempty
syntax match cpzPlace /\v[a-h][1-8]%($|[[:space:][\](){},=])@=/ contained nextgroup=cpzLength,cpzStar,cpzProblemArrow skipwhite skipempty
syntax match cpzStar /\v\*%($|[[:space:][\](){},=])@=/ contained nextgroup=cpzLength,cpzProblemArrow skipwhite skipempty

syntax match cpzNumber /\v%(^|[[:space:][\](){},>])@1<=-?\d+%($|[[:space:][\](){},=])@=/
syntax match cpzArrow /=>/ nextgroup=cpzAnswer skipwhite skipempty
" A string behind this arrow may have several lines.
syntax match cpzProblemArrow /=>/ contained nextgroup=cpzAnswer,cpzSolution skipwhite skipempty
syntax match cpzAnswer /\v\c<%(none|true|false|legal|illegal|checkmate|check|stalemate)>/ contained

syntax region cpzList start=/\[/ end=/\]/ end=/[{}]/me=s-1 contains=cpzList,cpzNumber,cpzString,cpzComment
syntax region cpzString start=/"/ end=/"/ end=/$/ oneline
syntax region cpzString start=/'/ end=/'/ end=/$/ oneline
syntax region cpzBoardText start=/"/ end=/"/ end=/[{}]/me=s-1 contained
syntax region cpzBoardText start=/'/ end=/'/ end=/[{}]/me=s-1 contained
syntax region cpzSolution start=/"/ end=/"/ end=/[{}]/me=s-1 contained
syntax region cpzSolution start=/'/ end=/'/ end=/[{}]/me=s-1 contained
" Not what a pawn becomes: `e8(Q)`.
syntax region cpzRemark start=/\v\C\(%(%([a-h][18]\()@3<=\=?[A-HJ-UWYZ]\))@!/ end=/)/ oneline contains=cpzRemark
syntax match cpzComment /\v%(^|[[:space:][\]{},])@1<=\/\/.*$/ contains=cpzTodo,@Spell
syntax keyword cpzTodo TODO FIXME contained

syntax region cpzPuzzle start=/{/ end=/}/ transparent fold contains=TOP

syntax sync fromstart

highlight default link cpzGame Type
highlight default link cpzProperty Identifier
highlight default link cpzBoard Keyword
highlight default link cpzQuery Function
highlight default link cpzIn Keyword
highlight default link cpzPlace Identifier
highlight default link cpzStar Keyword
highlight default link cpzTwin Identifier
highlight default link cpzNumber Number
highlight default link cpzLength Number
highlight default link cpzArrow Operator
highlight default link cpzProblemArrow Operator
highlight default link cpzAnswer Constant
highlight default link cpzString String
highlight default link cpzBoardText String
highlight default link cpzSolution String
highlight default link cpzRemark Comment
highlight default link cpzComment Comment
highlight default link cpzTodo Todo

let b:current_syntax = 'cpz'

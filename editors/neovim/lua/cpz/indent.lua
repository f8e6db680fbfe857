--- Indentation: one 'shiftwidth' inside a puzzle, one more for the rows of a board.
local M = {}

-- A line that begins with one of these keywords is an item of its puzzle and ends the rows of a board.
local ITEMS = {}
for word in
  ('size origin turn castling en-passant solutions rules unique author source note hint difficulty id condition half-duplex zeroposition tags allow board solve count move mate selfmate selfstalemate reflexmate reflexstalemate semireflexmate semireflexstalemate helpmate helpstalemate helpselfmate helpselfstalemate seriesmate seriesstalemate serieshelpmate serieshelpstalemate seriesselfmate seriesselfstalemate twin set-play duplex win draw capture line'):gmatch
  '[%w-]+'
do
  ITEMS[word] = true
end

--- Whether a line begins with an item: a keyword, a short form such as `#2`, or the name of a custom property such as
--- `x-rating`.
local function is_item(line)
  return ITEMS[line:match '^%s*([%w-]+)'] or line:match '^%s*x%-%a[%w_-]*%s' ~= nil
    or line:match '^%s*stalemate%s+in%s' ~= nil or line:match '^%s*[a-z-]*[#=+!][#=!]*%d[%d.]*%*?%s' ~= nil
    or line:match '^%s*[serh-]*x%d[%d.]*%*?%s' ~= nil or line:match '^%s*[serh-]*z[a-h]?%d[%d.]*%*?%s' ~= nil
end

--- The line (1-based) that opens the puzzle around line `lnum`, or nil.
local function opening_line(lnum)
  for above = lnum - 1, 1, -1 do
    -- Ignore braces in comments.
    local line = vim.fn.getline(above):gsub('//.*', '')
    if line:find('}', 1, true) then
      return
    elseif line:find('{', 1, true) then
      return above
    end
  end
end

--- The indentation of line `lnum` (1-based), in columns.
function M.column(lnum)
  local head = opening_line(lnum)
  if not head then
    return 0
  end
  local outer, line = vim.fn.indent(head), vim.fn.getline(lnum)
  if line:match '^%s*}' then
    return outer
  end
  local inner = outer + vim.fn.shiftwidth()
  local above = vim.fn.prevnonblank(lnum - 1)
  if above == head or is_item(line) then
    return inner
  elseif vim.fn.getline(above):match '^%s*board%s*$' then
    return inner + vim.fn.shiftwidth()
  end
  -- A row has the indentation of the row above.
  return vim.fn.indent(above)
end

return M

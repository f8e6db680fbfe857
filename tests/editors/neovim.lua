-- Checks of the plugin for Neovim, one line each: `ok` or `FAIL` and what was looked at.
--
--   nvim --headless -u init.lua -c 'luafile neovim.lua'
--
-- The current folder is a copy of collection/. $CPZ_PID names the file that holds the server's process
-- number; where it is not set there is no server, and what is left without one is checked.

local failed = false
local messages = {}

vim.notify = function(message)
  messages[#messages + 1] = message
end
vim.lsp.handlers['window/showMessage'] = function(_, message)
  messages[#messages + 1] = message.message
end

--- Waits until `look` returns something, for ten seconds at most.
local function wait(look)
  local found
  vim.wait(10000, function()
    vim.cmd.redraw()
    found = look()
    return found and true
  end, 20)
  return found
end

--- `found` is what was waited for; `seen` says what was there instead.
local function check(what, found, seen)
  if found then
    io.stdout:write('\nok neovim: ' .. what .. '\n')
  else
    failed = true
    local inline = vim.inspect(seen):gsub('\n%s*', ' ')
    io.stdout:write(('\nFAIL neovim: %s: %s\n'):format(what, inline))
  end
end

local function text()
  return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
end

--- What Neovim shows that is not in the text: hints, which stand within lines, or what stands elsewhere,
--- lenses and the text of findings.
local function shown(inline)
  local parts = {}
  local function add(chunks)
    for _, chunk in ipairs(chunks or {}) do
      parts[#parts + 1] = chunk[1]
    end
  end
  for _, mark in ipairs(vim.api.nvim_buf_get_extmarks(0, -1, 0, -1, { details = true })) do
    if (mark[4].virt_text_pos == 'inline') == inline then
      add(mark[4].virt_text)
    end
    for _, line in ipairs(mark[4].virt_lines or {}) do
      add(line)
    end
  end
  return table.concat(parts, ' ')
end

--- Waits until Neovim shows `pattern` beside the text.
local function shows(what, pattern, inline)
  check(what, wait(function()
    return shown(inline):find(pattern)
  end), { pattern, shown(inline) })
end

local function said(what, pattern)
  local function find()
    for _, message in ipairs(messages) do
      if message:find(pattern) then
        return message
      end
    end
  end
  local found = wait(find)
  check(what, found, { pattern, messages })
  return found or ''
end

--- Opens a file of the collection, as it is on the disk, and waits for the server to have it.
local function open(name)
  vim.cmd.edit(name)
  if vim.bo.modified then
    vim.cmd.edit { bang = true }
  end
  wait(function()
    return vim.lsp.get_clients({ bufnr = 0, name = 'cpz' })[1]
  end)
end

--- The finding `code` in file `name`, as "line:column-line:column", 1-based, the end exclusive.
local function finding(name, code)
  for _, d in ipairs(vim.diagnostic.get()) do
    if d.code == code and vim.fs.basename(vim.api.nvim_buf_get_name(d.bufnr)) == name then
      return ('%d:%d-%d:%d'):format(d.lnum + 1, d.col + 1, d.end_lnum + 1, d.end_col + 1)
    end
  end
end

local function found(name, code, range)
  check(('%s in %s at %s'):format(code, name, range), wait(function()
    return finding(name, code) == range
  end), finding(name, code))
end

--- The text becomes one that has `pattern`.
local function becomes(what, pattern)
  check(what, wait(function()
    return text():find(pattern)
  end), text())
end

local function act(title)
  vim.lsp.buf.code_action {
    apply = true,
    filter = function(action)
      return action.title:find(title) ~= nil
    end,
  }
end

--- Runs the lens of the line, of those that are offered. After one was run they are asked for anew.
local function run_lens(title)
  local chosen = false
  vim.ui.select = function(items, options, choose)
    for _, item in ipairs(items) do
      if not chosen and options.format_item(item):find(title) then
        chosen = true
        return choose(item)
      end
    end
  end
  wait(function()
    vim.lsp.codelens.run()
    return chosen
  end)
end

--- The colour group at the first occurrence of `word`, by the syntax file.
local function group(word)
  local row, column = unpack(vim.fn.searchpos('\\V' .. word, 'cnw'))
  return vim.fn.synIDattr(vim.fn.synID(row, column, true), 'name')
end

local function groups(expected)
  for _, pair in ipairs(expected) do
    check(('syntax file: %s is %s'):format(pair[1], pair[2]), group(pair[1]) == pair[2], group(pair[1]))
  end
end

--- What tree-sitter takes each word to be; the queries give each one capture.
local function captures(expected)
  for _, pair in ipairs(expected) do
    local row, column = unpack(vim.fn.searchpos('\\V' .. pair[1], 'cnw'))
    local names = {}
    wait(function()
      names = vim.tbl_map(function(capture)
        return capture.capture
      end, vim.treesitter.get_captures_at_pos(0, row - 1, column - 1))
      return #names > 0
    end)
    check(('tree-sitter: %s is %s'):format(pair[1], pair[2]), vim.tbl_contains(names, pair[2]), names)
  end
end

--- The text of `:checkhealth cpz`.
local function health()
  vim.cmd 'silent checkhealth cpz'
  local seen = text()
  vim.cmd.bwipeout { bang = true }
  return seen
end

local function hover()
  vim.lsp.buf.hover()
  local seen = ''
  wait(function()
    for _, window in ipairs(vim.api.nvim_list_wins()) do
      if vim.api.nvim_win_get_config(window).relative ~= '' then
        seen = table.concat(vim.api.nvim_buf_get_lines(vim.api.nvim_win_get_buf(window), 0, -1, false), '\n')
        return true
      end
    end
  end)
  vim.cmd 'silent! fclose!'
  return seen
end

--- The queries of all editors fit the grammar.
local function queries()
  for _, file in ipairs(vim.fn.glob('../editors/**/*.scm', false, true)) do
    local fits, wrong = pcall(vim.treesitter.query.parse, 'cpz', table.concat(vim.fn.readfile(file), '\n'))
    check('the grammar has what is in ' .. file:gsub('.*editors/', ''), fits, wrong)
  end
end

local function typing()
  vim.cmd.edit 'sample.cpz'
  vim.cmd.edit { bang = true }
  check('the file type is cpz', vim.bo.filetype == 'cpz', vim.bo.filetype)
  check('comments begin with //', vim.bo.commentstring == '// %s', vim.bo.commentstring)
  vim.cmd 'normal! gg=G'
  check('indentation keeps what is set in rightly', not vim.bo.modified or text():find '\n    R P', text())
  vim.cmd 'silent normal! gg=G'
  vim.cmd '%s/^ *//e'
  vim.cmd 'silent normal! gg=G'
  check('indentation sets puzzles and rows in', text():find '{\n  board\n    %. .*\n    %. .*\n    R .*\n    %. .*\n  solve\n}', text())
  vim.cmd.edit { bang = true }
  vim.cmd '3'
  vim.cmd 'normal! zMj'
  check('puzzles fold (' .. vim.wo.foldmethod .. ')', wait(function()
    return vim.fn.foldclosed(3) == 2 and vim.fn.foldclosedend(3) == 9
  end), { vim.fn.foldclosed(3), vim.fn.foldclosedend(3) })
  vim.cmd 'normal! zR'
end

local function with_server()
  local seen
  open 'moves.cpz'
  found('moves.cpz', 'illegal-move', '4:8-4:24')
  vim.fn.search 'move \\['
  vim.fn.search '\\['
  act 'illegal'
  becomes('the fix of an illegal move', '4%] => illegal')
  vim.cmd.write()
  check('the finding goes with it', wait(function()
    return not finding('moves.cpz', 'illegal-move')
  end), finding('moves.cpz', 'illegal-move'))

  open 'mate.cpz'
  vim.fn.search 'mate =>'
  seen = hover()
  check('hover tells why it is mate', seen:find 'check from the rook' and seen:find 'c2 %(I%): guarded by the bishop on b3', seen)
  shows('the lens of a mate', 'verified', false)

  open 'sample.cpz'
  shows('the answer beside a query', 'a2xb2', true)
  shows('a lens that inserts', 'Insert solution', false)
  vim.fn.search '\\<solve'
  check('until then nothing is said', #messages == 0, messages)
  run_lens 'Show the next move'
  said('the lens that shows the next move', 'The next move: ')
  run_lens 'Insert solution'
  becomes('the lens that inserts the solution', 'solve => %[%[%[')

  open 'slip.cpz'
  found('slip.cpz', 'unknown-keyword', '3:3-3:7')
  vim.fn.search 'solv'
  act 'solve'
  becomes('the fix of a misspelt keyword', '\n  solve\n')

  found('unopened.cpz', 'illegal-move', '3:8-3:11')
  local client = vim.lsp.get_clients({ name = 'cpz' })[1]
  check('files are watched', client.dynamic_capabilities:get 'workspace/didChangeWatchedFiles', nil)
  local file = assert(io.open('unopened.cpz', 'w'))
  file:write 'chess "Mended" {\n  board 4k3/8/8/8/8/8/8/4K1N1\n  move Nf3\n}\n'
  file:close()
  check('a file that changes on the disk is looked at', wait(function()
    return not finding('unopened.cpz', 'illegal-move')
  end), finding('unopened.cpz', 'illegal-move'))

  seen = health()
  check('health: the server runs', seen:find '1 server is running' and seen:find 'is cpz 0', seen)
  check('health: the parser is there', seen:find 'tree%-sitter parser is there', seen)
  open 'sample.cpz'
  captures { { 'Three', 'comment' }, { 'solitaire', 'keyword' }, { '"Sample"', 'type' }, { 'R P', 'constant' }, { 'solve', 'function' } }

  open 'slip.cpz'
  local before = text()
  local process = tonumber(vim.fn.readfile(vim.env.CPZ_PID)[1])
  vim.uv.kill(process, 'sigkill')
  said('a server that ends is missed', 'has stopped; :CpzRestart')
  check('the text is whole without it', text() == before, text())
  vim.diagnostic.reset()
  vim.cmd.CpzRestart()
  found('slip.cpz', 'unknown-keyword', '3:3-3:7')
  check('one server runs again', #vim.lsp.get_clients { name = 'cpz' } == 1, #vim.lsp.get_clients())
  vim.cmd.CpzRestart()
  check('it can be restarted while it runs', wait(function()
    return #vim.lsp.get_clients { name = 'cpz', bufnr = 0 } == 1
  end), #vim.lsp.get_clients())
end

local function without_server()
  vim.cmd.edit 'mate.cpz'
  local message = said('a missing program is told', 'cannot be found')
  check('in one line', not message:find '\n', message)
  vim.cmd.edit 'sample.cpz'
  check('and once', #messages == 1, messages)
  vim.cmd 'normal! Gonote "typed"'
  check('the text can be edited', text():find 'note "typed"', text())
  vim.cmd.edit { bang = true }
  local seen = health()
  check('health: the program is missing', seen:find 'cannot be found', seen)
  groups { { 'Three', 'cpzComment' }, { 'solitaire', 'cpzGame' }, { '"Sample"', 'cpzString' }, { 'board', 'cpzBoard' }, { 'solve', 'cpzQuery' } }
  vim.cmd.edit 'mate.cpz'
  groups { { '[###', 'cpzList' }, { '=>', 'cpzArrow' }, { 'true', 'cpzAnswer' }, { '(nothing', 'cpzRemark' } }
end

local passed, wrong = xpcall(function()
  if vim.env.CPZ_PID then
    with_server()
    queries()
  else
    without_server()
  end
  typing()
end, debug.traceback)
if not passed then
  check('the checks run to their end', false, wrong)
end
for _, client in ipairs(vim.lsp.get_clients()) do
  client:stop(true)
end
vim.cmd(failed and 'cquit 1' or 'qall!')

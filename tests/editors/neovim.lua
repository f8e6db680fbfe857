-- Tests of the Neovim plugin. Prints one line for each check: `ok` or `FAIL` and its name.
--
--   nvim --headless -u init.lua -c 'luafile neovim.lua'
--
-- The current folder is a copy of collection/. $CPZ_PID names the file with the process id of the server;
-- without it there is no server, and the features that work without one are tested.

local failed = false
local messages = {}

vim.notify = function(message)
  messages[#messages + 1] = message
end
vim.lsp.handlers['window/showMessage'] = function(_, message)
  messages[#messages + 1] = message.message
end

--- Calls `look` until it returns a true value, and returns that value; nil if it hangs.
local function wait(look)
  local found
  vim.wait(vim.env.HUNG * 1000, function()
    vim.cmd.redraw()
    found = look()
    return found and true
  end, 20)
  return found
end

--- Prints the result of a check: passed if `found` is true, else failed with `seen`.
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

--- The virtual text of the buffer: inline (inlay hints), or not inline (lenses and messages of findings).
local function virtual_text(inline)
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

--- Checks that virtual text with `pattern` appears.
local function check_virtual_text(what, pattern, inline)
  check(what, wait(function()
    return virtual_text(inline):find(pattern)
  end), { pattern, virtual_text(inline) })
end

--- Checks that a message with `pattern` appears; returns the message.
local function check_message(what, pattern)
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

--- Opens a file of the collection, discards edits, and waits until the server is attached.
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

local function check_finding(name, code, range)
  check(('finding: %s in %s at %s'):format(code, name, range), wait(function()
    return finding(name, code) == range
  end), finding(name, code))
end

--- Checks that the text comes to contain `pattern`.
local function check_text(what, pattern)
  check(what, wait(function()
    return text():find(pattern)
  end), text())
end

--- Applies the code action whose title matches `title`.
local function apply_action(title)
  vim.lsp.buf.code_action {
    apply = true,
    filter = function(action)
      return action.title:find(title) ~= nil
    end,
  }
end

--- Runs the lens of the current line whose title matches `title`. Retries, because after a command the
--- lenses are requested again.
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

--- The syntax group of the first occurrence of `word`.
local function group(word)
  local row, column = unpack(vim.fn.searchpos('\\V' .. word, 'cnw'))
  return vim.fn.synIDattr(vim.fn.synID(row, column, true), 'name')
end

local function groups(expected)
  for _, pair in ipairs(expected) do
    check(('syntax file: %s has group %s'):format(pair[1], pair[2]), group(pair[1]) == pair[2], group(pair[1]))
  end
end

--- Checks the tree-sitter capture of the first occurrence of each word.
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
    check(('tree-sitter: %s has capture %s'):format(pair[1], pair[2]), vim.tbl_contains(names, pair[2]), names)
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

--- Checks that the queries of all editors compile with the grammar.
local function queries()
  for _, file in ipairs(vim.fn.glob('../editors/**/*.scm', false, true)) do
    local valid, problem = pcall(vim.treesitter.query.parse, 'cpz', table.concat(vim.fn.readfile(file), '\n'))
    check('query compiles: ' .. file:gsub('.*editors/', ''), valid, problem)
  end
end

local function editing()
  vim.cmd.edit 'sample.cpz'
  vim.cmd.edit { bang = true }
  check('ftdetect: .cpz files have the file type cpz', vim.bo.filetype == 'cpz', vim.bo.filetype)
  check('commentstring is //', vim.bo.commentstring == '// %s', vim.bo.commentstring)
  vim.cmd 'normal! gg=G'
  check('indentation: gg=G keeps correct lines', not vim.bo.modified or text():find '\n    R P', text())
  vim.cmd 'silent normal! gg=G'
  vim.cmd '%s/^ *//e'
  vim.cmd 'silent normal! gg=G'
  check('indentation: gg=G restores puzzles and rows', text():find '{\n  board\n    %. .*\n    %. .*\n    R .*\n    %. .*\n  solve\n}', text())
  vim.cmd.edit { bang = true }
  vim.cmd '3'
  vim.cmd 'normal! zMj'
  check('folds: a puzzle is a fold (' .. vim.wo.foldmethod .. ')', wait(function()
    return vim.fn.foldclosed(3) == 2 and vim.fn.foldclosedend(3) == 9
  end), { vim.fn.foldclosed(3), vim.fn.foldclosedend(3) })
  vim.cmd 'normal! zR'
end

--- Makes questions with a list choose the item that matches `pattern`.
local function choose(pattern)
  vim.ui.select = function(items, options, done)
    for _, item in ipairs(items) do
      if options.format_item(item):find(pattern) then
        return done(item)
      end
    end
    error(('no choice %s: %s'):format(pattern, vim.inspect(items)))
  end
end

--- Puts the cursor on the first occurrence of `pattern`.
local function at(pattern)
  vim.fn.cursor(1, 1)
  assert(vim.fn.search(pattern, 'cW') > 0, pattern)
end

--- Opens a file as it is on the disk.
local function reopen(name)
  vim.cmd.edit { bang = true }
  open(name)
  messages = {}
end

--- Runs each command of the plugin.
local function commands()
  reopen 'sample.cpz'
  local before = text()
  at 'R P'
  vim.cmd.CpzRemove()
  check_text(':CpzRemove removes the piece at the cursor', '\n    %. P')
  vim.cmd.CpzPut 'R'
  check_text(':CpzPut puts a piece there', '\n    R P')
  check('editing the board changes nothing else', text() == before, text())
  vim.cmd.CpzMove 'a1'
  check_text(':CpzMove moves the piece at the cursor', '\n    %. P %. %.\n    R %. %. N\n')
  at 'solitaire'
  vim.cmd.CpzMove 'b2'
  check_message(':CpzMove says when there is no piece at the cursor', 'put the cursor on a cell')
  reopen 'sample.cpz'
  at 'solve'
  vim.cmd.CpzRecord { 'd1', 'b2' }
  check_text(':CpzRecord writes a legal move', 'solve => d1xb2\n')
  vim.cmd.CpzRecord { 'b3', 'a4' }
  check_message(':CpzRecord says why a move is refused', 'capture on a4')

  reopen 'commands.cpz'
  at 'mate in'
  choose '^queen$'
  vim.cmd.CpzRecord { 'e7', 'e8' }
  check_text(':CpzRecord asks what a pawn becomes', 'mate in 3 => e8=Q%+\n')
  reopen 'commands.cpz'
  at 'mate in'
  vim.cmd.CpzRecord { 'e7', 'e8', 'R' }
  check_text(':CpzRecord takes what a pawn becomes', 'mate in 3 => e8=R%+\n')
  reopen 'commands.cpz'
  at 'mate in'
  choose '^Write the try'
  vim.cmd.CpzRecord { 'f6', 'f7' }
  check_text(':CpzRecord offers a move that one reply refutes as a try', 'mate in 3 => "1%. Kf7%? Kh7!"\n')

  reopen 'commands.cpz'
  at 'mate in'
  choose '^Next hint$'
  vim.cmd.CpzHint()
  check_message(':CpzHint shows one hint after the other', 'the first move is Kg6')
  vim.cmd.CpzSort 'pieces'
  check_text(':CpzSort sorts the puzzles with their comments', '^// Two pieces.*// Three men')
  vim.cmd.edit { bang = true }
  local whole = text()
  vim.cmd.CpzGenerate { '4', '3' }
  check_text(':CpzGenerate adds a puzzle', 'mate in 3.*RN.*\n}\n.*solitaire.*{.*}')
  check(':CpzGenerate keeps what was there', vim.startswith(text(), whole), text())
  vim.cmd.CpzGenerate { 'draughts', '2' }
  check_text(':CpzGenerate adds a capture', 'draughts "Draughts, no%. .*{.*capture.*}')
  vim.cmd.CpzGenerate { 'chess3d', '3' }
  check_text(':CpzGenerate adds a mate on a cube', 'chess3d "Cube, no%. .*{.*mate.*}')
  vim.cmd.edit { bang = true }

  local function check_page(what)
    local seen
    check(what, wait(function()
      seen = text()
      return vim.bo.filetype == 'markdown' and seen:find '^# unsolvable\n'
    end), seen)
    vim.cmd.close()
  end
  reopen 'unsound.cpz'
  check_finding('unsound.cpz', 'unsolvable', '3:3-3:8')
  at 'solve'
  vim.cmd.CpzExplain()
  check_page ':CpzExplain shows the page of the finding at the cursor'
  vim.cmd.CpzExplain 'unsolvable'
  check_page ':CpzExplain shows the page of a code'
  apply_action 'Explain'
  check_page 'code action: explains the finding'
  apply_action '^Make the knight on b1 a king'
  check_text('code action: a repair is applied', 'board R%.%.K')
  vim.cmd.edit { bang = true }
  vim.lsp.buf.code_action { apply = true, context = { only = { 'source.sortPuzzles.cpz' }, diagnostics = {} }, filter = function(action)
    return action.title:find 'pieces' ~= nil
  end }
  check_message('code action: sorts the puzzles', 'in this order already')
end

--- Runs the commands that read and write files of other programs.
local function files_of_other_programs()
  reopen 'sample.cpz'
  local before = text()
  local function size(name)
    return (vim.uv.fs_stat(name) or { size = -1 }).size
  end
  vim.cmd.CpzExport { 'json', 'sample.json' }
  check(':CpzExport writes a file', size 'sample.json' > 0, messages)
  check_message(':CpzExport says so', '1 puzzle written')
  vim.fn.writefile({}, 'sample.json')
  vim.cmd.CpzExport { 'json', 'sample.json' }
  check(':CpzExport keeps a file that exists', size 'sample.json' == 0, messages)
  vim.cmd.CpzExport { 'json', 'sample.json', bang = true }
  check(':CpzExport! replaces it', size 'sample.json' > 0, messages)
  check('the file that was exported is as it was', text() == before, text())
  vim.uv.fs_rename('sample.json', 'other.json')
  vim.cmd.CpzImport 'other.json'
  check(':CpzImport makes a collection and opens it', vim.fs.basename(vim.api.nvim_buf_get_name(0)) == 'other.cpz', messages)
  check(':CpzImport: the puzzles are those of the file', text():find '\n    RP', text())
  vim.fn.writefile({ 'no puzzles' }, 'nothing.json')
  vim.cmd.CpzImport 'nothing.json'
  check_message(':CpzImport says why a file cannot be read', '^cpz: .*nothing%.json')
  check(':CpzImport writes nothing then', size 'nothing.cpz' == -1, nil)
  local formats = vim.fn.getcompletion('CpzExport ', 'cmdline')
  check('completion: offers formats', vim.tbl_contains(formats, 'pgn'), formats)
end

local function with_server()
  local seen
  open 'moves.cpz'
  check_finding('moves.cpz', 'illegal-move', '4:8-4:24')
  vim.fn.search 'move \\['
  vim.fn.search '\\['
  apply_action '^Append'
  check_text('code action: the fix of an illegal move is applied', '4%] => illegal')
  vim.cmd.write()
  check('finding: it disappears after the fix', wait(function()
    return not finding('moves.cpz', 'illegal-move')
  end), finding('moves.cpz', 'illegal-move'))

  open 'mate.cpz'
  vim.fn.search 'mate =>'
  seen = hover()
  check('hover: says why it is mate', seen:find 'check from the rook' and seen:find 'c2 %(I%): guarded by the bishop on b3', seen)
  check_virtual_text('lens: a mate is verified', 'verified', false)

  open 'sample.cpz'
  check_virtual_text('inlay hint: shows the answer', 'a2xb2', true)
  check_virtual_text('lens: offers to insert the solution', 'Insert', false)
  vim.fn.search '^solitaire'
  check('no messages before the first command', #messages == 0, messages)
  run_lens 'Insert'
  check_text('lens: inserts the solution once', 'solve => d1xb2 a2xb2 b2xb3\n')

  open 'slip.cpz'
  check_finding('slip.cpz', 'unknown-keyword', '3:3-3:7')
  vim.fn.search 'solv'
  apply_action 'solve'
  check_text('code action: the fix of a misspelt keyword is applied', '\n  solve\n')

  check_finding('unopened.cpz', 'illegal-move', '3:8-3:11')
  local client = vim.lsp.get_clients({ name = 'cpz' })[1]
  check('files on disk are watched', client.dynamic_capabilities:get 'workspace/didChangeWatchedFiles', nil)
  local file = assert(io.open('unopened.cpz', 'w'))
  file:write 'chess "Corrected" {\n  board 4k3/8/8/8/8/8/8/4K1N1\n  move Nf3\n}\n'
  file:close()
  check('a change on disk updates the findings', wait(function()
    return not finding('unopened.cpz', 'illegal-move')
  end), finding('unopened.cpz', 'illegal-move'))

  seen = health()
  check('health: reports the running server', seen:find '1 server is running' and seen:find 'is cpz 0', seen)
  check('health: reports the parser', seen:find 'tree%-sitter parser is installed', seen)
  commands()
  files_of_other_programs()
  open 'sample.cpz'
  captures { { 'Three', 'comment' }, { 'solitaire', 'keyword' }, { '"Sample"', 'type' }, { 'R P', 'constant' }, { 'solve', 'function' } }

  open 'slip.cpz'
  local before = text()
  local process = tonumber(vim.fn.readfile(vim.env.CPZ_PID)[1])
  vim.uv.kill(process, 'sigkill')
  check_message('a killed server is reported', 'has stopped unexpectedly; :CpzRestart')
  check('a killed server leaves the text unchanged', text() == before, text())
  vim.diagnostic.reset()
  vim.cmd.CpzRestart()
  check_finding('slip.cpz', 'unknown-keyword', '3:3-3:7')
  check(':CpzRestart starts one server', #vim.lsp.get_clients { name = 'cpz' } == 1, #vim.lsp.get_clients())
  vim.cmd.CpzRestart()
  check(':CpzRestart replaces a running server', wait(function()
    return #vim.lsp.get_clients { name = 'cpz', bufnr = 0 } == 1
  end), #vim.lsp.get_clients())
end

local function without_server()
  vim.cmd.edit 'mate.cpz'
  local message = check_message('a missing program is reported', 'cannot be found')
  check('a missing program is reported in one line', not message:find '\n', message)
  vim.cmd.edit 'sample.cpz'
  check('a missing program is reported once', #messages == 1, messages)
  vim.cmd 'normal! Gonote "typed"'
  check('the text can be edited without a server', text():find 'note "typed"', text())
  vim.cmd.edit { bang = true }
  local seen = health()
  check('health: reports the missing program', seen:find 'cannot be found', seen)
  groups { { 'Three', 'cpzComment' }, { 'solitaire', 'cpzGame' }, { '"Sample"', 'cpzString' }, { 'board', 'cpzBoard' }, { 'solve', 'cpzQuery' } }
  vim.cmd.edit 'mate.cpz'
  groups { { '[###', 'cpzList' }, { '=>', 'cpzArrow' }, { 'true', 'cpzAnswer' }, { '(nothing', 'cpzRemark' } }
end

local passed, problem = xpcall(function()
  if vim.env.CPZ_PID then
    with_server()
    queries()
  else
    without_server()
  end
  editing()
end, debug.traceback)
if not passed then
  check('all checks run to the end', false, problem)
end
for _, client in ipairs(vim.lsp.get_clients()) do
  client:stop(true)
end
vim.cmd(failed and 'cquit 1' or 'qall!')

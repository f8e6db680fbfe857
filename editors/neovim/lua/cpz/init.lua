--- Starts `cpz lsp`, and turns on inlay hints and code lenses, which are off in Neovim by default.
local M = {}

M.options = {
  cmd = { 'cpz', 'lsp' },
  --- Settings as in `cpz.toml`, which overrides them.
  settings = {},
  --- Show answers after queries without a written answer.
  inlay_hints = true,
  --- Show the state of each puzzle and query, with commands that insert answers.
  code_lens = true,
  --- Fold puzzles.
  folds = true,
}

local group = vim.api.nvim_create_augroup('cpz', {})

--- The command that starts the server: a list, or a function.
function M.command()
  return vim.lsp.config and vim.lsp.config.cpz.cmd or M.options.cmd
end

--- A message that says why the server cannot be started, or nil.
function M.problem()
  local cmd = M.command()
  if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
    return ('cpz: the program `%s` cannot be found, so puzzles are not checked: install cpz or pass `cmd` to setup(); see :checkhealth cpz'):format(
      cmd[1]
    )
  end
end

local function root_of(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  -- Without either marker the root is the folder of the file, so that its other files are checked too.
  return vim.fs.root(buf, { 'cpz.toml', '.git' }) or (name ~= '' and vim.fs.dirname(name)) or vim.uv.cwd()
end

local function refresh(buf)
  vim.lsp.codelens.refresh { bufnr = buf }
end

--- Whether Neovim refreshes lenses by itself, as it does since 0.12.
local function has_auto_refresh()
  return vim.lsp.codelens.enable ~= nil
end

--- The client configuration for `vim.lsp.config`.
function M.config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  local handlers = {}
  -- Neovim turns this off on Linux, where watching many files is expensive; a collection has few.
  capabilities.workspace.didChangeWatchedFiles.dynamicRegistration = true
  -- Code actions offer the command that `setup` defines.
  capabilities.experimental = { commands = { commands = { 'cpz.explain' } } }
  if M.options.code_lens and not has_auto_refresh() then
    capabilities.workspace.codeLens = { refreshSupport = true }
    handlers['workspace/codeLens/refresh'] = function(_, _, context)
      for _, buf in ipairs(vim.lsp.get_buffers_by_client_id(context.client_id)) do
        refresh(buf)
      end
      return vim.NIL
    end
  end
  return {
    name = 'cpz',
    cmd = M.options.cmd,
    filetypes = { 'cpz' },
    capabilities = capabilities,
    handlers = handlers,
    -- An empty Lua table would be encoded as a list.
    settings = { cpz = next(M.options.settings) and M.options.settings or vim.empty_dict() },
    root_dir = function(buf, on_dir)
      if vim.bo[buf].buftype == '' and not M.problem() then
        on_dir(root_of(buf))
      end
    end,
    on_exit = function(code, signal)
      -- After a regular stop the exit code is 0 or, if Neovim does not wait, the signal is SIGTERM.
      if code ~= 0 or (signal ~= 0 and signal ~= 15) then
        vim.schedule(function()
          vim.notify('cpz: the server has stopped unexpectedly; :CpzRestart starts it again', vim.log.levels.ERROR)
        end)
      end
    end,
  }
end

local function start(buf)
  local config = vim.deepcopy(vim.lsp.config and vim.lsp.config.cpz or M.config())
  config.root_dir(buf, function(root)
    config.root_dir = root
    vim.lsp.start(config, { bufnr = buf })
  end)
end

--- Warns once if the program is missing: Neovim itself would only log it, or show many lines.
local function on_open(buf)
  local problem = M.problem()
  if problem then
    vim.notify_once(problem, vim.log.levels.WARN)
  elseif not vim.lsp.config then
    start(buf)
  end
end

local function for_each_buffer(act)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].filetype == 'cpz' then
      act(buf)
    end
  end
end

--- Restarts the servers; those that do not end within three seconds are killed.
function M.restart()
  for _, client in ipairs(vim.lsp.get_clients { name = 'cpz' }) do
    client:stop()
  end
  vim.wait(3000, function()
    return #vim.lsp.get_clients { name = 'cpz' } == 0
  end)
  for _, client in ipairs(vim.lsp.get_clients { name = 'cpz' }) do
    client:stop(true)
  end
  for_each_buffer(start)
end

local function on_attach(event)
  local client, buf = vim.lsp.get_client_by_id(event.data.client_id), event.buf
  if not client or client.name ~= 'cpz' then
    return
  end
  if M.options.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
  if M.options.code_lens and has_auto_refresh() then
    vim.lsp.codelens.enable(true, { bufnr = buf })
  elseif M.options.code_lens then
    vim.api.nvim_clear_autocmds { group = group, buffer = buf }
    vim.api.nvim_create_autocmd({ 'BufEnter', 'InsertLeave', 'TextChanged' }, {
      group = group,
      buffer = buf,
      callback = function()
        refresh(buf)
      end,
    })
    refresh(buf)
  end
end

local function warn(message)
  vim.notify('cpz: ' .. message, vim.log.levels.WARN)
end

--- Sends a request about the current buffer, and calls `done` with the answer.
local function request(method, params, done)
  local buf = vim.api.nvim_get_current_buf()
  if not vim.lsp.get_clients({ name = 'cpz', bufnr = buf })[1] then
    return warn 'the server is not running'
  end
  -- The method `client.request` has other parameters in Neovim 0.10.
  vim.lsp.buf_request(buf, method, params, function(err, result)
    if err then
      vim.notify('cpz: ' .. err.message, vim.log.levels.ERROR)
    elseif done then
      done(result)
    end
  end)
end

--- The place of the cursor: `uri`, `version` and `position`.
local function place()
  local buf = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ name = 'cpz', bufnr = buf })[1]
  local params = vim.lsp.util.make_position_params(0, client and client.offset_encoding or 'utf-16')
  return { uri = params.textDocument.uri, version = vim.lsp.util.buf_versions[buf], position = params.position }
end

--- Lets the server run a command at the cursor; `more` has other members of its argument.
local function execute(command, more, at)
  local argument = vim.tbl_extend('error', at or place(), more or {})
  request('workspace/executeCommand', { command = command, arguments = { argument } })
end

--- Does something on the board at the cursor: `{ kind = 'put', piece = 'N' }`, `{ kind = 'remove' }`,
--- `{ kind = 'move', to = 'b2' }`, `{ kind = 'record', to = 'b2' }`, `{ kind = 'clear' }`.
function M.edit_board(gesture)
  execute('cpz.editBoard', { gesture = gesture })
end

--- Writes a legal move as the answer. Asks for `choice` if the move can mean several and it is nil.
function M.record(from, to, choice)
  local at, gesture = place(), { kind = 'record', from = from, to = to, choice = choice }
  local params = { textDocument = { uri = at.uri, version = at.version }, position = at.position, gesture = gesture }
  request('cpz/edit', params, function(result)
    if not result or #result.choices == 0 then
      return execute('cpz.editBoard', { gesture = gesture }, at)
    end
    local options = {
      -- A first move that is refused may be written as a try.
      prompt = result.refused ~= vim.NIL and result.refused or 'Which move?',
      format_item = function(item)
        return item.label
      end,
    }
    vim.ui.select(result.choices, options, function(item)
      if item then
        gesture.choice = item.id
        execute('cpz.editBoard', { gesture = gesture }, at)
      end
    end)
  end)
end

--- The code of the worst finding at the cursor, or nil.
local function code_here()
  local lnum, col = vim.fn.line '.' - 1, vim.fn.col '.' - 1
  local worst
  for _, d in ipairs(vim.diagnostic.get(0)) do
    local is_here = (d.lnum < lnum or d.lnum == lnum and d.col <= col)
      and (d.end_lnum > lnum or d.end_lnum == lnum and d.end_col >= col)
    if is_here and d.source == 'cpz' and (not worst or d.severity < worst.severity) then
      worst = d
    end
  end
  return worst and worst.code
end

--- Shows the page of the manual about a code, by default that of the finding at the cursor.
function M.explain(code)
  code = code or code_here()
  if not code then
    return warn 'there is no finding here'
  end
  request('cpz/explain', { code = code }, function(page)
    vim.cmd.new()
    vim.api.nvim_buf_set_lines(0, 0, -1, false, vim.split(page.markdown, '\n'))
    vim.cmd 'setlocal buftype=nofile bufhidden=wipe noswapfile nomodifiable filetype=markdown'
  end)
end

--- Runs the program and shows the last line of what it says. Returns whether it wrote its file.
local function run(arguments)
  local cmd = M.command()
  if type(cmd) ~= 'table' or M.problem() then
    warn(M.problem() or '`cmd` is a function, so there is no program to run')
    return false
  end
  local done = vim.system(vim.list_extend({ cmd[1] }, arguments), { text = true }):wait()
  local lines = vim.split(vim.trim(done.stderr), '\n')
  -- 1 is for what the format has no place for, or for what was not read whole.
  local written = done.code <= 1
  vim.notify(lines[#lines], written and vim.log.levels.INFO or vim.log.levels.ERROR)
  return written
end

--- Makes a collection of a file of another program, beside it, and opens it; `force` replaces one that exists.
function M.import(file, force)
  local output = vim.fn.fnamemodify(file:gsub('%.zst$', ''), ':p:r') .. '.cpz'
  if run(vim.list_extend({ 'import', vim.fn.fnamemodify(file, ':p'), '-o', output }, force and { '--force' } or {})) then
    vim.cmd.edit(vim.fn.fnameescape(output))
  end
end

--- Writes the puzzles of the buffer, which is saved, in a format; `force` replaces a file that exists.
function M.export(format, output, force)
  vim.cmd.update()
  local arguments = { 'export', '--to', format, vim.api.nvim_buf_get_name(0), '-o', vim.fn.fnamemodify(output, ':p') }
  run(vim.list_extend(arguments, force and { '--force' } or {}))
end

M.formats = { 'json', 'jsonl', 'csv', 'pgn', 'epd', 'fen', 'pdn', 'popeye', 'olv', 'markdown' }
M.sort_keys = { 'difficulty', 'pieces', 'name', 'id' }

local function board_commands()
  local command = function(name, desc, nargs, act, more)
    vim.api.nvim_create_user_command(name, function(given)
      act(given.fargs, given.bang)
    end, vim.tbl_extend('error', { desc = desc, nargs = nargs }, more or {}))
  end
  -- Completes the first argument from a list, and the others as files.
  local function first_of(list)
    return {
      complete = function(lead, line)
        if #vim.split(line, '%s+') > 2 then
          return vim.fn.getcompletion(lead, 'file')
        end
        return vim.tbl_filter(function(item)
          return vim.startswith(item, lead)
        end, list)
      end,
    }
  end
  command('CpzPut', 'Put a piece on the square at the cursor: CpzPut N', 1, function(args)
    M.edit_board { kind = 'put', piece = args[1] }
  end)
  command('CpzRemove', 'Remove the piece at the cursor', 0, function()
    M.edit_board { kind = 'remove' }
  end)
  command('CpzMove', 'Move the piece at the cursor: CpzMove b2', 1, function(args)
    M.edit_board { kind = 'move', to = args[1] }
  end)
  command('CpzRecord', 'Write a legal move as the answer: CpzRecord d1 b2 [Q]', '+', function(args)
    if not args[2] then
      return warn 'name two squares, as in :CpzRecord d1 b2'
    end
    M.record(unpack(args))
  end)
  command('CpzHint', 'Show a hint for the puzzle at the cursor', 0, function()
    execute 'cpz.showHint'
  end)
  command('CpzSort', 'Sort the puzzles of the text: CpzSort [difficulty|pieces|name|id]', '?', function(args)
    execute('cpz.sortPuzzles', { by = args[1] })
  end, first_of(M.sort_keys))
  command(
    'CpzGenerate',
    'Add a new puzzle: CpzGenerate [PIECES [SIDE]], CpzGenerate draughts [CAPTURED], CpzGenerate chess3d [SIDE]',
    '*',
    function(args)
      local has_game = args[1] and not tonumber(args[1])
      local game = has_game and args[1] or 'solitaire'
      local first = tonumber(args[has_game and 2 or 1])
      local wanted
      if game == 'draughts' then
        wanted = { captures = first }
      elseif game == 'chess3d' then
        wanted = { side = first }
      else
        local side = tonumber(args[has_game and 3 or 2]) or 4
        wanted = { pieces = first or 6, columns = side, rows = side, unique = true }
      end
      wanted.game = game
      -- Another puzzle each time; the text names the seed, so that it can be made again.
      wanted.seed = math.random(999999)
      execute('cpz.generatePuzzle', { wanted = wanted })
    end,
    first_of { 'solitaire', 'draughts', 'chess3d' }
  )
  command('CpzExplain', 'Show the page about a code, or about the finding at the cursor', '?', function(args)
    M.explain(args[1])
  end)
  command('CpzImport', 'Make a collection of a file of another program, and open it', 1, function(args, bang)
    M.import(args[1], bang)
  end, { bang = true, complete = 'file' })
  command('CpzExport', 'Write the puzzles of this file in a format: CpzExport pgn FILE', '+', function(args, bang)
    if not args[2] then
      return warn 'name a format and a file, as in :CpzExport pgn puzzles.pgn'
    end
    M.export(args[1], args[2], bang)
  end, vim.tbl_extend('error', { bang = true }, first_of(M.formats)))
end

--- Sets up `cpz lsp` for all `.cpz` files. All options have defaults.
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  vim.api.nvim_clear_autocmds { group = group }
  vim.api.nvim_create_autocmd('LspAttach', { group = group, callback = on_attach })
  vim.api.nvim_create_user_command('CpzRestart', M.restart, { desc = 'Restart the cpz language server' })
  board_commands()
  vim.lsp.commands['cpz.explain'] = function(command)
    M.explain(command.arguments[1].code)
  end
  if vim.lsp.config then
    vim.lsp.config('cpz', M.config())
    vim.lsp.enable 'cpz'
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'cpz',
    callback = function(event)
      on_open(event.buf)
    end,
  })
  for_each_buffer(on_open)
end

return M

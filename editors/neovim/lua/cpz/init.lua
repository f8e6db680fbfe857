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

--- Does something on the board at the cursor: `{ kind = 'put', piece = 'N' }`, `{ kind = 'remove' }`,
--- `{ kind = 'move', to = 'b2' }`, `{ kind = 'record', to = 'b2' }`, `{ kind = 'clear' }`.
function M.edit_board(gesture)
  local buf = vim.api.nvim_get_current_buf()
  local client = vim.lsp.get_clients({ name = 'cpz', bufnr = buf })[1]
  if not client then
    return vim.notify('cpz: the server is not running', vim.log.levels.WARN)
  end
  local params = vim.lsp.util.make_position_params(0, client.offset_encoding)
  local argument = {
    uri = params.textDocument.uri,
    version = vim.lsp.util.buf_versions[buf],
    position = params.position,
    gesture = gesture,
  }
  -- The method `client.request` has other parameters in Neovim 0.10.
  vim.lsp.buf_request(buf, 'workspace/executeCommand', { command = 'cpz.editBoard', arguments = { argument } }, function(err)
    if err then
      vim.notify('cpz: ' .. err.message, vim.log.levels.ERROR)
    end
  end)
end

local function board_commands()
  local command = function(name, desc, nargs, gesture)
    vim.api.nvim_create_user_command(name, function(given)
      M.edit_board(gesture(given.fargs))
    end, { desc = desc, nargs = nargs })
  end
  command('CpzPut', 'Put a piece on the square at the cursor: CpzPut N', 1, function(args)
    return { kind = 'put', piece = args[1] }
  end)
  command('CpzRemove', 'Remove the piece at the cursor', 0, function()
    return { kind = 'remove' }
  end)
  command('CpzMove', 'Move the piece at the cursor: CpzMove b2', 1, function(args)
    return { kind = 'move', to = args[1] }
  end)
  command('CpzRecord', 'Write a legal move as the answer: CpzRecord d1 b2 [Q]', '+', function(args)
    return { kind = 'record', from = args[1], to = args[2], choice = args[3] }
  end)
end

--- Sets up `cpz lsp` for all `.cpz` files. All options have defaults.
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  vim.api.nvim_clear_autocmds { group = group }
  vim.api.nvim_create_autocmd('LspAttach', { group = group, callback = on_attach })
  vim.api.nvim_create_user_command('CpzRestart', M.restart, { desc = 'Restart the cpz language server' })
  board_commands()
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

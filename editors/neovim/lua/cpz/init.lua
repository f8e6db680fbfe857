--- Starts `cpz lsp`, and shows the answers and lenses that Neovim shows only when it is told to.
local M = {}

M.options = {
  cmd = { 'cpz', 'lsp' },
  --- What `cpz.toml` could say; it lies on top.
  settings = {},
  --- Answers beside the queries that have none.
  inlay_hints = true,
  --- The state of each puzzle and query, and what can be inserted.
  code_lens = true,
  --- Puzzles can be folded away.
  folds = true,
}

local group = vim.api.nvim_create_augroup('cpz', {})

--- The command that starts the server.
function M.command()
  return vim.lsp.config and vim.lsp.config.cpz.cmd or M.options.cmd
end

--- What is wrong with the command, in a sentence, or nothing.
function M.problem()
  local cmd = M.command()
  if type(cmd) == 'table' and vim.fn.executable(cmd[1]) == 0 then
    return ('cpz: the program `%s` cannot be found, so nothing is checked: install it or give `cmd` to setup; see :checkhealth cpz'):format(
      cmd[1]
    )
  end
end

local function root_of(buf)
  local name = vim.api.nvim_buf_get_name(buf)
  -- A folder without either mark is one of its own, so that its other files are checked too.
  return vim.fs.root(buf, { 'cpz.toml', '.git' }) or (name ~= '' and vim.fs.dirname(name)) or vim.uv.cwd()
end

local function refresh(buf)
  vim.lsp.codelens.refresh { bufnr = buf }
end

--- Lenses are asked for again by Neovim itself since 0.12.
local function refreshes_itself()
  return vim.lsp.codelens.enable ~= nil
end

--- The configuration of the client, as `vim.lsp.config` takes it.
function M.config()
  local capabilities = vim.lsp.protocol.make_client_capabilities()
  local handlers = {}
  -- Neovim leaves this out on Linux, where watching many files is dear; a collection has few.
  capabilities.workspace.didChangeWatchedFiles.dynamicRegistration = true
  if M.options.code_lens and not refreshes_itself() then
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
    -- An empty table of Lua would be sent as a list.
    settings = { cpz = next(M.options.settings) and M.options.settings or vim.empty_dict() },
    root_dir = function(buf, go)
      if vim.bo[buf].buftype == '' and not M.problem() then
        go(root_of(buf))
      end
    end,
    on_exit = function(code, signal)
      -- A client that is told to stop ends with 0 or, when it is not waited for, with SIGTERM.
      if code ~= 0 or (signal ~= 0 and signal ~= 15) then
        vim.schedule(function()
          vim.notify('cpz: the server has stopped; :CpzRestart starts it again', vim.log.levels.ERROR)
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

--- Neovim itself would say in its log only that the program is missing, or in many lines.
local function opened(buf)
  local problem = M.problem()
  if problem then
    vim.notify_once(problem, vim.log.levels.WARN)
  elseif not vim.lsp.config then
    start(buf)
  end
end

local function each(act)
  for _, buf in ipairs(vim.api.nvim_list_bufs()) do
    if vim.api.nvim_buf_is_loaded(buf) and vim.bo[buf].filetype == 'cpz' then
      act(buf)
    end
  end
end

--- Ends the servers and starts them anew, once they are gone or have had three seconds.
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
  each(start)
end

local function attached(event)
  local client, buf = vim.lsp.get_client_by_id(event.data.client_id), event.buf
  if not client or client.name ~= 'cpz' then
    return
  end
  if M.options.inlay_hints then
    vim.lsp.inlay_hint.enable(true, { bufnr = buf })
  end
  if M.options.code_lens and refreshes_itself() then
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

--- Has `cpz lsp` started for every `.cpz` file. All options may be left out.
function M.setup(options)
  M.options = vim.tbl_deep_extend('force', M.options, options or {})
  vim.api.nvim_clear_autocmds { group = group }
  vim.api.nvim_create_autocmd('LspAttach', { group = group, callback = attached })
  vim.api.nvim_create_user_command('CpzRestart', M.restart, { desc = 'Restart the cpz language server' })
  if vim.lsp.config then
    vim.lsp.config('cpz', M.config())
    vim.lsp.enable 'cpz'
  end
  vim.api.nvim_create_autocmd('FileType', {
    group = group,
    pattern = 'cpz',
    callback = function(event)
      opened(event.buf)
    end,
  })
  each(opened)
end

return M

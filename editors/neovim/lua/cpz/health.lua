--- `:checkhealth cpz`
local M = {}

function M.check()
  local cpz = require 'cpz'
  local health = vim.health
  health.start 'cpz'
  if vim.fn.has 'nvim-0.10' == 0 then
    health.error 'cpz needs Neovim 0.10 or later.'
    return
  end
  local cmd, problem = cpz.command(), cpz.problem()
  if problem then
    health.error(problem)
  elseif type(cmd) == 'table' then
    local done = vim.system({ cmd[1], '--version' }, { text = true }):wait(5000)
    local first = vim.trim(done.stdout or ''):match '[^\n]*'
    if done.code == 0 and first ~= '' then
      health.ok(('`%s` is %s'):format(vim.fn.exepath(cmd[1]), first))
    else
      health.error(('`%s --version` fails: %s'):format(cmd[1], vim.trim(done.stderr or '')))
    end
  end
  local running = #vim.lsp.get_clients { name = 'cpz' }
  if running > 0 then
    health.ok(('%d server%s running'):format(running, running == 1 and ' is' or 's are'))
  else
    health.info 'No server is running: it starts with the first .cpz file, after setup.'
  end
  if pcall(vim.treesitter.get_string_parser, '', 'cpz') then
    health.ok 'The tree-sitter parser is installed.'
  else
    health.info 'The tree-sitter parser for cpz is not installed: colours come from the syntax file.'
  end
end

return M

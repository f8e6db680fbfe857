if vim.b.did_ftplugin then
  return
end
vim.b.did_ftplugin = true

vim.cmd [[setlocal commentstring=//\ %s comments=:// formatoptions-=t expandtab shiftwidth=2 softtabstop=2]]
vim.b.undo_ftplugin = 'setlocal commentstring< comments< formatoptions< expandtab< shiftwidth< softtabstop<'

-- Colours and folds come from tree-sitter; without a parser, or with one too new for this Neovim, from
-- the syntax file.
local parsed = pcall(vim.treesitter.start, 0, 'cpz')
if parsed then
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' | call v:lua.vim.treesitter.stop()'
end
if require('cpz').options.folds then
  -- Start with all folds open.
  vim.cmd('setlocal foldlevel=99 foldmethod=' .. (parsed and 'expr' or 'syntax'))
  if parsed then
    vim.cmd 'setlocal foldexpr=v:lua.vim.treesitter.foldexpr()'
  end
  vim.b.undo_ftplugin = vim.b.undo_ftplugin .. ' | setlocal foldlevel< foldmethod< foldexpr<'
end

if vim.b.did_indent then
  return
end
vim.b.did_indent = true

vim.bo.indentexpr = "v:lua.require'cpz.indent'.column(v:lnum)"
vim.bo.indentkeys = 'o,O,0},!^F'
vim.b.undo_indent = 'setlocal indentexpr< indentkeys<'

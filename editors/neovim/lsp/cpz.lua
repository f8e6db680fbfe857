-- Read by `vim.lsp.enable('cpz')` in Neovim 0.11 and later.
return require('cpz').config()

vim.filetype.add { extension = { cpz = 'cpz' } }

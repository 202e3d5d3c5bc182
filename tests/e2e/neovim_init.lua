-- The set-up of docs/editors.md.
vim.lsp.config("sakaime", { cmd = { vim.env.SAKAIME, "lsp" }, root_markers = { ".git" } })
vim.lsp.enable("sakaime")
